/** Mutants of the responses of any operation: status, content type, fields of bodies, and error envelopes. */

import { askedMembers } from '../../core/annotations/open-questions.ts';
import { type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../../core/json.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import { schemaBehind } from '../../core/openapi/clauses.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess, statusOf } from '../../core/openapi/operation.ts';
import { markOfOtherDirection } from '../../core/openapi/schema-direction.ts';
import {
  certainSchemas,
  constantsOf,
  mergedBranchKeywords,
  propertiesOf,
  type Schema,
  schemasAt,
} from '../../core/openapi/schema-facts.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import { mapBody, withBody, withHeader } from './change-exchange.ts';
import {
  apiMutants,
  type Behaviours,
  type Deviation,
  isFailure,
  type ListedMutant,
  onBody,
  onResponse,
  operationMutants,
  respondWith,
} from './mock-mutant.ts';
import { isReactionStated } from './stated-rules.ts';

/** Lists the mutants of responses. */
export function responseMutants(contract: Contract): readonly ListedMutant[] {
  const refusingOperations = contract.operations.filter((operation) =>
    operation.parameters.some(({ key, in: place }) => place === 'query' && isReactionStated(contract, operation, key, 'malformed')),
  );
  return [
    ...apiMutants({ operation: contract.name }, successBehaviours),
    ...contract.operations
      .filter(takesText)
      .flatMap(({ id }) => operationMutants({ operation: id }, { 'odd-text-error': failOnUnusualText })),
    ...refusingOperations.flatMap((operation) =>
      operationMutants(
        { operation: operation.id },
        { 'invalid-as-error': onResponse(statusOf(operation, 'invalid'), respondWith(500, 'Something went wrong.')) },
      ),
    ),
    ...failureMutants(contract),
    ...failureStatuses(contract).flatMap((status) =>
      apiMutants(
        { operation: contract.name, part: status, words: { status } },
        { 'envelope-missing': onResponse(Number(status), ({ response }) => withBody(response, { message: 'Request failed.' })) },
      ),
    ),
    ...contract.operations.flatMap((operation) => [
      ...recordMutants(contract, operation),
      ...constantMutants(contract, operation),
      ...writeOnlyMutants(contract, operation),
    ]),
  ];
}

/** Other statuses and content types of successes. */
const successBehaviours: Behaviours = {
  'status-undocumented': onResponse(200, ({ response }) => ({ ...response, status: 206 })),
  'head-other': onResponse(
    ({ request }) => request.method === 'HEAD',
    ({ response }) => ({ ...response, status: 204 }),
  ),
  'content-type-plain': onResponse(200, ({ response }) => withHeader(response, 'content-type', 'text/plain; charset=utf-8')),
};

/** A server error for unusual characters. */
const failOnUnusualText = onResponse(
  ({ request }) => /%00|%F0%9F|'|%27/i.test(request.target),
  respondWith(500, 'TypeError: invalid byte sequence\n    at Database.query (/srv/app/database.js:81:13)'),
);

/** True when callers identify or search records by free text. */
function takesText({ collection, resource, parameters }: Operation): boolean {
  const isText = (name: string): boolean => parameters.some((parameter) => parameter.key === name && parameter.kinds.includes('string'));
  const searches = [...(collection?.filters ?? [])].flatMap(([name, filter]) => (filter.operator === 'matches' ? [name] : []));
  return [...(resource?.by.keys() ?? []), ...searches].some(isText);
}

/** Lists the statuses of failures that requests can cause. Throttling and the like are chaos. */
export function failureStatuses(contract: Contract): readonly string[] {
  const statuses = contract.operations.flatMap((operation) => [...operation.responses.keys()]);
  const hasKeys = contract.operations.some((operation) => operation.security.length > 0);
  const hiddenReactions = contract.collections.flatMap(({ visible }) => visible?.hidden ?? []);
  const reachableStatuses = [
    '400',
    '404',
    '422',
    ...(hasKeys || hiddenReactions.includes('unauthenticated') ? ['401'] : []),
    ...(hasKeys || hiddenReactions.includes('forbidden') ? ['403'] : []),
  ];
  return [...new Set(statuses)].filter((status) => reachableStatuses.includes(status)).toSorted();
}

/** Mutants of the error envelope. */
function failureMutants({ name, error }: Contract): readonly ListedMutant[] {
  if (error === undefined) return [];
  const { request, code, message } = error;
  const holder = toPointer(fromPointer(code).slice(0, -1));
  const onFailure = (change: (response: HttpResponse) => HttpResponse): Deviation =>
    onResponse(isFailure, ({ response }) => change(response));
  const onFailureBody = (change: (body: Json) => Json): Deviation => onFailure((response) => mapBody(response, change));
  return apiMutants(
    { operation: name, words: { field: holder.slice(1) } },
    {
      'failure-html': onFailure(toPage),
      'failure-empty': onFailure((response) => ({ ...response, body: '' })),
      // An error whose members are at the top level cannot be flattened.
      'failure-flattened': holder !== '' && onFailureBody((body) => valueAt(body, holder) ?? body),
      'failure-message-missing': onFailureBody((body) => withValueAt(body, message, null)),
      'code-lower-case': onFailureBody((body) => withValueAt(body, code, String(valueAt(body, code)).toLowerCase())),
      'request-id-constant': request !== undefined && onFailureBody((body) => withValueAt(body, request, 'req_00000000')),
      'request-id-empty': request !== undefined && onFailureBody((body) => withValueAt(body, request, '')),
    },
  );
}

function toPage(response: HttpResponse): HttpResponse {
  const length = headerOf(response.headers, 'content-length');
  const headers = { ...response.headers, 'content-type': 'text/html; charset=utf-8' };
  return {
    status: response.status,
    headers: length === undefined ? headers : { ...headers, 'content-length': undefined },
    body: `<!doctype html><title>${response.status}</title><h1>Request failed</h1>`,
  };
}

/** Place of records in a body: in a list, or alone. */
interface RecordPlace {
  readonly pointer: string;
  readonly isList: boolean;
}

function recordPlace({ collection, resource }: Operation): RecordPlace | undefined {
  if (collection !== undefined) return { pointer: collection.items, isList: true };
  return resource !== undefined && resource.by.size > 0 ? { pointer: resource.at, isList: false } : undefined;
}

/** A kind of mutants with the field of records that it changes, and the change; `undefined` leaves the field out. */
type FieldRow = readonly [kind: MutantKind, name: string | undefined, change: (value: Json) => Json | undefined];

function recordMutants(contract: Contract, operation: Operation): readonly ListedMutant[] {
  const place = recordPlace(operation);
  const schema = schemaOfSuccess(operation.responses);
  if (place === undefined || schema === undefined) return [];
  const schemas = schemasAt(contract.closed, schema, place.isList ? `${place.pointer}/0` : place.pointer);
  const fields = fieldsOf(contract, schemas);
  const findName = (isMeant: (keywords: JsonObject) => boolean): string | undefined =>
    fields.find(({ keywords }) => isMeant(keywords))?.name;
  const rows: readonly FieldRow[] = [
    ['field-missing', fields.at(-1)?.name, () => undefined],
    [
      'field-of-other-type',
      findName(({ type }) => type === 'string' || type === 'integer'),
      (value) => (typeof value === 'number' ? String(value) : [value]),
    ],
    ['field-of-unknown-value', findName((keywords) => isArray(keywords['enum'])), () => 'unknown'],
    ['field-of-other-format', findName(({ format }) => format === 'date-time' || format === 'date-time-local'), toDayFirst],
    ['field-of-detail', extraFields(contract, schemas)[0], () => ''],
  ];
  return rows.flatMap(([kind, name, change]) => {
    if (name === undefined) return [];
    const changeField = (record: JsonObject): Json => {
      const { [name]: value = null, ...otherFields } = record;
      const changedValue = change(value);
      return changedValue === undefined ? otherFields : { ...record, [name]: changedValue };
    };
    return operationMutants(
      { operation: operation.id, part: name, words: { field: name } },
      { [kind]: onBody((body) => mapRecords(body, place, changeField)) },
    );
  });
}

/** A required field with the keywords of its schemas. */
interface Field {
  readonly name: string;
  readonly keywords: JsonObject;
}

/** Returns the fields that are required for every answer to open questions. */
function fieldsOf({ closed, questions }: Contract, schemas: readonly Schema[]): readonly Field[] {
  const lists = schemas
    .map((schema) => mergedBranchKeywords(closed, schema)['required'])
    .filter(Array.isArray) as readonly (readonly string[])[];
  const keywordsOf = (name: string): JsonObject =>
    mergedBranchKeywords(closed, { allOf: schemas.flatMap((schema) => schemasAt(closed, schema, toPointer([name]))) });
  const isBeside = (pointer: string): boolean => schemas.some((schema) => schema === schemaBehind(closed, pointer));
  const openMembers = [...questions.values()].filter(({ pointers }) => pointers.some(isBeside)).flatMap(askedMembers);
  const names = [...new Set(lists.flat())].filter((name) => !openMembers.includes(name));
  return names.map((name) => ({ name, keywords: keywordsOf(name) }));
}

/** Formats a date as `29.03.2026 18:00`. */
function toDayFirst(value: Json): Json {
  return String(value).replace(/^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d).*$/, '$3.$2.$1 $4');
}

