/** Lists with page numbers or offsets: their requests, samples and totals, for the rules of the groups `pages` and `visible`. */

import type { NumberedPage, OffsetPage } from '../../../core/annotations/annotations.ts';
import { isObject } from '../../../core/json.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import { type Call, isSuccess, type Reply, recordsIn } from './call.ts';
import { isOpen } from './clauses.ts';
import { listedValues, predictableFilters, withinBase } from './filter-values.ts';
import { callFor, keyOf, type ParameterValues, toFilterArguments, totalIn } from './paginate.ts';
import type { RunContext } from './run-context.ts';
import { largestPage, type Snapshot } from './snapshot.ts';

/** An operation whose list has counted pages. */
export type NumberedOperation = ListOperation & { readonly collection: { readonly page: NumberedPage | OffsetPage } };

/** True for an operation with numbered pages. */
export function isNumbered(operation: Operation): operation is NumberedOperation {
  return isList(operation) && operation.collection.page.style !== 'cursor';
}

/** The operation as one with counted pages. */
export function numbered(operation: Operation): NumberedOperation {
  if (!isNumbered(operation)) throw new TypeError(`${operation.id} lists no counted pages`);
  return operation;
}

/** The parameter that says which page is wanted. */
export function positionParameter({ collection: { page } }: NumberedOperation): string {
  return page.style === 'page' ? page.page : page.offset;
}

/** The call for a page, counted from 0. The first one is asked for as a client does that never heard of pages. */
export function pageCall(operation: NumberedOperation, values: ParameterValues, limit: number, index: number): Call {
  const { page } = operation.collection;
  const position = page.style === 'page' ? index + 1 : index * limit;
  return callFor({ operation, values, limit }, index === 0 ? {} : { [positionParameter(operation)]: position });
}

/** Requested page. */
interface RequestedPage {
  readonly limit: number;
  /** Number of records before it. */
  readonly skip: number;
  readonly page: number;
  /** The filters that were sent, by parameter. */
  readonly values: ParameterValues;
}

/** Requested page of an answer; `undefined` for an invalid request, or without a page size. */
export function requestedPageOf(reply: Reply): RequestedPage | undefined {
  const { operation } = reply.call;
  if (!isNumbered(operation)) return undefined;
  const reading = readRequest(operation, reply.request, new Map());
  const [limit, position] = [reading.values.get(operation.collection.page.limit), reading.values.get(positionParameter(operation))];
  const isPage = operation.collection.page.style === 'page';
  const at = position ?? (isPage ? 1 : 0);
  if (reading.problems.length > 0 || typeof limit !== 'number' || typeof at !== 'number' || limit < 1 || at < (isPage ? 1 : 0))
    return undefined;
  const values = Object.fromEntries([...reading.values].filter(([name]) => operation.collection.filters.has(name)));
  return { limit, values, page: isPage ? at : Math.floor(at / limit) + 1, skip: isPage ? (at - 1) * limit : at };
}

/** The page size that an answer says it has: what was asked for, or less where the server or the contract has a cap. */
export function servedLimit(reply: Reply): number | undefined {
  const wanted = requestedPageOf(reply);
  const { page } = reply.call.operation.collection ?? {};
  if (wanted === undefined || page === undefined) return undefined;
  if (page.style !== 'page') return wanted.limit;
  const echoed = page.echo?.limit === undefined ? undefined : valueAt(reply.body, page.echo.limit);
  if (typeof echoed === 'number') return Math.min(wanted.limit, echoed);
  return typeof page.cap === 'number' ? Math.min(wanted.limit, page.cap) : wanted.limit;
}

/** The keys of a page, in its order. */
export function keysIn(reply: Reply): readonly string[] {
  const { operation } = reply.call;
  return isList(operation) ? (recordsIn(reply) ?? []).map((record) => keyOf(operation, record)) : [];
}

/** True for an answer that is a page. */
export function isPage(reply: Reply): boolean {
  return isSuccess(reply) && recordsIn(reply) !== undefined;
}

/** A part of a list that fits one page, or the beginning of a list that does not, as one answer gave it. */
export interface Sample {
  readonly operation: NumberedOperation;
  readonly values: ParameterValues;
  readonly reply: Reply;
  readonly keys: readonly string[];
  /** True for the last page. */
  readonly isWhole: boolean;
}

/** Fewest records of a small part. */
const least = 5;

