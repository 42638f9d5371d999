/**
 * Paginations in chosen page sizes, and the findings about records that are lost or repeated at page boundaries. The cursor, order, paging and sync
 * rules call it, and `wrong-responses.ts` asks which mutants explain a loss. Numbered pages belong to `numbered-pages.ts`.
 */

import type { Json } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { definedOf } from '../../../core/optional-members.ts';
import { valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import {
  agrees,
  type Candidate,
  contradicts,
  describeRecords,
  describeValues,
  type Examination,
  type Judgement,
  reportedBy,
} from '../rules/rule.ts';
import { reportedElsewhere } from './explain-pagination.ts';
import { allWithinBase, paginationsOf, predictableFilters, singleFilterValues } from './filter-values.ts';
import { checkpointOf, keyOf, keysOf, largestPage, matching, nonMatching, type ParameterValues } from './list-records.ts';
import { type Pagination, paginationPlanOf } from './paginate.ts';
import { drawFilters } from './random-request-values.ts';
import { type StableRecord, stableRecords } from './readings.ts';
import type { RunContext } from './run-context.ts';
import type { Snapshot } from './snapshot.ts';

/** Filter values with the matching records of the snapshot, in the order of the list. */
export interface KnownPart {
  readonly values: ParameterValues;
  readonly records: readonly DataRecord[];
}

/** The parts of a list with at least `least` records: the whole snapshot, each filter alone, and combinations of filters. */
export function knownParts(context: RunContext, snapshot: Snapshot, least: number): readonly KnownPart[] {
  const parts = getOrCompute(partsBySnapshot, snapshot, () => findKnownParts(context, snapshot));
  return parts.filter(({ records }) => records.length >= least);
}

const partsBySnapshot = new WeakMap<Snapshot, readonly KnownPart[]>();

function findKnownParts(context: RunContext, snapshot: Snapshot): readonly KnownPart[] {
  const candidates = [{}, ...singleFilterValues(context, snapshot), ...drawFilters(context, snapshot, 2)];
  return allWithinBase(snapshot, candidates)
    .map((values) => ({ values, records: matching(snapshot.operation, snapshot.records, values) }))
    .filter(({ records }) => records.length > 0);
}

/** Reads a part of a list in pages of one size. */
export function readPartInPages(context: RunContext, snapshot: Snapshot, part: KnownPart, limit: number): Promise<Pagination> {
  const most = Math.ceil(part.records.length / limit) + 3;
  return context.pagination({ operation: snapshot.operation, values: part.values, limit, as: snapshot.as, maxPages: most });
}

/** The part whose number of records is nearest to `wanted`, between `least` and `most`. */
export function partOfSize(parts: readonly KnownPart[], least: number, wanted: number, most: number): KnownPart | undefined {
  const fitting = parts.filter(({ records }) => records.length >= least && records.length <= most);
  return fitting.toSorted((left, right) => Math.abs(left.records.length - wanted) - Math.abs(right.records.length - wanted))[0];
}

/** Reads a list in a few pages, and once more in pages that end inside a tie. Called by each rule about pages; requests are shared. */
export async function readListInPages(context: RunContext, snapshot: Snapshot): Promise<readonly Pagination[]> {
  const { records } = snapshot;
  if (!snapshot.isComplete || records.length < 2) return [];
  // The first reading has another size, so its page boundaries lose other records.
  const limit = Math.min(Math.max(1, largestPage(snapshot.operation) - 7), Math.max(1, Math.ceil(records.length / 3)));
  const [tie] = findTieBoundaries(context, snapshot);
  // The tie is read in several pages too, which is enough evidence for a quick run.
  const isEnough = context.quick && tie !== undefined;
  const paginations = isEnough ? [] : [await readPartInPages(context, snapshot, { values: snapshot.base, records }, limit)];
  if (tie !== undefined) paginations.push(await readPartInPages(context, snapshot, tie.part, tie.limit));
  return paginations;
}

/** A part of a list, and a page size whose first page ends between two records with equal values of the sort field. */
interface TieBoundary {
  readonly part: KnownPart;
  readonly limit: number;
}

/** The page boundaries inside ties of a list, those first that take the fewest requests to read. */
export function findTieBoundaries(context: RunContext, snapshot: Snapshot): readonly TieBoundary[] {
  const { operation } = snapshot;
  if (tieField(operation) === undefined || !snapshot.isComplete) return [];
  const boundaries = knownParts(context, snapshot, 2).flatMap((part) => tieBoundariesOf(operation, part));
  return boundaries.toSorted((left, right) => countPages(left) - countPages(right));
}

/** Number of pages that a part takes at a page size. */
export function countPages({ part, limit }: TieBoundary): number {
  return Math.ceil(part.records.length / limit);
}

function tieBoundariesOf(operation: ListOperation, part: KnownPart): readonly TieBoundary[] {
  return part.records.slice(1, largestPage(operation) + 1).flatMap((record, index) => {
    const before = part.records[index];
    return before !== undefined && isTie(operation, before, record) ? [{ part, limit: index + 1 }] : [];
  });
}

/** The cursors of mutants that lose or repeat ties, by the precision of the stored position. */
const coarseCursors = {
  equal: 'a cursor stores only a value that several records share',
  second: 'a cursor stores its time only to the second',
  minute: 'a cursor stores its time only to the minute',
} as const;

/** The mutant of a cursor that loses or repeats ties. */
export function tieMutant(kind: 'tie-skipped' | 'tie-repeated', coarseness: Coarseness = 'equal'): MutantIdentity {
  return mutantOf('paging/ties', kind, { cursor: coarseCursors[coarseness] });
}

/** Precision of a cursor. */
type Coarseness = keyof typeof coarseCursors;

/** Intervals in nanoseconds, by the precision of a cursor. */
const grids: readonly (readonly [Coarseness, bigint])[] = [
  ['equal', 1n],
  ['second', 1_000_000_000n],
  ['minute', 60_000_000_000n],
];

/** The field whose equal values make ties. */
function tieField({ collection }: ListOperation): string | undefined {
  return collection.version ?? collection.order[0]?.by;
}

/** The precision at which each missing record ties with the last record of a page; `undefined` if one ties with none. */
export function tieOfMissing(pagination: Pagination, missing: readonly Pick<StableRecord, 'record'>[]): Coarseness | undefined {
  const edges = lastRecordsOf(pagination);
  return findGrid((grid) => missing.every(({ record }) => edges.some((edge) => isTie(pagination.operation, record, edge, grid))));
}

/**
 * The precision at which each repeated record ties with another record at the end of a page; `undefined` if one ties with none. Without a tie, the cursor
 * repeats the last record of every page.
 */
export function tieOfRepeated({ operation, ...pagination }: Pagination, repeated: readonly StableRecord[]): Coarseness | undefined {
  const edges = lastRecordsOf(pagination);
  const isShared = (edge: DataRecord, grid: bigint): boolean =>
    pagination.records.some((other) => keyOf(operation, other) !== keyOf(operation, edge) && isTie(operation, other, edge, grid));
  return findGrid((grid) =>
    repeated.every(({ record }) => edges.some((edge) => isTie(operation, record, edge, grid) && isShared(edge, grid))),
  );
}

function findGrid(holds: (grid: bigint) => boolean): Coarseness | undefined {
  return grids.find(([, grid]) => holds(grid))?.[0];
}

function lastRecordsOf(pagination: Pick<Pagination, 'pages'>): readonly DataRecord[] {
  return pagination.pages.slice(0, -1).flatMap((page) => page.slice(-1));
}

/** True for equal values, and for instants in the same interval of `grid` nanoseconds, in any UTC offset. */
function isTie(operation: ListOperation, left: DataRecord, right: DataRecord, grid = 1n): boolean {
  const field = tieField(operation);
  if (field === undefined) return false;
  const values = [valueAt(left, field), valueAt(right, field)] as const;
  if (JSON.stringify(values[0]) === JSON.stringify(values[1])) return true;
  const [first, second] = [toInstant(values[0]), toInstant(values[1])];
  return first !== undefined && second !== undefined && first / grid === second / grid;
}

function toInstant(value: Json | undefined): bigint | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

/** The stable records that a pagination contains more than once. */
export function repeatedIn(context: RunContext, snapshot: Snapshot, pagination: Pagination): readonly StableRecord[] {
  const { operation } = snapshot;
  const keys = keysOf(operation, pagination.records);
  const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) < index));
  return stableRecords(context, snapshot, pagination).filter(({ key }) => repeated.has(key));
}

