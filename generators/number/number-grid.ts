/** Grids of numbers: the multiples of a decimal in a range. Further conditions of a domain must be tested on each number. */

import { ceilQuotient, type Decimal, floorQuotient, leastCommonMultiple, toDecimal, toNumber } from '../../core/decimal.ts';
import type { JsonNumber } from '../../core/json.ts';

/** The multiples of `unit`, from index `low` to index `high`. */
export interface Grid {
  readonly unit: Decimal;
  readonly low: bigint;
  readonly high: bigint;
  /** The index nearest to 0. */
  readonly near: bigint;
}

/** The grid of a unit in a region; `undefined` when it is empty. */
export function gridIn(region: { readonly low: JsonNumber; readonly high: JsonNumber }, unit: Decimal): Grid | undefined {
  const low = ceilQuotient(toDecimal(region.low), unit);
  const high = floorQuotient(toDecimal(region.high), unit);
  if (low > high) return undefined;
  return { unit, low, high, near: low > 0n ? low : high < 0n ? high : 0n };
}

/** The number at an index. */
export function numberAt({ unit }: Pick<Grid, 'unit'>, index: bigint): JsonNumber {
  return toNumber({ digits: unit.digits * index, scale: unit.scale });
}

/** The number of numbers of a grid; infinite beyond safe integers. */
export function gridSize({ low, high }: Grid): number {
  const count = Number(high - low) + 1;
  return Number.isSafeInteger(count) ? count : Infinity;
}

/** The unit of the numbers with `places` decimals that are multiples of `step`. */
export function unitOf(step: Decimal | undefined, places: number): Decimal {
  const unit = { digits: 1n, scale: places };
  return step === undefined ? unit : leastCommonMultiple(step, unit);
}

/** The numbers of a grid from the one nearest to 0 outwards, up to `steps` steps. */
export function* outwards(grid: Grid, steps: number): Iterable<JsonNumber> {
  yield numberAt(grid, grid.near);
  for (let step = 1n; step <= BigInt(steps); step += 1n) {
    const isAbove = grid.near + step <= grid.high;
    const isBelow = grid.near - step >= grid.low;
    if (isAbove) yield numberAt(grid, grid.near + step);
    if (isBelow) yield numberAt(grid, grid.near - step);
    if (!isAbove && !isBelow) return;
  }
}

/** The first `count` numbers of a grid from one of its ends inwards. */
export function* inwards(grid: Grid, end: 'low' | 'high', count: number): Iterable<JsonNumber> {
  const last = grid.high - grid.low;
  for (let step = 0n; step <= last && step < BigInt(count); step += 1n)
    yield numberAt(grid, end === 'low' ? grid.low + step : grid.high - step);
}
