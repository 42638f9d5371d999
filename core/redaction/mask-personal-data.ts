/** Masks personal data (`x-personal` in the contract) in what is printed or stored. Keys and other secrets stay. */

import type { Filter } from '../annotations/annotations.ts';
import { type Exchange, type HttpRequest, type HttpResponse, headerOf, splitTarget } from '../http/exchange.ts';
import { arrayOrEmpty, isObject, isTooDeep, type Json, type JsonObject, objectOrEmpty, parseJson, printJson, readJson } from '../json.ts';
import { getOrCompute, memoize } from '../memo.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Document } from '../openapi/document.ts';
import { replaceJsonValues } from '../openapi/loading/json-parser.ts';
import type { Operation } from '../openapi/operation.ts';
import { type Route, routeTo } from '../openapi/route-request.ts';
import { markOfOtherDirection } from '../openapi/schema-direction.ts';
import { type Schema, schemasAt } from '../openapi/schema-facts.ts';
import { decodeOrKeep } from '../parameters/query-string.ts';
import { fromPointer } from '../pointer.ts';

/** Replacement of a personal value. */
export const personalPlaceholder: string = '‹personal›';

/** Masks personal data of one contract. */
export interface Mask {
  /** Returns an exchange with personal values in body, query and path replaced. Everything else stays as sent. */
  readonly mask: (exchange: Exchange) => Exchange;
  /** Returns a record of an operation's list or single read with personal values replaced. */
  readonly maskRecord: (operation: Operation, record: Json) => Json;
  /** True if a place in a body of an operation is personal, or a password: by the schemas of its request and its responses. */
  readonly isPersonal: (operation: Operation, path: readonly (string | number)[]) => boolean;
}

/**
 * Creates the mask of a contract. In bodies of any status, it masks the fields that are personal in any response schema of the operation. In query and
 * path, it masks parameters that are compared with a personal field.
 */
export function createMask(contract: Contract): Mask {
  const { operations, closed, error } = contract;
  const planFor = memoize((operation: Operation | undefined): Plan => {
    if (operation !== undefined) return planOf(operation.document, [operation], bodySchemas(operation));
    // A response outside every operation may contain a record, so the personal fields of all operations are masked.
    const schemas = [...operations.flatMap(bodySchemas), ...(error === undefined ? [] : [error.schema])];
    return { ...planOf(closed, operations, schemas), isPersonalText: false };
  });
  const fieldsOf = memoize((operation: Operation) => {
    const sent = [...(operation.requestBody?.content.values() ?? [])].map(({ schema }) => schema);
    return listPersonalFields(operation.document, [...bodySchemas(operation), ...sent]);
  });
  return {
    isPersonal: (operation, path) => fieldsOf(operation).has(fieldAt(path)),
    mask: (exchange) => {
      const { request, response } = exchange;
      const route = routeTo(operations, request.method, request.target);
      const plan = planFor(route.kind === 'operation' ? route.operation : undefined);
      return { request: maskRequest(request, route, plan), response: { ...response, body: maskBody(response, plan) } };
    },
    maskRecord: (operation, record) => {
      const { collection, resource } = operation;
      const place = collection === undefined ? fromPointer(resource?.at ?? '') : [...fromPointer(collection.items), 0];
      return parseJson(maskText(printJson(record), planFor(operation).fields, place));
    },
  };
}

/** A place in a body as `PARENT NAME`, such as `owner phone`, with ` []` for an element. Arrays around a member do not count. */
type Field = string;

/** Personal fields of an operation. */
interface Plan {
  readonly fields: ReadonlySet<Field>;
  /** True if a body that is not JSON may be personal. */
  readonly isPersonalText: boolean;
  /** The names of parameters that are compared with a personal field. */
  readonly parameters: ReadonlySet<string>;
}

function planOf(document: Document, operations: readonly Operation[], schemas: readonly Schema[]): Plan {
  const fields = listPersonalFields(document, schemas);
  const parameters = new Set(operations.flatMap((operation) => personalParameters(document, operation)));
  return { fields, isPersonalText: fields.size > 0, parameters };
}

function bodySchemas({ responses }: Operation): readonly Schema[] {
  return [...responses.values()].flatMap(({ content }) => [...content.values()].map(({ schema }) => schema));
}

/** Pointers to the records in the bodies of an operation. */
function recordPlaces({ collection, resource }: Operation): readonly string[] {
  return [...(collection === undefined ? [] : [`${collection.items}/0`]), ...(resource === undefined ? [] : [resource.at])];
}

/** Lists the parameters that are compared with a personal field. For a text search, one personal field is enough. */
function personalParameters(document: Document, operation: Operation): readonly string[] {
  const { collection, resource } = operation;
  const isPersonal = (field: string): boolean =>
    recordPlaces(operation).some((place) => bodySchemas(operation).some((schema) => isPersonalAt(document, schema, `${place}${field}`)));
  const filters: readonly (readonly [string, Filter])[] = [...(collection?.filters ?? [])];
  const filterParameters = filters.filter(([, filter]) => ('fields' in filter ? filter.fields : [filter.field]).some(isPersonal));
  const identifierParameters = [...(resource?.by ?? [])].filter(([, field]) => isPersonal(field));
  return [...filterParameters, ...identifierParameters].map(([name]) => name);
}

