/** Personal data: what the contract marks `x-personal` is not shown in what is printed or kept of an exchange. */

import type { Filter } from '../annotations/annotations.ts';
import { type Exchange, type HttpRequest, type HttpResponse, headerOf, splitTarget } from '../http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Document } from '../openapi/document.ts';
import { type Operation, type Route, routeTo } from '../openapi/operation.ts';
import { type Schema, schemasAt, schemasBelow } from '../openapi/schema.ts';
import { decodeOrKeep } from '../parameters/parameter-style.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import { maskText, type PersonalNode, personal } from './mask-text.ts';

/** Hides personal data in what a contract's operations were asked and answered. */
export interface Mask {
  /** The exchange as it may be shown: its body apart from personal values, and its query and path, stay as they were sent. */
  readonly mask: (exchange: Exchange) => Exchange;
  /** A record of an operation's list or single read as it may be shown. */
  readonly maskRecord: (operation: Operation, record: Json) => Json;
}

/**
 * Makes the mask of a contract. It hides personal fields in bodies, whatever the status, by every schema that the operation documents; in the query and
 * the path, it hides parameters that are compared with a personal field.
 */
export function createMask(contract: Contract): Mask {
  const { operations, closed, error } = contract;
  const plans = new Map<Operation | undefined, Plan>();
  const planFor = (operation: Operation | undefined): Plan => {
    const made = plans.get(operation);
    if (made !== undefined) return made;
    // Outside every operation an answer may still hold a record: there, fields that are personal in any operation are hidden by their names.
    const plan =
      operation === undefined
        ? { ...planOf(closed, operations, error === undefined ? [] : [error.schema]), hasPersonal: false }
        : planOf(operation.document, [operation]);
    plans.set(operation, plan);
    return plan;
  };
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

function planOf(document: Document, operations: readonly Operation[], shown?: readonly Schema[]): Plan {
  const bodies = operations.flatMap(bodySchemas);
  const records = operations.flatMap((operation) => recordSchemas(document, operation));
  const fields = listPersonalFields(document, bodies);
  const treeOf = (schemas: readonly Schema[]): PersonalNode => createPersonalTree(document, schemas, fields);
  return {
    body: treeOf(shown ?? bodies),
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

/** A free text is compared with several fields, of which one is enough. */
function personalParameters(document: Document, { collection, resource }: Operation, records: readonly Schema[]): readonly string[] {
  const isPersonal = (field: string): boolean => createPersonalTree(document, records, new Set()).descend(field).isPersonal;
  const filters: readonly (readonly [string, Filter])[] = [...(collection?.filters ?? [])];
  const filtering = filters.filter(([, filter]) => ('fields' in filter ? filter.fields : [filter.field]).some(isPersonal));
  const finding = [...(resource?.by ?? [])].filter(([, field]) => isPersonal(field));
  return [...filtering, ...finding].map(([name]) => name);
}

function maskBody({ body, headers }: HttpResponse, plan: Plan): string {
  if (body === '') return body;
  if (isJson(body)) return maskText(body, plan.body);
  if (!plan.hasPersonal) return body;
  const type = headerOf(headers, 'content-type') ?? 'no media type';
  return `‹${body.length} characters, ${type}, which may be personal›`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Text other than JSON has no fields, and the caller shows none of it.
    return false;
  }
}

function maskRequest(request: HttpRequest, route: Route, { parameters }: Plan): HttpRequest {
  const { path, query } = splitTarget(request.target);
  if (parameters.size === 0) return request;
  const shownPath = route.kind === 'operation' ? maskPath(path, route.operation.path, route.segments, parameters) : path;
  const shownQuery = query
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0] ?? '';
      return pair.includes('=') && parameters.has(decodeOrKeep(name)) ? `${name}=${personal}` : pair;
    })
    .join('&');
  return { ...request, target: request.target.includes('?') ? `${shownPath}?${shownQuery}` : shownPath };
}

function maskPath(path: string, template: string, segments: ReadonlyMap<string, string>, parameters: ReadonlySet<string>): string {
  if (![...segments.keys()].some((name) => parameters.has(name))) return path;
  return template.replace(/\{([^}]+)\}/g, (all, name: string) => (parameters.has(name) ? personal : (segments.get(name) ?? all)));
}

/** So many members of a place are found without looking at its schemas again. */
const childrenMost = 1000;

/** A member by its name and by that of the member that holds it, elements of arrays passed over: `owner phone`. */
type Field = string;

