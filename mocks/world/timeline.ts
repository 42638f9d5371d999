/** What happens to a record in the course of time. Its events are fixed beforehand; the clock only tells which of them have happened. */

import type { JsonObject } from '../../core/json.ts';
import type { Life } from '../world.ts';

/** Something that happens to a record. The first event is its creation. */
export interface HistoryEvent<State> {
  /** In milliseconds since 1970-01-01T00:00:00Z. Records show it to the second. */
  readonly at: number;
  /** What the record is like from then on. */
  readonly state: State;
}

/** All events of a record, in the order of time. */
export type Timeline<State> = readonly [HistoryEvent<State>, ...HistoryEvent<State>[]];

/** Something that is to happen, and the fields of the state that it changes. */
export interface Change<State> {
  readonly at: number;
  readonly fields: Partial<State>;
}

/** The state after a change. Each kind of record has its own: a state that is written out field by field is made much faster than one that is copied. */
export type Apply<State> = (state: State, fields: Partial<State>) => State;

/** The timeline of a record that is created with a state and then changes, in whatever order the changes are given. */
export function makeTimeline<State>(at: number, state: State, changes: readonly Change<State>[], apply: Apply<State>): Timeline<State> {
  const timeline: [HistoryEvent<State>, ...HistoryEvent<State>[]] = [{ at, state }];
  let current = state;
  for (const change of inTime(changes)) {
    current = apply(current, change.fields);
    timeline.push({ at: change.at, state: current });
  }
  return timeline;
}

/** A handful of changes in the order of time, by insertion; those of one instant as they were given. */
function inTime<State>(changes: readonly Change<State>[]): readonly Change<State>[] {
  const sorted: Change<State>[] = [];
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
): Life {
  const eventAt = (changes: number): HistoryEvent<State> => timeline[changes] ?? timeline[0];
  return {
    instants: timeline.map(({ at }) => at),
    outline: (changes) => outline(eventAt(changes)),
    record: (changes) => record(eventAt(changes)),
  };
}

/** The record of a life at an instant; `undefined` while it does not exist. */
export function recordAt({ instants, record }: Life, nowMs: number): JsonObject | undefined {
  const changes = instants.findLastIndex((instant) => instant <= nowMs);
  return changes < 0 ? undefined : record(changes);
}

/** The event that made a record what it is at an instant; `undefined` while the record does not exist. */
export function latestEvent<State>(timeline: Timeline<State>, nowMs: number): HistoryEvent<State> | undefined {
  return timeline.findLast((event) => event.at <= nowMs);
}
