/** What a contract states at a place of its file, and where. Pointers lead through references. */

import type { SourceLocation } from '../errors.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import type { Document } from './document.ts';
import type { Operation } from './operation.ts';
import { follow, rawOf, valueBehind } from './raw-document.ts';
import { isSchema, type Schema } from './schema-facts.ts';

/** True if a document states something at a pointer, and leaves no question open there. */
export function isStated(document: Document, pointer: string): boolean {
  return valueBehind(document, pointer) !== undefined && questionAt(document, pointer) === undefined;
}

/** The id of the open question at a pointer; `undefined` if there is none. */
export function questionAt(document: Document, pointer: string): string | undefined {
  const value = valueBehind(document, pointer);
  return isObject(value) && typeof value['unspecified'] === 'string' ? value['unspecified'] : undefined;
}

/** The schema at a pointer; `undefined` if there is none. */
export function schemaBehind(document: Document, pointer: string): Schema | undefined {
  const value = valueBehind(document, pointer);
  return isSchema(value) ? value : undefined;
}

/** The place of what stands at a pointer, or of its nearest parent that has one. */
export function placeOfClause(document: Document, pointer: string): SourceLocation {
  let value: Json | undefined = rawOf(document).root;
  let place = document.place(rawOf(document).root);
  for (const key of fromPointer(pointer)) {
    const holder = follow(document, value);
    if (typeof holder !== 'object' || holder === null || (holder as JsonObject)[key] === undefined) break;
    place = document.place(holder, key);
    value = (holder as JsonObject)[key];
  }
  return place;
}

/** The place of a member of an operation, such as `x-collection` and `page`, or of its nearest parent that the file has. */
export function placeInOperation({ document, pointer }: Operation, ...keys: readonly (string | number)[]): SourceLocation {
  return placeOfClause(document, `${pointer}${toPointer(keys)}`);
}

/** The place of the security requirement of an operation, its own or that of the whole file, or of a part of it. */
export function securityPlace(operation: Operation, ...keys: readonly (string | number)[]): SourceLocation {
  const isOwn = valueBehind(operation.document, `${operation.pointer}/security`) !== undefined;
  return placeOfClause(operation.document, `${isOwn ? operation.pointer : ''}${toPointer(['security', ...keys])}`);
}

/** The pointer to a parameter, in the operation or in its path. */
export function parameterPointer({ document, path, pointer }: Operation, name: string): string {
  const lists = [`${pointer}/parameters`, `${toPointer(['paths', path])}/parameters`];
  const entries = lists.flatMap((list) => arrayOrEmpty(valueBehind(document, list)).map((_, index) => `${list}/${index}`));
  return entries.find((entry) => valueBehind(document, `${entry}/name`) === name) ?? `${lists[1]}/-1`;
}

/** The templates of all paths of a file. */
export function pathTemplates(document: Document): readonly string[] {
  return Object.keys(objectOrEmpty(rawOf(document).root['paths']));
}
