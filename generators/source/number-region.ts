/** How numbers are drawn from one region: from grids of few digits after the point, or from a table where there are only few numbers. */

import { countDoubles, nextUp } from './double.ts';
import { countOf, type Grid, inwards, outwards } from './grid.ts';
import { hasOtherFormats, type Region } from './number-facts.ts';
import { completeGrid, findSimplest, isProvenEmpty, listGrids, type Search } from './number-grids.ts';
import { compareNumbers } from './number-order.ts';
import { type Draw, drawNear, exactLimit } from './window.ts';

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
/** As many numbers are tried for one at the end of a grid. */
const effort = 64;

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
