/** How numbers are drawn from a region: from grids of few digits after the point, or from a table of the few numbers that there are. */

import type { Chance } from '../source/source.ts';
import {
  compareNumbers,
  countDoubles,
  countOf,
  type Decimal,
  type Grid,
  gridIn,
  inwards,
  isMultipleOf,
  leastCommonMultiple,
  nextUp,
  numberAt,
  outwards,
  power,
  toDecimal,
  unitOf,
} from './decimal.ts';
import { hasOtherFormats, type NumberFacts, type Region } from './facts.ts';

/** All that is known of the numbers of a region. */
interface Search {
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
function completeGrid({ region, step }: Search): Grid | undefined | 'empty' {
  if (!region.integer && step === undefined) return undefined;
  return gridIn(region, unitOf(step, region.integer ? 0 : (step?.scale ?? 0))) ?? 'empty';
}

/** The grids to draw from, the one with the fewest digits first; none when no number was found. */
function listGrids(search: Search, complete: Grid | undefined): readonly Grid[] {
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
function findSimplest(search: Search, [first]: readonly Grid[]): number | undefined {
  if (first === undefined) return undefined;
  for (let places = 0; places < first.unit.scale; places += 1) {
    const grid = gridIn(search.region, unitOf(search.step, places));
    const found = grid && firstAccepted(search, grid);
    if (found !== undefined) return found;
  }
  return firstAccepted(search, first);
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

/** What is needed to draw from a region. */
export interface Lane {
  readonly draw: Draw;
  /** Whether the judge has to be asked about what is drawn. */
  readonly isFiltered: boolean;
  /** Numbers at and next to the bounds, and next to 0. */
  readonly edges: readonly number[];
  readonly simplest: number;
  /** How many numbers there are at most. */
  readonly size: number;
}

/** Tables hold as many numbers. */
const tableLimit = 512;
/** How often each of the grids is drawn from: the first has the fewest digits after the point, the last has them all. */
const shares: readonly number[] = [6, 3, 6, 1];
/** Grids with fewer numbers are drawn from seldom: on them the same numbers come again and again. */
const few = 10;

/** How to draw from a region; or that it is empty, or that no number was found in it, though there may be some. */
export function openRegion(search: Search): Lane | 'empty' | 'undecided' {
  const { region } = search;
  const complete = completeGrid(search);
  if (complete === 'empty') return 'empty';
  const size = complete === undefined ? countDoubles(region.low, region.high) : countOf(complete);
  const isFiltered = needsJudge(search, complete);
  if (isFiltered && size <= tableLimit) return tabulate(search, complete);
  if (isFiltered && isProvenEmpty(search, complete)) return 'empty';
  const grids = listGrids(search, complete);
  const simplest = findSimplest(search, grids);
  if (simplest === undefined) return 'undecided';
  return { draw: mix(grids), isFiltered, edges: listEdges(search, grids), simplest, size };
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
  return { draw, isFiltered: false, edges: [...table.slice(0, 2), ...table.slice(-2)], simplest, size: table.length };
}

function doublesOf({ low, high }: Region): readonly number[] {
  const values: number[] = [];
  for (let value = low; value <= high; value = nextUp(value)) values.push(value);
  return values;
}

/** Draws from all grids: often from the first, unless it has only few numbers, and now and then from the last. */
function mix(grids: readonly Grid[]): Draw {
  const draws = grids.map(drawNear);
  const [first] = draws;
  if (first === undefined) throw new Error('there is no grid to draw from');
  if (draws.length === 1) return first;
  const table = draws.flatMap((draw, index) => {
    const grid = grids[index];
    return Array.from({ length: grid !== undefined && countOf(grid) >= few ? (shares[index] ?? 1) : 1 }, () => draw);
  });
  return (chance) => (table[chance.nextInt(0, table.length - 1)] ?? first)(chance);
}

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

/** Draws a number. */
export type Draw = (chance: Chance) => number;

/** How far windows reach from the number nearest to 0. */
const reaches: readonly bigint[] = [100n, 10_000n, 0x8000_0000n, 0x1f_ffff_ffff_ffffn];
/** Which window is drawn from in each of sixteen cases: small numbers come mostly. */
const cases: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3];

/** Draws from a grid, mostly among the numbers next to the one that is nearest to 0. */
function drawNear(grid: Grid): Draw {
  const { unit, near } = grid;
  const windows: Draw[] = [];
  let reached: readonly [bigint, bigint] | undefined;
  for (const reach of reaches) {
    // Of units below 1 it takes more to reach as far.
    const steps = larger(reach, (reach * power(unit.scale)) / unit.digits);
    const [low, high] = exactly(grid, larger(grid.low, near - steps), smaller(grid.high, near + steps));
    if (reached?.[0] === low && reached[1] === high) break;
    windows.push(drawBetween(grid, low, high));
    reached = [low, high];
  }
  const widest = windows.at(-1) ?? drawBetween(grid, near, near);
  if (windows.length === 1) return widest;
  const draws = cases.map((index) => windows[index] ?? widest);
  return (chance) => (draws[chance.nextInt(0, 15)] ?? widest)(chance);
}

/** Draws from some indexes of a grid, all equally often. */
function drawBetween(grid: Grid, low: bigint, high: bigint): Draw {
  const { digits, scale } = grid.unit;
  const span = Number(high - low);
  const limit = exactLimit(grid.unit);
  if (low < -limit || high > limit) return (chance) => numberAt(grid, low + BigInt(offset(chance, span)));
  const [first, factor, divisor] = [Number(low), Number(digits), Number(`1e${scale}`)];
  if (factor === 1 && divisor === 1) return (chance) => first + offset(chance, span);
  return (chance) => ((first + offset(chance, span)) * factor) / divisor;
}

/** As many units are exact: both operands of a division are whole, and its result prints as the decimal that is meant. */
function exactLimit({ digits, scale }: Decimal): bigint {
  return digits > safe || scale > 22 ? -1n : (scale === 0 ? safe : shortest) / digits;
}

/** The greatest whole number up to which doubles have all of them. */
const safe = 0x1f_ffff_ffff_ffffn;
/** Decimals with no more than fifteen digits are told apart by doubles. */
const shortest = 1_000_000_000_000_000n;

/** The indexes whose numbers are exact, when there are any. */
function exactly({ unit }: Grid, low: bigint, high: bigint): readonly [bigint, bigint] {
  const limit = exactLimit(unit);
  const [exactLow, exactHigh] = [larger(low, -limit), smaller(high, limit)];
  return exactLow > exactHigh ? [low, high] : [exactLow, exactHigh];
}

const chunk = 0x8000_0000;

/** A whole number from 0 to `span`. Chance gives 31 bits fast, so that larger ones are put together from two. */
function offset(chance: Chance, span: number): number {
  if (span < chunk) return chance.nextInt(0, span);
  const whole = chance.nextInt(0, Math.min(Math.floor(span / chunk), chunk - 1)) * chunk + chance.nextInt(0, chunk - 1);
  return whole > span ? whole - span - 1 : whole;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
