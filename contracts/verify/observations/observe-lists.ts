/**
 * Observers of open questions about lists: totals, page sizes, pages past the end, order, and cursors with changed filters. `observe-open-questions.ts` calls
 * each once, after the rules of a run. They return evidence for or against choices, and conclude nothing.
 */

import type { CursorPage, NumberedPage } from '../../../core/annotations/annotations.ts';
import type { Question } from '../../../core/annotations/open-questions.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { statusOf } from '../../../core/openapi/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isSuccess, type Reply, recordsIn } from '../evidence/call-and-reply.ts';
import { callFor, firstPageCall, totalIn } from '../evidence/pagination/pagination-and-page-sizes.ts';
import { filterBy, keysOf, type ParameterValues, toFilterArguments } from '../evidence/record-keys-and-filters.ts';
import { describeValues } from '../rules/describe-records-and-values.ts';
import { type ObserverContext, type OpenRule, observeOpenLists, openLists } from './observer-context.ts';
import { choicesWhere, evidenceForValue, type QuestionEvidence } from './question-evidence.ts';
import { resolveByChoice, sameList } from './resolve-contract-by-choice.ts';

/** A number larger than any page size, and larger than any number of pages. */
const hugeNumber = 100_000;

/** Compares totals with lists. A first page that is not full contains all records that match the filters. */
export function observeTotals(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { round } = context;
  return observeOpenLists(context, 'x-collection/page/counts', async (openRule) => {
    const longestPage = await context.longestPage(openRule.operation);
    const findEvidence = (): readonly QuestionEvidence[] => round.replies.flatMap((reply) => judgeTotal(round.replies, openRule, reply));
    const isAnswered = findEvidence().some(({ fittingChoices }) => fittingChoices.length < openRule.question.choices.size);
    const call = longestPage === undefined || isAnswered ? undefined : filteredCall(openRule.operation, longestPage);
    if (call !== undefined) await context.ask(call);
    return findEvidence();
  });
}

function judgeTotal(
  replies: readonly Reply[],
  { question, operation }: OpenRule<ListOperation>,
  reply: Reply,
): readonly QuestionEvidence[] {
  const { page, filters } = operation.collection;
  const { call } = reply;
  const records = recordsIn(reply);
  const total = totalIn(page, reply);
  if (page.style !== 'page' || call.operation.id !== operation.id || call.raw !== undefined || records === undefined || total === undefined)
    return [];
  const names = Object.keys(call.values ?? {});
  const size = page.echo?.limit === undefined ? call.values?.[page.limit] : valueAt(reply.body, page.echo.limit);
  const isFirst = (call.values?.[page.page] ?? 1) === 1 && typeof size === 'number' && records.length < size;
  if (!isFirst || !names.some((name) => filters.has(name))) return [];
  const overallTotals = totalsAround(operation, page, replies, reply);
  const fittingChoices = choicesWhere(question, (name) => {
    const counts = question.choices.get(name);
    return counts === 'filtered'
      ? total === records.length
      : counts !== 'overall' || overallTotals.length === 0 || overallTotals.includes(total);
  });
  if (fittingChoices.length === question.choices.size) return [];
  // If the total of the whole list changed around this response, it is unknown for this response.
  if (fittingChoices.length === 0 && new Set(overallTotals).size > 1) return [];
  return [{ question, fittingChoices, what: `the total was ${total} with ${records.length} records that match the filters` }];
}

/** The totals of the unfiltered list in the last response before a reply and the first after it. */
function totalsAround(operation: ListOperation, page: NumberedPage, replies: readonly Reply[], { number }: Reply): readonly number[] {
  const isUnfiltered = ({ call }: Reply): boolean =>
    call.operation.id === operation.id &&
    call.raw === undefined &&
    Object.keys(call.values ?? {}).every((name) => name === page.limit || name === page.page);
  const unfilteredReplies = replies.filter((each) => isUnfiltered(each) && totalIn(page, each) !== undefined);
  const neighbours = [unfilteredReplies.findLast((each) => each.number < number), unfilteredReplies.find((each) => each.number > number)];
  return neighbours.flatMap((each) => (each === undefined ? [] : (totalIn(page, each) ?? [])));
}

/** A request for the list, filtered by one value of its first record. */
function filteredCall(operation: ListOperation, longestPage: Reply): ReturnType<typeof callFor> | undefined {
  const [record] = recordsIn(longestPage) ?? [];
  for (const [parameter, filter] of [...operation.collection.filters].toReversed()) {
    const value = valueAt(record, filter.operator === 'matches' ? (filter.fields[0] ?? '') : filter.field);
    if (value !== undefined && value !== null) return firstPageCall(operation, filterBy(operation, parameter, value));
  }
  return undefined;
}

