/**
 * Draws numbers from one region of the number line: from grids of numbers with few decimals, or from a table if there are few numbers. Grids and table are
 * chosen once, when the region is opened.
 */

import { compareNumbers, type Decimal, isMultipleOf, leastCommonMultiple, power, toDecimal } from '../../core/decimal.ts';
import type { JsonNumber } from '../../core/json.ts';
import type { RandomNumbers } from '../sources/random-numbers.ts';
import { countDoubles, nextUp } from './doubles.ts';
import type { NumberDomain, Region } from './number-domain.ts';
import { type Grid, gridIn, gridSize, inwards, numberAt, outwards, unitOf } from './number-grid.ts';

/** A region with the conditions on its numbers. */
interface RegionSearch {
  readonly domain: NumberDomain;
  readonly region: Region;
  /** The numbers must be multiples of it. */
  readonly step: Decimal | undefined;
  readonly accepts: (value: JsonNumber) => boolean;
}

/** The search in a region whose numbers must be multiples of a step. */
function searchIn(region: Region, domain: NumberDomain, step: Decimal | undefined, accepts: RegionSearch['accepts']): RegionSearch {
  const unitOfRegion = printedUnit(region);
  // Far from 0, all doubles are multiples of a power of ten.
  const isFar = unitOfRegion !== undefined && unitOfRegion.digits > 1n;
  return {
    domain,
    region,
    step: isFar && step !== undefined ? leastCommonMultiple(step, unitOfRegion) : isFar ? unitOfRegion : step,
    accepts,
  };
}

/** Numbers tried on each side of a grid. */
const maxTries = 64;
/** Grids tried, each with one more decimal. */
const maxGrids = 24;
/** Extra decimals of the last grid, without a step: together they fill a double. */
const extraDecimals = 13;

/** The grid of all integers or multiples in a region; `undefined` when it has neither restriction, `'empty'` when there are none. */
function completeGrid({ domain, region, step }: RegionSearch): Grid | undefined | 'empty' {
  if (!domain.integer && step === undefined) return undefined;
  return gridIn(region, unitOf(step, domain.integer ? 0 : (step?.scale ?? 0))) ?? 'empty';
}

/** The grids to draw from, fewest decimals first; empty when no number was found. */
function listGrids(search: RegionSearch, wholeGrid: Grid | undefined): readonly Grid[] {
  const maxPlaces = Math.min(wholeGrid?.unit.scale ?? Infinity, printedUnit(search.region)?.scale ?? Infinity);
  let sparseGrids: readonly Grid[] = [];
  for (const [places, grid] of finerGrids(search, maxPlaces)) {
    if (isRich(search, grid))
      return richerGrids(search, places, wholeGrid === undefined ? Math.min(places + extraDecimals, maxPlaces) : maxPlaces);
    if (sparseGrids.length === 0 && firstAccepted(search, grid) !== undefined) sparseGrids = [grid];
  }
  const coarserGrids = wholeGrid === undefined ? [] : coarseGrids(search, wholeGrid);
  return coarserGrids.length > 0 ? coarserGrids : sparseGrids;
}

/** The number with the fewest decimals nearest to 0; `undefined` when none was found. */
function findSimplest(search: RegionSearch, [first]: readonly Grid[]): JsonNumber | undefined {
  if (first === undefined) return undefined;
  for (let places = 0; places < first.unit.scale; places += 1) {
    const grid = gridIn(search.region, unitOf(search.step, places));
    const number = grid && firstAccepted(search, grid);
    if (number !== undefined) return number;
  }
  return firstAccepted(search, first);
}

/** True when the region is provably empty without trying every number. */
function isProvenEmpty({ domain, region }: RegionSearch, wholeGrid: Grid | undefined): boolean {
  const units = [wholeGrid?.unit, printedUnit(region)].filter((each) => each !== undefined);
  if (domain.fractional && units.some(({ scale }) => scale === 0)) return true;
  const [first, ...others] = units;
  const unit = first && others.reduce(leastCommonMultiple, first);
  return unit !== undefined && domain.notMultiples.some((divisor) => isMultipleOf(unit, toDecimal(divisor)));
}

