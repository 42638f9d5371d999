/** What happens to a record in the course of time. Its events are fixed beforehand; the clock only tells which of them have happened. */

import { day, dayAt, instantAt, second, type Zone, zones } from './calendar.ts';
import type { Chance } from './chance.ts';

/** Something that happens to a record. The first event is its creation. */
export interface HistoryEvent<State> {
  /** In milliseconds since 1970-01-01T00:00:00Z, on a whole second. */
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

/** The timeline of a record that is created with a state and then changes, in whatever order the changes are given. */
export function makeTimeline<State>(at: number, state: State, changes: readonly Change<State>[]): Timeline<State> {
  const timeline: [HistoryEvent<State>, ...HistoryEvent<State>[]] = [{ at, state }];
  let current = state;
  for (const change of [...changes].sort((one, other) => one.at - other.at)) {
    current = { ...current, ...change.fields };
    timeline.push({ at: change.at, state: current });
  }
  return timeline;
}

/** The event that made a record what it is at an instant; `undefined` while the record does not exist. */
export function latestEvent<State>(timeline: Timeline<State>, nowMs: number): HistoryEvent<State> | undefined {
  return timeline.findLast((event) => event.at <= nowMs);
}

/**
 * The timeline of a record that is reported in a batch: nobody sees it before the report, it then has the state that it has by then, and it
 * is left like that. Records of one batch share the instant of their last change, whatever their states.
 */
export function reportAt<State>(timeline: Timeline<State>, instantMs: number): Timeline<State> {
  const { state } = latestEvent(timeline, instantMs) ?? timeline[0];
  return [{ at: instantMs, state }];
}

/** Where batches lie among the records of a collection. */
export interface BatchPlan {
  /** How many records lie between the starts of two batches. */
  readonly every: number;
  /** The sizes of batches, dealt one after another. */
  readonly sizes: readonly number[];
}

/** The last index of the batch that an index belongs to; `undefined` when it belongs to none. */
export function lastOfBatch(plan: BatchPlan, chance: Chance, index: number): number | undefined {
  const batch = Math.floor(index / plan.every);
  const size = chance.deal('batch size', batch, plan.sizes);
  const first = batch * plan.every + chance.range(`batch ${batch}`, 1, plan.every - size - 1);
  return index >= first && index < first + size ? first + size - 1 : undefined;
}

/** The instant at which a batch is reported: late in the evening of the day on which its last record came into being. */
export function reportInstant(chance: Chance, last: number, createdDay: number, zone: Zone): number {
  return (
    instantAt(createdDay, 23 * 60 + chance.range(`report minute ${last}`, 40, 58), zone) +
    chance.range(`report second ${last}`, 0, 59) * second
  );
}

/** Worlds begin on 2026-02-22 and anew every four years, so that the world of any clock has content and a bounded size. */
export interface Era {
  readonly number: number;
  /** The number of its first day. */
  readonly firstDay: number;
}

/** The era that an instant lies in. */
export function eraAt(nowMs: number): Era {
  const number = Math.floor((dayAt(nowMs, zones.utc) - firstEraDay) / eraDays);
  return { number, firstDay: firstEraDay + number * eraDays };
}

const firstEraDay = Date.UTC(2026, 1, 22) / day;
const eraDays = 4 * 365 + 1;
