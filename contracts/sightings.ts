/**
 * What lists showed of each record, and when. On live data only a record that was seen before and after a moment with the same content is known to
 * have had it at that moment; nothing is ever claimed of any other.
 */

import type { Entry } from '../core/query.ts';
import type { Caller } from './call.ts';
import { type Reply, recordsIn } from './reply.ts';
import { keyOf, type ListOperation } from './walk.ts';

/** A record in a list answer. */
export interface Sighting {
  readonly reply: Reply;
  readonly record: Entry;
  /** The record as text: equal texts are equal contents. */
  readonly content: string;
}

/** Which records of one collection were seen by one caller. */
export class Sightings {
  private readonly byKey = new Map<string, Sighting[]>();

  constructor(operation: ListOperation, caller: Caller, replies: readonly Reply[]) {
    for (const reply of replies) {
      if (reply.call.operation.id !== operation.id || (reply.call.as ?? 'full') !== caller) continue;
      for (const record of recordsIn(reply) ?? []) this.note(keyOf(operation, record), { reply, record, content: JSON.stringify(record) });
    }
  }

  private note(key: string, sighting: Sighting): void {
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, [sighting]);
    else known.push(sighting);
  }

  /** The keys of all records that were seen. */
  get keys(): readonly string[] {
    return [...this.byKey.keys()];
  }

  /** Every sighting of a record, in the order of the run. */
  of(key: string): readonly Sighting[] {
    return this.byKey.get(key) ?? [];
  }

  /**
   * The record that was there, unchanged, all through a stretch of time: the sightings around it, and `undefined` when the record was not seen
   * before and after, or not always with the same content.
   */
  stable(key: string, startMs: number, endMs: number): { readonly before: Sighting; readonly after: Sighting } | undefined {
    const all = this.of(key);
    const before = all.findLast((each) => each.reply.endedMs <= startMs);
    const after = all.find((each) => each.reply.startedMs >= endMs);
    if (before === undefined || after === undefined) return undefined;
    const isSame = all.every(
      (each) => each.reply.number < before.reply.number || each.reply.number > after.reply.number || each.content === before.content,
    );
    return isSame ? { before, after } : undefined;
  }
}
