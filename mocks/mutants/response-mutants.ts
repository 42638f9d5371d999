/**
 * Mutants of responses of any operation: status, content type, fields of bodies, and error envelopes. `find-mutants.ts` lists them for each contract, when
 * mutants are listed or a mock with mutants starts or reloads. `contract-edit-mutants.ts` then asks for the statuses of failures. `serve-mutants.ts` applies
 * chosen mutants at each start and reload. Responses with 304 are in `conditional-read-mutants.ts`.
 */

import { askedMembers } from '../../core/annotations/open-questions.ts';
import { type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../../core/json.ts';
import type { MutantPlace } from '../../core/mutants/mutant.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import {
  certainSchemas,
  constantsOf,
  mergedBranchKeywords,
  type Schema,
  schemasAt,
} from '../../core/openapi/applicable-schemas-and-types.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import { errorResponse, mapBody, withBody } from './change-exchange.ts';
import { isReactionStated } from './has-stated-rule.ts';
import { createApiMutant, createResponseMutant, type ServedMutant } from './mock-mutant.ts';

/** Lists the mutants of responses. */
export function responseMutants(contract: Contract): readonly ServedMutant[] {
  const refusingOperations = contract.operations.filter((operation) =>
    operation.parameters.some(({ key, in: place }) => place === 'query' && isReactionStated(contract, operation, key, 'malformed')),
  );
  return [
    ...successMutants(contract),
    ...contract.operations.filter(takesText).map(unusualTextMutant),
    ...refusingOperations.map(invalidRequestErrorMutant),
    ...failureMutants(contract),
    ...failureStatuses(contract).map((status) => missingEnvelopeMutant(contract, status)),
    ...contract.operations.flatMap((operation) => [...recordMutants(contract, operation), ...constantMutants(contract, operation)]),
  ];
}

/** Creates a mutant that changes the responses of all operations for which a condition holds. */
function createMutantWhere(
  kind: MutantKind,
  place: MutantPlace,
  applies: (response: HttpResponse) => boolean,
  change: (response: HttpResponse) => HttpResponse,
): ServedMutant {
  return createApiMutant(kind, place, ({ response }) => (applies(response) ? change(response) : response));
}

function isSuccess({ status }: HttpResponse): boolean {
  return status === 200;
}

function isFailure({ status }: HttpResponse): boolean {
  return status >= 400;
}

/** Mutants of status and content type of successes. */
function successMutants({ name: operation }: Contract): readonly ServedMutant[] {
  return [
    createMutantWhere('status-undocumented', { operation }, isSuccess, (response) => ({ ...response, status: 206 })),
    createMutantWhere('content-type-plain', { operation }, isSuccess, (response) => ({
      ...response,
      headers: { ...response.headers, 'content-type': 'text/plain; charset=utf-8' },
    })),
  ];
}

/** Mutant with a server error for unusual characters. */
function unusualTextMutant({ id }: Operation): ServedMutant {
  const trace = 'TypeError: invalid byte sequence\n    at Database.query (/srv/app/database.js:81:13)';
  return createResponseMutant('odd-text-error', { operation: id }, ({ api, request, response }) =>
    /%00|%F0%9F|'|%27/i.test(request.target) ? errorResponse(api, request, 500, trace) : response,
  );
}

/** True when callers identify or search records by free text. */
function takesText({ collection, resource, parameters }: Operation): boolean {
  const isText = (name: string): boolean => parameters.some((parameter) => parameter.key === name && parameter.kinds.includes('string'));
  const searches = [...(collection?.filters ?? [])].flatMap(([name, filter]) => (filter.operator === 'matches' ? [name] : []));
  return [...(resource?.by.keys() ?? []), ...searches].some(isText);
}

