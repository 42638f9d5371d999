/** Placing items: which of the items of an array meet what is demanded of some of them. */

import { type Claim, opposite } from '../algebra/claim.ts';
import type { ArrayFacts, ItemDemand } from '../algebra/facts.ts';
import { itemClaims } from '../algebra/members.ts';
import type { Chance } from './dice.ts';

/** How high the lowest item at an index is that has claims besides those of its place; infinite where it cannot have them. */
export type HeightAt = (index: number, added: readonly Claim[]) => number;

/** For each item, what is claimed of it so that all demands are met; `undefined` when they cannot be met that way. */
export function placeDemands(
  demands: readonly ItemDemand[],
  length: number,
  heightAt: HeightAt,
  chance: Chance,
  isSpent: boolean,
): readonly (readonly Claim[])[] | undefined {
  const placed: (readonly Claim[])[] = Array.from({ length }, () => []);
  return demands.every((demand) => place(demand, placed, heightAt, chance, isSpent)) ? placed : undefined;
}

function place(
  { claim, min, max, from }: ItemDemand,
  placed: (readonly Claim[])[],
  heightAt: HeightAt,
  chance: Chance,
  isSpent: boolean,
): boolean {
  const places = shuffle([...placed.keys()].slice(from), chance);
  const height = (index: number, added: Claim): number => heightAt(index, [...(placed[index] ?? []), added]);
  const can = (index: number, added: Claim): boolean => height(index, added) < Infinity;
  const able = places.filter((index) => can(index, claim));
  // Where nothing may nest any further, the lowest items meet the demand.
  const willing = isSpent ? able.toSorted((left, right) => height(left, claim) - height(right, claim)) : able;
  // Only where there may be too many does it matter what the other items are.
  const isLimited = max < places.length;
  const forced = isLimited ? willing.filter((index) => !can(index, opposite(claim))) : [];
  const most = Math.min(max, willing.length);
  const least = Math.max(min, forced.length);
  if (least > most) return false;
  const count = isLimited ? chance.nextInt(least, most) : least;
  const taken = new Set([...forced, ...willing.filter((index) => !forced.includes(index))].slice(0, count));
  for (const index of places) {
    const added = taken.has(index) ? claim : isLimited ? opposite(claim) : undefined;
    if (added !== undefined) placed[index] = [...(placed[index] ?? []), added];
  }
  return true;
}

/** Two places whose items can be the same. */
export function placeTwins(array: ArrayFacts, length: number, heightAt: HeightAt, chance: Chance): readonly [number, number] | undefined {
  const indexes = Array.from({ length }, (_, index) => index);
  const pairs = indexes.flatMap((left) => indexes.slice(left + 1).map((right) => [left, right] as const));
  const possible = pairs.filter(([left, right]) => heightAt(left, itemClaims(array, right)) < Infinity);
  return possible.length === 0 ? undefined : possible[chance.nextInt(0, possible.length - 1)];
}

function shuffle(list: number[], chance: Chance): readonly number[] {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = chance.nextInt(0, last);
    [list[last], list[other]] = [list[other] ?? 0, list[last] ?? 0];
  }
  return list;
}
