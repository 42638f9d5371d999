/** Lists with page numbers: what the total counts, how large a page may be, and what comes past the last page. */

import { statusOf } from '../../core/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import type { NumberedPage } from '../../core/rules.ts';
import { isSuccess, type Reply, recordsIn } from '../reply.ts';
import { largestPage } from '../universe.ts';
import { callFor, keyOf, type ListOperation, totalIn, type Values } from '../walk.ts';
import type { Inquiry } from './inquiry.ts';
import { type OpenRule, openLists } from './open-rule.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** Larger than any page that a server would send on purpose, and than any number of pages. */
const enormous = 100_000;

/** Compares totals with what is listed: on the first page, when it is not full, everything that passes the filters stands. */
export async function observeTotals(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { lab } = inquiry;
  const sights: Sight[] = [];
  for (const { question, operation } of openLists(lab.contract, 'x-collection/page/counts')) {
    const whole = await inquiry.fullest(operation);
    const found = (): readonly Sight[] => lab.replies.flatMap((reply) => judgeTotal(lab.replies, { question, operation }, reply));
    const telling = found();
    const call =
      whole === undefined || telling.some(({ suits }) => suits.length < question.choices.size) ? undefined : narrow(operation, whole);
    if (call !== undefined) await inquiry.ask(call);
    sights.push(...(call === undefined ? telling : found()));
  }
  return sights;
}

function judgeTotal(replies: readonly Reply[], { question, operation }: OpenRule<ListOperation>, reply: Reply): readonly Sight[] {
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
  const overall = totalsAround(operation, page, replies, reply);
  const suits = choicesWhere(question, (name) => {
    const counts = question.choices.get(name);
    return counts === 'filtered' ? total === records.length : counts !== 'overall' || overall.length === 0 || overall.includes(total);
  });
  if (suits.length === question.choices.size) return [];
  // Between two readings of the whole list that differ, its total may have been anything.
  if (suits.length === 0 && new Set(overall).size > 1) return [];
  return [{ question, suits, what: `the total was ${total} where ${records.length} passed the filters` }];
}

/** The totals of the whole list that were read next before and after an answer. */
function totalsAround(operation: ListOperation, page: NumberedPage, replies: readonly Reply[], { number }: Reply): readonly number[] {
  const isWhole = ({ call }: Reply): boolean =>
    call.operation.id === operation.id &&
    call.raw === undefined &&
    Object.keys(call.values ?? {}).every((name) => name === page.limit || name === page.page);
  const whole = replies.filter((each) => isWhole(each) && totalIn(page, each) !== undefined);
  const around = [whole.findLast((each) => each.number < number), whole.find((each) => each.number > number)];
  return around.flatMap((each) => (each === undefined ? [] : (totalIn(page, each) ?? [])));
}

/** A list that is as short as one value of a filter makes it. */
function narrow(operation: ListOperation, whole: Reply): ReturnType<typeof callFor> | undefined {
  const [record] = recordsIn(whole) ?? [];
  for (const [parameter, filter] of [...operation.collection.filters].toReversed()) {
    const value = valueAt(record, filter.operator === 'matches' ? (filter.fields[0] ?? '') : filter.field);
    const values: Values | undefined =
      value === undefined || value === null ? undefined : { [parameter]: filter.operator === 'any-of' ? [value] : value };
    if (values !== undefined) return callFor({ operation, values, limit: largestPage(operation) }, {});
  }
  return undefined;
}

/** Asks for an enormous page of a list that a filter keeps short, and reads how large it became. */
export async function observeCaps(inquiry: Inquiry): Promise<readonly Sight[]> {
  const sights: Sight[] = [];
  for (const { question, operation } of openLists(inquiry.lab.contract, 'x-collection/page/cap')) {
    const { page } = operation.collection;
    const whole = await inquiry.fullest(operation);
    if (page.style !== 'page' || page.echo?.limit === undefined || whole === undefined) continue;
    const reply = await inquiry.ask({ operation, values: { ...narrow(operation, whole)?.values, [page.limit]: enormous } });
    if (reply === undefined) continue;
    const size = isSuccess(reply) ? valueAt(reply.body, page.echo.limit) : undefined;
    const suits = choicesWhere(question, (name) => size === (question.choices.get(name) ?? enormous));
    const what = size === undefined ? `was answered with ${reply.response.status}` : `gave pages of ${String(size)}`;
    sights.push({ question, suits, what: `${operation.id} with ${page.limit}=${enormous} ${what}` });
  }
  return sights;
}

/** Asks for a page far past the last one. */
export async function observeBeyond(inquiry: Inquiry): Promise<readonly Sight[]> {
  const sights: Sight[] = [];
  for (const rule of openLists(inquiry.lab.contract, 'x-collection/page/beyond')) {
    const { page } = rule.operation.collection;
    const reply = page.style === 'page' ? await inquiry.ask({ operation: rule.operation, values: { [page.page]: enormous } }) : undefined;
    if (page.style !== 'page' || reply === undefined) continue;
    const answer = await readBeyond(inquiry, rule.operation, page, reply);
    if (answer === undefined) continue;
    const suits = choicesWhere(rule.question, (name) => rule.question.choices.get(name) === answer.choice);
    sights.push({ question: rule.question, suits, what: `${rule.operation.id} with ${page.page}=${enormous} ${answer.what}` });
  }
  return sights;
}

type Beyond = { readonly choice: NumberedPage['beyond']; readonly what: string };

async function readBeyond(inquiry: Inquiry, operation: ListOperation, page: NumberedPage, reply: Reply): Promise<Beyond | undefined> {
  const { status } = reply.response;
  const records = recordsIn(reply);
  if (status === 404 || status === statusOf(operation, 'invalid'))
    return { choice: status === 404 ? 'absent' : 'invalid', what: `was answered with ${status}` };
  if (records === undefined) return { choice: undefined, what: `was answered with ${status}` };
  if (records.length === 0) return { choice: 'empty', what: 'gave no records' };
  const total = totalIn(page, reply);
  const size = page.echo?.limit === undefined ? undefined : valueAt(reply.body, page.echo.limit);
  const last = total === undefined || typeof size !== 'number' || size < 1 ? undefined : Math.ceil(total / size);
  if (last === undefined) return undefined;
  const other = await inquiry.ask({ operation, values: { [page.page]: last } });
  const keys = (each: Reply): string => JSON.stringify((recordsIn(each) ?? []).map((record) => keyOf(operation, record)));
  // What is not the last page may have been it a moment ago, so nothing is said of it.
  return other !== undefined && keys(other) === keys(reply) ? { choice: 'last', what: `gave page ${last}, the last one` } : undefined;
}
