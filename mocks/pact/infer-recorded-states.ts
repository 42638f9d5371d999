/**
 * Infers the provider states of an exchange: the records that a provider must have to give the same response. If no state can ensure that, it gives the reason.
 */

import type { CursorPage, Filter, Page } from '../../core/annotations/annotations.ts';
import type { Json } from '../../core/json.ts';
import { responseFor } from '../../core/openapi/operation.ts';
import type { FieldConditions, StateCondition } from '../../core/pact/state-condition.ts';
import { isStateValue } from '../../core/pact/state-generators.ts';
import { valueAt } from '../../core/pointer.ts';
import type { ReadingWithoutProfile } from './contract-without-profile.ts';
import { type KnownBody, nothingKnownOfBody } from './expected-body.ts';
import type { RecordableExchange } from './recordable-exchange.ts';

/** The inferred states of an exchange. */
export interface InferredStates {
  readonly conditions: readonly StateCondition[];
  /** By parameter, or `If-None-Match`: the name of the state value that replaces its example. */
  readonly stateValues: ReadonlyMap<string, string>;
  readonly knownBody: KnownBody;
  /** True if more records follow the first page. */
  readonly hasMore: boolean;
  /** Reason why no state makes the response repeatable, as a clause about the request. */
  readonly omitReason?: string;
}

const noStates: InferredStates = { conditions: [], stateValues: new Map(), knownBody: nothingKnownOfBody, hasMore: false };

/** Infers the states of an exchange. `isPersonal` tells which parameter values a state must not repeat. */
export function inferStates(recordable: RecordableExchange, isPersonal: (parameter: string) => boolean): InferredStates {
  const { status } = recordable.response;
  const rejection = rejectionOf(recordable);
  if (rejection !== undefined) return { ...noStates, conditions: [rejection] };
  if (status >= 400 && status !== 404) return noStates;
  const { collection, resource } = recordable.withoutProfile.operation;
  if (collection !== undefined) return status === 200 ? statesOfList(recordable, collection, isPersonal) : noStates;
  return resource === undefined ? noStates : statesOfResource(recordable, resource);
}

/** Returns the condition that rejects the request, whatever it asks for. */
function rejectionOf({ key, response, code, withoutProfile, api }: RecordableExchange): StateCondition | undefined {
  if (response.status === 401 && (key === 'missing' || key === 'unknown' || key === 'expired')) return { kind: 'key', key };
  if (response.status === 403 && typeof key === 'object') return { kind: 'no-scope', scope: key.lacking[0] ?? '' };
  if (response.status === 429) return { kind: 'throttled' };
  if (response.status !== 503) return undefined;
  const codes = countCodes(withoutProfile.operation, api.contract.error?.code);
  return { kind: 'unavailable', code: codes > 1 ? code : undefined };
}

/** Counts the error codes in the examples of an unavailable service. */
function countCodes(operation: RecordableExchange['withoutProfile']['operation'], pointer: string | undefined): number {
  const examples = [...(responseFor(operation, 503)?.examples.values() ?? [])];
  return new Set(examples.map(({ value }) => (pointer === undefined ? undefined : valueAt(value, pointer)))).size;
}

type RecordedCollection = NonNullable<RecordableExchange['withoutProfile']['operation']['collection']>;
type RecordedResource = NonNullable<RecordableExchange['withoutProfile']['operation']['resource']>;

function statesOfResource({ withoutProfile, response, api }: RecordableExchange, { name, by }: RecordedResource): InferredStates {
  const { operation, reading } = withoutProfile;
  const isAbsent = response.status === 404;
  const etagValue: readonly (readonly [string, string])[] = response.status === 304 ? [['If-None-Match', 'etag']] : [];
  if (by.size === 0) {
    const canBeAbsent = responseFor(operation, 404) !== undefined || response.status === 304;
    const condition: StateCondition = { kind: isAbsent ? 'no-resource' : 'resource', resource: name };
    return { ...noStates, conditions: canBeAbsent ? [condition] : [], stateValues: new Map(etagValue) };
  }
  const sentIdentifiers = [...by].filter(([parameter]) => reading.sent.has(parameter));
  const [, field = ''] = sentIdentifiers[0] ?? [];
  const collection = api.contract.collections.find((each) => each.name === name)?.name ?? name;
  const condition: StateCondition = isAbsent
    ? { kind: 'no-record', collection, field, value: undefined }
    : { kind: 'record', collection, where: {} };
  return {
    ...noStates,
    conditions: [condition],
    stateValues: new Map([...sentIdentifiers.map(([parameter, at]) => [parameter, stateValueName(at)] as const), ...etagValue]),
  };
}

function statesOfList(
  recordable: RecordableExchange,
  list: RecordedCollection,
  isPersonal: (parameter: string) => boolean,
): InferredStates {
  if (!isRequestedPage(recordable, list.page)) return { ...noStates, omitReason: 'its response is not the requested page' };
  const items = valueAt(recordable.body, list.items);
  const first = Array.isArray(items) ? (items as readonly Json[])[0] : undefined;
  if (first === undefined)
    return recordable.withoutProfile.reading.sent.has(cursorName(list.page)) ? { ...noStates, omitReason: pastTheEnd } : noStates;
  const filters = sentFilters(recordable, list).filter(([name]) => !isPersonal(name));
  const singleValues = filters.flatMap(([name, filter]) => singleValueOf(recordable, name, filter));
  const echoedFilters = singleValues.filter(([field, value]) => valueAt(first, field) === value);
  const values = new Map(echoedFilters.map(([field, value]) => [`${list.items}/*${field}`, value]));
  const knownBody: KnownBody = { ...nothingKnownOfBody, values };
  const preceding = precedingRecords(recordable, list.page);
  if (preceding === undefined) return statesOfFirstRecord(recordable, list, first, isPersonal, knownBody);
  if (preceding.count === undefined) return { ...noStates, omitReason: 'the contract does not say how many records a page has' };
  const { count, hasMore, cursor } = preceding;
  const condition: StateCondition = {
    kind: 'records',
    collection: list.name,
    where: Object.fromEntries(echoedFilters),
    more: count,
    limit: undefined,
  };
  return {
    conditions: [condition],
    stateValues: new Map(cursor === undefined ? [] : [[cursor, 'cursor']]),
    knownBody: withNextPage(withRecords(knownBody, list), hasMore ? list.page : undefined),
    hasMore,
  };
}