/**
 * The tree of places below these schemas, grown as bodies are read. A server may put a record where no schema speaks; there, fields that are personal
 * elsewhere are personal too if they are held by a member of the same name.
 */
export function createPersonalTree(document: Document, schemas: readonly Schema[], fields: ReadonlySet<Field>): PersonalNode {
  const grown = new Map<string, PersonalNode>();
  const numbers = new Map<Schema, number>();
  const numberOf = (schema: Schema): number => {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return number;
  };
  // Places with the same schemas share a node, so a recursive schema makes a finite tree.
  const grow = (here: readonly Schema[], holder: string, isMarked: boolean): PersonalNode => {
    const key = `${here.map(numberOf).join()} ${isMarked} ${holder}`;
    const node = grown.get(key) ?? createNode(here, holder, isMarked);
    grown.set(key, node);
    return node;
  };
  // Members are told apart where one of their fields is personal. Undocumented names share a place, so that the tree does not grow with them.
  const holders = new Set([...fields].map((field) => field.split(' ', 1)[0] ?? ''));
  const createNode = (here: readonly Schema[], holder: string, isMarked: boolean): PersonalNode => {
    const children = new Map<string, PersonalNode>();
    const names = new Set(
      here.flatMap((schema) => (isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [])),
    );
    const isOpen = here.some(
      (schema) => isObject(schema) && (schema['patternProperties'] !== undefined || isObject(schema['additionalProperties'])),
    );
    /** Members that a server makes up come by the ten thousand; of those no schema says anything. */
    const isMadeUp = (key: string): boolean =>
      !isOpen && !names.has(key) && !holders.has(key) && !/^\d/.test(key) && !fields.has(`${holder} ${key}`);
    const makeChild = (key: string, isMember: boolean): PersonalNode => {
      const below = schemasBelow(document, here, key);
      const isNamed = below.length === 0 && isMember && fields.has(`${holder} ${key}`);
      return grow(below, isMember ? (holders.has(key) ? key : ' ') : holder, isNamed);
    };
    const child = (key: string, isMember: boolean): PersonalNode => {
      if (isMember && isMadeUp(key)) return grow([], ' ', false);
      const name = `${isMember} ${key}`;
      const found = children.get(name) ?? makeChild(key, isMember);
      if (children.size < childrenMost) children.set(name, found);
      return found;
    };
    const node: PersonalNode = {
      isPersonal: isMarked || here.some(isPersonalSchema),
      child,
      descend: (pointer) => fromPointer(pointer).reduce((at, key) => at.child(key, true), node),
    };
    return node;
  };
  return grow(unique(schemas.flatMap((schema) => schemasAt(document, schema, ''))), '', false);
}

/** Every personal field below these schemas. */
function listPersonalFields(document: Document, schemas: readonly Schema[]): ReadonlySet<Field> {
  const fields = new Set<Field>();
  const seen = new Map<Schema, Set<string>>();
  const waiting: Below[] = schemas.map((schema) => ({ schema, holder: '' }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, holder } = next;
    const holders = seen.get(schema) ?? new Set();
    seen.set(schema, holders);
    if (holders.has(holder)) continue;
    holders.add(holder);
    const parts = schemasAt(document, schema, '').filter(isObject);
    const members = parts.flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : []));
    for (const [key] of members) if (schemasAt(document, schema, toPointer([key])).some(isPersonalSchema)) fields.add(`${holder} ${key}`);
    waiting.push(...members.flatMap(([key, member]) => toSchemas(member).map((below) => ({ schema: below, holder: key }))));
    waiting.push(...parts.flatMap(elementSchemas).map((below) => ({ schema: below, holder })));
  }
  return fields;
}

/** A schema and the name of the member that holds its instances. */
interface Below {
  readonly schema: Schema;
  readonly holder: string;
}

function isPersonalSchema(schema: Schema): boolean {
  return isObject(schema) && schema['x-personal'] === true;
}

/** Schemas of elements, and of members that have no names of their own. */
function elementSchemas(schema: JsonObject): readonly Schema[] {
  const { items, prefixItems, additionalProperties, patternProperties } = schema;
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  return [items, ...(Array.isArray(prefixItems) ? (prefixItems as readonly Json[]) : []), additionalProperties, ...patterns].flatMap(
    toSchemas,
  );
}

function toSchemas(value: Json | undefined): readonly Schema[] {
  return isObject(value) ? [value] : [];
}

function unique(schemas: readonly Schema[]): readonly Schema[] {
  return [...new Set(schemas)];
}
