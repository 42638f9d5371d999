/**
 * Finds the provider states of an interaction by reading the target. `verify-in-rounds.ts` calls it for each interaction before it prepares the request, and
 * again after the provider has set up states. It changes nothing: states that reading cannot find are listed for a `--state-change-url`.
 */

import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { interpretState, type StateInterpretation } from '../../../core/pact/interpret-state.ts';
import type { Interaction, ProviderState } from '../../../core/pact/pact.ts';
import type { StateCondition } from '../../../core/pact/state-condition.ts';
import { fillExpression, listRequestGenerators } from '../../../core/pact/state-generators.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, type Reply, recordsIn } from '../../verify/evidence/call-and-reply.ts';
import { keyOf, largestPage, type ParameterValues } from '../../verify/evidence/list-keys-and-filters.ts';
import type { Pagination } from '../../verify/evidence/pagination/paginate.ts';
import type { RoundContext } from '../../verify/evidence/round-context.ts';
import { operationFor } from './call-from-pact.ts';
import {
  filtersFor,
  findNoRecord,
  findNoResource,
  findRecord,
  findResource,
  findUnavailability,
  listOperationOf,
  matchesConditions,
  readListForState,
  selectKey,
} from './find-state-data.ts';
import { combineStates, type FollowingPage, foundWithoutValues, type StateFound, type StateResult, stateMissing } from './state-result.ts';

/** Result of finding the states of an interaction. */
export interface StateLookup {
  readonly result: StateResult;
  /** States that reading does not find. The provider must set them up. */
  readonly statesToSetUp: readonly ProviderState[];
}

/**
 * Finds every state of an interaction. The first time, missing states are listed if the provider can set them up. The second time, `statesSetUp` are taken
 * as given, even if reading does not show them.
 */
export async function findStates(
  context: RoundContext,
  interaction: Interaction,
  reading: StateInterpretation,
  statesSetUp?: readonly ProviderState[],
): Promise<StateLookup> {
  const canSetUp = !reading.canGuess && statesSetUp === undefined;
  const results: StateResult[] = [];
  const statesToSetUp: ProviderState[] = [];
  for (const state of interaction.states) {
    const result = await findState(context, state, interaction, reading);
    if (result.kind === 'missing' && (canSetUp || statesSetUp?.includes(state) === true)) {
      statesToSetUp.push(state);
      results.push(foundWithoutValues);
    } else results.push(result);
  }
  return { result: combineStates(results), statesToSetUp };
}

async function findState(
  context: RoundContext,
  state: ProviderState,
  interaction: Interaction,
  reading: StateInterpretation,
): Promise<StateResult> {
  const condition = interpretState(context.contract, state, reading);
  if (condition === undefined) return stateMissing(`the state “${state.name}” has none of the known forms`);
  const result = await findCondition(context, condition, interaction);
  // If the operation that should show the state is the one under test, its failure is judged, not skipped.
  const { operation } = operationFor(context.contract, interaction.request.method, interaction.request.path);
  if (result.kind === 'missing' && result.refusedBy === operation.id) return foundWithoutValues;
  return result.kind === 'missing' ? stateMissing(`${state.name}: ${result.reason}`) : result;
}

async function findCondition(context: RoundContext, condition: StateCondition, interaction: Interaction): Promise<StateResult> {
  if (condition.kind === 'record') return await findRecord(context, condition);
  if (condition.kind === 'records') return await findRecords(context, condition, interaction);
  if (condition.kind === 'no-record') return await findNoRecord(context, condition);
  if (condition.kind === 'resource') return await findResource(context, condition.resource);
  if (condition.kind === 'no-resource') return await findNoResource(context, condition.resource);
  if (condition.kind === 'key' || condition.kind === 'no-scope') return selectKey(context, condition);
  const unavailability = await findUnavailability(context, withCode(context, condition, interaction));
  return unavailability ?? stateMissing('only a --state-change-url can set this up');
}

/** Adds the expected error code to a condition. A mock can answer 503 with several codes. */
function withCode(
  context: RoundContext,
  condition: Extract<StateCondition, { kind: 'throttled' | 'unavailable' }>,
  { response }: Interaction,
): typeof condition {
  if (condition.kind === 'throttled' || condition.code !== undefined) return condition;
  const code = context.contract.error === undefined ? undefined : valueAt(response.body, context.contract.error.code);
  return typeof code === 'string' ? { ...condition, code } : condition;
}

/** Maximum number of pages read to count records. */
const maxPagesCounted = 20;

/** Maximum number of pages read to find a page end between records of the same version. */
const maxSteps = 8;

type ManyRecords = Extract<StateCondition, { readonly kind: 'records' }>;

/**
 * Finds the state "more than N records", and the cursor of the page after the first one. If the interaction requests the same list, the
 * filters of its request are used, because cursors depend on them.
 */
