/** The operations of an OpenAPI file with their parameters, including webhooks and callbacks, and their pairs in two versions. No annotations are needed. */

import type { SourceLocation } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { withoutExtensions } from '../../../core/openapi/member-meanings.ts';
import { follow, type RawDocument } from '../../../core/openapi/raw-document.ts';
import { isIgnoredHeader } from '../../../core/openapi/read-parameter.ts';
import { type EntryPair, pairEntries } from '../pair-renamed-entries.ts';
import { findMovedBase } from './server-paths.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** An operation of one document. */
export interface DocumentedOperation {
  /** Key for matching. Names of path parameters do not count: `GET /things/{}`. */
  readonly key: string;
  /** `GET /things/{id}`, as reports show it. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly value: JsonObject;
  /** Parameters of the path and of the operation by identity. A path parameter is identified by its position in the path, so a new name is no new parameter. */
  readonly parameters: ReadonlyMap<string, DocumentedParameter>;
  readonly place: SourceLocation;
  /** True for webhooks, and for callbacks of ordinary operations: the server sends their requests, and clients receive them. */
  readonly isSentByServer: boolean;
}

/** A parameter of one document. */
export interface DocumentedParameter {
  readonly in: string;
  readonly name: string;
  readonly value: JsonObject;
  /** The entry in the list of parameters: the parameter, or a reference to it. */
  readonly entry: JsonObject;
}

/** The operations of two documents in the order of the old file, then the added ones. Renamed ones have the same operationId, or the same content without one. */
export function pairOperations(old: RawDocument, next: RawDocument): readonly EntryPair<DocumentedOperation>[] {
  const base = findMovedBase(old.root, next.root);
  return [...pairEntries(listOperations(old, base?.old), listOperations(next, base?.new), identifyOperation)];
}

/** Identity of an operation under another path: its operationId, or its content without one. */
function identifyOperation({ value, isSentByServer }: DocumentedOperation): string {
  return `${String(isSentByServer)} ${typeof value['operationId'] === 'string' ? value['operationId'] : printJson(value)}`;
}

/** All operations of a document by key, in file order. Their keys begin with the base path. */
function listOperations(document: RawDocument, base = ''): ReadonlyMap<string, DocumentedOperation> {
  const direct = [
    ...itemsOf(document, withoutExtensions(document.root['paths'])).flatMap(([path, item]) =>
      operationsOfItem(document, path, item, false, { key: '', name: '', base }),
    ),
    ...itemsOf(document, document.root['webhooks']).flatMap(([name, item]) => operationsOfItem(document, name, item, true, webhook)),
  ];
  const all = [...direct, ...direct.flatMap((each) => callbacksOf(document, each))];
  return new Map(all.map((each) => [each.key, each]));
}

/** Text before the method in a key and in a name. */
interface Prefix {
  readonly key: string;
  readonly name: string;
  /** Path with which the path in the key begins. */
  readonly base: string;
}

const webhook: Prefix = { key: 'webhook ', name: 'webhook ', base: '' };

function itemsOf(document: Document, value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, entry]) => {
    const item = follow(document, entry);
    return isObject(item) ? [[name, item] as const] : [];
  });
}

function operationsOfItem(
  document: Document,
  path: string,
  item: JsonObject,
  isSentByServer: boolean,
  prefix: Prefix,
): readonly DocumentedOperation[] {
  return methods.flatMap((method): readonly DocumentedOperation[] => {
    const value = item[method];
    if (!isObject(value)) return [];
    const verb = method.toUpperCase();
    const name = `${prefix.name}${verb} ${path}`;
    // The braces of a callback hold an expression, not the name of a parameter.
    const key = `${prefix.key}${verb} ${prefix.key === '' ? `${prefix.base}${path}`.replaceAll(/\{[^}]*\}/g, '{}') : path}`;
    const parameters = listParameters(document, path, [item['parameters'], value['parameters']]);
    const place = document.place(item, method);
    return [{ key, name, method: verb, path, pathItem: item, value, parameters, place, isSentByServer }];
  });
}

function listParameters(document: Document, path: string, lists: readonly (Json | undefined)[]): ReadonlyMap<string, DocumentedParameter> {
  const namesInPath = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
  const entries = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  return new Map(
    entries.flatMap((entry): readonly (readonly [string, DocumentedParameter])[] => {
      const value = resolveObject(document, entry);
      if (value === undefined || !isObject(entry)) return [];
      const [place, name] = [String(value['in']), String(value['name'])];
      if (isIgnoredHeader({ in: place, name })) return [];
      const index = place === 'path' ? namesInPath.indexOf(name) : -1;
      const identity = index >= 0 ? `#${index}` : place === 'header' ? name.toLowerCase() : name;
      return [[`${place} ${identity}`, { in: place, name, value, entry }]];
    }),
  );
}

/** Callbacks of an operation. Callbacks inside callbacks are not listed. */
function callbacksOf(document: Document, operation: DocumentedOperation): readonly DocumentedOperation[] {
  return itemsOf(document, operation.value['callbacks']).flatMap(([name, callback]) =>
    itemsOf(document, withoutExtensions(callback)).flatMap(([expression, item]) =>
      operationsOfItem(document, expression, item, !operation.isSentByServer, {
        key: `${operation.key} callback ${name} `,
        name: `${operation.name} callback ${name} `,
        base: '',
      }),
    ),
  );
}

/** An object with its reference resolved. */
export function resolveObject(document: Document, value: Json | undefined): JsonObject | undefined {
  const target = follow(document, value);
  return isObject(target) ? target : undefined;
}

/** Entries of a map with their references resolved. */
export function resolveEntries(document: Document, value: Json | undefined): ReadonlyMap<string, JsonObject> {
  return new Map(itemsOf(document, value));
}
