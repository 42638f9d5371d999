/** Lists with page numbers or offsets: their requests, samples and totals. Judges nothing. */

import type { Collection, NumberedPage, OffsetPage } from '../../../../core/annotations/annotations.ts';
import { isList, type ListOperation } from '../../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { readRequest } from '../../../../core/parameters/read-request.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { Contradiction } from '../../rules/rule.ts';
import { type Call, isReplyTo, isSuccess, type Reply, recordsIn } from '../call.ts';
import { listedValues, predictableFilters, withinBase } from '../filter-values.ts';
import { isLeftOpen } from '../open-places.ts';
import { fieldOf, filterBy, keysIn, keysOf, matchingRecords, type ParameterValues } from '../record-keys-and-filters.ts';
import type { RoundContext } from '../round-context.ts';
import type { Snapshot } from '../snapshot.ts';
import { isInsideSnapshot } from './compare-with-snapshot.ts';
import { callFor, largestLimit, totalIn } from './pagination.ts';

/** An operation whose list has page numbers or offsets. */
export type NumberedOperation = ListOperation & { readonly collection: { readonly page: NumberedPage | OffsetPage } };

/** True for a list with page numbers or offsets. */
export function isNumbered(operation: Operation): operation is NumberedOperation {
  return isList(operation) && operation.collection.page.style !== 'cursor';
}

/** The parameter with the number or the offset of the page. */
export function positionParameter({ collection: { page } }: NumberedOperation): string {
  return page.style === 'page' ? page.page : page.offset;
}

/** The call for a page; `index` starts at 0. The first page is requested without a number or offset. */
export function pageCall(operation: NumberedOperation, values: ParameterValues, limit: number, index: number): Call {
  const { page } = operation.collection;
  const position = page.style === 'page' ? index + 1 : index * limit;
  return callFor({ operation, values, limit }, index === 0 ? {} : { [positionParameter(operation)]: position });
}

/** A page that a request asks for. */
interface RequestedPage {
  readonly limit: number;
  /** Number of records before it. */
  readonly skip: number;
  readonly page: number;
  /** The filters that were sent, by parameter. */
  readonly values: ParameterValues;
}

/** The page that a request asked for; `undefined` for an invalid request, or without a page size. */
export function requestedPageOf(reply: Reply): RequestedPage | undefined {
  const { operation } = reply.call;
  if (!isNumbered(operation)) return undefined;
  const parsedRequest = readRequest(operation, reply.request, new Map());
  const [limit, position] = [
    parsedRequest.values.get(operation.collection.page.limit),
    parsedRequest.values.get(positionParameter(operation)),
  ];
  const hasNumbers = operation.collection.page.style === 'page';
  const positionNumber = position ?? (hasNumbers ? 1 : 0);
  if (
    parsedRequest.problems.length > 0 ||
    typeof limit !== 'number' ||
    typeof positionNumber !== 'number' ||
    limit < 1 ||
    positionNumber < (hasNumbers ? 1 : 0)
  )
    return undefined;
  const values = Object.fromEntries([...parsedRequest.values].filter(([name]) => operation.collection.filters.has(name)));
  return {
    limit,
    values,
    page: hasNumbers ? positionNumber : Math.floor(positionNumber / limit) + 1,
    skip: hasNumbers ? (positionNumber - 1) * limit : positionNumber,
  };
}

/** The page size that the server applied: the requested one, or a smaller one if the reply echoes it or the contract has a cap. */
export function servedLimit(reply: Reply): number | undefined {
  const requestedPage = requestedPageOf(reply);
  const { page } = reply.call.operation.collection ?? {};
  if (requestedPage === undefined || page === undefined) return undefined;
  if (page.style !== 'page') return requestedPage.limit;
  const echoed = page.echo?.limit === undefined ? undefined : valueAt(reply.body, page.echo.limit);
  if (typeof echoed === 'number') return Math.min(requestedPage.limit, echoed);
  return typeof page.cap === 'number' ? Math.min(requestedPage.limit, page.cap) : requestedPage.limit;
}

/** True for a successful reply with a list. */
export function isPage(reply: Reply): boolean {
  return isSuccess(reply) && recordsIn(reply) !== undefined;
}

/** One page of a list: a whole part of it, or its beginning. */
export interface Sample {
  readonly operation: NumberedOperation;
  readonly values: ParameterValues;
  readonly reply: Reply;
  readonly keys: readonly string[];
  /** True if the page holds the whole list. */
  readonly isWhole: boolean;
}

/** Minimum number of records of a sample. */
const minRecords = 5;