/** Makes the finding that a pagination lacks records. */
export function contradictMissing(
  context: RunContext,
  snapshot: Snapshot,
  pagination: Pagination,
  missing: readonly StableRecord[],
  mutant?: MutantIdentity,
): Judgement {
  const named = reportedElsewhere(context, snapshot, pagination);
  if (named !== undefined) return named;
  const { operation } = snapshot;
  const keys = missing.map((each) => each.key);
  const [first] = missing;
  return contradicts({
    replies: [...definedOf(first?.before.reply), ...pagination.replies.slice(0, 3)],
    expected: `${operation.id} with ${describeValues(pagination.values)} in ${describeSize(pagination)} must return ${describeRecords(operation, keys)}, as the whole list does`,
    actual: `no page contains ${keys.length === 1 ? 'it' : 'them'}`,
    records: missing.slice(0, 3).map((each) => each.record),
    witnesses: keys,
    route: paginationPlanOf(pagination),
    mutant,
  });
}

/** Makes the finding that a pagination contains records more than once. */
export function contradictRepeated(pagination: Pagination, repeated: readonly StableRecord[], mutant: MutantIdentity): Judgement {
  const { operation } = pagination;
  const keys = repeated.map((each) => each.key);
  const pages = pagination.replies.filter((_, index) => pagination.pages[index]?.some((record) => keyOf(operation, record) === keys[0]));
  return contradicts({
    replies: pages.slice(0, 2),
    expected: `${operation.id} with ${describeValues(pagination.values)} in ${describeSize(pagination)} must return each record once`,
    actual: `the pages contain ${describeRecords(operation, keys)} more than once`,
    records: repeated.slice(0, 3).map((each) => each.record),
    witnesses: keys,
    route: paginationPlanOf(pagination),
    mutant,
  });
}