/** Requests a huge page of a filtered list, and reads the page size in the response. */
export function observeCaps(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  return observeOpenLists(context, 'x-collection/page/cap', async ({ question, operation }) => {
    const { page } = operation.collection;
    const longestPage = await context.longestPage(operation);
    if (page.style !== 'page' || page.echo?.limit === undefined || longestPage === undefined) return undefined;
    const reply = await context.ask({ operation, values: { ...filteredCall(operation, longestPage)?.values, [page.limit]: hugeNumber } });
    if (reply === undefined) return undefined;
    const size = isSuccess(reply) ? valueAt(reply.body, page.echo.limit) : undefined;
    const what = size === undefined ? `was answered with ${reply.response.status}` : `gave pages of ${String(size)}`;
    const fittingChoices = choicesWhere(question, (name) => size === (question.choices.get(name) ?? hugeNumber));
    return { question, fittingChoices, what: `${operation.id} with ${page.limit}=${hugeNumber} ${what}` };
  });
}

/** Requests a page far past the last one. */
export function observePastEnd(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  return observeOpenLists(context, 'x-collection/page/beyond', async ({ question, operation }) => {
    const { page } = operation.collection;
    const reply = page.style === 'page' ? await context.ask({ operation, values: { [page.page]: hugeNumber } }) : undefined;
    if (page.style !== 'page' || reply === undefined) return undefined;
    const observation = await readPastEnd(context, operation, page, reply);
    return (
      observation && evidenceForValue(question, observation.choice, `${operation.id} with ${page.page}=${hugeNumber} ${observation.what}`)
    );
  });
}

/** The choice that a response to a page past the end shows, and its description. */
type PastEndObservation = { readonly choice: NumberedPage['beyond']; readonly what: string };

async function readPastEnd(
  context: ObserverContext,
  operation: ListOperation,
  page: NumberedPage,
  reply: Reply,
): Promise<PastEndObservation | undefined> {
  const { status } = reply.response;
  const records = recordsIn(reply);
  if (status === 404 || status === statusOf(operation, 'invalid'))
    return { choice: status === 404 ? 'absent' : 'invalid', what: `was answered with ${status}` };
  if (records === undefined) return { choice: undefined, what: `was answered with ${status}` };
  if (records.length === 0) return { choice: 'empty', what: 'gave no records' };
  const total = totalIn(page, reply);
  const size = page.echo?.limit === undefined ? undefined : valueAt(reply.body, page.echo.limit);
  const lastNumber = total === undefined || typeof size !== 'number' || size < 1 ? undefined : Math.ceil(total / size);
  if (lastNumber === undefined) return undefined;
  const lastPage = await context.ask({ operation, values: { [page.page]: lastNumber } });
  const keysText = (each: Reply): string => JSON.stringify(keysOf(operation, recordsIn(each) ?? []));
  // Another page may have been the last one until the data changed, so it is no evidence.
  return lastPage !== undefined && keysText(lastPage) === keysText(reply)
    ? { choice: 'last', what: `gave page ${lastNumber}, the last one` }
    : undefined;
}

/** Maximum number of compared pages, the longest ones. */
const maxComparedPages = 20;

/** Compares each page with the order of each choice. A page is one response, so changed data cannot disturb its order. */
export function observeOrder(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract } = context.round;
  return observeOpenLists(context, 'x-collection/order', async ({ question, operation }) => {
    await context.longestPage(operation);
    const orderOf = (page: readonly DataRecord[]): string => keysOf(operation, page).join();
    const pages = longestPagesOf(context, operation);
    const fittingChoices = choicesWhere(question, (choice) => {
      const { query } = sameList(resolveByChoice(contract, question, choice), operation).collection;
      return pages.every((page) => orderOf(query.sort(page)) === orderOf(page));
    });
    const what = `${pages.length === 1 ? 'one page' : `${pages.length} pages`} of ${operation.id} came in ${fittingChoices.length === 0 ? 'another' : 'this'} order`;
    return pages.length === 0 ? undefined : { question, fittingChoices, what };
  });
}

