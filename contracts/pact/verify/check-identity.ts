/**
 * Whether what came is what was asked for. Pact compares an answer with an example, so a record of another name, a filter that was ignored and a first
 * page in place of the second look right to it.
 */

import type { Contract } from '../../../core/contract.ts';
import { headerOf } from '../../../core/exchange.ts';
import type { Json } from '../../../core/json.ts';
import type { Interaction } from '../../../core/pact/pact.ts';
import { fillExpression } from '../../../core/pact/state-generators.ts';
import { printBodyPath, valuesAlong } from '../../../core/pact/body-path.ts';
import type { PactFailure } from '../../../core/pact/verify-result.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { type RequestReading, readRequest } from '../../../core/request.ts';
import { opaqueOf } from '../../conditional.ts';
import { isPredictable } from '../../openness.ts';
import { locate } from '../../place.ts';
import { isSuccess, type Reply, recordsIn, tagOf } from '../../reply.ts';
import { isList, keyOf, type ListOperation, totalIn } from '../../walk.ts';
import { listBodyGenerators } from '../../../core/pact/injection.ts';
import type { PreparedRequest } from './prepare-request.ts';

/** An answer, and everything that it is judged by. */
interface JudgedReply {
  readonly contract: Contract;
  readonly interaction: Interaction;
  readonly prepared: PreparedRequest;
  readonly reply: Reply;
  /** What the file says of the response, generators included. */
  readonly generators: Json | undefined;
}

/** What of an answer is not what was asked for. */
export function checkIdentity(judged: JudgedReply): readonly PactFailure[] {
  const { reply, interaction } = judged;
  if (reply.response.status !== interaction.response.status) return [];
  if (reply.response.status === 304) return checkTag(reply);
  if (!isSuccess(reply)) return [];
  const { operation } = reply.call;
  return [...checkRecord(judged), ...(isList(operation) ? checkRecords(judged, operation) : []), ...checkStateValues(judged)];
}

/** RFC 9110 §15.4.5: a 304 says which tag is current, and it was the one that was sent. */
function checkTag(reply: Reply): readonly PactFailure[] {
  const sent = headerOf(reply.request.headers, 'if-none-match');
  const tag = tagOf(reply);
  if (sent === undefined || tag === undefined || sent.trim() === '*' || sent.split(',').map(opaqueOf).includes(opaqueOf(tag))) return [];
  return [identityFailure('ETag', sent, tag, 'the 304 names another tag than the one that was sent, so what the client keeps is not current')];
}

/** A single read gives the record whose names were asked for. */
function checkRecord({ contract, prepared, reply }: JudgedReply): readonly PactFailure[] {
  const { operation, segments = {} } = reply.call;
  const located = locate(contract, reply);
  if (located === undefined || operation.resource === undefined) return [];
  const { values } = readRequest(operation, reply.request, new Map(Object.entries(segments)));
  return [...operation.resource.by].flatMap(([parameter, field]) => {
    const [asked, given] = [values.get(parameter), valueAt(located.record, field)];
    if (asked === undefined || isSame(asked, given, prepared.found.values.has(field.slice(1)))) return [];
    return [
      identityFailure(
        toBodyPath(`${located.at}${field}`),
        JSON.stringify(asked),
        JSON.stringify(given ?? null),
        `the answer is about another record than the one that was asked for by ${parameter}`,
      ),
    ];
  });
}

/** Whether names differ by case is often open: only one that the target gave itself must come back to the letter. */
function isSame(asked: Json, given: Json | undefined, isExact: boolean): boolean {
  const [left, right] = [String(asked), String(given)];
  return left === right || (!isExact && left.toLowerCase() === right.toLowerCase());
}

/** Every record of a list satisfies the filters; the record that was found is among them; and no page is too large, or the one before. */
function checkRecords(judged: JudgedReply, operation: ListOperation): readonly PactFailure[] {
  const asked = readRequest(operation, judged.reply.request, new Map());
  return [...checkFilters(judged, operation, asked), ...checkExpectedRecord(judged, operation, asked), ...checkPage(judged, operation, asked)];
}

type RequestParameters = Pick<RequestReading, 'values' | 'sent'>;