/** Lists the fields that a schema forbids. */
function extraFields(contract: Contract, schemas: readonly Schema[]): readonly string[] {
  const parts = schemas.flatMap((schema) => certainSchemas(contract.closed, schema)).filter(isObject);
  return parts
    .flatMap((part) => Object.entries(objectOrEmpty(part['properties'])))
    .flatMap(([name, each]) => (each === false ? [name] : []));
}

function mapRecords(body: Json, { pointer, isList }: RecordPlace, change: (record: JsonObject) => Json): Json {
  const target = valueAt(body, pointer);
  if (!isList) return isObject(target) ? replaceAt(body, pointer, change(target)) : body;
  if (!isArray(target)) return body;
  const records = target.map((each) => (isObject(each) ? change(each) : each));
  return replaceAt(body, pointer, records);
}

/** Replaces a value. Unlike `withValueAt`, it does not merge objects. */
function replaceAt(body: Json, pointer: string, value: Json): Json {
  if (pointer === '') return value;
  const keys = fromPointer(pointer);
  const holder = toPointer(keys.slice(0, -1));
  const { [keys.at(-1) ?? '']: _, ...siblings } = valueAt(body, holder) as JsonObject;
  return replaceAt(body, holder, { ...siblings, [keys.at(-1) ?? '']: value });
}

