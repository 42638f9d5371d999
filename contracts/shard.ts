/**
 * Shards: a run in parts that run side by side. What asks the same stays together, and each law at each operation is in one part; only laws that ask
 * nothing and judge whatever is answered are in every part that asks their operation, since no part sees all answers.
 */

import { UsageError } from '../core/errors.ts';
import { groupOf, type RuleGroup } from '../core/rule-id.ts';
import type { Shard } from '../core/verdict.ts';
import type { Subject } from './run.ts';

/** Laws of one group at one operation, which share most of their requests. */
interface Parcel {
  readonly subjects: readonly Subject[];
  readonly weight: number;
}

/** About so many half requests a law of each group adds to what is asked anyway, as was counted; any other group is like details. */
const costs: Readonly<Partial<Record<RuleGroup, number>>> = {
  response: 1,
  trouble: 1,
  keys: 3,
  conditional: 4,
  ranges: 4,
  sync: 4,
  tenancy: 8,
  order: 8,
};
const usualCost = 6;

/** Groups of laws that send nothing: they judge the answers that the others get. */
const passive: readonly RuleGroup[] = ['response', 'trouble'];

/** Whether a law, by its identifier, judges whatever is answered. */
export function isPassive(id: string): boolean {
  return passive.some((group) => group === groupOf(id));
}

/**
 * Reads `2/4`.
 * @throws {UsageError} when it is no shard.
 */
export function readShard(text: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  checkShard(shard, text);
  return shard;
}

/**
 * The subjects of one shard, in their order. The same subjects are always parted alike.
 * @throws {UsageError} for a shard that does not exist, or more shards than there are parts.
 */
export function chooseShard(subjects: readonly Subject[], shard: Shard): readonly Subject[] {
  checkShard(shard, `${shard.index}/${shard.of}`);
  const parcels = parcel(subjects);
  if (shard.of > parcels.length)
    throw new UsageError(`there are ${shard.of} shards, and what is to be judged has only ${parcels.length} parts; take fewer`);
  const mine = new Set((divide(parcels, shard.of)[shard.index - 1] ?? []).flatMap((each) => each.subjects));
  const asked = new Set([...mine].map(({ operation }) => operation.id));
  return subjects.filter((subject) => mine.has(subject) || (isPassive(subject.law.id) && asked.has(subject.operation.id)));
}

function checkShard({ index, of }: Shard, text: string): void {
  if (Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of) return;
  throw new UsageError(`${text} is no shard; write which of how many, from 1/4 to 4/4`);
}

/** Parcels by operation and then by group, so that neighbours ask the same lists. Where some law asks, those that do not go along with it. */
function parcel(subjects: readonly Subject[]): readonly Parcel[] {
  const parcels = new Map<string, Subject[]>();
  const operations = [...new Set(subjects.map(({ operation }) => operation.id))];
  for (const operation of operations) {
    const here = subjects.filter((each) => each.operation.id === operation);
    const asking = here.filter(({ law }) => !isPassive(law.id));
    for (const subject of asking.length > 0 ? asking : here) {
      const key = `${operation} ${groupOf(subject.law.id)}`;
      parcels.set(key, [...(parcels.get(key) ?? []), subject]);
    }
  }
  return [...parcels.values()].map((each) => ({ subjects: each, weight: each.reduce((sum, subject) => sum + costOf(subject), 0) }));
}

function costOf({ law }: Subject): number {
  const group = groupOf(law.id);
  return (group && costs[group]) ?? usualCost;
}

/** Cuts a row of parcels into so many stretches that the heaviest is as light as it can be. None is empty. */
function divide(parcels: readonly Parcel[], count: number): readonly (readonly Parcel[])[] {
  const total = parcels.reduce((sum, { weight }) => sum + weight, 0);
  let [low, high] = [Math.max(...parcels.map(({ weight }) => weight)), total];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fill(parcels, middle, count).length <= count) high = middle;
    else low = middle + 1;
  }
  return fill(parcels, low, count);
}

/** Fills stretches up to a weight, one after the other; the last parcels stand alone where there would be too few stretches otherwise. */
function fill(parcels: readonly Parcel[], most: number, count: number): readonly (readonly Parcel[])[] {
  const stretches: Parcel[][] = [[]];
  let weight = 0;
  for (const [index, each] of parcels.entries()) {
    const last = stretches.at(-1) ?? [];
    const isFull = last.length > 0 && (weight + each.weight > most || parcels.length - index <= count - stretches.length);
    if (isFull) stretches.push([each]);
    else last.push(each);
    weight = isFull ? each.weight : weight + each.weight;
  }
  return stretches;
}
