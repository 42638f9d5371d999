/** What an OpenAPI file of any version describes, as far as it is compared: operations, callbacks and webhooks, by names that survive renaming. */

import { type Document, follow } from '../../core/document.ts';
import type { Place } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';

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

/** An operation on both sides. */
export interface OperationPair {
  readonly old: Described;
  readonly new: Described;
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
