/** Reads a list, or parts of it, in several small pages, so that some end between two records with equal times. Judges nothing. */

import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import type { DataRecord } from '../../../../core/query/query.ts';
import { allWithinBase, singleFilterValues } from '../filter-values.ts';
import { drawFilters } from '../random-request-values.ts';
import { matchingRecords, type ParameterValues } from '../record-keys-and-filters.ts';
import type { RoundContext } from '../round-context.ts';
import type { Snapshot } from '../snapshot.ts';
import { isTie, tieField } from './page-boundaries.ts';
import type { Pagination } from './pagination.ts';
import { largestLimit } from './pagination.ts';

/** Filter values with the matching records of the snapshot, in the order of the list. */
interface ListPart {
  readonly values: ParameterValues;
  readonly records: readonly DataRecord[];
}

/** The parts of a list with at least `least` records: the whole snapshot, each filter alone, and combinations of filters. */
export function partsOfList(context: RoundContext, snapshot: Snapshot, least: number): readonly ListPart[] {
  const parts = context.conclude(findPartsOfList, snapshot);
  return parts.filter(({ records }) => records.length >= least);
}

function findPartsOfList(context: RoundContext, snapshot: Snapshot): readonly ListPart[] {
  const candidates = [{}, ...singleFilterValues(context, snapshot), ...drawFilters(context, snapshot, 2)];
  return allWithinBase(snapshot, candidates)
    .map((values) => ({ values, records: matchingRecords(snapshot.operation, snapshot.records, values) }))
    .filter(({ records }) => records.length > 0);
}

/** Reads a part of a list in pages of one size. */
export function readPartInPages(context: RoundContext, snapshot: Snapshot, part: ListPart, limit: number): Promise<Pagination> {
  const most = Math.ceil(part.records.length / limit) + 3;
  return context.pagination({ operation: snapshot.operation, values: part.values, limit, as: snapshot.as, maxPages: most });
}

/** The part whose number of records is nearest to `preferred`, between `least` and `most`. */
export function partOfSize(parts: readonly ListPart[], least: number, preferred: number, most: number): ListPart | undefined {
  const candidates = parts.filter(({ records }) => records.length >= least && records.length <= most);
  return candidates.toSorted((left, right) => Math.abs(left.records.length - preferred) - Math.abs(right.records.length - preferred))[0];
}

/** Reads a list in a few pages, and once more in pages that end inside a tie. Its requests are sent once in a round, however many rules need them. */
export async function readListInPages(context: RoundContext, snapshot: Snapshot): Promise<readonly Pagination[]> {
  const { records } = snapshot;
  if (!snapshot.isComplete || records.length < 2) return [];
  // The first reading has another size, so its page boundaries lose other records.
  const limit = Math.min(Math.max(1, largestLimit(snapshot.operation) - 7), Math.max(1, Math.ceil(records.length / 3)));
  const [tie] = findTieBoundaries(context, snapshot);
  // The tie is read in several pages too, which is enough evidence for a quick run.
  const isEnough = context.quick && tie !== undefined;
  const paginations = isEnough ? [] : [await readPartInPages(context, snapshot, { values: snapshot.base, records }, limit)];
  if (tie !== undefined) paginations.push(await readPartInPages(context, snapshot, tie.part, tie.limit));
  return paginations;
}

/** A part of a list, and a page size whose first page ends between two records with equal values of the sort field. */
interface TieBoundary {
  readonly part: ListPart;
  readonly limit: number;
}

/** The page boundaries inside ties of a list. Those that take the fewest requests to read come first. */
export function findTieBoundaries(context: RoundContext, snapshot: Snapshot): readonly TieBoundary[] {
  const { operation } = snapshot;
  if (tieField(operation) === undefined || !snapshot.isComplete) return [];
  const boundaries = partsOfList(context, snapshot, 2).flatMap((part) => tieBoundariesOf(operation, part));
  return boundaries.toSorted((left, right) => countPages(left) - countPages(right));
}

/** Number of pages that a part takes at a page size. */
export function countPages({ part, limit }: TieBoundary): number {
  return Math.ceil(part.records.length / limit);
}

function tieBoundariesOf(operation: ListOperation, part: ListPart): readonly TieBoundary[] {
  return part.records.slice(1, largestLimit(operation) + 1).flatMap((record, index) => {
    const before = part.records[index];
    return before !== undefined && isTie(operation, before, record) ? [{ part, limit: index + 1 }] : [];
  });
}
