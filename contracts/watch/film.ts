/** What was seen of a list and of its records while time went by. */

import { parseInstant } from '../../core/instant.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Entry } from '../../core/query.ts';
import type { RecordRead } from '../detail.ts';
import type { Reply } from '../reply.ts';
import { keyOf, type ListOperation, type Walk } from '../walk.ts';

/** A record as one answer showed it. */
export interface Frame {
  readonly key: string;
  readonly record: Entry;
  readonly reply: Reply;
  /** The checkpoint that a client had when it was asked; `undefined` before the first reading was over. */
  readonly checkpoint: string | undefined;
}

/** A record that was read by itself, with its tag. */
export interface TaggedFrame extends Frame {
  readonly tag: string | undefined;
}

/** The end of a watch: the list read whole, and then once more from the checkpoint. */
export interface Closing {
  /** The checkpoint from which it was read the second time. */
  readonly checkpoint: string;
  readonly whole: Walk;
  readonly sync: Walk;
  /** What a client has after that. */
  readonly replica: ReadonlyMap<string, Frame>;
}

/** A list that is watched. */
export interface Film {
  readonly operation: ListOperation;
  /** The operation that reads one of its records, where there is one. */
  readonly read: RecordRead | undefined;
  /** The parameter that carries a checkpoint, where there is one. */
  readonly parameter: string | undefined;
  /** Every sight of a record in a list, by key, in the order of time. */
  readonly listed: Map<string, Frame[]>;
  /** Every record that was read by itself, by key. */
  readonly readings: Map<string, TaggedFrame[]>;
  /** What a client has that follows the procedure: the last that it was given of each record. */
  readonly replica: Map<string, Frame>;
  /** The latest change that was seen once all pages had been read. */
  checkpoint: string | undefined;
  /** Only what changed since then is compared: the moment from which all is known; `undefined` when all is known. */
  floor: string | undefined;
  /** How often the list was read from the checkpoint to its end. */
  syncs: number;
  /** Records that were given again with a later moment of change, or for the first time, after the first reading. */
  changes: number;
  closings: Closing[];
}

/** The moment of the last change of a record, as the list shows it. */
export function versionOf({ operation }: Film, record: Entry): string {
  const version = operation.collection.version;
  const found = version === undefined ? undefined : valueAt(record, version);
  return typeof found === 'string' ? found : '';
}

/** Compares two moments: as instants where both are, and as text where a contract knows no offsets. */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [parseInstant(left), parseInstant(right)];
  if (one !== undefined && other !== undefined) return one < other ? -1 : one > other ? 1 : 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The frames of a walk. */
export function framesOf(film: Film, walk: Walk): readonly Frame[] {
  return walk.replies.flatMap((reply, index) =>
    (walk.pages[index] ?? []).map((record) => ({ key: keyOf(film.operation, record), record, reply, checkpoint: film.checkpoint })),
  );
}

/** The members that a list shows of a record, taken from another view of it. */
export function summaryOf(record: Entry, listed: Entry): Entry {
  return Object.fromEntries(Object.keys(listed).flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] ?? null]] : [])));
}
