/** Which grids to draw from in a region, and when there is certainly nothing to draw. */

import { type Decimal, isMultipleOf, leastCommonMultiple, toDecimal } from './decimal.ts';
import { type Grid, gridIn, inwards, outwards, unitOf } from './grid.ts';
import type { NumberFacts, Region } from './number-facts.ts';

/** All that is known of the numbers of a region. */
export interface Search {
  readonly facts: NumberFacts;
  readonly region: Region;
  /** All of them are multiples of it. */
  readonly step: Decimal | undefined;
  readonly accepts: (value: number) => boolean;
}

/** What is known of the numbers of a region, where they have to be multiples of a step. */
export function searchIn(region: Region, facts: NumberFacts, step: Decimal | undefined, accepts: Search['accepts']): Search {
  const printed = printedUnit(region);
  // Far from 0, where neighbouring doubles print the same last digits, all of them are multiples of a power of ten.
  const isFar = printed !== undefined && printed.digits > 1n;
  return { facts, region, step: isFar && step !== undefined ? leastCommonMultiple(step, printed) : isFar ? printed : step, accepts };
}

/** As many numbers are tried on each side before a grid is left. */
const effort = 64;
/** As many grids are tried, each with one more digit after the point. */
const gridsMost = 24;
/** How many more digits than the first one the last grid has, where any number will do: together they fill a double. */
const finest = 13;

/** The grid of all numbers of a region, where they are whole or multiples; `undefined` where they are neither, `'empty'` where there are none. */
export function completeGrid({ region, step }: Search): Grid | undefined | 'empty' {
  if (!region.integer && step === undefined) return undefined;
  return gridIn(region, unitOf(step, region.integer ? 0 : (step?.scale ?? 0))) ?? 'empty';
}

/** The grids to draw from, the one with the fewest digits first; none when no number was found. */
export function listGrids(search: Search, complete: Grid | undefined): readonly Grid[] {
  const most = Math.min(complete?.unit.scale ?? Infinity, printedUnit(search.region)?.scale ?? Infinity);
  let poor: readonly Grid[] = [];
  for (const [places, grid] of everFiner(search, most)) {
    if (isRich(search, grid)) return richerGrids(search, places, complete === undefined ? Math.min(places + finest, most) : most);
    if (poor.length === 0 && firstAccepted(search, grid) !== undefined) poor = [grid];
  }
  const coarse = complete === undefined ? [] : coarseGrids(search, complete);
  return coarse.length > 0 ? coarse : poor;
}

/** The number with the fewest digits after the point that is nearest to 0; `undefined` when none was found. */
export function findSimplest(search: Search, [first]: readonly Grid[]): number | undefined {
  if (first === undefined) return undefined;
  for (let places = 0; places < first.unit.scale; places += 1) {
    const grid = gridIn(search.region, unitOf(search.step, places));
    const found = grid && firstAccepted(search, grid);
    if (found !== undefined) return found;
  }
  return firstAccepted(search, first);
}

/** Whether it can be told, without trying them all, that no number is there. */
export function isProvenEmpty({ facts, region }: Search, complete: Grid | undefined): boolean {
  const [least, greatest] = [leastOf(region), Math.max(-region.low, region.high)];
  const units = [complete?.unit, printedUnit(region)].filter((unit) => unit !== undefined);
  if (region.fractional && units.some((unit) => unit.scale === 0)) return true;
  const [first, ...others] = units;
  const unit = first && others.reduce(leastCommonMultiple, first);
  return facts.notMultiples.some((divisor) => {
    // Every number there is a multiple as a decimal, or is one as a double: its quotient is too large for a fraction, or too small to differ from 0.
    if (unit !== undefined && isMultipleOf(unit, toDecimal(divisor))) return true;
    return (least / divisor >= 2 * Number.MAX_SAFE_INTEGER && greatest / divisor < 0.999e21) || greatest / divisor === 0;
  });
}

/** The grids of ever more digits after the point, with their numbers of digits. */
function* everFiner({ facts, region, step }: Search, most: number): Iterable<readonly [number, Grid]> {
  const divisors = facts.notMultiples.map(toDecimal);
  let left = gridsMost;
  for (let places = 0; places <= most && left > 0; places += 1) {
    const grid = gridIn(region, unitOf(step, places));
    // A grid that has nothing but 0 has nothing that the one before it did not have.
    if (grid === undefined || (places > 0 && grid.low === 0n && grid.high === 0n)) continue;
    if (divisors.some((divisor) => isMultipleOf(grid.unit, divisor))) continue;
    left -= 1;
    yield [places, grid];
  }
}

/** Whether so many of the first numbers of a grid are accepted that it is worth while to draw from it. */
function isRich({ accepts }: Search, grid: Grid): boolean {
  const first = [...outwards(grid, 8)];
  return first.filter(accepts).length * 4 >= first.length;
}

/** The grid of so many digits after the point, those of one and of two more, and the one of the most. */
function richerGrids({ region, step }: Search, places: number, most: number): readonly Grid[] {
  const wanted = new Set([places, places + 1, places + 2, most].filter((each) => each <= most));
  return [...wanted].map((each) => gridIn(region, unitOf(step, each))).filter((grid) => grid !== undefined);
}

/**
 * Far from 0 most decimals are not those that any double prints, but those with few digits are. So there are multiples among the numbers that end in
 * zeros where there are hardly any among the others.
 */
function coarseGrids(search: Search, complete: Grid): readonly Grid[] {
  const { digits, scale } = complete.unit;
  const length = String(complete.near * digits).replace('-', '').length;
  for (let zeros = length - 15; zeros > 0; zeros -= 1) {
    const grid = gridIn(search.region, { digits: digits * 10n ** BigInt(zeros), scale });
    if (grid !== undefined && firstAccepted(search, grid) !== undefined) return [grid];
  }
  return [];
}

/** The number nearest to 0 that is accepted, or one from the ends of the grid. */
function firstAccepted({ facts, accepts }: Search, grid: Grid): number | undefined {
  for (const value of outwards(grid, effort + facts.except.length)) if (accepts(value)) return value;
  for (const end of ['low', 'high'] as const) for (const value of inwards(grid, end, effort)) if (accepts(value)) return value;
  return undefined;
}

/** How near to 0 a region comes. */
function leastOf({ low, high }: Region): number {
  return low > 0 ? low : high < 0 ? -high : 0;
}

/** Doubles print at most seventeen digits, so that all of a region away from 0 are multiples of a power of ten; large ones are whole. */
function printedUnit(region: Region): Decimal | undefined {
  const least = leastOf(region);
  if (least === 0) return undefined;
  const { digits, scale } = toDecimal(least);
  const most = scale + 17 - String(digits).length;
  const places = least > Number.MAX_SAFE_INTEGER ? Math.min(0, most) : most;
  return places >= 0 ? { digits: 1n, scale: places } : { digits: 10n ** BigInt(-places), scale: 0 };
}