/** The smallest part of a list that a filter with listed values cuts out and that has some records; otherwise the beginning of the list. */
export async function smallSample(context: RunContext, operation: NumberedOperation): Promise<Sample> {
  const snapshot = await context.snapshot(operation);
  const read = async (values: ParameterValues): Promise<Sample> => {
    const reply = await context.ask(pageCall(operation, values, largestPage(operation), 0));
    return { operation, values, reply, ...extentOf(reply) };
  };
  const values = smallestFilter(context, snapshot);
  const part = values === undefined ? undefined : await read(values);
  return part === undefined || part.keys.length < least ? read(snapshot.base) : part;
}

/** Part of a list on its first page. */
function extentOf(reply: Reply): Pick<Sample, 'keys' | 'isWhole'> {
  const keys = keysIn(reply);
  const { page } = reply.call.operation.collection ?? {};
  const total = page === undefined ? undefined : totalIn(page, reply);
  const limit = servedLimit(reply) ?? 0;
  // A full page is the whole list only if the total says so; without a total it may be the beginning of more.
  return { keys, isWhole: keys.length < limit || total === keys.length };
}

function smallestFilter(context: RunContext, snapshot: Snapshot): ParameterValues | undefined {
  const { operation, records } = snapshot;
  const candidates = predictableFilters(context.contract, operation).flatMap((name) => {
    const filter = operation.collection.filters.get(name);
    if (filter === undefined || filter.operator === 'matches') return [];
    return listedValues(operation, name).flatMap((value) => {
      const size = records.filter((record) => valueAt(record, filter.field) === value).length;
      const values = withinBase(snapshot, { [name]: filter.operator === 'any-of' ? [value] : value });
      return values === undefined || size < least || !isObject(values) ? [] : [{ values, size }];
    });
  });
  return candidates.toSorted((left, right) => left.size - right.size)[0]?.values;
}

/** A page size that is hardly a default, and that divides few lists evenly. */
export const smallSize = 7;

/** Requests the second page of that size. */
export async function askSecondPage(context: RunContext, operation: NumberedOperation): Promise<Reply> {
  const { base } = await context.snapshot(operation);
  return context.ask(pageCall(operation, base, smallSize, 1));
}

/** Records that a total counts: the matching records, all records, or either if the contract leaves it open. */
export function totalMeanings({ contract }: RunContext, operation: ListOperation): readonly ('filtered' | 'overall')[] {
  const { page } = operation.collection;
  if (page.style === 'page' && isOpen(contract, operation, 'x-collection/page/counts')) return ['filtered', 'overall'];
  return [page.style === 'page' ? (page.counts ?? 'filtered') : 'filtered'];
}

/** A total in a reply, with the number of matching records and of all records. */
export interface ReportedTotal {
  readonly reply: Reply;
  readonly total: number;
  readonly filtered: number;
  readonly overall: number | undefined;
}

/** The totals of answers whose filters a snapshot can follow, for a list that is known whole or in the part that a filter cuts out. */
export function reportedTotals(context: RunContext, snapshot: Snapshot): readonly ReportedTotal[] {
  const { operation, base } = snapshot;
  const known = predictableFilters(context.contract, operation);
  const records = [...new Map(snapshot.pagination.records.map((record) => [keyOf(operation, record), record])).values()];
  const isWhole = Object.keys(base).length === 0;
  return context.replies.flatMap((reply): readonly ReportedTotal[] => {
    const wanted = reply.call.operation.id === operation.id && isPage(reply) ? requestedPageOf(reply) : undefined;
    const total = totalIn(operation.collection.page, reply);
    if (wanted === undefined || total === undefined || (reply.call.as ?? 'full') !== snapshot.as) return [];
    const isInside =
      isWhole || Object.entries(base).every(([name, value]) => JSON.stringify(wanted.values[name]) === JSON.stringify(value));
    if (!isInside || !Object.keys(wanted.values).every((name) => known.includes(name))) return [];
    const filtered = records.filter((record) => operation.collection.query.matches(record, toFilterArguments(wanted.values))).length;
    return [{ reply, total, filtered, overall: isWhole ? records.length : undefined }];
  });
}

/** True when other answers show records that the whole list lacked: pagination loses them, and a total may still count them. */
export function losesRecords(context: RunContext, { operation, pagination }: Snapshot): boolean {
  const read = new Set(pagination.records.map((record) => keyOf(operation, record)));
  return context.replies.some(
    (reply) => reply.call.operation.id === operation.id && recordsIn(reply)?.some((record) => !read.has(keyOf(operation, record))),
  );
}
