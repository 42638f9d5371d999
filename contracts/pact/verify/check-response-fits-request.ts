/**
 * Checks that a response belongs to its request and to its provider states. Pact compares it with an example, so it does not notice another record, an ignored
 * filter, or the first page again.
 */

import { recordPlacesOf } from '../../../core/annotations/record-place.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { type Json, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { printBodyPath, valuesAlong } from '../../../core/pact/body-path.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import { fillExpression, listBodyGenerators, type StateValue } from '../../../core/pact/state-generators.ts';
import { type RequestReading, readRequest } from '../../../core/parameters/read-request.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { createMask } from '../../../core/redaction/mask-personal-data.ts';
import type { PactFailure } from '../../../core/results/pact-verify-result.ts';
import { isSuccess, type Reply, recordsIn } from '../../verify/evidence/call.ts';
import { opaqueTag, tagOf } from '../../verify/evidence/entity-tag.ts';
import { findDisagreements, isDocumented } from '../../verify/evidence/find-record-disagreements.ts';
import { locateRecord } from '../../verify/evidence/locate-record-in-reply.ts';
import { isPredictable } from '../../verify/evidence/open-places.ts';
import { totalIn } from '../../verify/evidence/pagination/pagination.ts';
import { keysIn, recordKeyOf } from '../../verify/evidence/record-keys-and-filters.ts';
import { operationFor } from './operation-for-request.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { PageBefore, StateFound } from './state-result.ts';

/** A response, and the data that it is checked with. */
interface JudgedReply {
  readonly contract: Contract;
  readonly interaction: Interaction;
  readonly prepared: PreparedRequest;
  readonly reply: Reply;
  /** Generators of the expected response. */
  readonly generators: Json | undefined;
}

/** Checks the ETag, the record, the list and the state values of a response. */
export function checkResponseFitsRequest(judged: JudgedReply): readonly PactFailure[] {
  const { reply, interaction } = judged;
  if (reply.response.status !== interaction.response.status) return [];
  if (reply.response.status === 304) return checkTag(reply);
  if (!isSuccess(reply)) return [];
  const { operation } = reply.call;
  return [...checkRecord(judged), ...(isList(operation) ? checkRecords(judged, operation) : []), ...checkStateValues(judged)];
}

/** A 304 has the ETag that was sent (RFC 9110 §15.4.5). */
function checkTag(reply: Reply): readonly PactFailure[] {
  const sent = headerOf(reply.request.headers, 'if-none-match');
  const tag = tagOf(reply);
  if (sent === undefined || tag === undefined || sent.trim() === '*' || sent.split(',').map(opaqueTag).includes(opaqueTag(tag))) return [];
  return [createIdentityFailure('ETag', sent, tag, "the 304 has a different ETag from the one sent, so the client's copy is outdated")];
}

/** A single read returns the requested record. */
function checkRecord({ contract, prepared, reply }: JudgedReply): readonly PactFailure[] {
  const { operation, segments = {} } = reply.call;
  const located = locateRecord(contract, reply);
  if (located === undefined || operation.resource === undefined) return [];
  const { values } = readRequest(operation, reply.request, new Map(Object.entries(segments)));
  return [...operation.resource.by].flatMap(([parameter, field]) => {
    const [requested, actual] = [values.get(parameter), valueAt(located.record, field)];
    if (requested === undefined || equalsRequested(requested, actual, prepared.states.values.has(field.slice(1)))) return [];
    return [
      createIdentityFailure(
        toBodyPath(`${located.at}${field}`),
        printJson(requested),
        printJson(actual ?? null),
        `the response is a different record from the one that ${parameter} requests`,
      ),
    ];
  });
}

/** Compares without case, since contracts often leave case unspecified. A value that the target returned before must match exactly. */
function equalsRequested(requested: Json, actual: Json | undefined, isExact: boolean): boolean {
  const [left, right] = [String(requested), String(actual)];
  return left === right || (!isExact && left.toLowerCase() === right.toLowerCase());
}

/** Each record matches the filters, the list has the record of the state, and the page obeys its limit and position. */
function checkRecords(judged: JudgedReply, operation: ListOperation): readonly PactFailure[] {
  const requested = readRequest(operation, judged.reply.request, new Map());
  return [
    ...checkFilters(judged, operation, requested),
    ...checkExpectedRecord(judged, operation, requested),
    ...checkPage(judged, operation, requested),
  ];
}

type RequestParameters = Pick<RequestReading, 'values' | 'sent'>;