/** True if the values at a pointer are personal, by the schema of their body. */
export function isPersonalAt(document: Document, schema: Schema, pointer: string): boolean {
  return schemasAt(document, schema, pointer).some(isPersonalSchema);
}

function maskBody({ body, headers }: HttpResponse, plan: Plan): string {
  if (body === '') return body;
  if (readJson(body) !== undefined) return maskText(body, plan.fields);
  if (!plan.isPersonalText && !isTooDeep(body)) return body;
  const type = headerOf(headers, 'content-type') ?? 'no media type';
  return `‹${body.length} characters, ${type}, which may be personal›`;
}

/** Replaces each personal value of a JSON text at `place`, except `null`. All other characters stay, such as spaces and the digits of large numbers. */
function maskText(text: string, fields: ReadonlySet<Field>, place: readonly (string | number)[] = []): string {
  if (fields.size === 0) return text;
  return replaceJsonValues(text, (path) => (fields.has(fieldAt([...place, ...path])) ? printJson(personalPlaceholder) : undefined));
}

/** The field at a path. */
function fieldAt(path: readonly (string | number)[]): Field {
  const names = path.filter((key) => typeof key === 'string');
  return `${names.at(-2) ?? ''} ${names.at(-1) ?? ''}${typeof path.at(-1) === 'number' ? ' []' : ''}`;
}

function maskRequest(request: HttpRequest, route: Route, { parameters }: Plan): HttpRequest {
  const { path, query } = splitTarget(request.target);
  if (parameters.size === 0) return request;
  const maskedPath = route.kind === 'operation' ? maskPath(path, route.operation.path, route.segments, parameters) : path;
  const maskedQuery = query
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0] ?? '';
      return pair.includes('=') && parameters.has(decodeOrKeep(name)) ? `${name}=${personalPlaceholder}` : pair;
    })
    .join('&');
  return { ...request, target: request.target.includes('?') ? `${maskedPath}?${maskedQuery}` : maskedPath };
}

function maskPath(path: string, template: string, segments: ReadonlyMap<string, string>, parameters: ReadonlySet<string>): string {
  if (![...segments.keys()].some((name) => parameters.has(name))) return path;
  return template.replace(/\{([^}]+)\}/g, (placeholder, name: string) =>
    parameters.has(name) ? personalPlaceholder : (segments.get(name) ?? placeholder),
  );
}

/** A schema, and the place of its instances. */
interface HeldSchema {
  readonly schema: Schema;
  readonly path: readonly (string | number)[];
  /** True below members or elements that no schema names. There, a personal value makes the whole place personal. */
  readonly isUnnamed: boolean;
}

/**
 * Lists the personal fields below schemas. A server may send a record where no schema describes it, so names decide, and not places: a member with the name
 * and the parent of a personal one is personal too.
 */
function listPersonalFields(document: Document, schemas: readonly Schema[]): ReadonlySet<Field> {
  const fields = new Set<Field>();
  const visitedFields = new Map<Schema, Set<string>>();
  const pending: HeldSchema[] = schemas.map((schema) => ({ schema, path: [], isUnnamed: false }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema, path, isUnnamed } = next;
    const visited = getOrCompute(visitedFields, schema, () => new Set());
    const visit = `${isUnnamed} ${fieldAt(path)}`;
    if (visited.has(visit)) continue;
    visited.add(visit);
    const parts = schemasAt(document, schema, '').filter(isObject);
    if (parts.some(isPersonalSchema)) fields.add(fieldAt(path));
    pending.push(...parts.flatMap((part) => schemasBelow(part, path, isUnnamed)));
  }
  return fields;
}

function schemasBelow(part: JsonObject, path: HeldSchema['path'], isUnnamed: boolean): readonly HeldSchema[] {
  const { properties, items, prefixItems, additionalProperties, patternProperties } = part;
  const named: readonly (readonly [string | number, Json | undefined])[] = [...Object.entries(objectOrEmpty(properties)), [0, items]];
  const unnamed = [...arrayOrEmpty(prefixItems), additionalProperties, ...Object.values(objectOrEmpty(patternProperties))];
  return [
    ...named.flatMap(([key, schema]) => (isObject(schema) ? [{ schema, path: isUnnamed ? path : [...path, key], isUnnamed }] : [])),
    ...unnamed.filter(isObject).map((schema) => ({ schema, path, isUnnamed: true })),
  ];
}

function isPersonalSchema(schema: Schema): boolean {
  if (!isObject(schema)) return false;
  // A response should not show a `writeOnly` member at all, such as a password.
  const isSecret = schema['writeOnly'] === true || schema['format'] === 'password' || markOfOtherDirection(schema) === 'writeOnly';
  return schema['x-personal'] === true || isSecret;
}
