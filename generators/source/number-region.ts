/** How numbers are drawn from one region: from grids of few digits after the point, or from a table where there are only few numbers. */

import { type Decimal, isMultipleOf, leastCommonMultiple, toDecimal } from './decimal.ts';
import { countDoubles, nextUp } from './double.ts';
import { countOf, type Grid, gridIn, inwards, outwards, unitOf } from './grid.ts';
import { hasOtherFormats, type NumberFacts, type Region } from './number-facts.ts';
import { compareNumbers } from './number-order.ts';
import { type Draw, exactLimit, windowsOf } from './window.ts';

/** What is needed to draw from a region. */
export interface Lane {
  readonly draws: readonly Draw[];
  /** Whether the judge has to be asked about what is drawn. */
  readonly isFiltered: boolean;
  readonly edges: readonly number[];
  readonly simplest: number;
  /** How many numbers there are at most. */
  readonly size: number;
}

/** All that is known of the numbers of a region. */
export interface Search {
  readonly facts: NumberFacts;
  readonly region: Region;
  /** All of them are multiples of it. */
  readonly step: Decimal | undefined;
  readonly accepts: (value: number) => boolean;
}

/** Tables hold as many numbers. */
const tableLimit = 512;
/** As many numbers are tried on each side before a grid is left. */
const effort = 64;
/** As many grids are tried, each with one more digit after the point. */
const gridsMost = 24;
/** How often each of the grids is drawn from: the first has the fewest digits after the point, the last has them all. */
const shares: readonly number[] = [6, 3, 6, 1];
/** Grids with fewer numbers are drawn from seldom: on them the same numbers come again and again. */
const few = 10;
/** How many more digits than the first one the last grid has, where any number will do: together they fill a double. */
const finest = 13;

/** How to draw from a region; or that it is empty, or that no number was found in it, though there may be some. */
export function openRegion(search: Search): Lane | 'empty' | 'undecided' {
  const { region, step } = search;
  const isWhole = region.integer || step !== undefined;
  const complete = isWhole ? gridIn(region, unitOf(step, region.integer ? 0 : (step?.scale ?? 0))) : undefined;
  if (isWhole && complete === undefined) return 'empty';
  const size = complete === undefined ? countDoubles(region.low, region.high) : countOf(complete);
  const isFiltered = needsJudge(search, complete);
  if (isFiltered && size <= tableLimit) return tabulate(search, complete);
  if (isFiltered && isProvenEmpty(search, complete)) return 'empty';
  const grids = listGrids(search, complete);
  const simplest = simplestOf(search, grids);
  if (simplest === undefined) return 'undecided';
  return { draws: mix(grids), isFiltered, edges: listEdges(search, grids), simplest, size };
}

/** Whether grids hold numbers that must not be drawn. */
function needsJudge({ facts, region }: Search, complete: Grid | undefined): boolean {
  if (region.fractional || facts.notMultiples.length > 0 || facts.except.length > 0 || hasOtherFormats(facts)) return true;
  if (facts.multiples.length === 0 || complete === undefined) return false;
  // Whole multiples of whole numbers are multiples in every reading, as long as they are exact.
  const limit = exactLimit(complete.unit);
  return !facts.multiples.every(Number.isInteger) || complete.near > limit || complete.near < -limit;
}

function tabulate({ region, accepts }: Search, complete: Grid | undefined): Lane | 'empty' {
  const values = complete === undefined ? doublesOf(region) : inwards(complete, 'low', tableLimit);
  const table = [...new Set(values)].filter(accepts);
  const [simplest] = table.toSorted(compareNumbers);
  if (simplest === undefined) return 'empty';
  const draw: Draw = (chance) => table[chance.nextInt(0, table.length - 1)] ?? simplest;
  return { draws: [draw], isFiltered: false, edges: [...table.slice(0, 2), ...table.slice(-2)], simplest, size: table.length };
}

function doublesOf({ low, high }: Region): readonly number[] {
  const values: number[] = [];
  for (let value = low; value <= high; value = nextUp(value)) values.push(value);
  return values;
}

