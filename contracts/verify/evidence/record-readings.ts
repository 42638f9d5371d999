/** Readings: the content of each record in list replies, with its time. Only a record with equal readings before and after a request counts as evidence. */

import { printJson } from '../../../core/json.ts';
import { canonicalText } from '../../../core/json-equality.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { parseInstant } from '../../../core/query/instants.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isReplyTo, type Reply, recordsIn } from './call.ts';
import type { Caller } from './callers.ts';
import { type Pagination, totalIn } from './pagination/pagination.ts';
import { recordKeyOf } from './record-keys-and-filters.ts';
import type { Snapshot } from './snapshot.ts';

/** The content of a record in one list reply. */
export interface RecordReading {
  readonly reply: Reply;
  readonly record: DataRecord;
  /** The record as text: equal texts are equal contents, whatever the order of their members. */
  readonly content: string;
}

/** A record as text, which is worked out once: a run reads the same replies for many questions. */
function contentOf(record: DataRecord): string {
  return getOrCompute(contents, record, canonicalText);
}

const contents = new WeakMap<DataRecord, string>();

/** All readings of one list by one caller. */
export class RecordReadings {
  private readonly byKey = new Map<string, RecordReading[]>();

  constructor(operation: ListOperation, caller: Caller, replies: readonly Reply[]) {
    for (const reply of replies) {
      if (!isReplyTo(reply, operation, caller)) continue;
      for (const record of recordsIn(reply) ?? [])
        getOrCompute(this.byKey, recordKeyOf(operation, record), () => []).push({ reply, record, content: contentOf(record) });
    }
  }

  /** The keys of all records that were seen. */
  get keys(): readonly string[] {
    return [...this.byKey.keys()];
  }

  /** Every reading of a record, in the order of the run. */
  of(key: string): readonly RecordReading[] {
    return this.byKey.get(key) ?? [];
  }

  /**
   * The readings before and after a period in which a record did not change; `undefined` if it was not read before and after, or not always with the
   * same content.
   */
  unchangedDuring(
    key: string,
    startMs: number,
    endMs: number,
  ): { readonly before: RecordReading; readonly after: RecordReading } | undefined {
    const readings = this.of(key);
    const before = readings.findLast((each) => each.reply.endedMs <= startMs);
    const after = readings.find((each) => each.reply.startedMs >= endMs);
    if (before === undefined || after === undefined) return undefined;
    const isUnchanged = readings.every(
      (each) => each.reply.number < before.reply.number || each.reply.number > after.reply.number || each.content === before.content,
    );
    return isUnchanged ? { before, after } : undefined;
  }
}

/** A record with the same content in all readings before, during and after a pagination. */
export interface StableRecord {
  readonly key: string;
  readonly record: DataRecord;
  readonly before: RecordReading;
  readonly after: RecordReading;
}

/** The part of the round context that gives the readings of a list. */
interface ReadingsSource {
  readonly readings: (operation: ListOperation, caller: Caller) => RecordReadings;
}

/**
 * The records that did not change during a pagination. With numbered pages, a new or deleted record shifts all that follow, so several pages have stable
 * records only if nothing changed in the list.
 */
export function stableRecords(context: ReadingsSource, snapshot: Snapshot, pagination: Pagination): readonly StableRecord[] {
  if (!isUnshifted(snapshot, pagination)) return [];
  const readings = context.readings(snapshot.operation, snapshot.as);
  return readings.keys.flatMap((key) => {
    const stable = readings.unchangedDuring(key, pagination.startedMs, pagination.endedMs);
    return stable === undefined ? [] : [{ key, record: stable.before.record, ...stable }];
  });
}

/** True when changes of the list could not have shifted a pagination. */
export function isUnshifted(snapshot: Snapshot, pagination: Pagination): boolean {
  const { operation } = snapshot;
  if (operation.collection.page.style === 'cursor' || pagination.replies.length <= 1) return true;
  return isUnchangedList(snapshot) && sameTotals(pagination);
}

/** True when a list was equal, record by record, at the start and at the end of the round. */
export function isUnchangedList({ pagination, finalPagination: closing, operation }: Snapshot): boolean {
  if (closing === undefined || closing.end !== pagination.end) return false;
  const contentsOf = (each: Pagination): string => printJson(each.records.map(canonicalText).toSorted());
  const totals = (each: Pagination): string => printJson(each.replies.map((reply) => totalIn(operation.collection.page, reply)));
  return totals(pagination) === totals(closing) && contentsOf(pagination) === contentsOf(closing);
}

/** True when every page of a pagination has the same total. */
function sameTotals(pagination: Pagination): boolean {
  return new Set(pagination.replies.map((reply) => totalIn(pagination.operation.collection.page, reply))).size <= 1;
}

/** Compares two times of change: as instants if both have an offset, else as text. */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [parseInstant(left), parseInstant(right)];
  if (one !== undefined && other !== undefined) return one < other ? -1 : one > other ? 1 : 0;
  return left < right ? -1 : left > right ? 1 : 0;
}
