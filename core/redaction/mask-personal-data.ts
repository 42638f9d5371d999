/**
 * Masks personal data (`x-personal` in the contract). `check-response.ts`, `verify`, `pact verify`, the journal, comparisons of a client's records, the proxy
 * and recorded pacts mask values before they are printed or stored. `check-own-data.ts` hides values in its messages when a mock checks own data. Secrets such
 * as keys are the task of `redact-secrets.ts`.
 */

import type { Filter } from '../annotations/annotations.ts';
import { type Exchange, type HttpRequest, type HttpResponse, headerOf, splitTarget } from '../http/exchange.ts';
import { arrayOrEmpty, isObject, isTooDeep, type Json, type JsonObject, objectOrEmpty, readJson } from '../json.ts';
import { getOrCompute, memoize } from '../memo.ts';
import { type Schema, schemasAt, schemasBelow } from '../openapi/applicable-schemas-and-types.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Document } from '../openapi/document.ts';
import { replaceJsonValues } from '../openapi/json-parser.ts';
import type { Operation } from '../openapi/operation.ts';
import { type Route, routeTo } from '../openapi/route-request.ts';
import { decodeOrKeep } from '../parameters/query-string.ts';
import { fromPointer, toPointer } from '../pointer.ts';

/** Replacement of a personal value. */
export const personalPlaceholder: string = '‹personal›';

/** A place in a body, and the places below it. */
interface PersonalNode {
  /** True if the value at the place is personal. */
  readonly isPersonal: boolean;
  /** Returns the node of a member, or of an element by its index. */
  readonly child: (key: string, isMember: boolean) => PersonalNode;
  /** Returns the node at a JSON Pointer. */
  readonly descend: (pointer: string) => PersonalNode;
}

/** Masks personal data of one contract. */
export interface Mask {
  /** Returns an exchange with personal values in body, query and path replaced. Everything else stays as sent. */
  readonly mask: (exchange: Exchange) => Exchange;
  /** Returns a record of an operation's list or single read with personal values replaced. */
  readonly maskRecord: (operation: Operation, record: Json) => Json;
}

/**
 * Creates the mask of a contract. In bodies of any status, it masks the fields that are personal in any response schema of the operation. In query and
 * path, it masks parameters that are compared with a personal field.
 */
export function createMask(contract: Contract): Mask {
  const { operations, closed, error } = contract;
  const planFor = memoize((operation: Operation | undefined): Plan => {
    if (operation !== undefined) return planOf(operation.document, [operation]);
    // A response outside every operation may contain a record, so the personal fields of all operations are masked by name.
    return { ...planOf(closed, operations, error === undefined ? [] : [error.schema]), hasPersonal: false };
  });
  return {
    mask: (exchange) => {
      const { request, response } = exchange;
      const route = routeTo(operations, request.method, request.target);
      const plan = planFor(route.kind === 'operation' ? route.operation : undefined);
      return { request: maskRequest(request, route, plan), response: { ...response, body: maskBody(response, plan) } };
    },
    maskRecord: (operation, record) => JSON.parse(maskText(JSON.stringify(record), planFor(operation).record)) as Json,
  };
}

/** Personal fields of an operation. */
interface Plan {
  readonly body: PersonalNode;
  readonly record: PersonalNode;
  readonly hasPersonal: boolean;
  /** The names of parameters that are compared with a personal field. */
  readonly parameters: ReadonlySet<string>;
}

function planOf(document: Document, operations: readonly Operation[], shownSchemas?: readonly Schema[]): Plan {
  const bodies = operations.flatMap(bodySchemas);
  const records = operations.flatMap((operation) => recordSchemas(document, operation));
  const fields = listPersonalFields(document, bodies);
  const treeOf = (schemas: readonly Schema[]): PersonalNode => createPersonalTree(document, schemas, fields);
  return {
    body: treeOf(shownSchemas ?? bodies),
    record: treeOf(records),
    hasPersonal: fields.size > 0,
    parameters: new Set(operations.flatMap((operation) => personalParameters(document, operation, records))),
  };
}

function bodySchemas({ responses }: Operation): readonly Schema[] {
  return [...responses.values()].flatMap(({ content }) => [...content.values()].map(({ schema }) => schema));
}

function recordSchemas(document: Document, operation: Operation): readonly Schema[] {
  const { collection, resource } = operation;
  const places = [...(collection === undefined ? [] : [`${collection.items}/0`]), ...(resource === undefined ? [] : [resource.at])];
  return places.flatMap((place) => bodySchemas(operation).flatMap((schema) => schemasAt(document, schema, place)));
}

/** Lists the parameters that are compared with a personal field. For a text search, one personal field is enough. */
function personalParameters(document: Document, { collection, resource }: Operation, records: readonly Schema[]): readonly string[] {
  const isPersonal = (field: string): boolean => createPersonalTree(document, records, new Set()).descend(field).isPersonal;
  const filters: readonly (readonly [string, Filter])[] = [...(collection?.filters ?? [])];
  const filterParameters = filters.filter(([, filter]) => ('fields' in filter ? filter.fields : [filter.field]).some(isPersonal));
  const identifierParameters = [...(resource?.by ?? [])].filter(([, field]) => isPersonal(field));
  return [...filterParameters, ...identifierParameters].map(([name]) => name);
}

function maskBody({ body, headers }: HttpResponse, plan: Plan): string {
  if (body === '') return body;
  if (readJson(body) !== undefined) return maskText(body, plan.body);
  if (!plan.hasPersonal && !isTooDeep(body)) return body;
  const type = headerOf(headers, 'content-type') ?? 'no media type';
  return `‹${body.length} characters, ${type}, which may be personal›`;
}

