/**
 * Finds the data of one provider state by reading the target: a record or resource, its absence, many records, a key, or a mock that answers 429 and 503.
 * Sends only GET requests, before that of the interaction.
 */

import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Interaction } from '../../../core/pact/pact.ts';
import { type FieldConditions, nounsOf, type StateCondition } from '../../../core/pact/state-condition.ts';
import { fillExpression, isStateValue, listRequestGenerators, type StateValue, scalarFields } from '../../../core/pact/state-generators.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isSuccess, type Reply, recordsIn } from '../../verify/evidence/call.ts';
import { anonymous, rolesOfOtherTenants, unknownCaller } from '../../verify/evidence/callers.ts';
import { tagOf } from '../../verify/evidence/entity-tag.ts';
import { locateRecord } from '../../verify/evidence/locate-record-in-reply.ts';
import { isPredictable } from '../../verify/evidence/open-places.ts';
import type { Pagination } from '../../verify/evidence/pagination/pagination.ts';
import { largestLimit } from '../../verify/evidence/pagination/pagination.ts';
import { keysOf, type ParameterValues } from '../../verify/evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../verify/evidence/round-context.ts';
import { absentIdentity, callForRecord } from '../../verify/evidence/single-record-calls.ts';
import { undocumentedOperation } from './operation-for-request.ts';
import { foundWithoutValues, type StateFound, type StateResult, stateMissing } from './state-result.ts';

/** Maximum number of pages searched for a record. */
const maxPagesSearched = 5;

/** Maximum number of records read one by one for fields that the list does not show. */
const maxSingleReads = 6;

/** Returns the list operation of a collection. */
function listOperationOf(context: RoundContext, collection: string): ListOperation | undefined {
  return context.contract.operations.find((each): each is ListOperation => isList(each) && each.collection.name === collection);
}

/** Finds a record with the filters of the list, then without them, since the filters of the target may be wrong. */
export async function findRecord(
  context: RoundContext,
  { collection, where }: Extract<StateCondition, { kind: 'record' | 'records' }>,
): Promise<StateResult> {
  const list = listOperationOf(context, collection);
  if (list === undefined) return stateMissing(`no operation lists ${collection}`);
  const filters = filtersFor(context, list, where);
  for (const values of Object.keys(filters).length === 0 ? [filters] : [filters, {}]) {
    const found = await searchList(context, list, values, where);
    if (found !== undefined) return found;
  }
  const conditions = Object.entries(where).map(([field, value]) => `${field.slice(1)} ${printJson(value)}`);
  const { singular } = nounsOf(collection);
  return stateMissing(`the target has no ${singular}${conditions.length === 0 ? '' : ` with ${conditions.join(' and ')}`}`);
}

/** Searches the first page, then more pages; `undefined` if no record matches. */
async function searchList(
  context: RoundContext,
  list: ListOperation,
  values: ParameterValues,
  where: FieldConditions,
): Promise<StateResult | undefined> {
  const { name } = list.collection;
  for (const most of [1, maxPagesSearched]) {
    const pagination = await readListForState(context, list, values, most);
    const [refused] = pagination.replies.filter((reply) => !isSuccess(reply));
    if (refused !== undefined) return stateMissing(`${list.id} returned ${refused.response.status}`, list.id);
    const candidates = orderCandidates(
      context,
      name,
      pagination.records.filter((record) => mayMatch(record, where)),
    );
    for (const record of candidates.slice(0, maxSingleReads)) {
      const found = await readFullRecord(context, name, record);
      if (!matchesConditions(found.value, where)) continue;
      return { kind: 'found', values: found.values, record: { name, value: found.value, listed: { list, record } } };
    }
    if (pagination.end === 'complete') break;
  }
  return undefined;
}

/** Maximum number of pages read to count records. */
const maxPagesCounted = 20;

type ManyRecords = Extract<StateCondition, { readonly kind: 'records' }>;

/**
 * Finds the state "more than N records", and the cursor of the page after the first one. If the interaction requests the same list, the
 * filters of its request are used, because cursors depend on them.
 */
export async function findRecords(context: RoundContext, condition: ManyRecords, interaction: Interaction): Promise<StateResult> {
  const list = listOperationOf(context, condition.collection);
  if (list === undefined) return stateMissing(`no operation lists ${condition.collection}`);
  const first = await findRecord(context, condition);
  if (first.kind === 'missing') return first;
  const query = list.path === interaction.request.path ? queryOf(interaction, list, first) : undefined;
  const filters = query === undefined ? filtersFor(context, list, condition.where) : filtersIn(list, query);
  const pageLimit = Math.min(maxPagesCounted, Math.ceil((condition.more + 1) / largestLimit(list)) + 1);
  const pagination = await readListForState(context, list, filters, pageLimit);
  const number = pagination.records.filter((record) => matchesConditions(record, condition.where)).length;
  if (number <= condition.more) return stateMissing(`the target has only ${number} such records`);
  const { page } = list.collection;
  if (page.style === 'offset') return first;
  if (page.style === 'page')
    return { ...first, ...pageBefore(list, pagination.records, await readNumbered(context, list, page.page, query ?? [])) };
  const isLimited = (query ?? []).some((piece) => piece.startsWith(`${page.limit}=`));
  const limit = isLimited ? {} : { [page.limit]: condition.limit ?? 1 };
  const values = query === undefined ? { ...filters, ...limit } : limit;
  const previousPage = await context.ask({ operation: list, values, raw: query ?? [] });
  const cursor = valueAt(previousPage.body, page.next);
  if (typeof cursor !== 'string') return first;
  return {
    ...first,
    // The records of later pages are known only if the list was read with the query of the interaction.
    ...pageBefore(list, query === undefined ? [] : pagination.records, previousPage),
    values: new Map([...first.values, ['cursor', cursor], ['next_cursor', cursor]]),
  };
}