function checkFilters(
  { contract, reply }: JudgedReply,
  operation: ListOperation,
  { values, sent }: RequestParameters,
): readonly PactFailure[] {
  const records = recordsIn(reply) ?? [];
  const { items, filters, query } = operation.collection;
  return [...filters].flatMap(([parameter, filter]): readonly PactFailure[] => {
    const value = values.get(parameter);
    if (value === undefined || !sent.has(parameter) || !isPredictable(contract, operation, parameter)) return [];
    const matches = query.matching(new Map([[parameter, value]]));
    const index = records.findIndex((record) => !matches(record));
    if (index < 0) return [];
    const field = 'field' in filter ? filter.field : '';
    const actual = printValue(valueAt(records[index], field));
    const diagnosis = `a record does not match the filter ${parameter}`;
    return [createIdentityFailure(toBodyPath(`${items}/${index}${field}`), `${parameter}=${printValue(value)}`, actual, diagnosis)];
  });
}

/** A complete list has the record of the state, if the record matches the request. */
function checkExpectedRecord(
  { contract, prepared, reply }: JudgedReply,
  operation: ListOperation,
  { values, sent }: RequestParameters,
): readonly PactFailure[] {
  const { name, items, filters, query, key } = operation.collection;
  const { record } = prepared.states;
  const records = recordsIn(reply) ?? [];
  const requested = [...filters.keys()].filter((parameter) => sent.has(parameter));
  const arePredictable = requested.every((parameter) => isPredictable(contract, operation, parameter));
  if (record?.name !== name || !arePredictable || !isCompleteList(operation, reply, sent)) return [];
  if (!query.isVisible(record.value) || !query.matching(new Map([...values].filter(([parameter]) => sent.has(parameter))))(record.value))
    return [];
  if (records.some((each) => recordKeyOf(operation, each) === recordKeyOf(operation, record.value))) return [];
  const expected = `the record with ${key.slice(1)} ${printValue(valueAt(record.value, key))}`;
  return [
    createIdentityFailure(
      toBodyPath(items),
      expected,
      `${records.length} records without it`,
      'the list omits a record that matches the request',
    ),
  ];
}

/** True if the response has every record of the list. */
function isCompleteList({ collection: { page } }: ListOperation, reply: Reply, sent: ReadonlySet<string>): boolean {
  if (page.style === 'cursor') return !sent.has(page.cursor) && valueAt(reply.body, page.more) === false;
  const start = page.style === 'page' ? page.page : page.offset;
  const total = totalIn(page, reply);
  return !sent.has(start) && total !== undefined && (recordsIn(reply)?.length ?? 0) >= total;
}

function checkPage(
  { prepared, reply }: JudgedReply,
  operation: ListOperation,
  { values, sent }: RequestParameters,
): readonly PactFailure[] {
  const records = recordsIn(reply) ?? [];
  const { items, page, key } = operation.collection;
  const limit = values.get(page.limit);
  const isTooLarge = typeof limit === 'number' && sent.has(page.limit) && records.length > limit;
  const repeatedIndex = findRepeated(prepared.states.pageBefore, operation, records, sent);
  const tooLarge = createIdentityFailure(
    toBodyPath(items),
    `at most ${String(limit)} records`,
    `${records.length} records`,
    'the page is larger than the limit',
  );
  if (repeatedIndex < 0) return isTooLarge ? [tooLarge] : [];
  const repeated = createIdentityFailure(
    toBodyPath(`${items}/${repeatedIndex}${key}`),
    'a record that the previous page does not have',
    recordKeyOf(operation, records[repeatedIndex] ?? {}),
    'the page repeats records of the previous page',
  );
  return isTooLarge ? [tooLarge, repeated] : [repeated];
}

/** Returns the index of the first record that the page before has, too; -1 on a first page. */
function findRepeated(
  before: PageBefore | undefined,
  operation: ListOperation,
  records: readonly DataRecord[],
  sent: ReadonlySet<string>,
): number {
  const { page } = operation.collection;
  const isLater = page.style !== 'offset' && sent.has(page.style === 'cursor' ? page.cursor : page.page);
  return isLater ? records.findIndex((record) => before?.keys.includes(recordKeyOf(operation, record))) : -1;
}

/** Compares the generated values of the response with the provider states. Pact compares only their types. */
function checkStateValues({ prepared, reply, generators }: JudgedReply): readonly PactFailure[] {
  return listBodyGenerators(generators).flatMap(({ path, steps, expression }) => {
    const { text, missing } = fillExpression(expression, prepared.states.values);
    const actual = valuesAlong(reply.body, steps);
    // In a list, one element is the record of the state.
    if (missing.length > 0 || actual.length === 0 || actual.some((value) => String(value) === text)) return [];
    return [
      createIdentityFailure(path, printValue(text), printValue(actual[0]), 'the response has a different value from the provider state'),
    ];
  });
}

