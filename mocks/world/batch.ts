/** Records that are reported together: a till that was offline, an import. They share the instant of their last change. */

import { instantAt, second, type Zone } from './calendar.ts';
import type { Chance } from './chance.ts';
import { latestEvent, type Timeline } from './timeline.ts';

/** Where batches lie among the records of a collection. */
export interface BatchPlan {
  /** How many records lie between the starts of two batches. */
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