/** Mutants of constants in successes. Constants that only an answer to an open question sets do not count. */
function constantMutants(contract: Contract, operation: Operation): readonly ListedMutant[] {
  const schema = schemaOfSuccess(operation.responses);
  if (schema === undefined) return [];
  const isQuestion = askedPlaces(contract, schema);
  return leavesOf(constantsOf(contract.closed, schema) ?? {})
    .filter(([pointer]) => !isQuestion(pointer))
    .flatMap(([pointer, value]) => {
      const field = pointer.slice(1);
      const changedValue = typeof value === 'boolean' ? !value : `${String(value)}x`;
      return operationMutants(
        { operation: operation.id, part: field.replaceAll('/', '.'), words: { field, value: printJson(value) } },
        { 'constant-other': onBody((body) => withValueAt(body, pointer, changedValue)) },
      );
    });
}

/** Mutants that show a `writeOnly` member, of the records or else of the whole body. */
function writeOnlyMutants({ closed }: Contract, operation: Operation): readonly ListedMutant[] {
  const schema = schemaOfSuccess(operation.responses);
  const place = recordPlace(operation) ?? { pointer: '', isList: false };
  if (schema === undefined) return [];
  const parts = schemasAt(closed, schema, place.isList ? `${place.pointer}/0` : place.pointer).filter(isObject);
  const hidden = [...propertiesOf(parts)].find(([, members]) => members.some((member) => markOfOtherDirection(member) !== undefined));
  if (hidden === undefined) return [];
  const showing = onBody((body) => mapRecords(body, place, (record) => ({ ...record, [hidden[0]]: 'shown' })));
  return operationMutants({ operation: operation.id }, { 'write-only-shown': showing });
}

/** Returns a test for places of a body that are open questions. */
function askedPlaces(contract: Contract, schema: Schema): (pointer: string) => boolean {
  const openPointers = new Set([...contract.questions.values()].flatMap((question) => question.pointers));
  const openSchemas = [...openPointers].map((pointer) => schemaBehind(contract.closed, pointer)).filter(isObject);
  return (pointer) => schemasAt(contract.closed, schema, pointer).some((each) => openSchemas.some((other) => other === each));
}

function leavesOf(value: Json, keys: readonly string[] = []): readonly (readonly [string, Json])[] {
  if (!isObject(value)) return [[toPointer(keys), value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...keys, key]));
}
