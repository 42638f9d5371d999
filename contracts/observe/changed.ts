/** What a cursor answers when a filter is no longer the one that it was given for. */

import type { Json } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Entry } from '../../core/query.ts';
import type { CursorPage } from '../../core/rules.ts';
import { isSuccess, recordsIn } from '../reply.ts';

import { callFor, type ListOperation, toArguments, type Values } from '../walk.ts';
import { describeValues } from '../words.ts';
import type { Inquiry } from './inquiry.ts';
import { type OpenRule, openLists } from './open-rule.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** Takes a cursor from a list with one filter to the same list with another. */
export async function observeChangedFilters(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { lab } = inquiry;
  const rules = openLists(lab.contract, 'x-collection/page/changed');
  const sights: Sight[] = [];
  const seen = new Set<string>();
  for (const rule of lab.quick ? rules.slice(0, 1) : rules) {
    // Lists that share a question answer it alike.
    if (seen.has(rule.question.id)) continue;
    const sight = await observeOne(inquiry, rule);
    if (sight === undefined) continue;
    seen.add(rule.question.id);
    sights.push(sight);
  }
  return sights;
}

async function observeOne(inquiry: Inquiry, { question, operation }: OpenRule<ListOperation>): Promise<Sight | undefined> {
  const { page } = operation.collection;
  const listed = await inquiry.fullest(operation);
  const change = page.style === 'cursor' && listed !== undefined ? chooseChange(operation, page, recordsIn(listed) ?? []) : undefined;
  if (change === undefined || page.style !== 'cursor') return undefined;
  // The size stays the same: whether it may change is another question.
  const ask = (values: Values, step: Values): ReturnType<Inquiry['ask']> => inquiry.ask(callFor({ operation, values, limit: 1 }, step));
  const first = await ask(change.from, {});
  const cursor = valueAt(first?.body, page.next);
  if (first === undefined || valueAt(first.body, page.more) !== true || typeof cursor !== 'string') return undefined;
  const reply = await ask(change.to, { [page.cursor]: cursor });
  if (reply === undefined) return undefined;
  const what = `the cursor of ${operation.id} with ${describeValues(change.from)}, sent with ${describeValues(change.to)},`;
  if (!isSuccess(reply)) {
    // A cursor that is refused with its own filters too says nothing about changed ones.
    const control = await ask(change.from, { [page.cursor]: cursor });
    if (control === undefined || !isSuccess(control)) return undefined;
    const isRefused = [400, 409, 410, 422].includes(reply.response.status);
    return {
      question,
      suits: answering(question, isRefused ? 'refused' : undefined),
      what: `${what} was answered with ${reply.response.status}`,
    };
  }
  return interpret(question, operation, change, recordsIn(reply) ?? [], what);
}

function interpret(
  question: Sight['question'],
  operation: ListOperation,
  change: Change,
  records: readonly Entry[],
  what: string,
): Sight | undefined {
  const { query } = operation.collection;
  const suitAll = (values: Values): boolean => records.every((record) => query.matches(record, toArguments(values)));
  const [isOld, isNew] = [suitAll(change.from), suitAll(change.to)];
  if (records.length === 0 || (isOld && isNew)) return undefined;
  if (isOld) return { question, suits: answering(question, 'ignored'), what: `${what} went on with ${describeValues(change.from)}` };
  const answer = isNew ? 'accepted' : undefined;
  return {
    question,
    suits: answering(question, answer),
    what: `${what} gave ${isNew ? describeValues(change.to) : 'records of both kinds'}`,
  };
}

function answering(question: Sight['question'], answer: string | undefined): readonly string[] {
  return choicesWhere(question, (name) => question.choices.get(name) === answer);
}

interface Change {
  readonly from: Values;
  readonly to: Values;
}

/** Two values of a filter, of which the first has two records or more and the second one after the first of those, so that either reading shows. */
function chooseChange(operation: ListOperation, page: CursorPage, records: readonly Entry[]): Change | undefined {
  for (const [parameter, filter] of operation.collection.filters) {
    if (!page.fixed.includes(parameter) || (filter.operator !== 'any-of' && filter.operator !== 'equals')) continue;
    const values = records.map((record) => valueAt(record, filter.field) ?? null);
    const from = values.find((value, index) => value !== null && values.indexOf(value) === index && values.lastIndexOf(value) > index);
    const to = from === undefined ? undefined : values.slice(values.indexOf(from)).find((value) => value !== null && value !== from);
    const toValues = (value: Json): Values => ({ [parameter]: filter.operator === 'any-of' ? [value] : value });
    if (from !== undefined && to !== undefined) return { from: toValues(from), to: toValues(to) };
  }
  return undefined;
}