const pastTheEnd = 'its cursor leads past the last record, which no provider state expresses';

function cursorName(page: Page): string {
  return page.style === 'cursor' ? page.cursor : '';
}

/** The records before the recorded ones: those of earlier pages, or of the first page if others follow it. */
interface PrecedingRecords {
  /** `undefined` if the page size is unknown. */
  readonly count: number | undefined;
  readonly hasMore: boolean;
  readonly cursor?: string;
}

function precedingRecords({ withoutProfile, body }: RecordableExchange, page: Page): PrecedingRecords | undefined {
  const limit = numberIn(withoutProfile, page.limit);
  if (page.style === 'cursor') {
    if (withoutProfile.reading.sent.has(page.cursor)) return { count: limit, hasMore: false, cursor: page.cursor };
    return limit !== undefined && valueAt(body, page.more) === true ? { count: limit, hasMore: true } : undefined;
  }
  const number = page.style === 'page' ? (numberIn(withoutProfile, page.page) ?? 1) : 1;
  const count = page.style === 'offset' ? numberIn(withoutProfile, page.offset) : limit && (number - 1) * limit;
  return number > 1 || (count ?? 0) > 0 ? { count, hasMore: false } : undefined;
}

/** False if the server returned another page, as it may for a page number out of range. */
function isRequestedPage({ withoutProfile, body }: RecordableExchange, page: Page): boolean {
  if ((numberIn(withoutProfile, page.limit) ?? 1) < 1) return false;
  if (page.style === 'offset') return (numberIn(withoutProfile, page.offset) ?? 0) >= 0;
  if (page.style === 'cursor') return true;
  const requestedNumber = numberIn(withoutProfile, page.page) ?? 1;
  const returnedNumber = page.echo?.page === undefined ? undefined : valueAt(body, page.echo.page);
  return requestedNumber >= 1 && (returnedNumber ?? requestedNumber) === requestedNumber;
}

function numberIn({ reading }: ReadingWithoutProfile, name: string): number | undefined {
  const value = reading.values.get(name);
  return typeof value === 'number' ? value : undefined;
}

/** Infers a state with a record like the first one, so the list is not empty. Its values replace inclusive bounds. */
function statesOfFirstRecord(
  recordable: RecordableExchange,
  list: RecordedCollection,
  first: Json,
  isPersonal: (parameter: string) => boolean,
  knownBody: KnownBody,
): InferredStates {
  const where: Record<string, Json> = {};
  const stateValues = new Map<string, string>();
  for (const [name, filter] of sentFilters(recordable, list)) {
    const value = 'field' in filter ? valueAt(first, filter.field) : undefined;
    if (!isStateValue(value) || !('field' in filter) || isPersonal(name)) return { ...noStates, knownBody };
    if (filter.operator === 'equals' || filter.operator === 'any-of') where[filter.field] = value;
    else if ((filter.operator === 'from' || filter.operator === 'to') && isValidParameter(recordable, name, value))
      stateValues.set(name, stateValueName(filter.field));
    else return { ...noStates, knownBody };
  }
  const sorted: FieldConditions = Object.fromEntries(Object.entries(where).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  const condition: StateCondition = { kind: 'record', collection: list.name, where: sorted };
  return { ...noStates, conditions: [condition], stateValues, knownBody: withRecords(knownBody, list) };
}

/** True if a parameter accepts the value of a record. */
function isValidParameter({ withoutProfile }: RecordableExchange, name: string, value: Json): boolean {
  return withoutProfile.operation.parameters.some((parameter) => parameter.name === name && parameter.validate(value).length === 0);
}

function sentFilters({ withoutProfile }: RecordableExchange, list: RecordedCollection): readonly (readonly [string, Filter])[] {
  return [...list.filters].filter(([name]) => withoutProfile.reading.sent.has(name));
}

/** Returns the field and value of a filter for one value; empty for other filters. */
function singleValueOf({ withoutProfile }: RecordableExchange, name: string, filter: Filter): readonly (readonly [string, Json])[] {
  if (filter.operator !== 'equals' && filter.operator !== 'any-of') return [];
  const value = withoutProfile.reading.values.get(name);
  const values: readonly (Json | undefined)[] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const [only] = values;
  return values.length === 1 && isStateValue(only) ? [[filter.field, only]] : [];
}

function withRecords(knownBody: KnownBody, list: RecordedCollection): KnownBody {
  return { ...knownBody, minItems: new Map([[list.items, 1]]) };
}

/** Adds the members of a page that has a next page. */
function withNextPage(knownBody: KnownBody, page: Page | undefined): KnownBody {
  if (page?.style !== 'cursor') return knownBody;
  return {
    ...knownBody,
    values: new Map([...knownBody.values, [page.more, true]]),
    present: new Map([[page.next, nextSchema]] satisfies [CursorPage['next'], typeof nextSchema][]),
  };
}

const nextSchema = { type: 'string', minLength: 1 } as const;

/** Returns the name of a state value: the path of its field with dots. */
function stateValueName(field: string): string {
  return field.slice(1).replaceAll('/', '.');
}