function checkFilters({ contract, reply }: JudgedReply, operation: ListOperation, { values, sent }: RequestParameters): readonly PactFailure[] {
  const records = recordsIn(reply) ?? [];
  const { items, filters, query } = operation.collection;
  return [...filters].flatMap(([parameter, filter]): readonly PactFailure[] => {
    const value = values.get(parameter);
    if (value === undefined || !sent.has(parameter) || !isPredictable(contract, operation, parameter)) return [];
    const index = records.findIndex((record) => !query.matches(record, new Map([[parameter, value]])));
    if (index < 0) return [];
    const field = 'field' in filter ? filter.field : '';
    const actual = printValue(valueAt(records[index], field));
    const diagnosis = `a record does not satisfy the filter ${parameter} that was asked for`;
    return [identityFailure(toBodyPath(`${items}/${index}${field}`), `${parameter}=${printValue(value)}`, actual, diagnosis)];
  });
}

/** A whole list has the record that was found, if that satisfies what was asked for: a bound may leave out what is right on it. */
function checkExpectedRecord({ contract, prepared, reply }: JudgedReply, operation: ListOperation, { values, sent }: RequestParameters): readonly PactFailure[] {
  const { name, items, filters, query, key } = operation.collection;
  const { record } = prepared.found;
  const records = recordsIn(reply) ?? [];
  const asked = [...filters.keys()].filter((parameter) => sent.has(parameter));
  const isTold = asked.every((parameter) => isPredictable(contract, operation, parameter));
  if (record?.name !== name || !isTold || !isCompleteList(operation, reply, sent)) return [];
  if (!query.isVisible(record.value) || !query.matches(record.value, new Map([...values].filter(([parameter]) => sent.has(parameter)))))
    return [];
  if (records.some((each) => keyOf(operation, each) === keyOf(operation, record.value))) return [];
  const wanted = `the record with ${key.slice(1)} ${printValue(valueAt(record.value, key))}`;
  return [
    identityFailure(
      toBodyPath(items),
      wanted,
      `${records.length} records without it`,
      'the list leaves out a record that satisfies what was asked for',
    ),
  ];
}

/** Whether an answer holds everything that was asked for. */
function isCompleteList({ collection: { page } }: ListOperation, reply: Reply, sent: ReadonlySet<string>): boolean {
  if (page.style === 'cursor') return !sent.has(page.cursor) && valueAt(reply.body, page.more) === false;
  const start = page.style === 'page' ? page.page : page.offset;
  const total = totalIn(page, reply);
  return !sent.has(start) && total !== undefined && (recordsIn(reply)?.length ?? 0) >= total;
}

function checkPage({ prepared, reply }: JudgedReply, operation: ListOperation, { values, sent }: RequestParameters): readonly PactFailure[] {
  const records = recordsIn(reply) ?? [];
  const { items, page, key } = operation.collection;
  const limit = values.get(page.limit);
  const isTooLarge = typeof limit === 'number' && sent.has(page.limit) && records.length > limit;
  const before = new Set(isLaterPage(operation, sent) ? (prepared.found.before ?? []) : []);
  const again = records.findIndex((record) => before.has(keyOf(operation, record)));
  const large = identityFailure(
    toBodyPath(items),
    `at most ${String(limit)} records`,
    `${records.length} records`,
    'the page is larger than the limit',
  );
  if (again < 0) return isTooLarge ? [large] : [];
  const repeated = identityFailure(
    toBodyPath(`${items}/${again}${key}`),
    'a record that the page before did not have',
    keyOf(operation, records[again] ?? {}),
    'the page repeats the one before',
  );
  return isTooLarge ? [large, repeated] : [repeated];
}

/** Whether a page is asked for that is not the first. */
function isLaterPage({ collection: { page } }: ListOperation, sent: ReadonlySet<string>): boolean {
  return page.style !== 'offset' && sent.has(page.style === 'cursor' ? page.cursor : page.page);
}

/** What a consumer expects to be the value of the state; Pact compares only its type. */
function checkStateValues({ prepared, reply, generators }: JudgedReply): readonly PactFailure[] {
  return listBodyGenerators(generators).flatMap(({ path, steps, expression }) => {
    const { text, missing } = fillExpression(expression, prepared.found.values);
    const actual = valuesAlong(reply.body, steps);
    // Of several elements, one is the record that the state speaks of.
    if (missing.length > 0 || actual.length === 0 || actual.some((value) => String(value) === text)) return [];
    return [identityFailure(path, printValue(text), printValue(actual[0]), 'the answer is about something else than the state speaks of')];
  });
}

/** A failure that Pact knows nothing of; the path is one of a body, or the name of a header. */
export function identityFailure(path: string, expected: string, actual: string, diagnosis: string): PactFailure {
  return { kind: 'identity', path, expected, actual, diagnosis };
}

/** A value in a sentence. */
export function printValue(value: Json | undefined): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** A JSON Pointer as the paths of pacts are written. */
export function toBodyPath(pointer: string): string {
  return printBodyPath(fromPointer(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
}
