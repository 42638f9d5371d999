/** Records that are known to be hidden from the caller, because the operator said so. */

import { foldText } from '../core/fold.ts';
import { isObject, type Json } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import type { Visibility } from '../core/rules.ts';
import type { Lab } from './lab.ts';
import { isList, keyOf, type ListOperation } from './walk.ts';

/** A list of which some records are hidden. */
export type VisibleList = ListOperation & { readonly collection: { readonly visible: Visibility } };

/** Whether an operation lists records of which some are hidden. */
export function hidesRecords(operation: Operation): operation is VisibleList {
  return isList(operation) && operation.collection.visible !== undefined;
}

/** What is lacking where the operator names no hidden record. */
export const hiddenKeyMissing = 'the key of a record that is known to be hidden: --hidden KEY';

/** The hidden keys that are tried: as they were given, and no more than a run can afford. */
export function hiddenKeys(lab: Lab): readonly string[] {
  return lab.hidden.slice(0, lab.quick ? 1 : 3);
}

/** Whether a record says of itself that the caller may not see it. */
export function isHidden({ collection: { visible } }: VisibleList, record: Entry): boolean {
  const level = valueAt(record, visible.field);
  return level !== undefined && !visible.shown.includes(String(level));
}

/** Whether a record has one of the hidden keys. */
export function hasKey(operation: ListOperation, record: Entry, keys: readonly string[]): boolean {
  const key = keyOf(operation, record);
  return keys.some((each) => JSON.stringify(each) === key || each === key);
}

/** The names of all members of a value, at any depth. */
export function memberNames(value: Json | undefined): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set((value as readonly Json[]).flatMap((each) => [...memberNames(each)]));
  if (!isObject(value)) return new Set();
  return new Set(Object.entries(value).flatMap(([name, member]) => [name, ...memberNames(member)]));
}

/** The words of a text: runs of letters and digits, without accents, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [])];
}
