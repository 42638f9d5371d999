/**
 * Takes the snapshot of a list, when a rule first needs the list in a round: the whole list if it is short, else, if possible, a part that can be read
 * completely.
 */

import { headerOf } from '../../../core/http/exchange.ts';
import { parseHttpDate } from '../../../core/http/time-headers.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import { instantOf } from '../../../core/query/instants.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { Caller } from './callers.ts';
import { largestLimit, type Pagination, type PaginationPlan, totalIn } from './pagination/pagination.ts';
import { checkpointOf, filterBy, nonMatchingRecords, type ParameterValues, recordKeyOf } from './record-keys-and-filters.ts';

/** The records of one list that one caller sees, read when a rule first needs them in a round, and kept for the round. */
export interface Snapshot {
  readonly operation: ListOperation;
  readonly as: Caller;
  /** The filter that selects the part; empty for the whole list. */
  readonly base: ParameterValues;
  /** The pagination at the beginning of the round. */
  readonly pagination: Pagination;
  /** The pagination at the end of the round; `undefined` before that, and where the list is not read again. */
  finalPagination: Pagination | undefined;
  readonly records: readonly DataRecord[];
  readonly byKey: ReadonlyMap<string, DataRecord>;
  /** Lower bound of the number of records in the whole list. */
  readonly minimumSize: number;
  /** True when the records are complete within the base. */
  readonly isComplete: boolean;
}

/** The part of the round context that reads lists. */
interface ListReader {
  readonly quick: boolean;
  readonly pagination: (paginationPlan: PaginationPlan) => Promise<Pagination>;
}

/** Maximum number of pages of a list. */
const maxPagesOfList = 8;
/** Maximum number of pages in quick runs: a list with a checkpoint can be narrowed to one page, and another cannot. */
const quickPages = { withCheckpoint: 1, withoutCheckpoint: 2 } as const;

/** Reads a list, or the part of it that can be read. */
export async function takeSnapshot(context: ListReader, operation: ListOperation, as: Caller): Promise<Snapshot> {
  const checkpoint = checkpointOf(operation);
  const quickMost = checkpoint === undefined ? quickPages.withoutCheckpoint : quickPages.withCheckpoint;
  const most = context.quick ? quickMost : maxPagesOfList;
  const read = (values: ParameterValues, pages: number): Promise<Pagination> =>
    context.pagination({ operation, values, limit: largestLimit(operation), as, maxPages: pages });
  const wholeList = await readUnlessHuge(context, operation, as, most);
  if (wholeList.end !== 'cut') return toSnapshot(operation, as, wholeList, 0);
  const narrowed =
    checkpoint === undefined ? undefined : await narrowByVersion(wholeList, checkpoint, read, { most, quick: context.quick });
  const part = narrowed ?? (await narrowByFilters(wholeList, (values) => read(values, most)));
  return toSnapshot(operation, as, part ?? wholeList, wholeList.records.length + 1);
}

/** Reads a list. One whose total is too large is read up to its first page only. */
async function readUnlessHuge(context: ListReader, operation: ListOperation, as: Caller, most: number): Promise<Pagination> {
  const limit = largestLimit(operation);
  const [first] = (await context.pagination({ operation, values: {}, limit, as, maxPages: 1 })).replies;
  const total = first === undefined ? undefined : totalIn(operation.collection.page, first);
  const isHuge = total !== undefined && total > most * limit;
  return context.pagination({ operation, values: {}, limit, as, maxPages: isHuge ? 1 : most });
}

function toSnapshot(operation: ListOperation, as: Caller, pagination: Pagination, least: number): Snapshot {
  const byKey = new Map(pagination.records.map((record) => [recordKeyOf(operation, record), record]));
  return {
    operation,
    as,
    base: pagination.values,
    pagination,
    finalPagination: undefined,
    records: [...byKey.values()],
    byKey,
    minimumSize: Math.max(least, byKey.size),
    isComplete: pagination.end === 'complete',
  };
}

/** Narrows a list by a value of an observed record: of a filter with equality, or of a text search. */
async function narrowByFilters(
  wholeList: Pagination,
  read: (values: ParameterValues) => Promise<Pagination>,
): Promise<Pagination | undefined> {
  const { operation, records } = wholeList;
  const candidates = records.slice(0, 2).flatMap((record) =>
    [...operation.collection.filters].flatMap(([parameter, filter]): readonly ParameterValues[] => {
      const value = valueAt(record, filter.operator === 'matches' ? (filter.fields[0] ?? '') : filter.field);
      if (value === undefined || !['equals', 'any-of', 'matches'].includes(filter.operator)) return [];
      return [filterBy(operation, parameter, value)];
    }),
  );
  for (const values of candidates) {
    const pagination = await read(values);
    const { end, records: part } = pagination;
    // A search that finds more records than predicted cannot be predicted beside other filters either.
    if (end === 'complete' && part.length > 0 && nonMatchingRecords(operation, part, values).length === 0) return pagination;
  }
  return undefined;
}

