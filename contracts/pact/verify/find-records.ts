/** Makes sure that a collection has so many records, and finds the page that follows the one that an interaction asks for. */

import { isObject } from '../../../core/json.ts';
import type { Interaction } from '../../../core/pact.ts';
import type { Fact } from '../../../core/pact-fact.ts';
import { fillExpression } from '../../../core/pact-injection.ts';
import { valueAt } from '../../../core/pointer.ts';
import { readRequest } from '../../../core/request.ts';
import type { Lab } from '../../lab.ts';
import { recordsIn } from '../../reply.ts';
import { largestPage } from '../../universe.ts';
import { keyOf, type ListOperation, type Values } from '../../walk.ts';
import { filtersFor, findRecord, listNamed, matches, readList } from './find-record.ts';
import { type Finding, type Found, missing } from './found.ts';
import { expressionOf } from './prepare.ts';

/** More pages than this are not counted. */
const pagesMost = 20;

type ManyRecords = Extract<Fact, { readonly kind: 'records' }>;

/**
 * Makes sure that there are so many records, and takes the cursor of the page that follows the one that the interaction asks for. Where it asks the list
 * itself, its own filters count: a cursor belongs to them.
 */
export async function findRecords(lab: Lab, fact: ManyRecords, interaction: Interaction): Promise<Finding> {
  const list = listNamed(lab, fact.collection);
  if (list === undefined) return missing(`nothing lists ${fact.collection}`);
  const first = await findRecord(lab, fact);
  if (first.kind === 'missing') return first;
  const query = list.path === interaction.request.path ? queryOf(interaction, list, first) : undefined;
  const filters = query === undefined ? filtersFor(lab, list, fact.where) : filtersIn(list, query);
  const most = Math.min(pagesMost, Math.ceil((fact.more + 1) / largestPage(list)) + 1);
  const { records } = await readList(lab, list, filters, most);
  const number = records.filter((record) => matches(record, fact.where)).length;
  if (number <= fact.more) return missing(`the target shows ${number} of them, which is not more than ${fact.more}`);
  const { page } = list.collection;
  if (page.style === 'page') return { ...first, before: await readBefore(lab, list, page.page, query ?? []) };
  if (page.style === 'offset') return first;
  const isLimited = (query ?? []).some((piece) => piece.startsWith(`${page.limit}=`));
  const limit = isLimited ? {} : { [page.limit]: fact.limit ?? 1 };
  const reply = await lab.ask({ operation: list, values: query === undefined ? { ...filters, ...limit } : limit, raw: query ?? [] });
  const cursor = valueAt(reply.body, page.next);
  if (typeof cursor !== 'string') return first;
  const before = (recordsIn(reply) ?? []).map((record) => keyOf(list, record));
  return { ...first, before, values: new Map([...first.values, ['cursor', cursor], ['next_cursor', cursor]]) };
}

/** The keys of the page before the one that a query asks for by its number. */
async function readBefore(lab: Lab, list: ListOperation, parameter: string, query: readonly string[]): Promise<readonly string[]> {
  const number = Number(query.find((piece) => piece.startsWith(`${parameter}=`))?.slice(parameter.length + 1));
  if (!Number.isInteger(number) || number < 2) return [];
  const rest = query.filter((piece) => !piece.startsWith(`${parameter}=`));
  const reply = await lab.ask({ operation: list, raw: [...rest, `${parameter}=${number - 1}`] });
  return (recordsIn(reply) ?? []).map((record) => keyOf(list, record));
}

/** The query of an interaction as it is to be sent, filled with what the first record gives, and without the cursor. */
function queryOf({ request }: Interaction, { collection: { page } }: ListOperation, { values }: Found): readonly string[] {
  const cursor = page.style === 'cursor' ? page.cursor : undefined;
  const generators = isObject(request.generators['query']) ? request.generators['query'] : {};
  return [...request.query].flatMap(([name, texts]) => {
    const expression = name === cursor ? undefined : expressionOf(generators[name]);
    const filled = expression === undefined ? undefined : fillExpression(expression, values);
    const sent = filled?.missing.length === 0 ? [filled.text] : texts;
    return name === cursor ? [] : sent.map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  });
}

/** The filters of a query, as the list understands it. */
function filtersIn(list: ListOperation, query: readonly string[]): Values {
  const { values, sent } = readRequest(list, { method: 'GET', target: `${list.path}?${query.join('&')}`, headers: {} }, new Map());
  return Object.fromEntries([...values].filter(([name]) => sent.has(name) && list.collection.filters.has(name)));
}