/** Replaces each personal value of a JSON text, except `null`. All other characters stay, such as spaces and the digits of large numbers. */
function maskText(text: string, root: PersonalNode): string {
  return replaceJsonValues(text, (path) => {
    const node = path.reduce((parent: PersonalNode, key) => parent.child(String(key), typeof key === 'string'), root);
    return node.isPersonal ? JSON.stringify(personalPlaceholder) : undefined;
  });
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

/** Limit of cached members of a place. */
const maxChildren = 1000;

/** A member as `PARENT NAME`, such as `owner phone`. The parent is the enclosing member; arrays between them do not count. */
type Field = string;

/**
 * Creates the tree of places below schemas; it grows while bodies are read. A server may send a record where no schema describes it. There, a member is
 * personal if `fields` contains it.
 */
export function createPersonalTree(document: Document, schemas: readonly Schema[], fields: ReadonlySet<Field>): PersonalNode {
  const nodes = new Map<string, PersonalNode>();
  const numbers = new Map<Schema, number>();
  const numberOf = (schema: Schema): number => {
    return getOrCompute(numbers, schema, () => numbers.size);
  };
  // Places with the same schemas share a node, so a recursive schema makes a finite tree.
  const nodeFor = (schemasHere: readonly Schema[], parentName: string, isMarked: boolean): PersonalNode => {
    const key = `${schemasHere.map(numberOf).join()} ${isMarked} ${parentName}`;
    return getOrCompute(nodes, key, () => createNode(schemasHere, parentName, isMarked));
  };
  // Only parents of personal fields have nodes of their own. Other undocumented members share a node, so that the tree stays small.
  const personalParents = new Set([...fields].map((field) => field.split(' ', 1)[0] ?? ''));
  const createNode = (schemasHere: readonly Schema[], parentName: string, isMarked: boolean): PersonalNode => {
    const children = new Map<string, PersonalNode>();
    const names = new Set(schemasHere.flatMap((schema) => (isObject(schema) ? Object.keys(objectOrEmpty(schema['properties'])) : [])));
    const allowsOtherMembers = schemasHere.some(
      (schema) => isObject(schema) && (schema['patternProperties'] !== undefined || isObject(schema['additionalProperties'])),
    );
    // A server may send thousands of members that no schema describes.
    const isUndocumented = (key: string): boolean =>
      !allowsOtherMembers && !names.has(key) && !personalParents.has(key) && !/^\d/.test(key) && !fields.has(`${parentName} ${key}`);
    const makeChild = (key: string, isMember: boolean): PersonalNode => {
      const memberSchemas = schemasBelow(document, schemasHere, key);
      const hasPersonalName = memberSchemas.length === 0 && isMember && fields.has(`${parentName} ${key}`);
      return nodeFor(memberSchemas, isMember ? (personalParents.has(key) ? key : ' ') : parentName, hasPersonalName);
    };
    const child = (key: string, isMember: boolean): PersonalNode => {
      if (isMember && isUndocumented(key)) return nodeFor([], ' ', false);
      const name = `${isMember} ${key}`;
      const childNode = children.get(name) ?? makeChild(key, isMember);
      if (children.size < maxChildren) children.set(name, childNode);
      return childNode;
    };
    const node: PersonalNode = {
      isPersonal: isMarked || schemasHere.some(isPersonalSchema),
      child,
      descend: (pointer) => fromPointer(pointer).reduce((current, key) => current.child(key, true), node),
    };
    return node;
  };
  return nodeFor(unique(schemas.flatMap((schema) => schemasAt(document, schema, ''))), '', false);
}

/** Lists the personal fields below schemas. */
function listPersonalFields(document: Document, schemas: readonly Schema[]): ReadonlySet<Field> {
  const fields = new Set<Field>();
  const visitedHolders = new Map<Schema, Set<string>>();
  const pending: HeldSchema[] = schemas.map((schema) => ({ schema, holder: '' }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema, holder } = next;
    const visited = getOrCompute(visitedHolders, schema, () => new Set());
    if (visited.has(holder)) continue;
    visited.add(holder);
    const parts = schemasAt(document, schema, '').filter(isObject);
    const members = parts.flatMap(({ properties }) => Object.entries(objectOrEmpty(properties)));
    for (const [key] of members) if (schemasAt(document, schema, toPointer([key])).some(isPersonalSchema)) fields.add(`${holder} ${key}`);
    pending.push(...members.flatMap(([key, member]) => toSchemas(member).map((below) => ({ schema: below, holder: key }))));
    pending.push(...parts.flatMap(elementSchemas).map((below) => ({ schema: below, holder })));
  }
  return fields;
}

/** A schema and the name of the member that holds its instances. */
interface HeldSchema {
  readonly schema: Schema;
  readonly holder: string;
}

function isPersonalSchema(schema: Schema): boolean {
  return isObject(schema) && schema['x-personal'] === true;
}

/** Lists the schemas of array elements and of members that the schema does not name. */
function elementSchemas(schema: JsonObject): readonly Schema[] {
  const { items, prefixItems, additionalProperties, patternProperties } = schema;
  const patterns = Object.values(objectOrEmpty(patternProperties));
  return [items, ...arrayOrEmpty(prefixItems), additionalProperties, ...patterns].flatMap(toSchemas);
}

function toSchemas(value: Json | undefined): readonly Schema[] {
  return isObject(value) ? [value] : [];
}

function unique(schemas: readonly Schema[]): readonly Schema[] {
  return [...new Set(schemas)];
}
