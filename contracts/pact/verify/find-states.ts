/** Finds out what the states of an interaction speak of: by reading the target, or by asking for it where that cannot show it. */

import type { Interaction, ProviderState } from '../../../core/pact/pact.ts';
import { type StateCondition, parseProviderState } from '../../../core/pact/provider-state.ts';
import { fillExpression } from '../../../core/pact/state-generators.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { readRequest } from '../../../core/request.ts';
import type { Call } from '../../call.ts';
import type { Lab } from '../../lab.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { largestPage } from '../../universe.ts';
import { keyOf, type ListOperation, type Values, type Walk } from '../../walk.ts';
import { listRequestGenerators } from '../../../core/pact/injection.ts';
import {
  filtersFor,
  findKey,
  findNoRecord,
  findNoResource,
  findRecord,
  findResource,
  findUnavailability,
  listOperationOf,
  matchesConditions,
  readList,
} from './find-record.ts';
import { type StateResult, type FollowingPage, type StateFound, stateMissing, operationFor, foundWithoutValues, combineStates } from './prepare-request.ts';

/** What the states of an interaction came to. */
export interface StateLookup {
  readonly finding: StateResult;
  /** The states that the provider has to be asked for, because reading does not show them. */
  readonly changes: readonly ProviderState[];
}

/** Looks for the facts of an interaction; the lab remembers what was read. States that were asked for already hold. */
export async function findStates(lab: Lab, interaction: Interaction, canChange: boolean, changed: readonly ProviderState[] = []): Promise<StateLookup> {
  const findings: StateResult[] = [];
  const changes: ProviderState[] = [];
  for (const state of interaction.states) {
    const finding = await findState(lab, state, interaction);
    const isAskable = canChange || changed.includes(state);
    if (finding.kind === 'missing' && isAskable) changes.push(state);
    findings.push(finding.kind === 'missing' && isAskable ? foundWithoutValues : finding);
  }
  return { finding: combineStates(findings), changes };
}

async function findState(lab: Lab, state: ProviderState, interaction: Interaction): Promise<StateResult> {
  const fact = parseProviderState(lab.contract, state);
  if (fact === undefined) return stateMissing(`the state “${state.name}” is none of the forms that can be found out by reading`);
  const finding = await findCondition(lab, fact, interaction);
  // An operation that refuses to show the fact is itself what the consumer asks: that is judged, and not left out.
  const { operation } = operationFor(lab.contract, interaction.request.method, interaction.request.path);
  if (finding.kind === 'missing' && finding.refusedBy === operation.id) return foundWithoutValues;
  return finding.kind === 'missing' ? stateMissing(`${state.name}: ${finding.reason}`) : finding;
}

async function findCondition(lab: Lab, fact: StateCondition, interaction: Interaction): Promise<StateResult> {
  if (fact.kind === 'record') return await findRecord(lab, fact);
  if (fact.kind === 'records') return await findRecords(lab, fact, interaction);
  if (fact.kind === 'no-record') return await findNoRecord(lab, fact);
  if (fact.kind === 'resource') return await findResource(lab, fact.resource);
  if (fact.kind === 'no-resource') return await findNoResource(lab, fact.resource);
  if (fact.kind === 'key' || fact.kind === 'no-scope') return findKey(lab, fact);
  const trouble = await findUnavailability(lab, withCode(lab, fact, interaction));
  return trouble ?? stateMissing('reading cannot bring this about; name a --state-change-url that can');
}

/** A mock has several codes for it, and the interaction expects one of them. */
function withCode(lab: Lab, fact: Extract<StateCondition, { kind: 'throttled' | 'unavailable' }>, { response }: Interaction): typeof fact {
  if (fact.kind === 'throttled' || fact.code !== undefined) return fact;
  const code = lab.contract.error === undefined ? undefined : valueAt(response.body, lab.contract.error.code);
  return typeof code === 'string' ? { ...fact, code } : fact;
}

/** More pages than this are not counted. */
const maxPages = 20;

/** More pages than this are not walked to one that ends between records of the same version. */
const maxSteps = 8;

type ManyRecords = Extract<StateCondition, { readonly kind: 'records' }>;

/**
 * Makes sure that there are so many records, and takes the cursor of the page that follows the one that the interaction asks for. Where it asks the list
 * itself, its own filters count: a cursor belongs to them.
 */
