/**
 * Compares one record in two replies: each member of the first must equal that of the second. The detail, identifier, sync and watch rules call it, and
 * so does `pact verify`. Further members of the second record are ignored.
 */

import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { schemaOfSuccess } from '../../../core/openapi/read-operations.ts';
import { schemasAt } from '../../../core/openapi/schema.ts';
import { toPointer } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';

/** A member that two replies show with different values. */
export interface Disagreement {
  /** JSON Pointer into the record. */
  readonly at: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/**
 * The members of the left value that the right one lacks or has with another value. `null` equals a missing member, and instants may have different UTC
 * offsets. Further members of the right value are ignored.
 */
export function disagreements(
  left: Json | undefined,
  right: Json | undefined,
  keys: readonly (string | number)[] = [],
): readonly Disagreement[] {
  if (isSame(left, right)) return [];
  if (isObject(left) && isObject(right))
    return Object.entries(left).flatMap(([name, value]) =>
      disagreements(value, Object.hasOwn(right, name) ? right[name] : undefined, [...keys, name]),
    );
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length)
    return (left as readonly Json[]).flatMap((value, index) => disagreements(value, (right as readonly Json[])[index], [...keys, index]));
  return [{ at: toPointer(keys), left, right }];
}

function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if ((left ?? null) === (right ?? null)) return true;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const moment = parseInstant(left);
  return moment !== undefined && moment === parseInstant(right);
}

/** True when the contract documents a member of a list's records. Others may mean anything. */
export function isDocumented(contract: Contract, { collection, responses }: ListOperation, at: string): boolean {
  return schemasAt(contract.closed, schemaOfSuccess(responses) ?? true, `${collection.items}/0${at}`).length > 0;
}
