/**
 * Operations of an OpenAPI file: paths, webhooks and callbacks, with keys that match them between two versions. `compare-operations.ts` lists them once for
 * each version. `compare-request-body.ts`, `compare-responses.ts` and `compare-security.ts` resolve references of each operation; `compare-parameters.ts`,
 * `collect-differences.ts` and `build-witness-exchange.ts` take the type. It compares nothing, and needs no annotations.
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
  /** Parameters of the path and of the operation, with references resolved. */
  readonly parameters: readonly JsonObject[];
  readonly place: SourceLocation;
  /** True for webhooks, and for callbacks of ordinary operations: the server sends their requests, and clients receive them. */
  readonly isSentByServer: boolean;
}

/** All operations of a document by key, in file order. */
export function listDocumentedOperations(document: Document): ReadonlyMap<string, DocumentedOperation> {
  const direct = [
    ...itemsOf(document, document.root['paths']).flatMap(([path, item]) => operationsOfItem(document, path, item, false)),
    ...itemsOf(document, document.root['webhooks']).flatMap(([name, item]) => operationsOfItem(document, name, item, true, webhook)),
  ];
  const all = [...direct, ...direct.flatMap((each) => callbacksOf(document, each))];
  return new Map(all.map((each) => [each.key, each]));
}

/** Text before the method in a key and in a name. */
interface Prefix {
  readonly key: string;
  readonly name: string;
}

const webhook: Prefix = { key: 'webhook ', name: 'webhook ' };

function itemsOf(document: Document, value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, entry]) => {
    const item = name.startsWith('x-') ? undefined : follow(document, entry);
    return isObject(item) ? [[name, item] as const] : [];
  });
}

function operationsOfItem(
  document: Document,
  path: string,
  item: JsonObject,
  isSentByServer: boolean,
  prefix: Prefix = { key: '', name: '' },
): readonly DocumentedOperation[] {
  return methods.flatMap((method): readonly DocumentedOperation[] => {
    const value = item[method];
    if (!isObject(value)) return [];
    const verb = method.toUpperCase();
    const name = `${prefix.name}${verb} ${path}`;
    const key = `${prefix.key}${verb} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
    const lists = [item['parameters'], value['parameters']].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
    const parameters = lists.map((each) => resolveObject(document, each)).filter((each) => each !== undefined);
    const place = document.place(item, method);
    return [{ key, name, method: verb, path, pathItem: item, value, parameters, place, isSentByServer }];
  });
}

/** Callbacks of an operation. Callbacks inside callbacks are not listed. */
function callbacksOf(document: Document, operation: DocumentedOperation): readonly DocumentedOperation[] {
  return itemsOf(document, operation.value['callbacks']).flatMap(([name, callback]) =>
    itemsOf(document, callback).flatMap(([expression, item]) =>
      operationsOfItem(document, expression, item, !operation.isSentByServer, {
        key: `${operation.key} callback ${name} `,
        name: `${operation.name} callback ${name} `,
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
