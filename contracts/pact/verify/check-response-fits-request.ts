/**
 * Checks that a response belongs to its request. Pact compares it with an example, so it does not notice another record, an ignored filter, or the first
 * page again.
 */

import { headerOf } from '../../../core/http/exchange.ts';
import { type Json, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { valuesAlong } from '../../../core/pact/body-path.ts';
import type { Interaction } from '../../../core/pact/pact.ts';
import { fillExpression, listBodyGenerators } from '../../../core/pact/state-generators.ts';
import { type RequestReading, readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { PactFailure } from '../../../core/results/pact-verify-result.ts';
import { isSuccess, type Reply, recordsIn } from '../../verify/evidence/call.ts';
import { opaqueTag, tagOf } from '../../verify/evidence/entity-tag.ts';
import { recordKeyOf } from '../../verify/evidence/list-records.ts';
import { locateRecord } from '../../verify/evidence/locate-record-in-reply.ts';
import { isPredictable } from '../../verify/evidence/open-places.ts';
import { totalIn } from '../../verify/evidence/pagination/pagination.ts';
import { createIdentityFailure, printValue, toBodyPath } from './identity-failure.ts';
import type { PreparedRequest } from './prepare-request.ts';

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
  return [createIdentityFailure('ETag', sent, tag, 'the 304 has another ETag than the one sent, so the copy of the client is outdated')];
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
        `the response is about another record than the one requested by ${parameter}`,
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
  const previousKeys = new Set(isLaterPage(operation, sent) ? (prepared.states.previousKeys ?? []) : []);
  const repeatedIndex = records.findIndex((record) => previousKeys.has(recordKeyOf(operation, record)));
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

/** True if the request is for a later page. */
function isLaterPage({ collection: { page } }: ListOperation, sent: ReadonlySet<string>): boolean {
  return page.style !== 'offset' && sent.has(page.style === 'cursor' ? page.cursor : page.page);
}

/** Compares the generated values of the response with the provider states. Pact compares only their types. */
function checkStateValues({ prepared, reply, generators }: JudgedReply): readonly PactFailure[] {
  return listBodyGenerators(generators).flatMap(({ path, steps, expression }) => {
    const { text, missing } = fillExpression(expression, prepared.states.values);
    const actual = valuesAlong(reply.body, steps);
    // In a list, one element is the record of the state.
    if (missing.length > 0 || actual.length === 0 || actual.some((value) => String(value) === text)) return [];
    return [createIdentityFailure(path, printValue(text), printValue(actual[0]), 'the response has another value than the provider state')];
  });
}