/** Mutant with a server error for invalid requests. */
function invalidRequestErrorMutant({ id, responses }: Operation): ServedMutant {
  const invalidStatus = responses.has('422') ? 422 : 400;
  return createResponseMutant('invalid-as-error', { operation: id }, ({ api, request, response }) =>
    response.status === invalidStatus ? errorResponse(api, request, 500, 'Something went wrong.') : response,
  );
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

function missingEnvelopeMutant({ name }: Contract, status: string): ServedMutant {
  const place = { operation: name, part: status, words: { status } };
  const hasStatus = (response: HttpResponse): boolean => response.status === Number(status);
  const withoutEnvelope = (response: HttpResponse): HttpResponse => withBody(response, { message: 'Request failed.' });
  return createMutantWhere('envelope-missing', place, hasStatus, withoutEnvelope);
}

/** Mutants of the error envelope. */
function failureMutants({ name: operation, error }: Contract): readonly ServedMutant[] {
  if (error === undefined) return [];
  const holder = toPointer(fromPointer(error.code).slice(0, -1));
  const place = { operation, words: { field: holder.slice(1) } };
  const failureMutant = (kind: MutantKind, change: (response: HttpResponse) => HttpResponse): ServedMutant =>
    createMutantWhere(kind, place, isFailure, change);
  const setMember =
    (pointer: string, text: Json) =>
    (response: HttpResponse): HttpResponse =>
      mapBody(response, (body) => withValueAt(body, pointer, text));
  const { request, code } = error;
  return [
    failureMutant('failure-html', toPage),
    failureMutant('failure-empty', (response) => ({ ...response, body: '' })),
    // An error whose members are at the top level cannot be flattened.
    ...(holder === ''
      ? []
      : [failureMutant('failure-flattened', (response) => mapBody(response, (body) => valueAt(body, holder) ?? body))]),
    failureMutant('failure-message-missing', setMember(error.message, null)),
    failureMutant('code-lower-case', (response) =>
      mapBody(response, (body) => withValueAt(body, code, String(valueAt(body, code)).toLowerCase())),
    ),
    ...(request === undefined
      ? []
      : [
          failureMutant('request-id-constant', setMember(request, 'req_00000000')),
          failureMutant('request-id-empty', setMember(request, '')),
        ]),
  ];
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

/** Creates a mutant that changes the body of successes of one operation. */
function bodyMutant(kind: MutantKind, place: MutantPlace, change: (body: Json) => Json): ServedMutant {
  return createResponseMutant(kind, place, ({ response }) => (isSuccess(response) ? mapBody(response, change) : response));
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

/** A function that creates the mutant of one field of records. */
type RecordRewrite = (kind: MutantKind, field: string, change: (record: JsonObject) => Json) => ServedMutant;

function recordMutants(contract: Contract, operation: Operation): readonly ServedMutant[] {
  const place = recordPlace(operation);
  const schema = schemaOfSuccess(operation.responses);
  if (place === undefined || schema === undefined) return [];
  const schemas = schemasAt(contract.closed, schema, place.isList ? `${place.pointer}/0` : place.pointer);
  const rewrite: RecordRewrite = (kind, field, change) =>
    bodyMutant(kind, { operation: operation.id, part: field, words: { field } }, (body) => mapRecords(body, place, change));
  const [extra] = extraFields(contract, schemas);
  return [
    ...fieldMutants(fieldsOf(contract, schemas), rewrite),
    ...(extra === undefined ? [] : [rewrite('field-of-detail', extra, (record) => ({ ...record, [extra]: '' }))]),
  ];
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
  const isBeside = (pointer: string): boolean => schemas.some((schema) => schema === valueAt(closed.root, pointer));
  const openMembers = [...questions.values()].filter(({ pointers }) => pointers.some(isBeside)).flatMap(askedMembers);
  const names = [...new Set(lists.flat())].filter((name) => !openMembers.includes(name));
  return names.map((name) => ({ name, keywords: keywordsOf(name) }));
}

/** Mutants of one field each: the last required field is missing, the first with a suitable schema has another type, value or format. */
function fieldMutants(fields: readonly Field[], rewrite: RecordRewrite): readonly ServedMutant[] {
  const lastName = fields.at(-1)?.name;
  const findName = (isMeant: (keywords: JsonObject) => boolean): string | undefined =>
    fields.find(({ keywords }) => isMeant(keywords))?.name;
  const rows = [
    {
      kind: 'field-of-other-type',
      name: findName(({ type }) => type === 'string' || type === 'integer'),
      change: (value: Json): Json => (typeof value === 'number' ? String(value) : [value]),
    },
    { kind: 'field-of-unknown-value', name: findName((keywords) => isArray(keywords['enum'])), change: (): Json => 'unknown' },
    {
      kind: 'field-of-other-format',
      name: findName(({ format }) => format === 'date-time' || format === 'date-time-local'),
      change: toDayFirst,
    },
  ] as const;
  return [
    ...(lastName === undefined ? [] : [rewrite('field-missing', lastName, ({ [lastName]: _, ...rest }) => rest)]),
    ...rows.flatMap(({ kind, name, change }) =>
      name === undefined ? [] : [rewrite(kind, name, (record) => ({ ...record, [name]: change(record[name] ?? null) }))],
    ),
  ];
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
function constantMutants(contract: Contract, operation: Operation): readonly ServedMutant[] {
  const schema = schemaOfSuccess(operation.responses);
  if (schema === undefined) return [];
  const isQuestion = askedPlaces(contract, schema);
  return leavesOf(constantsOf(contract.closed, schema) ?? {})
    .filter(([pointer]) => !isQuestion(pointer))
    .map(([pointer, value]) => {
      const place = {
        operation: operation.id,
        part: pointer.slice(1).replaceAll('/', '.'),
        words: { field: pointer.slice(1), value: JSON.stringify(value) },
      };
      const changedValue = typeof value === 'boolean' ? !value : `${String(value)}x`;
      return bodyMutant('constant-other', place, (body) => withValueAt(body, pointer, changedValue));
    });
}

/** Returns a test for places of a body that are open questions. */
function askedPlaces(contract: Contract, schema: Schema): (pointer: string) => boolean {
  const openPointers = new Set([...contract.questions.values()].flatMap((question) => question.pointers));
  const openSchemas = [...openPointers].map((pointer) => valueAt(contract.closed.root, pointer)).filter(isObject);
  return (pointer) => schemasAt(contract.closed, schema, pointer).some((each) => openSchemas.some((other) => other === each));
}

function leavesOf(value: Json, keys: readonly string[] = []): readonly (readonly [string, Json])[] {
  if (!isObject(value)) return [[toPointer(keys), value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...keys, key]));
}