function longestPagesOf({ round }: ObserverContext, operation: ListOperation): readonly NonNullable<ReturnType<typeof recordsIn>>[] {
  const repliesByBody = new Map(
    round.replies.filter(({ call }) => call.operation.id === operation.id).map((reply) => [reply.response.body, reply]),
  );
  const pages = [...repliesByBody.values()].map((reply) => recordsIn(reply) ?? []).filter((page) => page.length > 1);
  return pages.toSorted((left, right) => right.length - left.length).slice(0, maxComparedPages);
}

/** Sends a cursor of a list with one filter together with another filter. */
export function observeChangedFilters(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const [first] = openLists(context.round.contract, 'x-collection/page/changed');
  const observedQuestions = new Set<string>();
  return observeOpenLists(context, 'x-collection/page/changed', async (openRule) => {
    const { question, operation } = openRule;
    // One list is enough for a shared question.
    if (observedQuestions.has(question.id) || (context.round.quick && operation !== first?.operation)) return undefined;
    const evidence = await observeChangedFilter(context, openRule);
    if (evidence !== undefined) observedQuestions.add(question.id);
    return evidence;
  });
}

async function observeChangedFilter(
  context: ObserverContext,
  { question, operation }: OpenRule<ListOperation>,
): Promise<QuestionEvidence | undefined> {
  const { page } = operation.collection;
  const longestPage = await context.longestPage(operation);
  const change =
    page.style === 'cursor' && longestPage !== undefined ? chooseChange(operation, page, recordsIn(longestPage) ?? []) : undefined;
  if (change === undefined || page.style !== 'cursor') return undefined;
  // The page size stays the same, because changing it is another question.
  const ask = (values: ParameterValues, step: ParameterValues): ReturnType<ObserverContext['ask']> =>
    context.ask(callFor({ operation, values, limit: 1 }, step));
  const first = await ask(change.from, {});
  const cursor = valueAt(first?.body, page.next);
  if (first === undefined || valueAt(first.body, page.more) !== true || typeof cursor !== 'string') return undefined;
  const reply = await ask(change.to, { [page.cursor]: cursor });
  if (reply === undefined) return undefined;
  const what = `the cursor of ${operation.id} with ${describeValues(change.from)}, sent with ${describeValues(change.to)},`;
  if (!isSuccess(reply)) {
    // If the server refuses the cursor with its own filter too, it is no evidence.
    const controlReply = await ask(change.from, { [page.cursor]: cursor });
    if (controlReply === undefined || !isSuccess(controlReply)) return undefined;
    const { status } = reply.response;
    return evidenceForValue(question, [400, 409, 410, 422].includes(status) ? 'refused' : undefined, `${what} was answered with ${status}`);
  }
  return judgeChangedFilter(question, operation, change, recordsIn(reply) ?? [], what);
}

function judgeChangedFilter(
  question: Question,
  operation: ListOperation,
  change: FilterChange,
  records: readonly DataRecord[],
  what: string,
): QuestionEvidence | undefined {
  const { query } = operation.collection;
  const allMatch = (values: ParameterValues): boolean => records.every((record) => query.matches(record, toFilterArguments(values)));
  const [matchesOld, matchesNew] = [allMatch(change.from), allMatch(change.to)];
  if (records.length === 0 || (matchesOld && matchesNew)) return undefined;
  if (matchesOld) return evidenceForValue(question, 'ignored', `${what} went on with ${describeValues(change.from)}`);
  return evidenceForValue(
    question,
    matchesNew ? 'accepted' : undefined,
    `${what} gave ${matchesNew ? describeValues(change.to) : 'records of both kinds'}`,
  );
}

/** The filter values with which a cursor is made, and those with which it is sent. */
interface FilterChange {
  readonly from: ParameterValues;
  readonly to: ParameterValues;
}

/** Chooses two values of a filter. The first has at least two records, and the second a record after the first of those. */
function chooseChange(operation: ListOperation, page: CursorPage, records: readonly DataRecord[]): FilterChange | undefined {
  for (const [parameter, filter] of operation.collection.filters) {
    if (!page.fixed.includes(parameter) || (filter.operator !== 'any-of' && filter.operator !== 'equals')) continue;
    const values = records.map((record) => valueAt(record, filter.field) ?? null);
    const from = values.find((value, index) => value !== null && values.indexOf(value) === index && values.lastIndexOf(value) > index);
    const to = from === undefined ? undefined : values.slice(values.indexOf(from)).find((value) => value !== null && value !== from);
    if (from !== undefined && to !== undefined)
      return { from: filterBy(operation, parameter, from), to: filterBy(operation, parameter, to) };
  }
  return undefined;
}
