/** Equality of JSON values as JSON Schema defines it: key order is ignored, 1 equals 1.0, and 0 equals -0. */

import { isArray, isNumber, isObject, type Json, type JsonObject, printJson } from './json.ts';

/** True when two values are equal in JSON Schema. */
export function equal(left: Json, right: Json): boolean {
  if (left === right) return true;
  // 1e20 is a number, and 100000000000000000000 a bigint.
  if (isNumber(left)) return isNumber(right) && !(left < right || left > right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (isArray(left) || isArray(right)) return isArray(left) && isArray(right) && equalLists(left, right);
  return isObject(left) && isObject(right) && equalObjects(left, right);
}

function equalObjects(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(right, name) || !equal(left[name] as Json, right[name] as Json)) return false;
  }
  return true;
}

/** True if two values are equal, or both absent. */
export function isSameValue(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && equal(left, right));
}

/** Prints a value as a text that is the same exactly for equal values. */
export function canonicalText(value: Json): string {
  // 1e21 is a number, and equals a bigint.
  if (typeof value === 'number' && Math.abs(value) >= 1e21 && Number.isFinite(value)) return String(BigInt(value));
  if (typeof value !== 'object' || value === null) return printJson(value);
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const object = value as Readonly<Record<string, Json>>;
  const members = Object.keys(object)
    .sort()
    .map((name) => `${printJson(name)}:${canonicalText(object[name] as Json)}`);
  return `{${members.join(',')}}`;
}

function equalLists(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((member, index) => equal(member, right[index] as Json));
}