/** Describes the page before the requested one, and the records that must follow it. */
function pageBefore(list: ListOperation, all: readonly DataRecord[], page: Reply | undefined): Pick<StateFound, 'pageBefore'> {
  const records = (page && recordsIn(page)) ?? [];
  const keys = keysOf(list, records);
  const end = keysOf(list, all).indexOf(keys[0] ?? '') + keys.length;
  const isFound = keys.length > 0 && printJson(all.slice(end - keys.length, end)) === printJson(records);
  return { pageBefore: { list, keys, following: isFound ? keysOf(list, all.slice(end)) : [] } };
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

/** Confirms that no record has a value. */
export async function findNoRecord(
  context: RoundContext,
  { collection, field, value }: Extract<StateCondition, { kind: 'no-record' }>,
): Promise<StateResult> {
  const reads = singleReadsOf(context, collection);
  const lookups = reads.flatMap((operation) => [...(operation.resource?.by ?? [])].map(([name, by]) => ({ operation, name, by })));
  const read = lookups.find(({ name, by }) => by === field || `/${name}` === field);
  const absent = value ?? (read && absentIdentity(read.operation, read.name));
  if (absent === undefined) return stateMissing(`the state gives no value for ${field}, and no operation reads ${collection} by it`);
  const names = [field.slice(1).replaceAll('/', '.'), field.slice(field.lastIndexOf('/') + 1), ...(read === undefined ? [] : [read.name])];
  const values = new Map(isStateValue(absent) ? names.map((name) => [name, absent] as const) : []);
  if (read === undefined) return { kind: 'found', values };
  const reply = await context.ask({ operation: read.operation, values: { [read.name]: absent } });
  // A response about another record also shows that this one does not exist.
  const shown = locateRecord(context.contract, reply)?.record;
  const exists = shown !== undefined && equalsAsText(valueAt(shown, read.by), absent);
  return exists ? stateMissing(`the target has a record with ${read.name} ${String(absent)}`) : { kind: 'found', values };
}

/** Returns the operations that read one record of a collection. */
function singleReadsOf({ contract }: RoundContext, collection: string): readonly Operation[] {
  return contract.operations.filter(
    ({ method, resource }) => method === 'GET' && resource?.name === collection && resource.view === undefined && resource.by.size > 0,
  );
}

/** True if a record meets every condition. Values are compared as text, since state names have no types. null also matches an absent field. */
function matchesConditions(record: DataRecord, where: FieldConditions): boolean {
  return Object.entries(where).every(([field, value]) => equalsAsText(valueAt(record, field), value));
}

/** Returns the filters of a list that express the conditions. */
function filtersFor(context: RoundContext, list: ListOperation, where: FieldConditions): ParameterValues {
  const filters = [...list.collection.filters].flatMap(([parameter, filter]): readonly (readonly [string, Json])[] => {
    if (filter.operator !== 'equals' && filter.operator !== 'any-of') return [];
    const value = where[filter.field];
    if (value === undefined || value === null || !isStateValue(value) || !isPredictable(context.contract, list, parameter)) return [];
    return [[parameter, filter.operator === 'any-of' ? [value] : value]];
  });
  return Object.fromEntries(filters);
}

/** True if no field that the list shows contradicts a condition. */
function mayMatch(record: DataRecord, where: FieldConditions): boolean {
  return Object.entries(where).every(
    ([field, value]) => valueAt(record, field) === undefined || equalsAsText(valueAt(record, field), value),
  );
}

function equalsAsText(actual: Json | undefined, wanted: Json): boolean {
  if (wanted === null) return actual === undefined || actual === null;
  if (actual === undefined || actual === null) return false;
  return isStateValue(actual) && isStateValue(wanted) ? String(actual) === String(wanted) : printJson(actual) === printJson(wanted);
}

/** Reads a list in its largest pages; if the target refuses them, in pages of the default size. */
async function readListForState(context: RoundContext, list: ListOperation, values: ParameterValues, most: number): Promise<Pagination> {
  const route = { operation: list, values, maxPages: most };
  const pagination = await context.pagination({ ...route, limit: largestLimit(list) });
  return pagination.replies.every(isSuccess) ? pagination : await context.pagination({ ...route, limit: undefined });
}

/**
 * Orders the records to try: first those with unique identifiers, since contracts rarely specify duplicates. The first record of the list
 * comes last, since a server that ignores identifiers returns it for every request.
 */
function orderCandidates(context: RoundContext, collection: string, records: readonly DataRecord[]): readonly DataRecord[] {
  const fields = singleReadsOf(context, collection).flatMap(({ resource }) => [...(resource?.by.values() ?? [])]);
  const hasUniqueIdentifiers = (record: DataRecord): boolean =>
    fields.every((field) => records.filter((each) => String(valueAt(each, field)) === String(valueAt(record, field))).length === 1);
  const ordered = [...records.slice(1), ...records.slice(0, 1)];
  return [...ordered.filter(hasUniqueIdentifiers), ...ordered.filter((record) => !hasUniqueIdentifiers(record))];
}

/** Adds the fields of the single reads to a listed record. Fields of the list win, because a single read may return another record. */
async function readFullRecord(
  context: RoundContext,
  collection: string,
  record: DataRecord,
): Promise<{ readonly value: DataRecord; readonly values: ReadonlyMap<string, StateValue> }> {
  let value = record;
  let etag: string | undefined;
  for (const operation of singleReadsOf(context, collection)) {
    const call = callForRecord(operation, record);
    if (call === undefined) continue;
    const reply = await context.ask(call);
    value = merge(locateRecord(context.contract, reply)?.record ?? {}, value);
    if (isSuccess(reply)) etag ??= tagOf(reply);
  }
  return { value, values: new Map([...scalarFields(value), ...(etag === undefined ? [] : [['etag', etag] as const])]) };
}

function merge(base: JsonObject, overrides: JsonObject): JsonObject {
  const members = Object.entries(overrides).map(([name, value]): readonly [string, Json] => {
    const below = base[name];
    return [name, isObject(value) && isObject(below) ? merge(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(members) };
}

/** Reads a resource that each tenant has one of, such as its profile. */
export async function findResource(context: RoundContext, name: string): Promise<StateResult> {
  const operation = singleRead(context, name);
  if (operation === undefined) return stateMissing(`no operation reads ${name}`);
  const reply = await context.ask({ operation });
  if (reply.response.status === 404) return stateMissing(`the target has none (${operation.id} returned 404)`);
  const value = locateRecord(context.contract, reply)?.record;
  const etag = isSuccess(reply) ? tagOf(reply) : undefined;
  const values = new Map([...(value === undefined ? [] : scalarFields(value)), ...(etag === undefined ? [] : [['etag', etag] as const])]);
  return { kind: 'found', values, ...(value === undefined ? {} : { record: { name, value } }) };
}

/** Finds a key whose tenant does not have the resource. */
export async function findNoResource(context: RoundContext, name: string): Promise<StateResult> {
  const operation = singleRead(context, name);
  if (operation === undefined) return stateMissing(`no operation reads ${name}`);
  const roles = [...rolesOfOtherTenants(context.keys)].toSorted(
    (left, right) => Number(right.includes(name)) - Number(left.includes(name)),
  );
  for (const as of ['full', ...roles]) {
    const reply = await context.ask({ operation, as });
    if (reply.response.status === 404) return { kind: 'found', values: new Map(), as };
  }
  return stateMissing(`every key belongs to a tenant that has one; add --key no-${name}=ENV_VAR`);
}

/** Selects the key that a state needs. */
export function selectKey(context: RoundContext, condition: Extract<StateCondition, { kind: 'key' | 'no-scope' }>): StateResult {
  if (condition.kind === 'key' && condition.key === 'missing') return { ...foundWithoutValues, as: anonymous };
  if (condition.kind === 'key' && condition.key === 'unknown') return { ...foundWithoutValues, as: unknownCaller };
  const names = condition.kind === 'key' ? ['expired'] : scopeNames(context, condition.scope).map((name) => `without:${name}`);
  const role = names.find((name) => context.keys.has(name));
  return role === undefined ? stateMissing(`no key has this role; add --key ${names[0]}=ENV_VAR`) : { ...foundWithoutValues, as: role };
}

/** Returns the header that makes a Touchstone mock answer 429 or 503; `undefined` if the target is no such mock. */
export async function findUnavailability(
  context: RoundContext,
  condition: Extract<StateCondition, { kind: 'throttled' | 'unavailable' }>,
): Promise<StateFound | undefined> {
  const reply = await context.ask({ operation: undocumentedOperation(context.contract, 'GET', '/__mock/'), as: anonymous });
  const isMock = isSuccess(reply) && isObject(reply.body) && reply.body['scope'] === 'this process';
  if (!isMock) return undefined;
  const status = condition.kind === 'throttled' ? '429' : `503${condition.code === undefined ? '' : `:${condition.code}`}`;
  return { ...foundWithoutValues, headers: { 'mock-chaos': status } };
}

function scopeNames({ contract }: RoundContext, scope: string): readonly string[] {
  return [...new Set([scope, ...contract.scopes.filter(({ role }) => role === scope).map(({ name }) => name)])];
}

function singleRead({ contract }: RoundContext, name: string): Operation | undefined {
  return contract.operations.find(
    ({ method, resource }) => method === 'GET' && resource?.name === name && resource.view === undefined && resource.by.size === 0,
  );
}
