/** Grids: the multiples of a decimal that lie in a region, by index. Numbers are found on them without trying. */

import { ceilQuotient, type Decimal, floorQuotient, leastCommonMultiple, toDecimal, toNumber } from './decimal.ts';
import type { Region } from './number-facts.ts';

/** The multiples of `unit` from `low` times it to `high` times it. */
export interface Grid {
  readonly unit: Decimal;
  readonly low: bigint;
  readonly high: bigint;
  /** The index of the one that is nearest to 0. */
  readonly near: bigint;
}

/** The grid of a unit in a region; `undefined` when no multiple of the unit lies there. */
export function gridIn(region: Region, unit: Decimal): Grid | undefined {
  const low = ceilQuotient(toDecimal(region.low), unit);
  const high = floorQuotient(toDecimal(region.high), unit);
  if (low > high) return undefined;
  return { unit, low, high, near: low > 0n ? low : high < 0n ? high : 0n };
}

/** The number at an index. */
export function numberAt({ unit }: Pick<Grid, 'unit'>, index: bigint): number {
  return toNumber({ digits: unit.digits * index, scale: unit.scale });
}

/** How many numbers a grid has at most; infinite when they cannot be counted in integers. */
export function countOf({ low, high }: Grid): number {
  const count = Number(high - low) + 1;
  return Number.isSafeInteger(count) ? count : Infinity;
}

/** The least unit above 0 of which all numbers with so many digits after the point are multiples, where they have to be multiples of a step too. */
export function unitOf(step: Decimal | undefined, places: number): Decimal {
  const unit = { digits: 1n, scale: places };
  return step === undefined ? unit : leastCommonMultiple(step, unit);
}

/** The numbers of a grid from the one nearest to 0 outwards, so many steps far. */
export function* outwards(grid: Grid, steps: number): Iterable<number> {
  yield numberAt(grid, grid.near);
  for (let step = 1n; step <= BigInt(steps); step += 1n) {
    const isAbove = grid.near + step <= grid.high;
    const isBelow = grid.near - step >= grid.low;
    if (isAbove) yield numberAt(grid, grid.near + step);
    if (isBelow) yield numberAt(grid, grid.near - step);
    if (!isAbove && !isBelow) return;
  }
}

/** The numbers of a grid from one of its ends inwards, so many of them. */
export function* inwards(grid: Grid, end: 'low' | 'high', count: number): Iterable<number> {
  const last = grid.high - grid.low;
  for (let step = 0n; step <= last && step < BigInt(count); step += 1n)
    yield numberAt(grid, end === 'low' ? grid.low + step : grid.high - step);
}