/** The grids to draw from, the one with the fewest digits first. */
function listGrids(search: Search, complete: Grid | undefined): readonly Grid[] {
  const { facts, region, step } = search;
  const most = Math.min(complete?.unit.scale ?? Infinity, printedUnit(region)?.scale ?? Infinity);
  const tries = gridsMost + Math.max(0, ...facts.notMultiples.map((divisor) => toDecimal(divisor).scale));
  let poor: Grid | undefined;
  for (let [places, tried] = [0, 0]; places <= most && tried < tries; places += 1) {
    const grid = gridIn(region, unitOf(step, places));
    // A grid that has nothing but 0 has nothing that the one before it did not have.
    if (grid === undefined || (places > 0 && grid.low === 0n && grid.high === 0n)) continue;
    tried += 1;
    if (isRich(search, grid)) return richerGrids(search, places, complete === undefined ? Math.min(places + finest, most) : most);
    if (firstAccepted(search, grid) !== undefined) poor ??= grid;
  }
  return poor === undefined && complete !== undefined ? coarseGrids(search, complete) : [poor].filter((grid) => grid !== undefined);
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

/** The simplest number with as few digits after the point as possible. */
function simplestOf(search: Search, grids: readonly Grid[]): number | undefined {
  const [first] = grids;
  if (first === undefined) return undefined;
  for (let places = 0; places < first.unit.scale; places += 1) {
    const grid = gridIn(search.region, unitOf(search.step, places));
    const found = grid && firstAccepted(search, grid);
    if (found !== undefined) return found;
  }
  return firstAccepted(search, first);
}

/** The number nearest to 0 that is accepted, or one from the ends of the grid. */
function firstAccepted({ facts, accepts }: Search, grid: Grid): number | undefined {
  for (const value of outwards(grid, effort + facts.except.length)) if (accepts(value)) return value;
  for (const end of ['low', 'high'] as const) for (const value of inwards(grid, end, effort)) if (accepts(value)) return value;
  return undefined;
}

/** Whether it can be told, without trying them all, that no number is there. */
function isProvenEmpty({ facts, region }: Search, complete: Grid | undefined): boolean {
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

/** How near to 0 a region comes. */
function leastOf({ low, high }: Region): number {
  return low > 0 ? low : high < 0 ? -high : 0;
}

/** Doubles print at most seventeen digits, so that all of a region away from 0 are multiples of a power of ten. */
function printedUnit(region: Region): Decimal | undefined {
  const least = leastOf(region);
  if (least === 0) return undefined;
  const { digits, scale } = toDecimal(least);
  const places = scale + 17 - String(digits).length;
  return places >= 0 ? { digits: 1n, scale: places } : { digits: 10n ** BigInt(-places), scale: 0 };
}

/** Draws from all grids: often from the first, unless it has only few numbers, and now and then from the last. */
function mix(grids: readonly Grid[]): readonly Draw[] {
  const draws = grids.flatMap((grid, index) => {
    const windows = windowsOf(grid);
    return Array.from({ length: countOf(grid) < few ? 1 : (shares[index] ?? 1) }, () => windows).flat();
  });
  return new Set(draws).size === 1 ? draws.slice(0, 1) : draws;
}

/** Numbers at and next to the bounds, and next to 0. */
function listEdges({ facts, region, accepts }: Search, grids: readonly Grid[]): readonly number[] {
  const exact = [facts.low, facts.high].filter((bound) => !bound.open).map((bound) => bound.value);
  const ends = (['low', 'high'] as const).filter((end) => (end === 'low' ? region.hasLow : region.hasHigh));
  const atEnds = ends.flatMap((end) => grids.slice(0, 3).flatMap((grid, index) => firstAtEnd(grid, end, accepts, index === 0 ? 2 : 1)));
  const nearest = grids.slice(0, 1).flatMap((grid) => [...outwards(grid, 1)]);
  return [...exact, ...atEnds, ...nearest, 0, 1, -1].filter(accepts);
}

function firstAtEnd(grid: Grid, end: 'low' | 'high', accepts: (value: number) => boolean, count: number): readonly number[] {
  const found: number[] = [];
  for (const value of inwards(grid, end, effort)) {
    if (accepts(value)) found.push(value);
    if (found.length === count) break;
  }
  return found;
}
