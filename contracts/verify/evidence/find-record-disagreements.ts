/** Compares a record as one reply shows it with the same record in another reply. Which of the two is right is left to the rules. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { schemaOfSuccess } from '../../../core/openapi/operation.ts';
import { schemasAt } from '../../../core/openapi/schema-facts.ts';
import { toPointer } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instants.ts';

/** A member that two replies show with different values. */
export interface Disagreement {
  /** JSON Pointer into the record. */
  readonly at: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

/**
 * The members of the expected value that the actual one lacks or has with another value. `null` equals a missing member, and instants may have different
 * UTC offsets. Further members of the actual value are ignored.
 */
export function findDisagreements(
  expected: Json | undefined,
  actual: Json | undefined,
  keys: readonly (string | number)[] = [],
): readonly Disagreement[] {
  if (isSame(expected, actual)) return [];
  if (isObject(expected) && isObject(actual))
    return Object.entries(expected).flatMap(([name, value]) =>
      findDisagreements(value, Object.hasOwn(actual, name) ? actual[name] : undefined, [...keys, name]),
    );
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return (expected as readonly Json[]).flatMap((value, index) => findDisagreements(value, actual[index] as Json, [...keys, index]));
  return [{ at: toPointer(keys), expected, actual }];
}

function isSame(expected: Json | undefined, actual: Json | undefined): boolean {
  if ((expected ?? null) === (actual ?? null)) return true;
  if (typeof expected !== 'string' || typeof actual !== 'string') return false;
  const instant = parseInstant(expected);
  return instant !== undefined && instant === parseInstant(actual);
}

/** True when the contract documents a member of a list's records. Undocumented members may mean anything. */
export function isDocumented(contract: Contract, { collection, responses }: ListOperation, at: string): boolean {
  return schemasAt(contract.closed, schemaOfSuccess(responses) ?? true, `${collection.items}/0${at}`).length > 0;
}

/** The pointer to a record in the body that it was taken from. */
export function placeOf(body: Json | undefined, record: JsonObject): string | undefined {
  if (body === record) return '';
  if (body === undefined || body === null || typeof body !== 'object') return undefined;
  for (const [name, member] of Object.entries(body)) {
    const below = placeOf(member as Json, record);
    if (below !== undefined) return `${toPointer([name])}${below}`;
  }
  return undefined;
}

/** True for a record with most of the members of another one. */
export function isAlike(record: Json | undefined, other: JsonObject): boolean {
  if (!isObject(record)) return false;
  const names = Object.keys(other);
  return names.length > 1 && names.filter((name) => record[name] !== undefined).length * 2 > names.length;
}
