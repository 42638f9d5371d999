/** Whether values keep the rules of their operation: a range that is upside down is refused, and shows nothing of its filters. */

import type { Json } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';

/** Whether ordered parameters are in order. */
export function isInOrder(operation: Operation, values: Readonly<Record<string, Json>>): boolean {
  return operation.rules.every((rule) => {
    if (rule.rule !== 'ordered') return true;
    const given = rule.parameters.map((name) => values[name]).filter((value) => value !== undefined);
    return given.every((value, index) => index === 0 || compare(given[index - 1] ?? null, value) <= 0);
  });
}

function compare(left: Json, right: Json): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (String(left) === String(right)) return 0;
  return String(left) < String(right) ? -1 : 1;
}
