/** Batches of records that change in the same second, such as the imports of a wiki, so that some pages end among equal times. */

import { instantAt, second, type Zone } from './local-time.ts';
import type { Chance } from './seeded-random.ts';
import { latestEvent, type Timeline } from './timeline.ts';

/** Position of batches among the records of a collection. */
export interface BatchPlan {
  /** Records between the starts of two batches. */
  readonly every: number;
  /** Sizes of batches, which `Chance.deal` gives in turn. */
  readonly sizes: readonly number[];
  /** One extra batch, with the index of its first record. It replaces other batches there. */
  readonly bulk?: { readonly first: number; readonly size: number };
}

/** Returns the last index of the batch with an index; `undefined` if no batch has it. */
export function lastOfBatch(plan: BatchPlan, chance: Chance, index: number): number | undefined {
  if (plan.bulk !== undefined && index >= plan.bulk.first && index < plan.bulk.first + plan.bulk.size)
    return plan.bulk.first + plan.bulk.size - 1;
  const batchNumber = Math.floor(index / plan.every);
  let batch = latestBatches.get(chance);
  if (batch?.plan !== plan || batch.batchNumber !== batchNumber) {
    const size = chance.deal('batch size', batchNumber, plan.sizes);
    batch = { plan, batchNumber, size, first: batchNumber * plan.every + chance.range(`batch ${batchNumber}`, 1, plan.every - size - 1) };
    latestBatches.set(chance, batch);
  }
  return index >= batch.first && index < batch.first + batch.size ? batch.first + batch.size - 1 : undefined;
}

/** The latest batch for each `Chance`, because indexes mostly come in order and share a batch. */
const latestBatches = new WeakMap<
  Chance,
  { readonly plan: BatchPlan; readonly batchNumber: number; readonly first: number; readonly size: number }
>();

/** Returns the instant of a batch: late in the evening of the day on which its last record was created. */
export function batchInstant(chance: Chance, lastIndex: number, createdDay: number, zone: Zone): number {
  return (
    instantAt(createdDay, 23 * 60 + chance.range(`report minute ${lastIndex}`, 40, 58), zone) +
    chance.range(`report second ${lastIndex}`, 0, 59) * second
  );
}

/**
 * Replaces a timeline by one event, that of a batch: the record appears then with its state at that time, and never changes again. So the
 * records of a batch share the instant of their last change.
 */
export function collapseToBatch<State>(timeline: Timeline<State>, instantMs: number): Timeline<State> {
  const { state } = latestEvent(timeline, instantMs) ?? timeline[0];
  return [{ at: instantMs, state }];
}