/** Reads the smallest part of a list that a listed filter value selects and that has enough records; otherwise the beginning of the list. */
export async function smallSample(context: RoundContext, operation: NumberedOperation): Promise<Sample> {
  const snapshot = await context.snapshot(operation);
  const read = async (filterValues: ParameterValues): Promise<Sample> => {
    const reply = await context.ask(pageCall(operation, filterValues, largestLimit(operation), 0));
    return { operation, values: filterValues, reply, ...firstPageOf(reply) };
  };
  const values = smallestFilter(context, snapshot);
  const partSample = values === undefined ? undefined : await read(values);
  return partSample === undefined || partSample.keys.length < minRecords ? read(snapshot.base) : partSample;
}

/** The keys of a first page, and if they are those of the whole list. */
function firstPageOf(reply: Reply): Pick<Sample, 'keys' | 'isWhole'> {
  const keys = keysIn(reply);
  const { page } = reply.call.operation.collection ?? {};
  const total = page === undefined ? undefined : totalIn(page, reply);
  const limit = servedLimit(reply) ?? 0;
  // A full page is the whole list only if the total says so; without a total it may be the beginning of more.
  return { keys, isWhole: keys.length < limit || total === keys.length };
}

function smallestFilter(context: RoundContext, snapshot: Snapshot): ParameterValues | undefined {
  const { operation, records } = snapshot;
  const candidates = predictableFilters(context.contract, operation).flatMap((name) => {
    const field = fieldOf(operation, name);
    if (field === undefined) return [];
    return listedValues(operation, name).flatMap((value) => {
      const size = records.filter((record) => valueAt(record, field) === value).length;
      const values = withinBase(snapshot, filterBy(operation, name, value));
      return values === undefined || size < minRecords ? [] : [{ values, size }];
    });
  });
  return candidates.toSorted((left, right) => left.size - right.size)[0]?.values;
}

/** A page size that is rarely a default, and that divides few lists evenly. */
export const smallSize = 7;

/** Requests the second page of `smallSize`. */
export async function askSecondPage(context: RoundContext, operation: NumberedOperation): Promise<Reply> {
  const { base } = await context.snapshot(operation);
  return context.ask(pageCall(operation, base, smallSize, 1));
}

/** Records that a total counts: the matching records, all records, or either if the contract leaves it open. */
export function totalMeanings({ contract }: RoundContext, operation: ListOperation): readonly ('filtered' | 'overall')[] {
  const { page } = operation.collection;
  if (page.style === 'page' && isLeftOpen(contract, operation, 'x-collection/page/counts')) return ['filtered', 'overall'];
  return [page.style === 'page' ? (page.counts ?? 'filtered') : 'filtered'];
}

/** A total in a reply, with the number of matching records and of all records. */
export interface ReportedTotal {
  readonly reply: Reply;
  readonly total: number;
  readonly filtered: number;
  readonly overall: number | undefined;
}

/**
 * The totals in the replies of a round, with the numbers of records that the snapshot predicts. Replies outside the snapshot are left out, and those after its
 * last reading, when the list may have changed.
 */
export function reportedTotals(context: RoundContext, snapshot: Snapshot): readonly ReportedTotal[] {
  const { operation, base } = snapshot;
  const predictable = predictableFilters(context.contract, operation);
  const { records } = snapshot;
  const isWhole = Object.keys(base).length === 0;
  const lastReply = snapshot.finalPagination?.replies.at(-1);
  const repliesBeforeEnd = context.replies.filter(({ number }) => lastReply === undefined || number <= lastReply.number);
  return repliesBeforeEnd.flatMap((reply): readonly ReportedTotal[] => {
    const requestedPage = isReplyTo(reply, operation, snapshot.as) && isPage(reply) ? requestedPageOf(reply) : undefined;
    const total = totalIn(operation.collection.page, reply);
    if (requestedPage === undefined || total === undefined) return [];
    if (!isInsideSnapshot(snapshot, requestedPage) || !Object.keys(requestedPage.values).every((name) => predictable.includes(name)))
      return [];
    const filtered = matchingRecords(operation, records, requestedPage.values).length;
    return [{ reply, total, filtered, overall: isWhole ? records.length : undefined }];
  });
}

/** True when other replies show records that the whole list lacked: pagination loses them, and a total may still count them. */
export function losesRecords(context: RoundContext, { operation, pagination }: Snapshot): boolean {
  const listedKeys = new Set(keysOf(operation, pagination.records));
  return context.replies.some((reply) => reply.call.operation.id === operation.id && keysIn(reply).some((key) => !listedKeys.has(key)));
}

/** The part of a response with a wrong total. Wrong records can explain a wrong total. */
export function totalPart({ page }: Collection): Pick<Contradiction, 'part' | 'dependsOnParts'> {
  const pointer = page.style === 'cursor' ? '' : (page.total ?? '');
  return { part: `body ${pointer}`, dependsOnParts: ['records'] };
}
