/** JSON Pointer (RFC 6901): names a place in a body or in a file. Values are copied, never changed. */

import { isArray, isObject, type Json, type JsonObject, objectOrEmpty, printJson } from './json.ts';
import { memoize } from './memo.ts';

/**
 * Splits a pointer into its keys: `/data/page` gives `['data', 'page']`; `''`, the whole value, gives none. The same few pointers of a contract are followed
 * for every record, so the keys are cached.
 */
export const fromPointer: (pointer: string) => readonly string[] = memoize(
  (pointer) => (pointer === '' ? [] : pointer.slice(1).split('/').map(unescapeKey)),
  5000,
);

function unescapeKey(key: string): string {
  return key.includes('~') ? key.replaceAll('~1', '/').replaceAll('~0', '~') : key;
}

/** Joins keys into a pointer; the inverse of `fromPointer`. */
export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A pointer as people write a path: `data.orders[7].status` for `/data/orders/7/status`. */
export function showPointer(pointer: string): string {
  const steps = fromPointer(pointer).map((key) => {
    if (/^\d+$/.test(key)) return `[${key}]`;
    return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? `.${key}` : `[${printJson(key)}]`;
  });
  return steps.join('').replace(/^\./, '');
}

/** The value at a pointer, or `undefined` when the pointer leads nowhere. Inherited properties are not members. */
export function valueAt(value: Json | undefined, pointer: string): Json | undefined {
  let current = value;
  for (const key of fromPointer(pointer)) {
    current = memberOf(current, key);
    if (current === undefined) return undefined;
  }
  return current;
}

/** Copies a value with `member` at a pointer. Missing objects on the way are created; an object at the pointer is merged with an object `member`. */
export function withValueAt(value: Json | undefined, pointer: string, member: Json): Json {
  return put(value, fromPointer(pointer), 0, member);
}

/** Copies a value without the members at some pointers. Elements of arrays stay. */
export function withoutValuesAt(value: Json, pointers: readonly string[]): Json {
  return pointers.reduce((current, pointer) => remove(current, fromPointer(pointer)), value);
}

function remove(value: Json, [key = '', ...keysBelow]: readonly string[]): Json {
  const member = memberOf(value, key);
  if (member === undefined) return value;
  if (isArray(value)) return keysBelow.length === 0 ? value : value.with(Number(key), remove(member, keysBelow));
  const { [key]: _removed, ...others } = value as Record<string, Json>;
  return keysBelow.length === 0 ? others : { ...(value as JsonObject), [key]: remove(member, keysBelow) };
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function put(value: Json | undefined, keys: readonly string[], depth: number, member: Json): Json {
  const key = keys[depth];
  if (key === undefined) return isObject(value) && isObject(member) ? { ...value, ...member } : member;
  if (isArray(value) && memberOf(value, key) !== undefined)
    return value.map((each, index) => (index === Number(key) ? put(each, keys, depth + 1, member) : each));
  const object: JsonObject = objectOrEmpty(value);
  return { ...object, [key]: put(object[key], keys, depth + 1, member) };
}