/** Compares a response with what was read before it. Data may change meanwhile, so a failure counts only if the same is read again after it. */
export function compareWithStates(
  contract: Contract,
  { interactions }: Pact,
  { record, pageBefore, values }: Pick<StateFound, 'record' | 'pageBefore' | 'values'>,
  reply: Reply,
): readonly PactFailure[] {
  const { operation } = reply.call;
  if (!isSuccess(reply)) return [];
  if (isList(operation)) return pageBefore === undefined ? [] : checkContinuation(operation, pageBefore, values.get('cursor'), reply);
  const located = locateRecord(contract, reply);
  const listed = record?.listed;
  // Another record than the requested one is a failure of its own.
  if (located === undefined || listed === undefined || operation.resource?.name !== listed.list.collection.name) return [];
  if (recordKeyOf(listed.list, located.record) !== recordKeyOf(listed.list, listed.record)) return [];
  // Pact itself reports a missing field that the consumer expects.
  const first = findDisagreements(listed.record, located.record).find(
    ({ actual, at }) =>
      actual !== undefined && isDocumented(contract, listed.list, at) && isExpectedAnywhere(contract, interactions, listed.list, at),
  );
  if (first === undefined) return [];
  const { maskRecord } = createMask(contract);
  const inList = describeValue(valueAt(maskRecord(listed.list, listed.record), first.at));
  const read = describeValue(valueAt(maskRecord(operation, located.record), first.at));
  return [createIdentityFailure(toBodyPath(`${located.at}${first.at}`), inList, read, `${first.at} differs from the list`)];
}

/** True if the consumer expects the field anywhere, in a list or a single read. */
function isExpectedAnywhere(contract: Contract, interactions: readonly Interaction[], { collection }: ListOperation, at: string): boolean {
  return interactions.some(({ request, response }) => {
    const { operation } = operationFor(contract, request.method, request.path);
    const listed = operation.collection?.name === collection.name ? [`${operation.collection.items}/0`] : [];
    const places = operation.resource?.name === collection.name ? recordPlacesOf(contract, operation) : listed;
    return response.status < 300 && places.some((place) => valueAt(response.body, `${place}${at}`) !== undefined);
  });
}

function describeValue(value: Json | undefined): string {
  return typeof value === 'object' && value !== null
    ? `${Array.isArray(value) ? 'a list' : 'an object'} with other contents`
    : printValue(value);
}

/** Checks that a page continues with the record that follows the page before. */
function checkContinuation(
  operation: ListOperation,
  { list, keys: previousKeys, following }: PageBefore,
  cursor: StateValue | undefined,
  reply: Reply,
): readonly PactFailure[] {
  const { items, key, page } = operation.collection;
  if (list.id !== operation.id || page.style === 'offset' || recordsIn(reply) === undefined) return [];
  const { values, sent } = readRequest(operation, reply.request, new Map());
  const isNext = page.style === 'cursor' ? values.get(page.cursor) === cursor : sent.has(page.page);
  const keys = keysIn(reply);
  // A repeated page is a failure of its own.
  if (!isNext || keys.some((each) => previousKeys.includes(each))) return [];
  const lastIndex = following.findLastIndex((each) => keys.includes(each));
  const omitted = lastIndex < 0 ? following.slice(0, 1) : following.slice(0, lastIndex).filter((each) => !keys.includes(each));
  const [expected] = omitted;
  if (expected === undefined) return [];
  const index = following.indexOf(expected);
  const actual = keys[index];
  const path = toBodyPath(actual === undefined ? items : `${items}/${index}${key}`);
  const records = omitted.length === 1 ? 'a record that follows' : `${omitted.length} records that follow`;
  const diagnosis = lastIndex < 0 ? 'does not continue where the previous page ended' : `omits ${records} the previous page`;
  return [createIdentityFailure(path, expected, actual ?? 'no record', `the page ${diagnosis}`)];
}

function createIdentityFailure(path: string, expected: string, actual: string, diagnosis: string): PactFailure {
  return { kind: 'identity', path, expected, actual, diagnosis };
}

function printValue(value: Json | undefined): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : printJson(value);
}

function toBodyPath(pointer: string): string {
  return printBodyPath(fromPointer(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
}
