/** Timeline of a record. Its events are fixed beforehand; the clock decides which of them have happened. */

import type { JsonObject } from '../../core/json.ts';
import { instantAt, second, type Zone } from './calendar.ts';
import type { CollectionHistory, RecordHistory } from './dataset.ts';
import type { Chance } from './seeded-random.ts';

/** Something that happens to a record. The first event is its creation. */
interface HistoryEvent<State> {
  /** In milliseconds since 1970-01-01T00:00:00Z. Records show it to the second. */
  readonly at: number;
  /** State of the record from then on. */
  readonly state: State;
}

/** All events of a record, in the order of time. */
export type Timeline<State> = readonly [HistoryEvent<State>, ...HistoryEvent<State>[]];

/** Something that is to happen, and the fields of the state that it changes. */
export interface TimelineChange<State> {
  readonly at: number;
  readonly fields: Partial<State>;
}

/** The state after a change. Each kind of record has its own: a state that is written out field by field is made much faster than one that is copied. */
type Apply<State> = (state: State, fields: Partial<State>) => State;

/** The timeline of a record that is created with a state and then changes, in whatever order the changes are given. */
export function makeTimeline<State>(
  at: number,
  state: State,
  changes: readonly TimelineChange<State>[],
  apply: Apply<State>,
): Timeline<State> {
  const timeline: [HistoryEvent<State>, ...HistoryEvent<State>[]] = [{ at, state }];
  let current = state;
  for (const change of inTime(changes)) {
    current = apply(current, change.fields);
    timeline.push({ at: change.at, state: current });
  }
  return timeline;
}

/** A handful of changes in the order of time, by insertion; those of one instant as they were given. */
function inTime<State>(changes: readonly TimelineChange<State>[]): readonly TimelineChange<State>[] {
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

/** The life of a record that goes through the states of a timeline. Its parts are made when they are first asked for. */
export function livingBy<State>(
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

/** The record of a life at an instant; `undefined` while it does not exist. */
function recordAt({ instants, record }: RecordHistory, nowMs: number): JsonObject | undefined {
  const changes = instants.findLastIndex((instant) => instant <= nowMs);
  return changes < 0 ? undefined : record(changes);
}

/** The event that made a record what it is at an instant; `undefined` while the record does not exist. */
export function latestEvent<State>(timeline: Timeline<State>, nowMs: number): HistoryEvent<State> | undefined {
  return timeline.findLast((event) => event.at <= nowMs);
}

/** Position of batches among the records of a collection. */
export interface BatchPlan {
  /** Records between the starts of two batches. */
  readonly every: number;
  /** The sizes of batches, dealt one after another. */
  readonly sizes: readonly number[];
  /** One batch more, in place of whatever lies there: the index of its first record, and how many there are. */
  readonly bulk?: { readonly first: number; readonly size: number };
}

/** The last index of the batch that an index belongs to; `undefined` when it belongs to none. */
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

/** The batch that was asked for last of each chance: indexes mostly come in turn, so that one serves for many. */
const latest = new WeakMap<Chance, { readonly plan: BatchPlan; readonly number: number; readonly first: number; readonly size: number }>();

/** The instant at which a batch is reported: late in the evening of the day on which its last record came into being. */
export function reportInstant(chance: Chance, last: number, createdDay: number, zone: Zone): number {
  return (
    instantAt(createdDay, 23 * 60 + chance.range(`report minute ${last}`, 40, 58), zone) +
    chance.range(`report second ${last}`, 0, 59) * second
  );
}

/**
 * The timeline of a record that is reported in a batch: nobody sees it before the report, it then has the state that it has by then, and it
 * is left like that. Records of one batch share the instant of their last change, whatever their states.
 */
export function reportAt<State>(timeline: Timeline<State>, instantMs: number): Timeline<State> {
  const { state } = latestEvent(timeline, instantMs) ?? timeline[0];
  return [{ at: instantMs, state }];
}

/** Every record that exists at an instant, in the order of their numbers. */
export function listRecords(history: CollectionHistory, nowMs: number): readonly JsonObject[] {
  const count = history.countUntil(nowMs);
  return Array.from({ length: count }, (_, index) => recordAt(history.life(index), nowMs)).filter((record) => record !== undefined);
}