async function findRecords(lab: Lab, fact: ManyRecords, interaction: Interaction): Promise<StateResult> {
  const list = listOperationOf(lab, fact.collection);
  if (list === undefined) return stateMissing(`nothing lists ${fact.collection}`);
  const first = await findRecord(lab, fact);
  if (first.kind === 'missing') return first;
  const query = list.path === interaction.request.path ? queryOf(interaction, list, first) : undefined;
  const filters = query === undefined ? filtersFor(lab, list, fact.where) : filtersIn(list, query);
  const most = Math.min(maxPages, Math.ceil((fact.more + 1) / largestPage(list)) + 1);
  const walk = await readList(lab, list, filters, most);
  const number = walk.records.filter((record) => matchesConditions(record, fact.where)).length;
  if (number <= fact.more) return stateMissing(`the target shows ${number} of them, which is not more than ${fact.more}`);
  const { page } = list.collection;
  if (page.style === 'offset') return first;
  if (page.style === 'page') return { ...first, ...pageBefore(list, walk, await readNumbered(lab, list, page.page, query ?? [])) };
  const isLimited = (query ?? []).some((piece) => piece.startsWith(`${page.limit}=`));
  const limit = isLimited ? {} : { [page.limit]: fact.limit ?? 1 };
  const call = { operation: list, values: query === undefined ? { ...filters, ...limit } : limit, raw: query ?? [] };
  // Only of the list that the interaction itself asks is it known where its pages end.
  const whole = query === undefined ? undefined : walk;
  const before = await readCursored(lab, call, whole);
  const cursor = valueAt(before.body, page.next);
  if (typeof cursor !== 'string') return first;
  return {
    ...first,
    ...pageBefore(list, whole, before),
    values: new Map([...first.values, ['cursor', cursor], ['next_cursor', cursor]]),
  };
}

/** What is known of the page that an interaction asks for, from the page before it. */
function pageBefore(list: ListOperation, walk: Walk | undefined, before: Reply | undefined): Pick<StateFound, 'before' | 'following'> {
  const records = (before && recordsIn(before)) ?? [];
  const following = findFollowing(list, walk?.replies[0], records);
  return { before: records.map((record) => keyOf(list, record)), ...(following === undefined ? {} : { following }) };
}

/** The page before the one that a query asks for by its number. */
async function readNumbered(lab: Lab, list: ListOperation, parameter: string, query: readonly string[]): Promise<Reply | undefined> {
  const number = Number(query.find((piece) => piece.startsWith(`${parameter}=`))?.slice(parameter.length + 1));
  if (!Number.isInteger(number) || number < 2) return undefined;
  const rest = query.filter((piece) => !piece.startsWith(`${parameter}=`));
  return await lab.ask({ operation: list, raw: [...rest, `${parameter}=${number - 1}`] });
}

/**
 * A page that has another one behind its cursor. It is the first, or a later one that ends between records of the same version, where that is near:
 * clients that walk lose records there when a cursor does not tell these apart.
 */
async function readCursored(lab: Lab, call: Call & { readonly operation: ListOperation }, walk: Walk | undefined): Promise<Reply> {
  const { operation } = call;
  const { page } = operation.collection;
  const all = walk?.pages[0] ?? [];
  const keys = all.map((record) => keyOf(operation, record));
  let reply = await lab.ask(call);
  const size = recordsIn(reply)?.length ?? 0;
  const edge = findTie(operation, all, size);
  for (let step = 2; page.style === 'cursor' && step <= maxSteps; step += 1) {
    const last = recordsIn(reply)?.at(-1);
    const at = last === undefined ? -1 : keys.indexOf(keyOf(operation, last));
    const cursor = valueAt(reply.body, page.next);
    if (at < 0 || at >= edge || typeof cursor !== 'string') break;
    const next = await lab.ask({ ...call, values: { ...call.values, [page.cursor]: cursor } });
    // A page without another one behind it is of no use to whoever wants to go on.
    if (typeof valueAt(next.body, page.next) !== 'string') break;
    reply = next;
  }
  return reply;
}

/** The index of the first record that ends a page of this size and is followed by one of the same version; -1 where none is near. */
function findTie({ collection }: ListOperation, records: readonly Entry[], size: number): number {
  const { version } = collection;
  if (version === undefined || size === 0) return -1;
  const isTie = (index: number): boolean => {
    const [own, next] = [records[index], records[index + 1]].map((record) => valueAt(record, version));
    return own !== undefined && own === next;
  };
  return Array.from({ length: maxSteps }, (_, step) => (step + 1) * size - 1).find(isTie) ?? -1;
}

/** Finds the page before in a larger one; `undefined` where it is not there as it was, or where nothing follows it. */
export function findFollowing(operation: ListOperation, whole: Reply | undefined, before: readonly Entry[]): FollowingPage | undefined {
  const [first] = before;
  const records = (whole && recordsIn(whole)) ?? [];
  if (whole === undefined || first === undefined) return undefined;
  const begin = records.findIndex((record) => keyOf(operation, record) === keyOf(operation, first));
  const start = begin + before.length;
  const isThere = begin >= 0 && start < records.length && JSON.stringify(records.slice(begin, start)) === JSON.stringify(before);
  return isThere ? { operation, whole, start } : undefined;
}

/** The query of an interaction as it is to be sent, filled with what the first record gives, and without the cursor. */
function queryOf({ request }: Interaction, { collection: { page } }: ListOperation, { values }: StateFound): readonly string[] {
  const cursor = page.style === 'cursor' ? page.cursor : undefined;
  const injections = listRequestGenerators(request.generators).filter(({ part }) => part === 'query');
  return [...request.query].flatMap(([name, texts]) => {
    const expression = name === cursor ? undefined : injections.find((each) => each.name === name)?.expression;
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
