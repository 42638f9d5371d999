/**
 * Edits a document with answered questions: a mutant of a contract is the same document with a few changed values. Whether the result is a valid contract is
 * checked when one is built from it.
 */

import { isArray, type Json, type JsonObject } from '../json.ts';
import { fromPointer } from '../pointer.ts';
import type { Document } from './document.ts';
import { createDocument, follow, rawOf } from './raw-document.ts';
import { copyOrigin } from './source-positions.ts';

/** One change at a JSON Pointer in a document with answered questions. `add` inserts a member into an object, or an element into an array (`-` for its end). */
export type Edit =
  | { readonly op: 'add' | 'replace'; readonly at: string; readonly value: Json }
  | { readonly op: 'remove'; readonly at: string };

/**
 * Returns a copy of a document with edits applied one after another. A pointer may lead through `$ref`. Then a copy of the referenced value is changed,
 * so that other references to it keep their meaning.
 * @throws {RangeError} if a pointer leads nowhere.
 */
export function editDocument(document: Document, edits: readonly Edit[]): Document {
  return edits.reduce((current, edit) => {
    const root = change(current, rawOf(current).root, fromPointer(edit.at), edit) as JsonObject;
    return createDocument(current.file, new Map(rawOf(current).files).set(current.file, root));
  }, document);
}

function change(document: Document, value: Json | undefined, keys: readonly string[], edit: Edit): Json {
  const holder = follow(document, value);
  const [key, ...furtherKeys] = keys;
  if (typeof holder !== 'object' || holder === null || key === undefined) throw missingTargetError(edit, key ?? '');
  if (furtherKeys.length === 0) return setMember(holder, key, edit);
  return copyOrigin(holder, putMember(holder, key, change(document, memberOf(holder, key, edit), furtherKeys, edit)));
}

type Holder = readonly Json[] | JsonObject;

function setMember(holder: Holder, key: string, edit: Edit): Json {
  if (edit.op === 'add') return copyOrigin(holder, isArray(holder) ? insert(holder, key, edit.value) : { ...holder, [key]: edit.value });
  memberOf(holder, key, edit);
  if (edit.op === 'replace') return copyOrigin(holder, putMember(holder, key, edit.value));
  if (isArray(holder)) return copyOrigin(holder, holder.toSpliced(Number(key), 1));
  return copyOrigin(holder, Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key)));
}

function insert(list: readonly Json[], key: string, value: Json): readonly Json[] {
  return list.toSpliced(key === '-' ? list.length : Number(key), 0, value);
}

function putMember(holder: Holder, key: string, value: Json): Holder {
  return isArray(holder) ? holder.with(Number(key), value) : { ...holder, [key]: value };
}

function memberOf(holder: Holder, key: string, edit: Edit): Json {
  const member = isArray(holder) ? holder[Number(key)] : Object.hasOwn(holder, key) ? holder[key] : undefined;
  if (member === undefined) throw missingTargetError(edit, key);
  return member;
}

function missingTargetError(edit: Edit, key: string): RangeError {
  return new RangeError(
    `the edit (${edit.op}) of ${edit.at} cannot be resolved: there is no ${key} to change; name a place of the closed document`,
  );
}
