/** After the rules of a run, observes whether a cursor may be sent with other filters than those that it was made with, where the contract leaves that open. */

import type { CursorPage } from '../../../core/annotations/annotations.ts';
import type { Question } from '../../../core/annotations/open-questions.ts';
import { definedOf } from '../../../core/drop-undefined.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isSuccess, recordsIn } from '../evidence/call.ts';
import { callFor } from '../evidence/pagination/pagination.ts';
import { filterBy, type ParameterValues, toFilterArguments } from '../evidence/record-keys-and-filters.ts';
import { describeValues } from '../rules/describe-values.ts';
import { type ObserverContext, type OpenRule, openLists } from './observer-context.ts';
import { evidenceForValue, type QuestionEvidence } from './question-evidence.ts';

/** Sends a cursor of a list with one filter together with another filter. One list is enough for a shared question. */
export async function observeChangedFilters(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const lists = openLists(context.round.contract, 'x-collection/page/changed');
  const evidence: QuestionEvidence[] = [];
  for (const openRule of context.round.quick ? lists.slice(0, 1) : lists)
    if (!evidence.some(({ question }) => question === openRule.question))
      evidence.push(...definedOf(await observeChangedFilter(context, openRule)));
  return evidence;
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
    return evidenceForValue(question, [400, 409, 410, 422].includes(status) ? 'refused' : undefined, `${what} returned ${status}`);
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
  const allMatch = (values: ParameterValues): boolean => records.every(query.matching(toFilterArguments(values)));
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