/** Grids with ever more decimals, with their number of decimals. */
function* finerGrids({ domain, region, step }: RegionSearch, maxPlaces: number): Iterable<readonly [number, Grid]> {
  const divisors = domain.notMultiples.map(toDecimal);
  let gridsLeft = maxGrids;
  for (let places = 0; places <= maxPlaces && gridsLeft > 0; places += 1) {
    const grid = gridIn(region, unitOf(step, places));
    // A grid with only 0 adds nothing.
    if (grid === undefined || (places > 0 && grid.low === 0n && grid.high === 0n)) continue;
    if (divisors.some((divisor) => isMultipleOf(grid.unit, divisor))) continue;
    gridsLeft -= 1;
    yield [places, grid];
  }
}

/** True when at least a quarter of the first numbers of a grid is accepted. */
function isRich({ accepts }: RegionSearch, grid: Grid): boolean {
  const firstNumbers = [...outwards(grid, 8)];
  return firstNumbers.filter(accepts).length * 4 >= firstNumbers.length;
}

/** The grids with `places` decimals, one and two more, and the most. */
function richerGrids({ region, step }: RegionSearch, places: number, maxPlaces: number): readonly Grid[] {
  const placesOfGrids = new Set([places, places + 1, places + 2, maxPlaces].filter((each) => each <= maxPlaces));
  return [...placesOfGrids].map((each) => gridIn(region, unitOf(step, each))).filter((grid) => grid !== undefined);
}

/**
 * Grids of numbers that end in zeros. Far from 0 most decimals are not printed by any double, but those with few digits are, so multiples
 * are found among them.
 */
function coarseGrids(search: RegionSearch, wholeGrid: Grid): readonly Grid[] {
  const { digits, scale } = wholeGrid.unit;
  const length = String(wholeGrid.near * digits).replace('-', '').length;
  for (let zeros = length - 15; zeros > 0; zeros -= 1) {
    const grid = gridIn(search.region, { digits: digits * 10n ** BigInt(zeros), scale });
    if (grid !== undefined && firstAccepted(search, grid) !== undefined) return [grid];
  }
  return [];
}

/** The accepted number nearest to 0, or one from the ends of the grid. */
function firstAccepted({ domain, accepts }: RegionSearch, grid: Grid): JsonNumber | undefined {
  for (const value of outwards(grid, maxTries + domain.excluded.length)) if (accepts(value)) return value;
  for (const end of ['low', 'high'] as const) for (const value of inwards(grid, end, maxTries)) if (accepts(value)) return value;
  return undefined;
}

/** The smallest absolute value of a region. */
function minAbsolute({ low, high }: Region): JsonNumber {
  return low > 0 ? low : high < 0 ? -high : 0;
}

/** The unit that numbers of a region are printed in. Doubles have at most 17 digits, so large ones are integers, and of those without an exact value, all are multiples of a power of ten. */
function printedUnit(region: Region): Decimal | undefined {
  const least = minAbsolute(region);
  if (least === 0) return undefined;
  const { digits, scale } = toDecimal(least);
  const maxPlaces = scale + 17 - String(digits).length;
  const places = least > Number.MAX_SAFE_INTEGER ? (least < greatestExact ? 0 : Math.min(0, maxPlaces)) : maxPlaces;
  return places >= 0 ? { digits: 1n, scale: places } : { digits: 10n ** BigInt(-places), scale: 0 };
}

/** Larger integers are doubles. */
const greatestExact = 1e99;

/** A generator for one region. */
export interface RegionGenerator {
  readonly draw: Draw;
  /** True when drawn numbers must be checked. */
  readonly isFiltered: boolean;
  /** Numbers at and next to the bounds, and next to 0. */
  readonly boundaries: readonly JsonNumber[];
  readonly simplest: JsonNumber;
  /** The number of numbers at most. */
  readonly size: number;
}

