/** Paginations in chosen page sizes, which the paging, order and sync rules share, and the findings about records that they lose or repeat at page boundaries. */

import type { Json } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';
import type { DataRecord, FilterArguments } from '../../../core/query/query.ts';
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
import { reportedElsewhere } from './explain-selection.ts';
import { predictableFilters, singleFilterValues, withinBase } from './filter-values.ts';
import { keyOf, type Pagination, type ParameterValues, paginationPlanOf, toFilterArguments } from './paginate.ts';
import { drawFilters } from './random-requests.ts';
import { type StableRecord, stableRecords } from './readings.ts';
import type { RunContext } from './run-context.ts';
import { checkpointOf, largestPage, type Snapshot, selectedBy } from './snapshot.ts';

/** Filter values with the matching records of the snapshot, in the order of the list. */
export interface KnownPart {
  readonly values: ParameterValues;
  readonly records: readonly DataRecord[];
}

/** The parts of a list with at least `least` records: the whole snapshot, each filter alone, and combinations of filters. */
export function knownParts(context: RunContext, snapshot: Snapshot, least: number): readonly KnownPart[] {
  const known = getOrCompute(cuts, snapshot, () => findKnownParts(context, snapshot));
  return known.filter(({ records }) => records.length >= least);
}

const cuts = new WeakMap<Snapshot, readonly KnownPart[]>();

function findKnownParts(context: RunContext, snapshot: Snapshot): readonly KnownPart[] {
  const candidates = [{}, ...singleFilterValues(context, snapshot), ...drawFilters(context, snapshot, 2)];
  return candidates.flatMap((candidate) => {
    const values = withinBase(snapshot, candidate);
    if (values === undefined) return [];
    const records = selectedBy(snapshot, values);
    return records.length > 0 ? [{ values, records }] : [];
  });
}

/** Reads a part of a list in pages of one size. */
export function readPartInPages(context: RunContext, snapshot: Snapshot, cut: KnownPart, limit: number): Promise<Pagination> {
  const most = Math.ceil(cut.records.length / limit) + 3;
  return context.pagination({ operation: snapshot.operation, values: cut.values, limit, as: snapshot.as, maxPages: most });
}

/** The part whose number of records is nearest to `wanted`, between `least` and `most`. */
export function partOfSize(cuts: readonly KnownPart[], least: number, wanted: number, most: number): KnownPart | undefined {
  const fitting = cuts.filter(({ records }) => records.length >= least && records.length <= most);
  return fitting.toSorted((left, right) => Math.abs(left.records.length - wanted) - Math.abs(right.records.length - wanted))[0];
}

/** Reads a list in a few pages, and once more in pages that end inside a tie. Called by each rule about pages; requests are shared. */
export async function readListInPages(context: RunContext, snapshot: Snapshot): Promise<readonly Pagination[]> {
  const { records } = snapshot;
  if (!snapshot.isComplete || records.length < 2) return [];
  // Another size than that of the first reading: whatever its edges lose, these do not.
  const limit = Math.min(Math.max(1, largestPage(snapshot.operation) - 7), Math.max(1, Math.ceil(records.length / 3)));
  const tie = cheapestTie(context, snapshot);
  // A tie is read in several pages as well, and shows as much of them in a quick run.
  const isEnough = context.quick && tie !== undefined;
  const paginations = isEnough ? [] : [await readPartInPages(context, snapshot, { values: snapshot.base, records }, limit)];
  if (tie !== undefined) paginations.push(await readPartInPages(context, snapshot, tie.cut, tie.limit));
  return paginations;
}

/** A page size whose page ends inside a block of records with equal order values. */
interface TieEdge {
  readonly cut: KnownPart;
  readonly limit: number;
  /** The field that is equal. */
  readonly field: string;
}

/** The ties of a list, those first that take the fewest requests to read. */
export function tieEdges(context: RunContext, snapshot: Snapshot): readonly TieEdge[] {
  const { operation } = snapshot;
  const field = tieField(operation);
  if (field === undefined || !snapshot.isComplete) return [];
  const edges = knownParts(context, snapshot, 2).flatMap((cut) => edgesOf(operation, cut, field));
  return edges.toSorted((left, right) => pagesOf(left) - pagesOf(right));
}