function describeSize({ limit }: Pagination): string {
  return limit === undefined ? 'pages of the default size' : `pages of ${limit}`;
}

/** Reads selections in two pages, to find filters that a later page forgets. `paging/filters-kept` and `sync/later-pages` share the paginations. */
export async function examineLaterPages(
  context: RunContext,
  snapshot: Snapshot,
  isConcerned: (name: string) => boolean,
): Promise<Examination> {
  const { operation } = snapshot;
  const names = predictableFilters(context.contract, operation);
  let open = names;
  const paginations: Pagination[] = [];
  const candidates = selectionsWithLaterPages(context, snapshot, names);
  while (open.length > 0) {
    const best = candidates
      .map((each) => ({ ...each, shows: each.telling.filter((name) => open.includes(name)) }))
      .toSorted((left, right) => right.shows.length - left.shows.length)[0];
    if (best === undefined || best.shows.length === 0) break;
    const limit = Math.max(1, Math.ceil(best.size / 2));
    paginations.push(await context.pagination({ operation, values: best.values, limit, as: snapshot.as, maxPages: 3 }));
    open = open.filter((name) => !best.shows.includes(name));
  }
  const mutants = names.filter(isConcerned).map(
    (name): Candidate => ({
      ...forgettingMutant(operation, name),
      missing: `a value of ${name} that several records pass and others do not`,
    }),
  );
  const isLike = ({ limit, values }: Pagination, own: Pagination): boolean =>
    limit === own.limit && Object.entries(values).every(([name, value]) => JSON.stringify(value) === JSON.stringify(own.values[name]));
  return {
    mutants,
    // Those with fewer filters show a mistake better.
    judge: () =>
      paginationsOf(context, snapshot)
        .filter((each) => paginations.some((own) => isLike(each, own)))
        .map((pagination) => judgeLaterPages(snapshot, pagination, names, isConcerned)),
  };
}

