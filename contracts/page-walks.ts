/** Walks that show how a list is cut into pages: sizes are chosen from what was seen, so that few requests show much. */

import type { Entry } from '../core/query.ts';
import { drawFilters } from './explore/filters.ts';
import { singleFilterValues } from './filter-values.ts';
import type { Lab } from './lab.ts';
import { withinBase } from './selection.ts';
import { isTie, tieField } from './tie.ts';
import { largestPage, type Universe } from './universe.ts';
import { type ListOperation, toArguments, type Values, type Walk } from './walk.ts';

/** A selection and the records that the replica has for it, in the order in which the list showed them. */
export interface Cut {
  readonly values: Values;
  readonly records: readonly Entry[];
}

/** Selections of a list: the whole of what is read, each filter alone, and filters together; of at least so many records. */
export function cutsOf(lab: Lab, universe: Universe, least: number): readonly Cut[] {
  const known = cuts.get(universe) ?? findCuts(lab, universe);
  cuts.set(universe, known);
  return known.filter(({ records }) => records.length >= least);
}

const cuts = new WeakMap<Universe, readonly Cut[]>();

function findCuts(lab: Lab, universe: Universe): readonly Cut[] {
  const { operation, records } = universe;
  const candidates = [{}, ...singleFilterValues(lab, universe), ...drawFilters(lab, universe, 2)];
  return candidates.flatMap((candidate) => {
    const values = withinBase(universe, candidate);
    if (values === undefined) return [];
    const given = toArguments(values);
    const found = records.filter((record) => operation.collection.query.matches(record, given));
    return found.length > 0 ? [{ values, records: found }] : [];
  });
}

/** Reads a selection in pages of one size. */
export function walkCut(lab: Lab, universe: Universe, cut: Cut, limit: number): Promise<Walk> {
  const most = Math.ceil(cut.records.length / limit) + 3;
  return lab.walk({ operation: universe.operation, values: cut.values, limit, as: universe.as, most });
}

/** The selection whose number of records is nearest to a wanted one, without filters if possible. */
export function cutOfSize(cuts: readonly Cut[], least: number, wanted: number, most: number): Cut | undefined {
  const fitting = cuts.filter(({ records }) => records.length >= least && records.length <= most);
  return fitting.toSorted((left, right) => Math.abs(left.records.length - wanted) - Math.abs(right.records.length - wanted))[0];
}

/** A whole list in a few pages, and one of its ties. */
export async function createPageWalks(lab: Lab, universe: Universe): Promise<readonly Walk[]> {
  const { records } = universe;
  if (!universe.isComplete || records.length < 2) return [];
  // Another size than that of the first reading: whatever its edges lose, these do not.
  const limit = Math.min(Math.max(1, largestPage(universe.operation) - 7), Math.max(1, Math.ceil(records.length / 3)));
  const tie = cheapestTie(lab, universe);
  // A tie is read in several pages as well, and shows as much of them in a quick run.
  const isEnough = lab.quick && tie !== undefined;
  const walks = isEnough ? [] : [await walkCut(lab, universe, { values: universe.base, records }, limit)];
  if (tie !== undefined) walks.push(await walkCut(lab, universe, tie.cut, tie.limit));
  return walks;
}

/** A page size whose page ends inside a block of records with equal order values. */
export interface TieEdge {
  readonly cut: Cut;
  readonly limit: number;
  /** The field that is equal. */
  readonly field: string;
}

/** The ties of a list, those first that take the fewest requests to read. */
export function tieEdges(lab: Lab, universe: Universe): readonly TieEdge[] {
  const { operation } = universe;
  const field = tieField(operation);
  if (field === undefined || !universe.isComplete) return [];
  const edges = cutsOf(lab, universe, 2).flatMap((cut) => edgesOf(operation, cut, field));
  return edges.toSorted((left, right) => pagesOf(left) - pagesOf(right));
}

/** The cheapest page edge inside a tie. */
export function cheapestTie(lab: Lab, universe: Universe): TieEdge | undefined {
  return tieEdges(lab, universe)[0];
}

/** How many pages it takes to read a cut in pages of a size. */
export function pagesOf({ cut, limit }: TieEdge): number {
  return Math.ceil(cut.records.length / limit);
}

function edgesOf(operation: ListOperation, cut: Cut, field: string): readonly TieEdge[] {
  const largest = largestPage(operation);
  return cut.records.slice(1).flatMap((record, index) => {
    const before = cut.records[index];
    const limit = index + 1;
    const isEdge = limit <= largest && before !== undefined && isTie(operation, before, record);
    return isEdge ? [{ cut, limit, field }] : [];
  });
}