/** The cheapest page edge inside a tie. */
function cheapestTie(context: RunContext, snapshot: Snapshot): TieEdge | undefined {
  return tieEdges(context, snapshot)[0];
}

/** Number of pages that a part takes at a page size. */
export function pagesOf({ cut, limit }: TieEdge): number {
  return Math.ceil(cut.records.length / limit);
}

function edgesOf(operation: ListOperation, cut: KnownPart, field: string): readonly TieEdge[] {
  const largest = largestPage(operation);
  return cut.records.slice(1).flatMap((record, index) => {
    const before = cut.records[index];
    const limit = index + 1;
    const isEdge = limit <= largest && before !== undefined && isTie(operation, before, record);
    return isEdge ? [{ cut, limit, field }] : [];
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

/** Grids of nanoseconds. */
const grids: readonly (readonly [Coarseness, bigint])[] = [
  ['equal', 1n],
  ['second', 1_000_000_000n],
  ['minute', 60_000_000_000n],
];

/** The field whose equal values make ties. */
function tieField({ collection }: ListOperation): string | undefined {
  return collection.version ?? collection.order[0]?.by;
}

/** The coarseness at which each of the records that a pagination leaves out ties with the last record of some page; `undefined` when they do not. */
export function tieOfMissing(pagination: Pagination, missing: readonly Pick<StableRecord, 'record'>[]): Coarseness | undefined {
  const edges = lastRecordsOf(pagination);
  return findGrid((grid) => missing.every(({ record }) => edges.some((edge) => isTie(pagination.operation, record, edge, grid))));
}

/**
 * The same for records that a pagination repeats: each of them ties with another record at the edge of a page. A cursor that repeats the last record of
 * every page repeats it whether it ties or not.
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
  return pagination.pages.slice(0, -1).flatMap((page) => {
    const last = page.at(-1);
    return last === undefined ? [] : [last];
  });
}

/** True for equal values, or for instants in the same interval of so many nanoseconds, whatever their offsets. */
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
  const counts = new Map<string, number>();
  for (const record of pagination.records) counts.set(keyOf(operation, record), (counts.get(keyOf(operation, record)) ?? 0) + 1);
  return stableRecords(context, snapshot, pagination).filter((each) => (counts.get(each.key) ?? 0) > 1);
}

/** The finding that a pagination leaves records out. */
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
    replies: [...(first === undefined ? [] : [first.before.reply]), ...pagination.replies.slice(0, 3)],
    expected: `${operation.id} with ${describeValues(pagination.values)} in ${describeSize(pagination)} must return ${describeRecords(operation, keys)}, which the list contained before and after, unchanged`,
    actual: `no page contains ${keys.length === 1 ? 'it' : 'them'}`,
    records: missing.slice(0, 3).map((each) => each.record),
    witnesses: keys,
    route: paginationPlanOf(pagination),
    mutant,
  });
}

/** The finding that a pagination gives records more than once. */
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

/** Paginations that show for each filter whether a later page forgets it; the rules about them share the paginations. */
export async function examineLaterPages(
  context: RunContext,
  snapshot: Snapshot,
  isConcerned: (name: string) => boolean,
): Promise<Examination> {
  const { operation } = snapshot;
  const names = predictableFilters(context.contract, operation);
  let open = names;
  const paginations: Pagination[] = [];
  const candidates = laterPages(context, snapshot, names);
  while (open.length > 0) {
    const best = candidates
      .map((each) => ({ ...each, shows: each.telling.filter((name) => open.includes(name)) }))
      .toSorted((left, right) => right.shows.length - left.shows.length)[0];
    if (best === undefined || best.shows.length === 0) break;
    const limit = Math.max(1, Math.ceil(best.size / 2));
    paginations.push(await context.pagination({ operation, values: best.values, limit, as: snapshot.as, maxPages: 3 }));
    open = open.filter((name) => !best.shows.includes(name));
  }
  const mutants = names
    .filter(isConcerned)
    .map(
      (name): Candidate => ({ ...forgetting(operation, name), missing: `a value of ${name} that several records pass and others do not` }),
    );
  return {
    mutants,
    judge: () => paginations.flatMap((pagination) => judgeLaterPages(snapshot, pagination, names, isConcerned)),
  };
}

/** The mutant that forgets a filter on later pages. */
function forgetting(list: ListOperation, name: string): MutantIdentity {
  return name === checkpointOf(list)
    ? mutantOf('sync/later-pages', 'checkpoint-lost', { parameter: name }, name)
    : mutantOf('paging/filters-kept', 'filter-lost', { parameter: name }, name);
}