/** Reads the list with a filter, up to a number of pages. */
type ReadPart = (values: ParameterValues, most: number) => Promise<Pagination>;

/** Number of records that a part should have at least. */
const enoughRecords = 30;

/** Maximum number of requests for the search, and for improving a part that is too small. */
const maxProbes = { full: 18, quick: 8 } as const;
const maxImprovements = 3;

const nanosecondsPerDay = 86_400_000_000_000n;

/** The part of a list since a time of change that can be read completely; `undefined` if none was found. */
async function narrowByVersion(
  wholeList: Pagination,
  parameter: string,
  read: ReadPart,
  { most, quick }: { readonly most: number; readonly quick: boolean },
): Promise<Pagination | undefined> {
  const { version } = wholeList.operation.collection;
  if (version === undefined) return undefined;
  const moments = instantsIn(wholeList.records, version);
  const earlyMoment = moments[Math.floor(moments.length / 3)];
  const isNewestFirst = moments.every((moment, index) => index === 0 || moment <= (moments[index - 1] ?? moment));
  if (isNewestFirst && earlyMoment !== undefined) {
    const part = await read({ [parameter]: printWholeSecond(earlyMoment) }, most);
    if (part.end === 'complete') return part;
  }
  return searchChangeTime(wholeList, version, quick ? maxProbes.quick : maxProbes.full, (moment) =>
    read({ [parameter]: printWholeSecond(moment) }, 1),
  );
}

/**
 * Searches for a time since which about one page of records changed. It first tries the latest time of each page, which is enough for an unsorted list.
 * Then it halves the interval, which a list in ascending order needs.
 */
async function searchChangeTime(
  wholeList: Pagination,
  version: string,
  probesLeft: number,
  read: (moment: bigint) => Promise<Pagination>,
): Promise<Pagination | undefined> {
  const low = latestIn(wholeList.records, version) ?? 0n;
  let search: Search = { low, high: serverTimeOf(wholeList) ?? low + 3650n * nanosecondsPerDay, best: undefined, probesLeft };
  for (let probe = 0; search.probesLeft > 0 && search.low < search.high; probe += 1) {
    const moment = probe < 2 ? search.low : search.low + (search.high - search.low) / 2n;
    const part = await read(moment);
    search = part.end === 'complete' ? keepPart(search, moment, part) : skipPart(search, moment, part, version);
  }
  return search.best;
}

/** State of the search: the interval of the instant, the best part so far, and the pages left. */
interface Search {
  readonly low: bigint;
  readonly high: bigint;
  readonly best: Pagination | undefined;
  readonly probesLeft: number;
}

/** Keeps a completely read part if it is the largest. If it is small, a few more requests look for a larger one. */
function keepPart(search: Search, moment: bigint, part: Pagination): Search {
  const best = part.records.length > (search.best?.records.length ?? 0) ? part : search.best;
  const isEnough = part.records.length >= enoughRecords;
  const probesLeft = best === undefined ? search.probesLeft - 1 : Math.min(search.probesLeft - 1, maxImprovements);
  return { low: search.low, high: moment, best, probesLeft: isEnough ? 0 : probesLeft };
}

function skipPart(search: Search, moment: bigint, part: Pagination, version: string): Search {
  const probesLeft = part.end === 'broken' ? 0 : search.probesLeft - 1;
  return { ...search, low: laterOf(latestIn(part.records, version), moment), probesLeft };
}

function laterOf(first: bigint | undefined, second: bigint): bigint {
  return first !== undefined && first > second ? first : second;
}

/** The time by the server's clock, plus one day, because two servers of one service may differ. */
function serverTimeOf({ replies }: Pagination): bigint | undefined {
  const date = parseHttpDate(headerOf(replies[0]?.response.headers ?? {}, 'date') ?? '');
  return date === undefined ? undefined : BigInt(date) * 1_000_000n + nanosecondsPerDay;
}

function latestIn(records: readonly DataRecord[], version: string): bigint | undefined {
  return instantsIn(records, version).reduce<bigint | undefined>(laterOf, undefined);
}

function instantsIn(records: readonly DataRecord[], version: string): readonly bigint[] {
  return records.map((record) => instantOf(valueAt(record, version))).filter((instant) => instant !== undefined);
}

/** A time that every server can parse: in whole seconds, rounded down, so that no change of that second is left out. */
function printWholeSecond(moment: bigint): string {
  return `${new Date(Number(moment / 1_000_000n)).toISOString().slice(0, 19)}Z`;
}
