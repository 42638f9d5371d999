/** Reads a list page by page, as a client does, at most the number of pages that its plan allows, and knows the page sizes of the contract. Judges nothing. */

import type { CursorPage, Page } from '../../../../core/annotations/annotations.ts';
import { isObject, printJson } from '../../../../core/json.ts';
import { isList, type ListOperation } from '../../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { DataRecord } from '../../../../core/query/query.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../call.ts';
import type { Caller } from '../callers.ts';
import type { ParameterValues } from '../record-keys-and-filters.ts';

/** Plan for reading a list. */
export interface PaginationPlan {
  readonly operation: ListOperation;
  /** Filters. */
  readonly values: ParameterValues;
  /** The page size; `undefined` for the default. */
  readonly limit: number | undefined;
  readonly as?: Caller;
  /** Maximum number of pages. */
  readonly maxPages: number;
}

/**
 * The end of a pagination: `complete` if the list said that nothing follows, `cut` if there were more pages than `maxPages`, `broken` if a reply was not
 * a page, `stuck` if a page came again or several pages were empty.
 */
type PaginationEnd = 'complete' | 'cut' | 'broken' | 'stuck';

/** The pages of a list that were read by a plan. */
export interface Pagination extends PaginationPlan {
  readonly as: Caller;
  readonly replies: readonly Reply[];
  readonly pages: readonly (readonly DataRecord[])[];
  /** All pages, one after the other. */
  readonly records: readonly DataRecord[];
  readonly end: PaginationEnd;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** The plan of a pagination, to read it again. */
export function paginationPlanOf({ operation, values, limit, as, maxPages }: Pagination): PaginationPlan {
  return { operation, values, limit, as, maxPages };
}

/** Reads a list from its first page on. */
export async function paginate(ask: (call: Call) => Promise<Reply>, plan: PaginationPlan): Promise<Pagination> {
  const replies: Reply[] = [];
  let step: ParameterValues | PaginationEnd | 'past' = {};
  while (typeof step === 'object') {
    if (replies.length >= plan.maxPages) return toPagination(plan, replies, 'cut');
    const reply = await ask(callFor(plan, step));
    replies.push(reply);
    step = nextStep(plan, replies, reply);
  }
  // Without a total of the filtered records, only a page past the end shows the end; it is left out.
  return step === 'past' ? toPagination(plan, replies.slice(0, -1), 'complete') : toPagination(plan, replies, step);
}

/** The request for one page of a list. */
export function callFor({ operation, values, limit, as = 'full' }: Omit<PaginationPlan, 'maxPages'>, step: ParameterValues = {}): Call {
  const size = limit === undefined ? {} : { [operation.collection.page.limit]: limit };
  return { operation, values: { ...values, ...size, ...step }, as };
}

/** The request for the first page of a list, of the largest size. */
export function firstPageCall(operation: ListOperation, values: ParameterValues): Call {
  return callFor({ operation, values, limit: largestLimit(operation) });
}

/** The parameters of the next page, or the reason to stop; `past` if the reply is already past the end. */
function nextStep(
  plan: Omit<PaginationPlan, 'maxPages'>,
  replies: readonly Reply[],
  reply: Reply,
): ParameterValues | PaginationEnd | 'past' {
  const records = recordsIn(reply);
  const { page } = plan.operation.collection;
  if (reply.isTrimmed === true) return 'cut';
  if (page.style === 'page' && replies.length > 1 && isPastEnd(replies, reply)) return 'past';
  if (!isSuccess(reply) || records === undefined) return 'broken';
  if (page.style === 'cursor') return nextCursor(page, replies, reply);
  const recordCount = replies.reduce((sum, each) => sum + (recordsIn(each)?.length ?? 0), 0);
  if (isLast(page, reply, records.length, recordCount)) return 'complete';
  return page.style === 'offset' ? { [page.offset]: recordCount } : { [page.page]: replies.length + 1 };
}

/** Number of empty pages in a row after which a pagination counts as stuck. */
const emptyInARow = 3;

function nextCursor(page: CursorPage, replies: readonly Reply[], reply: Reply): ParameterValues | PaginationEnd {
  if (valueAt(reply.body, page.more) !== true) return 'complete';
  // A page may be short, even empty; several empty ones in a row lead nowhere.
  if (replies.length >= emptyInARow && replies.slice(-emptyInARow).every((each) => recordsIn(each)?.length === 0)) return 'stuck';
  const cursor = valueAt(reply.body, page.next);
  if (typeof cursor !== 'string' || cursor === '') return 'broken';
  return isRepeated(replies.slice(0, -1), reply) ? 'stuck' : { [page.cursor]: cursor };
}

/** True if a page has the same records as an earlier page. A repeated cursor alone proves nothing, because cursors are opaque. */
function isRepeated(replies: readonly Reply[], reply: Reply): boolean {
  const records = printJson(recordsIn(reply));
  return recordsIn(reply)?.length !== 0 && replies.some((each) => printJson(recordsIn(each)) === records);
}

/** True for a reply past the end: it is refused, 404, or the last page again. */
function isPastEnd(replies: readonly Reply[], reply: Reply): boolean {
  if ([400, 404, 422].includes(reply.response.status)) return true;
  const before = replies.at(-2);
  return before !== undefined && isSuccess(reply) && printJson(recordsIn(before)) === printJson(recordsIn(reply));
}

/** Numbered pages end where the total says, or, without a total, with the first page that is not full. */
function isLast(page: Exclude<Page, { style: 'cursor' }>, reply: Reply, length: number, recordCount: number): boolean {
  if (length === 0) return true;
  if (page.style === 'offset' && page.more !== undefined) return valueAt(reply.body, page.more) !== true;
  const total = totalIn(page, reply);
  if (total !== undefined && recordCount >= total) return true;
  const limit = page.style === 'page' && page.echo?.limit !== undefined ? valueAt(reply.body, page.echo.limit) : undefined;
  return typeof limit === 'number' && length < limit;
}

/** The total in a list reply. */
export function totalIn(page: Page, reply: Reply): number | undefined {
  const total = page.style === 'cursor' || page.total === undefined ? undefined : valueAt(reply.body, page.total);
  return typeof total === 'number' ? total : undefined;
}

function toPagination(plan: PaginationPlan, replies: readonly Reply[], end: PaginationEnd): Pagination {
  const pages = replies.map((reply) => recordsIn(reply) ?? []);
  const [first, last] = [replies[0], replies.at(-1)];
  return {
    ...plan,
    as: plan.as ?? 'full',
    replies,
    pages,
    records: pages.flat(),
    end,
    startedMs: first?.startedMs ?? 0,
    endedMs: last?.endedMs ?? 0,
  };
}

/** The page size of a request: the sent one, or the default; `undefined` for a deliberately invalid one. */
export function limitOf(operation: ListOperation, { call }: Reply): number | undefined {
  const name = operation.collection.page.limit;
  if ((call.raw ?? []).some((piece) => piece.startsWith(`${name}=`))) return undefined;
  const sent = call.values?.[name] ?? defaultLimit(operation);
  return typeof sent === 'number' ? sent : undefined;
}

/** The call with the default page size, if it asks for a larger one where the contract states no maximum. */
export function withDefaultLimit(call: Call): { readonly call: Call; readonly isFirstPage: boolean } | undefined {
  const { operation, values = {}, raw } = call;
  if (!isList(operation) || raw !== undefined || limitRange(operation).most !== undefined) return undefined;
  const { page } = operation.collection;
  const [sent, fallback] = [values[page.limit], defaultLimit(operation)];
  if (typeof sent !== 'number' || fallback === undefined || sent <= fallback || sent > maxLimit) return undefined;
  const position = page.style === 'cursor' ? page.cursor : page.style === 'page' ? page.page : page.offset;
  return { call: { ...call, values: { ...values, [page.limit]: fallback } }, isFirstPage: values[position] === undefined };
}

/** The largest page size that is ever asked for. */
const maxLimit = 100;

/** The largest page size that the contract allows for a list, and at most 100. */
export function largestLimit(list: ListOperation): number {
  return Math.min(limitRange(list).most ?? maxLimit, maxLimit);
}

/** The page size of a request without one. */
export function defaultLimit(list: ListOperation): number | undefined {
  const fallback = limitParameter(list)?.fallback;
  return typeof fallback === 'number' ? fallback : undefined;
}

/** The smallest and the largest page size that the contract allows. */
export function limitRange(list: ListOperation): { readonly least: number | undefined; readonly most: number | undefined } {
  const schema = limitParameter(list)?.schema;
  const [minimum, maximum] = isObject(schema) ? [schema['minimum'], schema['maximum']] : [];
  return { least: typeof minimum === 'number' ? minimum : undefined, most: typeof maximum === 'number' ? maximum : undefined };
}

function limitParameter({ parameters, collection }: ListOperation): ListOperation['parameters'][number] | undefined {
  return parameters.find(({ key }) => key === collection.page.limit);
}
