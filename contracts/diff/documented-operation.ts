/**
 * Operations of an OpenAPI file: paths, webhooks and callbacks, with keys that match them between two versions. `compareOperations` lists
 * them once for each version.
 */

import type { SourceLocation } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Document, follow } from '../../core/openapi/document.ts';

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
  readonly place: SourceLocation;
  /** True for webhooks and callbacks: the server sends their requests, and clients receive them. */
  readonly isSentByServer: boolean;
}

/** All operations of a document by key, in file order. */
export function listDocumentedOperations(document: Document): ReadonlyMap<string, DocumentedOperation> {
  const direct = [
    ...itemsOf(document, document.root['paths']).flatMap(([path, item]) => operationsOf(document, path, item, false, '')),
    ...itemsOf(document, document.root['webhooks']).flatMap(([name, item]) => operationsOf(document, name, item, true, 'webhook ')),
  ];
  const all = [...direct, ...direct.flatMap((each) => callbacksOf(document, each))];
  return new Map(all.map((each) => [each.key, each]));
}

function itemsOf(document: Document, value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, entry]) => {
    const item = name.startsWith('x-') ? undefined : follow(document, entry);
    return isObject(item) ? [[name, item] as const] : [];
  });
}

function operationsOf(
  document: Document,
  path: string,
  item: JsonObject,
  isSentByServer: boolean,
  prefix: string,
): readonly DocumentedOperation[] {
  return methods.flatMap((method): readonly DocumentedOperation[] => {
    const value = item[method];
    if (!isObject(value)) return [];
    const name = `${prefix}${method.toUpperCase()} ${path}`;
    const key = `${prefix}${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
    return [{ key, name, method: method.toUpperCase(), path, pathItem: item, value, place: document.place(item, method), isSentByServer }];
  });
}

/** Callbacks of an operation. */
function callbacksOf(document: Document, operation: DocumentedOperation): readonly DocumentedOperation[] {
  return itemsOf(document, operation.value['callbacks']).flatMap(([name, callback]) =>
    itemsOf(document, callback).flatMap(([expression, item]) =>
      operationsOf(document, expression, item, !operation.isSentByServer, `${operation.name} callback ${name} `),
    ),
  );
}

/** An object with its reference resolved. */
export function resolveObject(document: Document, value: Json | undefined): JsonObject | undefined {
  const found = follow(document, value);
  return isObject(found) ? found : undefined;
}

/** Entries of a map with their references resolved. */
export function resolveEntries(document: Document, value: Json | undefined): ReadonlyMap<string, JsonObject> {
  return new Map(itemsOf(document, value));
}