/** The mutant that forgets a filter on later pages. */
function forgettingMutant(list: ListOperation, name: string): MutantIdentity {
  return name === checkpointOf(list)
    ? mutantOf('sync/later-pages', 'checkpoint-lost', { parameter: name }, name)
    : mutantOf('paging/filters-kept', 'filter-lost', { parameter: name }, name);
}

/** The mutant that forgets one filter on later pages, if every record there that does not match fails this filter. */
export function findForgottenFilter(
  list: ListOperation,
  { pages, values }: Pick<Pagination, 'pages' | 'values'>,
): MutantIdentity | undefined {
  const [first = [], ...later] = pages;
  const wrong = nonMatching(list, later.flat(), values);
  if (wrong.length === 0 || nonMatching(list, first, values).length > 0) return undefined;
  const forgotten = Object.entries(values).find(
    ([name, value]) => list.collection.filters.has(name) && matching(list, wrong, { [name]: value }).length === 0,
  );
  return forgotten && forgettingMutant(list, forgotten[0]);
}

/** Filter values that select two to 60 records, with the filters (`telling`) without which they would select more. */
function selectionsWithLaterPages(
  context: RunContext,
  snapshot: Snapshot,
  names: readonly string[],
): readonly { readonly values: ParameterValues; readonly size: number; readonly telling: readonly string[] }[] {
  const { operation, records } = snapshot;
  const sizeOf = (values: ParameterValues): number => matching(operation, records, values).length;
  const candidates = allWithinBase(snapshot, [...drawFilters(context, snapshot, 2), ...singleFilterValues(context, snapshot)]);
  return candidates.flatMap((values) => {
    const size = sizeOf(values);
    const telling = names.filter((name) => name in values && sizeOf(withoutFilter(values, name)) > size + 1);
    return size >= 2 && size <= 60 && telling.length > 0 ? [{ values, size, telling }] : [];
  });
}

function withoutFilter(values: ParameterValues, name: string): ParameterValues {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name));
}

/** Judges the later pages of a pagination. A record and the filters of its request are in one exchange, so changed data cannot explain a violation. */
function judgeLaterPages(
  { operation, records }: Snapshot,
  pagination: Pagination,
  names: readonly string[],
  isConcerned: (name: string) => boolean,
): Judgement | undefined {
  const { pages, replies, values } = pagination;
  const isRead = pages.slice(1).some((page) => page.length > 0) || (pagination.end === 'complete' && replies.length > 1);
  if (!isRead) return pagination.end === 'broken' ? reportedBy('response/status') : undefined;
  const used = names.flatMap((name): readonly ParameterValues[] => (name in values ? [{ [name]: values[name] ?? null }] : []));
  const [firstWrong = [], ...laterWrong] = pages.map((page) => nonMatching(operation, page, values));
  const wrong = laterWrong.flat();
  const [first] = wrong;
  if (first === undefined) {
    const shown = used.filter((filter) => nonMatching(operation, records, filter).length > 0).flatMap(Object.keys);
    return agrees(...shown.map((name) => forgettingMutant(operation, name)));
  }
  if (firstWrong.length > 0) return reportedBy('filters/sound');
  const [forgotten = ''] = used.filter((filter) => matching(operation, [first], filter).length === 0).flatMap(Object.keys);
  if (!isConcerned(forgotten)) return undefined;
  const keys = keysOf(operation, wrong);
  return contradicts({
    replies: [...replies.slice(0, 1), ...definedOf(replies[1 + laterWrong.findIndex((page) => page.length > 0)])],
    expected: `every page of ${operation.id} with ${describeValues(values)} must contain only records that match`,
    actual: `a later page contains ${describeRecords(operation, keys)}, which ${keys.length === 1 ? 'does' : 'do'} not match`,
    records: [first],
    mutant: forgettingMutant(operation, forgotten),
    witnesses: keys,
    route: paginationPlanOf(pagination),
    needs: [forgotten],
  });
}