async function findRecords(context: RoundContext, condition: ManyRecords, interaction: Interaction): Promise<StateResult> {
  const list = listOperationOf(context, condition.collection);
  if (list === undefined) return stateMissing(`no operation lists ${condition.collection}`);
  const first = await findRecord(context, condition);
  if (first.kind === 'missing') return first;
  const query = list.path === interaction.request.path ? queryOf(interaction, list, first) : undefined;
  const filters = query === undefined ? filtersFor(context, list, condition.where) : filtersIn(list, query);
  const pageLimit = Math.min(maxPagesCounted, Math.ceil((condition.more + 1) / largestPage(list)) + 1);
  const pagination = await readListForState(context, list, filters, pageLimit);
  const number = pagination.records.filter((record) => matchesConditions(record, condition.where)).length;
  if (number <= condition.more) return stateMissing(`the target has only ${number} such records`);
  const { page } = list.collection;
  if (page.style === 'offset') return first;
  if (page.style === 'page')
    return { ...first, ...pageBefore(list, pagination, await readNumbered(context, list, page.page, query ?? [])) };
  const isLimited = (query ?? []).some((piece) => piece.startsWith(`${page.limit}=`));
  const limit = isLimited ? {} : { [page.limit]: condition.limit ?? 1 };
  const call = { operation: list, values: query === undefined ? { ...filters, ...limit } : limit, raw: query ?? [] };
  // The records of later pages are known only if the list was read with the query of the interaction.
  const whole = query === undefined ? undefined : pagination;
  const before = await readCursored(context, call, whole);
  const cursor = valueAt(before.body, page.next);
  if (typeof cursor !== 'string') return first;
  return {
    ...first,
    ...pageBefore(list, whole, before),
    values: new Map([...first.values, ['cursor', cursor], ['next_cursor', cursor]]),
  };
}

/** Describes the page before the requested one, and the records that must follow it. */
function pageBefore(
  list: ListOperation,
  pagination: Pagination | undefined,
  before: Reply | undefined,
): Pick<StateFound, 'before' | 'followingPage'> {
  const records = (before && recordsIn(before)) ?? [];
  const followingPage = findFollowing(list, pagination?.replies[0], records);
  return { before: records.map((record) => keyOf(list, record)), ...(followingPage === undefined ? {} : { followingPage }) };
}

/** Reads the page before the one that a query requests by number. */
async function readNumbered(
  context: RoundContext,
  list: ListOperation,
  parameter: string,
  query: readonly string[],
): Promise<Reply | undefined> {
  const number = Number(query.find((piece) => piece.startsWith(`${parameter}=`))?.slice(parameter.length + 1));
  if (!Number.isInteger(number) || number < 2) return undefined;
  const rest = query.filter((piece) => !piece.startsWith(`${parameter}=`));
  return await context.ask({ operation: list, raw: [...rest, `${parameter}=${number - 1}`] });
}

/**
 * Reads a page with a next cursor: the first page, or a later page that ends between records of the same version, where wrong cursors often
 * lose records.
 */
async function readCursored(
  context: RoundContext,
  call: Call & { readonly operation: ListOperation },
  pagination: Pagination | undefined,
): Promise<Reply> {
  const { operation } = call;
  const { page } = operation.collection;
  const records = pagination?.pages[0] ?? [];
  const keys = records.map((record) => keyOf(operation, record));
  let reply = await context.ask(call);
  const size = recordsIn(reply)?.length ?? 0;
  const pageEnd = findTie(operation, records, size);
  for (let step = 2; page.style === 'cursor' && step <= maxSteps; step += 1) {
    const last = recordsIn(reply)?.at(-1);
    const lastIndex = last === undefined ? -1 : keys.indexOf(keyOf(operation, last));
    const cursor = valueAt(reply.body, page.next);
    if (lastIndex < 0 || lastIndex >= pageEnd || typeof cursor !== 'string') break;
    const next = await context.ask({ ...call, values: { ...call.values, [page.cursor]: cursor } });
    // The last page has no next cursor, so the page before it is kept.
    if (typeof valueAt(next.body, page.next) !== 'string') break;
    reply = next;
  }
  return reply;
}

/** Returns the index of the last record of the first page that ends between records of the same version, or -1. */
function findTie({ collection }: ListOperation, records: readonly DataRecord[], size: number): number {
  const { version } = collection;
  if (version === undefined || size === 0) return -1;
  const isTie = (index: number): boolean => {
    const [last, next] = [records[index], records[index + 1]].map((record) => valueAt(record, version));
    return last !== undefined && last === next;
  };
  return Array.from({ length: maxSteps }, (_, step) => (step + 1) * size - 1).find(isTie) ?? -1;
}

/** Finds the records of a page within a larger page; `undefined` if they differ, or if no record follows them. */
export function findFollowing(
  operation: ListOperation,
  whole: Reply | undefined,
  before: readonly DataRecord[],
): FollowingPage | undefined {
  const [first] = before;
  const records = (whole && recordsIn(whole)) ?? [];
  if (whole === undefined || first === undefined) return undefined;
  const begin = records.findIndex((record) => keyOf(operation, record) === keyOf(operation, first));
  const start = begin + before.length;
  const isFound = begin >= 0 && start < records.length && JSON.stringify(records.slice(begin, start)) === JSON.stringify(before);
  return isFound ? { operation, whole, start } : undefined;
}

/** Builds the query of an interaction with the values of the first record, and without the cursor. */
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

/** Returns the filters of a query, as parsed by the list operation. */
function filtersIn(list: ListOperation, query: readonly string[]): ParameterValues {
  const { values, sent } = readRequest(list, { method: 'GET', target: `${list.path}?${query.join('&')}`, headers: {} }, new Map());
  return Object.fromEntries([...values].filter(([name]) => sent.has(name) && list.collection.filters.has(name)));
}