/** The filter that later pages of a pagination forget, as a mutant: every record there that does not belong fails this filter. */
export function forgottenFilter(
  { collection, ...list }: ListOperation,
  { pages, values }: Pick<Pagination, 'pages' | 'values'>,
): MutantIdentity | undefined {
  const strangersIn = (page: readonly DataRecord[], given: ParameterValues): readonly DataRecord[] =>
    page.filter((record) => !collection.query.matches(record, toFilterArguments(given)));
  const [first = [], ...later] = pages;
  const wrong = strangersIn(later.flat(), values);
  if (wrong.length === 0 || strangersIn(first, values).length > 0) return undefined;
  const forgotten = Object.entries(values).find(
    ([name, value]) => collection.filters.has(name) && strangersIn(wrong, { [name]: value }).length === wrong.length,
  );
  return forgotten === undefined ? undefined : forgetting({ collection, ...list }, forgotten[0]);
}

/** Selections of two to some records, and the filters without which more would follow. */
function laterPages(
  context: RunContext,
  snapshot: Snapshot,
  names: readonly string[],
): readonly { readonly values: ParameterValues; readonly size: number; readonly telling: readonly string[] }[] {
  const { operation, records } = snapshot;
  const { query } = operation.collection;
  // The evaluator reads its arguments once, as long as they are the same object.
  const sizeOf = (given: FilterArguments): number => records.filter((record) => query.matches(record, given)).length;
  return [...drawFilters(context, snapshot, 2), ...singleFilterValues(context, snapshot)].flatMap((candidate) => {
    const values = withinBase(snapshot, candidate);
    if (values === undefined) return [];
    const size = sizeOf(toFilterArguments(values));
    const telling = names.filter((name) => name in candidate && sizeOf(withoutFilter(values, name)) > size + 1);
    return size >= 2 && size <= 60 && telling.length > 0 ? [{ values, size, telling }] : [];
  });
}

function withoutFilter(values: ParameterValues, name: string): FilterArguments {
  return toFilterArguments(Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)));
}

/** A record and the filters of its request stand in one exchange, so nothing can have moved between them. */
function judgeLaterPages(
  { operation, records }: Snapshot,
  pagination: Pagination,
  names: readonly string[],
  isConcerned: (name: string) => boolean,
): readonly Judgement[] {
  const given = toFilterArguments(pagination.values);
  const later = pagination.pages.slice(1);
  const isRead = later.some((page) => page.length > 0) || (pagination.end === 'complete' && pagination.replies.length > 1);
  if (!isRead) return pagination.end === 'broken' ? [reportedBy('response/status')] : [];
  const wrong = later.flatMap((page, index) =>
    page
      .filter((record) => !operation.collection.query.matches(record, given))
      .map((record) => ({ record, reply: pagination.replies[index + 1] })),
  );
  const used = names.filter((name) => name in pagination.values);
  const [first] = wrong;
  if (first?.reply === undefined) {
    const shown = used.filter((name) =>
      records.some((record) => !operation.collection.query.matches(record, toFilterArguments({ [name]: pagination.values[name] ?? null }))),
    );
    return [agrees(...shown.map((name) => forgetting(operation, name)))];
  }
  const isFirstPageWrong = (pagination.pages[0] ?? []).some((record) => !operation.collection.query.matches(record, given));
  if (isFirstPageWrong) return [reportedBy('filters/sound')];
  const keys = wrong.map(({ record }) => keyOf(operation, record));
  const isForgotten = (name: string): boolean =>
    !operation.collection.query.matches(first.record, toFilterArguments({ [name]: pagination.values[name] ?? null }));
  const forgotten = used.find(isForgotten) ?? '';
  if (!isConcerned(forgotten)) return [];
  return [
    contradicts({
      replies: [...pagination.replies.slice(0, 1), first.reply],
      expected: `every page of ${operation.id} with ${describeValues(pagination.values)} must contain only records that match`,
      actual: `a later page contains ${describeRecords(operation, keys)}, which ${keys.length === 1 ? 'does' : 'do'} not match`,
      records: [first.record],
      mutant: forgetting(operation, forgotten),
      witnesses: keys,
    }),
  ];
}
