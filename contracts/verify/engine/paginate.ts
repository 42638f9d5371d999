/** Reading a list page by page, as a client does that wants all of it. */

import type { CursorPage, Page } from '../../../core/annotations/annotations.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord, FilterArguments } from '../../../core/query/query.ts';
import { type Call, type Caller, isSuccess, type Reply, recordsIn } from './call.ts';

/** The operation as one that lists records; rules about lists are only ever asked about those. */
export function requireList(operation: Operation): ListOperation {
  if (isList(operation)) return operation;
  throw new TypeError(`${operation.id} lists nothing, so no rule about lists is about it`);
}

/** Parameter values by key. */
export type ParameterValues = Readonly<Record<string, Json>>;

/** Filter values as the evaluator takes them. */
export function toFilterArguments(values: ParameterValues): FilterArguments {
  return new Map(Object.entries(values));
}

/** Plan for reading a list. */
export interface PaginationPlan {
  readonly operation: ListOperation;
  /** Filters. */
  readonly values: ParameterValues;
  /** The page size; `undefined` for the default. */
  readonly limit: number | undefined;
  readonly as?: Caller;
  /** No more pages than this. */
  readonly maxPages: number;
}

/**
 * End of a pagination: `complete` when the list said that nothing follows, `cut` when there were more pages than allowed, `broken` when an answer was
 * no page, `stuck` when it came back to where it had been.
 */
type PaginationEnd = 'complete' | 'cut' | 'broken' | 'stuck';

