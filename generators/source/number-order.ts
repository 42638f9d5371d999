/** Which of two numbers is simpler: the one with fewer digits after the point, then the smaller one, then the positive one. */

import { type Decimal, floorQuotient, placesOf, toDecimal } from './decimal.ts';
import { numberAt, unitOf } from './grid.ts';

/** Negative when the first number is simpler than the second. */
export function compareNumbers(one: number, other: number): number {
  return placesOf(one) - placesOf(other) || Math.abs(one) - Math.abs(other) || other - one;
}

/** What shrinking has to know of the numbers that it may offer. */
export interface Shrinkable {
  readonly simplest: number;
  readonly accepts: (value: number) => boolean;
  /** All of them are multiples of it. */
  readonly step: Decimal | undefined;
}

/**
 * Numbers that are simpler than a value, all accepted: the simplest one, the mirrored one, those with fewer digits after the point, and then
 * those with as many, from the simplest on in ever smaller steps. Going on with one of them comes to an end, since `compareNumbers` falls.
 */
export function* shrinkNumber(value: number, { simplest, accepts, step }: Shrinkable): Iterable<number> {
  if (value === simplest) return;
  const offered = new Set<number>();
  for (const candidate of candidatesFor(value, simplest, step)) {
    // Adding 0 turns -0 into 0.
    const number = candidate + 0;
    if (offered.has(number) || compareNumbers(number, value) >= 0 || !accepts(number)) continue;
    offered.add(number);
    yield number;
  }
}

function* candidatesFor(value: number, simplest: number, step: Decimal | undefined): Iterable<number> {
  yield simplest;
  yield -value;
  const places = placesOf(value);
  const decimal = toDecimal(value);
  for (let fewer = 0; fewer < places; fewer += 1) yield* neighbours(value, decimal, unitOf(step, fewer));
  yield* bisect(decimal, simplest, unitOf(step, places));
}

/** The multiples of a unit on both sides of a value, the one that is nearer to 0 first. */
function neighbours(value: number, decimal: Decimal, unit: Decimal): readonly number[] {
  const below = floorQuotient(decimal, unit);
  const both = [below, below + 1n].map((index) => multiple(unit, index));
  return value < 0 ? both.reverse() : both;
}

/** Multiples of a unit from the simplest number towards a value, halving what is left. */
function* bisect(decimal: Decimal, simplest: number, unit: Decimal): Iterable<number> {
  const index = floorQuotient(decimal, unit);
  for (let gap = index - floorQuotient(toDecimal(simplest), unit); gap !== 0n; gap /= 2n) yield multiple(unit, index - gap);
}

function multiple(unit: Decimal, index: bigint): number {
  return numberAt({ unit }, index);
}
