/** Timelines of generated records: all changes of a record, past and future. The clock decides which of them have happened. */

import type { JsonObject } from '../../core/json.ts';
import type { CollectionHistory, RecordHistory } from './dataset.ts';

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
  for (const change of changes.toSorted((left, right) => left.at - right.at)) {
    current = apply(current, change.fields);
    timeline.push({ at: change.at, state: current });
  }
  return timeline;
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

/** Lists all records that exist at an instant, in order of creation. */
export function listRecords(history: CollectionHistory, nowMs: number): readonly JsonObject[] {
  const count = history.countUntil(nowMs);
  return Array.from({ length: count }, (_, index) => recordAt(history.recordHistory(index), nowMs)).filter(
    (record) => record !== undefined,
  );
}