/** A list as it was read. */
export interface Pagination extends PaginationPlan {
  readonly replies: readonly Reply[];
  readonly pages: readonly (readonly DataRecord[])[];
  /** All pages, one after the other. */
  readonly records: readonly DataRecord[];
  readonly end: PaginationEnd;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Plan of a pagination, to repeat it. */
export function paginationPlanOf({ operation, values, limit, as, maxPages: most }: Pagination): PaginationPlan {
  return { operation, values, limit, maxPages: most, ...(as === undefined ? {} : { as }) };
}

/** The value that identifies a record, as text. */
export function keyOf(operation: ListOperation, record: DataRecord): string {
  return JSON.stringify(valueAt(record, operation.collection.key) ?? null);
}

/** Reads a list from its first page on. */
export async function paginate(ask: (call: Call) => Promise<Reply>, route: PaginationPlan): Promise<Pagination> {
  const replies: Reply[] = [];
  let step: ParameterValues | PaginationEnd | 'past' = {};
  while (typeof step === 'object') {
    if (replies.length >= route.maxPages) return toPagination(route, replies, 'cut');
    const reply = await ask(callFor(route, step));
    replies.push(reply);
    step = nextStep(route, replies, reply);
  }
  // Without a total that counts what is asked for, the end shows only past it: what was found there is no page of the list.
  return step === 'past' ? toPagination(route, replies.slice(0, -1), 'complete') : toPagination(route, replies, step);
}

/** The request for one page of a list. */
export function callFor({ operation, values, limit, as }: Omit<PaginationPlan, 'maxPages'>, step: ParameterValues): Call {
  const size = limit === undefined ? {} : { [operation.collection.page.limit]: limit };
  return { operation, values: { ...values, ...size, ...step }, ...(as === undefined ? {} : { as }) };
}

/** Next page of a list answer: its parameters, or that it is the last. */
function nextStep(route: Omit<PaginationPlan, 'maxPages'>, replies: readonly Reply[], reply: Reply): ParameterValues | PaginationEnd | 'past' {
  const records = recordsIn(reply);
  const { page } = route.operation.collection;
  if (reply.isTrimmed === true) return 'cut';
  if (page.style === 'page' && replies.length > 1 && isPast(replies, reply)) return 'past';
  if (!isSuccess(reply) || records === undefined) return 'broken';
  if (page.style === 'cursor') return nextCursor(page, replies, reply);
  const seen = replies.reduce((sum, each) => sum + (recordsIn(each)?.length ?? 0), 0);
  if (page.style === 'offset') return isLast(page, reply, records.length, seen) ? 'complete' : { [page.offset]: seen };
  return isLast(page, reply, records.length, seen) ? 'complete' : { [page.page]: replies.length + 1 };
}

/** After so many empty pages that promise more, a list has no end. */
const emptyInARow = 3;

function nextCursor(page: CursorPage, replies: readonly Reply[], reply: Reply): ParameterValues | PaginationEnd {
  if (valueAt(reply.body, page.more) !== true) return 'complete';
  // A page may be short, even empty; several empty ones in a row lead nowhere.
  if (replies.length >= emptyInARow && replies.slice(-emptyInARow).every((each) => recordsIn(each)?.length === 0)) return 'stuck';
  const cursor = valueAt(reply.body, page.next);
  if (typeof cursor !== 'string' || cursor === '') return 'broken';
  return isRepeated(replies.slice(0, -1), reply) ? 'stuck' : { [page.cursor]: cursor };
}

/** A cursor may repeat where it is opaque; a page that gives again, record by record, what an earlier one gave leads nowhere. */
function isRepeated(replies: readonly Reply[], reply: Reply): boolean {
  const records = JSON.stringify(recordsIn(reply));
  return recordsIn(reply)?.length !== 0 && replies.some((each) => JSON.stringify(recordsIn(each)) === records);
}

/** A page past the end is refused, absent, or the last page again: which of them, documents often leave open. */
function isPast(replies: readonly Reply[], reply: Reply): boolean {
  if ([400, 404, 422].includes(reply.response.status)) return true;
  const before = replies.at(-2);
  return before !== undefined && isSuccess(reply) && JSON.stringify(recordsIn(before)) === JSON.stringify(recordsIn(reply));
}

/** Numbered pages end where the total says, or, without a total, with the first page that is not full. */
function isLast(page: Exclude<Page, { style: 'cursor' }>, reply: Reply, length: number, seen: number): boolean {
  if (length === 0) return true;
  if (page.style === 'offset' && page.more !== undefined) return valueAt(reply.body, page.more) !== true;
  const total = totalIn(page, reply);
  if (total !== undefined && seen >= total) return true;
  const limit = page.style === 'page' && page.echo?.limit !== undefined ? valueAt(reply.body, page.echo.limit) : undefined;
  return typeof limit === 'number' && length < limit;
}

/** The total that a list answer tells. */
export function totalIn(page: Page, reply: Reply): number | undefined {
  const total = page.style === 'cursor' || page.total === undefined ? undefined : valueAt(reply.body, page.total);
  return typeof total === 'number' ? total : undefined;
}

function toPagination(route: PaginationPlan, replies: readonly Reply[], end: PaginationEnd): Pagination {
  const pages = replies.map((reply) => recordsIn(reply) ?? []);
  const [first, last] = [replies[0], replies.at(-1)];
  return { ...route, replies, pages, records: pages.flat(), end, startedMs: first?.startedMs ?? 0, endedMs: last?.endedMs ?? 0 };
}

/** The limit of an answered request: the one that was sent, or the default; `undefined` for one that was sent wrong on purpose. */
export function limitOf(operation: ListOperation, { call }: Reply): number | undefined {
  const name = operation.collection.page.limit;
  if ((call.raw ?? []).some((piece) => piece.startsWith(`${name}=`))) return undefined;
  const sent = call.values?.[name] ?? defaultLimit(operation);
  return typeof sent === 'number' ? sent : undefined;
}

/** The limit that counts when none is sent. */
export function defaultLimit(operation: ListOperation): number | undefined {
  const fallback = limitParameter(operation)?.fallback;
  return typeof fallback === 'number' ? fallback : undefined;
}

/** The smallest and the largest limit that the contract allows. */
export function limitRange(operation: ListOperation): { readonly least: number | undefined; readonly most: number | undefined } {
  const schema = limitParameter(operation)?.schema;
  const [minimum, maximum] = isObject(schema) ? [schema['minimum'], schema['maximum']] : [];
  return { least: typeof minimum === 'number' ? minimum : undefined, most: typeof maximum === 'number' ? maximum : undefined };
}

function limitParameter(operation: ListOperation): ListOperation['parameters'][number] | undefined {
  return operation.parameters.find((each) => each.key === operation.collection.page.limit);
}