/** Maximum size of a table. */
const tableLimit = 512;
/** Weights of the grids: the first has the fewest decimals, the last all of them. */
const gridWeights: readonly number[] = [6, 3, 6, 1];
/** Grids with fewer numbers are drawn from rarely, since their numbers repeat. */
const smallGrid = 10;

/** Opens a region whose numbers must be multiples of a step: a generator, or that it is empty, or that no number was found although some may exist. */
export function openRegion(
  region: Region,
  domain: NumberDomain,
  step: Decimal | undefined,
  accepts: RegionSearch['accepts'],
): RegionGenerator | 'empty' | 'undecided' {
  const search = searchIn(region, domain, step, accepts);
  const wholeGrid = completeGrid(search);
  if (wholeGrid === 'empty') return 'empty';
  const size = wholeGrid === undefined ? countDoubles(Number(region.low), Number(region.high)) : gridSize(wholeGrid);
  const isFiltered = needsFilter(search, wholeGrid);
  if (isFiltered && size <= tableLimit) return tabulate(search, wholeGrid);
  if (isFiltered && isProvenEmpty(search, wholeGrid)) return 'empty';
  const grids = listGrids(search, wholeGrid);
  const simplest = findSimplest(search, grids);
  if (simplest === undefined) return 'undecided';
  return { draw: drawFromAll(grids), isFiltered, boundaries: listBoundaries(search, grids), simplest, size };
}

/** True when the grids contain numbers outside the domain. */
function needsFilter({ domain }: RegionSearch, wholeGrid: Grid | undefined): boolean {
  if (domain.fractional || domain.notMultiples.length > 0 || domain.excluded.length > 0) return true;
  if (domain.multiples.length === 0 || wholeGrid === undefined) return false;
  // The numbers of a grid print as multiples, as long as they are exact.
  const limit = exactLimit(wholeGrid.unit);
  return wholeGrid.near > limit || wholeGrid.near < -limit;
}

function tabulate({ region, accepts }: RegionSearch, wholeGrid: Grid | undefined): RegionGenerator | 'empty' {
  const values = wholeGrid === undefined ? doublesOf(region) : inwards(wholeGrid, 'low', tableLimit);
  const table = [...new Set(values)].filter(accepts);
  const [simplest] = table.toSorted(compareNumbers);
  if (simplest === undefined) return 'empty';
  const draw: Draw = (random) => table[random.nextInt(0, table.length - 1)] ?? simplest;
  return { draw, isFiltered: false, boundaries: [...table.slice(0, 2), ...table.slice(-2)], simplest, size: table.length };
}

function doublesOf({ low, high }: Region): readonly number[] {
  const values: number[] = [];
  for (let value = Number(low); value <= high; value = nextUp(value)) values.push(value);
  return values;
}

/** Draws from all grids by weight. */
function drawFromAll(grids: readonly Grid[]): Draw {
  const draws = grids.map(drawNear);
  const [first] = draws;
  if (first === undefined) throw new Error('there is no grid to draw from');
  if (draws.length === 1) return first;
  const table = draws.flatMap((draw, index) => {
    const grid = grids[index];
    return Array.from({ length: grid !== undefined && gridSize(grid) >= smallGrid ? (gridWeights[index] ?? 1) : 1 }, () => draw);
  });
  return (random) => (table[random.nextInt(0, table.length - 1)] ?? first)(random);
}

function listBoundaries({ domain, accepts }: RegionSearch, grids: readonly Grid[]): readonly JsonNumber[] {
  const exactBounds = [domain.low, domain.high].filter((bound) => !bound.open).map((bound) => bound.value);
  const ends = (['low', 'high'] as const).filter((end) => Number.isFinite(Number(domain[end].value)));
  const endNumbers = ends.flatMap((end) => grids.slice(0, 3).flatMap((grid, index) => firstAtEnd(grid, end, accepts, index === 0 ? 2 : 1)));
  const nearestNumbers = grids.slice(0, 1).flatMap((grid) => [...outwards(grid, 1)]);
  return [...exactBounds, ...endNumbers, ...nearestNumbers, 0, 1, -1].filter(accepts);
}

