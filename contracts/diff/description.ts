/** Operations as an OpenAPI file describes them, under names that survive renaming; and exchanges that show a value at one of them. */

import type { WitnessExchange } from '../../core/change.ts';
import { type Document, follow } from '../../core/document.ts';
import type { Place } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Evidence, Exposure } from './draft.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** One operation of one side. */
export interface Described {
  /** The same on both sides for the same operation: names of path parameters do not count. */
  readonly key: string;
  /** `GET /things/{id}`, as reports show it. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly item: JsonObject;
  readonly value: JsonObject;
  readonly place: Place;
  /** Webhooks and callbacks are sent by the server: what is a request there is received by clients. */
  readonly isSentByServer: boolean;
}

/** All operations of a document, in the order of the file. */
export function listDescribed(document: Document): ReadonlyMap<string, Described> {
  const found = [
    ...itemsOf(document, document.root['paths']).flatMap(([path, item]) => operationsOf(document, path, item, false, '')),
    ...itemsOf(document, document.root['webhooks']).flatMap(([name, item]) => operationsOf(document, name, item, true, 'webhook ')),
  ];
  const all = [...found, ...found.flatMap((each) => callbacksOf(document, each))];
  return new Map(all.map((each) => [each.key, each]));
}

function itemsOf(document: Document, value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, entry]) => {
    const item = name.startsWith('x-') ? undefined : follow(document, entry);
    return isObject(item) ? [[name, item] as const] : [];
  });
}

function operationsOf(document: Document, path: string, item: JsonObject, isSentByServer: boolean, prefix: string): readonly Described[] {
  return methods.flatMap((method): readonly Described[] => {
    const value = item[method];
    if (!isObject(value)) return [];
    const name = `${prefix}${method.toUpperCase()} ${path}`;
    const key = `${prefix}${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
    return [{ key, name, method: method.toUpperCase(), path, item, value, place: document.place(item, method), isSentByServer }];
  });
}

/** What an operation asks to be called back with. */
function callbacksOf(document: Document, operation: Described): readonly Described[] {
  return itemsOf(document, operation.value['callbacks']).flatMap(([name, callback]) =>
    itemsOf(document, callback).flatMap(([expression, item]) =>
      operationsOf(document, expression, item, !operation.isSentByServer, `${operation.name} callback ${name} `),
    ),
  );
}

/** The members of an object that a reference may stand for. */
export function resolved(document: Document, value: Json | undefined): JsonObject | undefined {
  const found = follow(document, value);
  return isObject(found) ? found : undefined;
}

/** The entries of a map whose values may be references. */
export function entriesOf(document: Document, value: Json | undefined): ReadonlyMap<string, JsonObject> {
  return new Map(itemsOf(document, value));
}

/** A request of the operation, its path parameters filled in. */
function requestOf(
  { item, value, method, path }: Described,
  filled: Readonly<Record<string, string>> = {},
): NonNullable<WitnessExchange['request']> {
  const target = path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => filled[name] ?? exampleOf(item, value, name));
  return { method, target, headers: {} };
}

/** A plausible text for a path parameter: the contract's own example, or one of its type. */
function exampleOf(item: JsonObject, operation: JsonObject, name: string): string {
  const lists = [item['parameters'], operation['parameters']].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const parameter = lists.find((each): each is JsonObject => isObject(each) && each['name'] === name && each['in'] === 'path');
  const schema: JsonObject = isObject(parameter?.['schema']) ? parameter['schema'] : {};
  const given =
    parameter?.['example'] ?? schema['example'] ?? schema['const'] ?? (Array.isArray(schema['enum']) ? schema['enum'][0] : undefined);
  if (given !== undefined) return encodeURIComponent(String(given));
  return schema['type'] === 'string' ? encodeURIComponent(name) : '1';
}

/** The request alone shows that the new contract refuses it: it has no such operation, or wants more of the request. */
export function refusedRequest(operation: Described, keyword: string, message: string, place: Place): Evidence {
  const exchange = { request: requestOf(operation) };
  return { verdict: 'witnessed', witness: { exchange, pointer: '', value: undefined, refusedBy: 'new', keyword, message, place } };
}

/** A value as a body: of the request, or of the answer with a status. Of what the server sends, requests and answers change places. */
export function exposeBody(operation: Described, type: string, status: string | undefined): Exposure {
  return (body) =>
    status === undefined
      ? { request: { ...requestOf(operation), headers: { 'content-type': type }, body } }
      : { request: requestOf(operation), response: { status, headers: { 'content-type': type }, body } };
}

/** A value as a parameter of the request. */
export function exposeParameter(operation: Described, parameter: { readonly in: string; readonly name: string }): Exposure {
  return (value) => {
    const text = write(value);
    const { in: place, name } = parameter;
    if (place === 'path') return { request: requestOf(operation, { [name]: encodeURIComponent(text) }) };
    const request = requestOf(operation);
    if (place === 'query')
      return { request: { ...request, target: `${request.target}?${encodeURIComponent(name)}=${encodeURIComponent(text)}` } };
    if (place === 'cookie') return { request: { ...request, headers: { cookie: `${name}=${text}` } } };
    return { request: { ...request, headers: { [name.toLowerCase()]: text } } };
  };
}

/** A value as a header of an answer. */
export function exposeHeader(operation: Described, status: string, name: string): Exposure {
  return (value) => ({ request: requestOf(operation), response: { status, headers: { [name.toLowerCase()]: write(value) } } });
}

const scalar = { anyOf: [{ type: ['boolean', 'number'] }, { type: 'string', minLength: 1 }] };

/** The schema of what can be written as a text that is read back as it was: no empty value, and no structure but a list. */
export const writable: JsonObject = { anyOf: [...scalar.anyOf, { type: 'array', minItems: 1, items: scalar }] };

/** A value as a text: lists by commas, as the customary styles of OpenAPI write them; what is deeper as JSON. */
export function write(value: Json): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) return value.map(String).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
