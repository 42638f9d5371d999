/** Parameters that must come in an order, such as the two ends of a range. */

import { parseInstant } from '../../core/instant.ts';
import type { Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { isSendable } from './parameter-values.ts';

/** Values by parameter. */
export type Values = ReadonlyMap<string, Json>;

/** Deals the values of ordered parameters out again so that they are in order; all the same when `isTie`. What does not fit stays as it is. */
export function putInOrder(operation: Operation, values: Values, isTie: boolean): Values {
  let result = values;
  for (const { rule, parameters } of operation.rules) {
    if (rule !== 'ordered') continue;
    const names = parameters.filter((name) => result.has(name));
    const sorted = names.map((name) => result.get(name) ?? null).toSorted(compare);
    const equal = sorted.map(() => sorted[0] ?? null);
    result = (isTie ? deal(operation, result, names, equal) : undefined) ?? deal(operation, result, names, sorted) ?? result;
  }
  return result;
}

/** Deals the values of two ordered parameters out the wrong way round; `undefined` when they are equal or do not fit. */
export function putOutOfOrder(operation: Operation, values: Values, names: readonly [string, string]): Values | undefined {
  const [low, high] = names.map((name) => values.get(name) ?? null).toSorted(compare);
  if (low === undefined || high === undefined || compare(low, high) === 0) return undefined;
  return deal(operation, values, names, [high, low]);
}

function deal(operation: Operation, values: Values, names: readonly string[], dealt: readonly Json[]): Values | undefined {
  const result = new Map(values);
  for (const [index, name] of names.entries()) {
    const parameter = operation.parameters.find((each) => each.key === name);
    const value = dealt[index] ?? null;
    if (parameter === undefined || !isSendable(parameter, value)) return undefined;
    result.set(name, value);
  }
  return result;
}

/** Instants compare as instants, numbers as numbers, and all else as text, as the contract's rules do. */
function compare(left: Json, right: Json): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [first, second] = [parseInstant(String(left)), parseInstant(String(right))];
  if (first !== undefined && second !== undefined) return first < second ? -1 : Number(first > second);
  return String(left) < String(right) ? -1 : Number(String(left) > String(right));
}