function firstAtEnd(grid: Grid, end: 'low' | 'high', accepts: (value: JsonNumber) => boolean, count: number): readonly JsonNumber[] {
  const numbers: JsonNumber[] = [];
  for (const value of inwards(grid, end, maxTries)) {
    if (accepts(value)) numbers.push(value);
    if (numbers.length === count) break;
  }
  return numbers;
}

/** Draws a number. */
export type Draw = (random: RandomNumbers) => JsonNumber;

/** Distances of the windows from the number nearest to 0. */
const windowSizes: readonly bigint[] = [100n, 10_000n, 0x8000_0000n, 0x1f_ffff_ffff_ffffn];
/** The window of each of sixteen cases: small numbers are most frequent. */
const windowOfCase: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3];

/** Draws from a grid, mostly near the number nearest to 0. */
function drawNear(grid: Grid): Draw {
  const { unit, near } = grid;
  const windows: Draw[] = [];
  let previousRange: readonly [bigint, bigint] | undefined;
  for (const windowSize of windowSizes) {
    // Smaller units need more steps.
    const steps = larger(windowSize, (windowSize * power(unit.scale)) / unit.digits);
    const [low, high] = exactRange(grid, larger(grid.low, near - steps), smaller(grid.high, near + steps));
    if (previousRange?.[0] === low && previousRange[1] === high) break;
    windows.push(drawBetween(grid, low, high));
    previousRange = [low, high];
  }
  const widestWindow = windows.at(-1) ?? drawBetween(grid, near, near);
  if (windows.length === 1) return widestWindow;
  const draws = windowOfCase.map((index) => windows[index] ?? widestWindow);
  return (random) => (draws[random.nextInt(0, 15)] ?? widestWindow)(random);
}

/** Draws uniformly from a range of indexes. */
function drawBetween(grid: Grid, low: bigint, high: bigint): Draw {
  const { digits, scale } = grid.unit;
  const span = Number(high - low);
  const limit = exactLimit(grid.unit);
  if (low < -limit || high > limit) return (random) => numberAt(grid, smaller(high, low + BigInt(offset(random, span))));
  const [first, factor, divisor] = [Number(low), Number(digits), Number(`1e${scale}`)];
  if (factor === 1 && divisor === 1) return (random) => first + offset(random, span);
  return (random) => ((first + offset(random, span)) * factor) / divisor;
}

/** The greatest exact index: both operands of the division are integers, and the result prints as the intended decimal. */
function exactLimit({ digits, scale }: Decimal): bigint {
  return digits > maxSafe || scale > 22 ? -1n : (scale === 0 ? maxSafe : maxFifteenDigits) / digits;
}

/** The greatest integer up to which doubles are exact. */
const maxSafe = 0x1f_ffff_ffff_ffffn;
/** Doubles distinguish decimals of up to fifteen digits. */
const maxFifteenDigits = 1_000_000_000_000_000n;

/** The exact part of a range of indexes, or the whole range when no index is exact. */
function exactRange({ unit }: Grid, low: bigint, high: bigint): readonly [bigint, bigint] {
  const limit = exactLimit(unit);
  const [exactLow, exactHigh] = [larger(low, -limit), smaller(high, limit)];
  return exactLow > exactHigh ? [low, high] : [exactLow, exactHigh];
}

const chunkSize = 0x8000_0000;

/** An integer from 0 to `span`. Random numbers have 31 bits; larger ones are combined from two. */
function offset(random: RandomNumbers, span: number): number {
  if (span < chunkSize) return random.nextInt(0, span);
  const whole = random.nextInt(0, Math.min(Math.floor(span / chunkSize), chunkSize - 1)) * chunkSize + random.nextInt(0, chunkSize - 1);
  return whole > span ? whole - span - 1 : whole;
}

function larger(first: bigint, second: bigint): bigint {
  return first > second ? first : second;
}

function smaller(first: bigint, second: bigint): bigint {
  return first < second ? first : second;
}
