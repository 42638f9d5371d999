/** Timelines of generated records: all changes of a record, of which the clock decides which have happened. The datasets create one for each record. */

import type { JsonObject } from '../../core/json.ts';
import { instantAt, second, type Zone } from './calendar.ts';
import type { CollectionHistory, RecordHistory } from './dataset.ts';
import type { Chance } from './seeded-random.ts';

/** Creation or change of a record. */
interface HistoryEvent<State> {
  /** In milliseconds since 1970-01-01T00:00:00Z. Records show it to the second. */
  readonly at: number;
  /** State of the record after the event. */
  readonly state: State;
}

/** All events of a record in order of time, the creation first. */
export type Timeline<State> = readonly [HistoryEvent<State>, ...HistoryEvent<State>[]];

/** A change of some fields of the state. */
export interface TimelineChange<State> {
  readonly at: number;
  readonly fields: Partial<State>;
}

/** Returns the state after a change. Each kind of record has its own, since naming all fields is much faster than copying an object. */
type ApplyChange<State> = (state: State, fields: Partial<State>) => State;

/** Creates a timeline from a first state and changes in any order. */
export function makeTimeline<State>(
  at: number,
  state: State,
  changes: readonly TimelineChange<State>[],
  apply: ApplyChange<State>,
): Timeline<State> {
  const timeline: [HistoryEvent<State>, ...HistoryEvent<State>[]] = [{ at, state }];
  let current = state;
  for (const change of sortByTime(changes)) {
    current = apply(current, change.fields);
    timeline.push({ at: change.at, state: current });
  }
  return timeline;
}

/** Sorts a few changes by time, with insertion sort. Changes of one instant keep their order. */
function sortByTime<State>(changes: readonly TimelineChange<State>[]): readonly TimelineChange<State>[] {
  const sorted: TimelineChange<State>[] = [];
  for (const change of changes) {
    let place = sorted.length;
    for (let before = sorted[place - 1]; before !== undefined && before.at > change.at; before = sorted[place - 1]) {
      sorted[place] = before;
      place -= 1;
    }
    sorted[place] = change;
  }
  return sorted;
}

/** Converts a timeline to a history, which makes records only on request. */
export function toRecordHistory<State>(
  timeline: Timeline<State>,
  outline: (event: HistoryEvent<State>) => JsonObject,
  record: (event: HistoryEvent<State>) => JsonObject,
): RecordHistory {
  const eventAt = (changes: number): HistoryEvent<State> => timeline[changes] ?? timeline[0];
  return {
    instants: timeline.map(({ at }) => at),
    outline: (changes) => outline(eventAt(changes)),
    record: (changes) => record(eventAt(changes)),
  };
}

/** Returns a record at an instant; `undefined` before its creation. */
function recordAt({ instants, record }: RecordHistory, nowMs: number): JsonObject | undefined {
  const changes = instants.findLastIndex((instant) => instant <= nowMs);
  return changes < 0 ? undefined : record(changes);
}

/** Returns the last event up to an instant; `undefined` before the creation. */
export function latestEvent<State>(timeline: Timeline<State>, nowMs: number): HistoryEvent<State> | undefined {
  return timeline.findLast((event) => event.at <= nowMs);
}

/** Position of batches among the records of a collection. */
export interface BatchPlan {
  /** Records between the starts of two batches. */
  readonly every: number;
  /** Sizes of batches, as cards for `Chance.deal`. */
  readonly sizes: readonly number[];
  /** One extra batch, with the index of its first record. It replaces other batches there. */
  readonly bulk?: { readonly first: number; readonly size: number };
}

/** Returns the last index of the batch with an index; `undefined` if no batch has it. */
export function lastOfBatch(plan: BatchPlan, chance: Chance, index: number): number | undefined {
  if (plan.bulk !== undefined && index >= plan.bulk.first && index < plan.bulk.first + plan.bulk.size)
    return plan.bulk.first + plan.bulk.size - 1;
  const number = Math.floor(index / plan.every);
  let batch = latest.get(chance);
  if (batch?.plan !== plan || batch.number !== number) {
    const size = chance.deal('batch size', number, plan.sizes);
    batch = { plan, number, size, first: number * plan.every + chance.range(`batch ${number}`, 1, plan.every - size - 1) };
    latest.set(chance, batch);
  }
  return index >= batch.first && index < batch.first + batch.size ? batch.first + batch.size - 1 : undefined;
}

/** The last batch by chance, because indexes mostly come in order and share a batch. */
const latest = new WeakMap<Chance, { readonly plan: BatchPlan; readonly number: number; readonly first: number; readonly size: number }>();

/** Returns the instant at which a batch is reported: late in the evening of the day on which its last record was created. */
export function reportInstant(chance: Chance, last: number, createdDay: number, zone: Zone): number {
  return (
    instantAt(createdDay, 23 * 60 + chance.range(`report minute ${last}`, 40, 58), zone) +
    chance.range(`report second ${last}`, 0, 59) * second
  );
}

/**
 * Replaces a timeline by one event, the report of a batch: the record appears at the report with its state at that time, and never changes again. So the
 * records of a batch share the instant of their last change.
 */
export function reportAt<State>(timeline: Timeline<State>, instantMs: number): Timeline<State> {
  const { state } = latestEvent(timeline, instantMs) ?? timeline[0];
  return [{ at: instantMs, state }];
}

/** Lists all records that exist at an instant, in order of creation. */
export function listRecords(history: CollectionHistory, nowMs: number): readonly JsonObject[] {
  const count = history.countUntil(nowMs);
  return Array.from({ length: count }, (_, index) => recordAt(history.recordHistory(index), nowMs)).filter(
    (record) => record !== undefined,
  );
}
