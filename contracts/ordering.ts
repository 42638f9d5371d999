/** The order of a list as it was shown: which neighbours are as the contract says, under each reading that it leaves open. */

import type { Contract } from '../core/contract.ts';
import { parseInstant } from '../core/instant.ts';
import type { Json } from '../core/json.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import type { Direction, OrderKey } from '../core/rules.ts';
import { isOpen } from './openness.ts';
import type { ListOperation } from './walk.ts';

/** How two neighbours stand to each other by the first key of the order, and by the second if the first is equal. */
export interface Neighbours {
  readonly first: Entry;
  readonly second: Entry;
  /** The key that tells them apart; `undefined` when none does. */
  readonly key: OrderKey | undefined;
  /** Which way it goes from the first to the second. */
  readonly direction: Direction | undefined;
  readonly index: number;
}

/** Whether the contract says in which order a list comes, be it without the direction of a key. */
export function isOrdered(contract: Contract, operation: ListOperation): boolean {
  return (
    !contract.questions.size ||
    ![...contract.questions.values()].some((question) => question.pointers.includes(`${operation.pointer}/x-collection/order`))
  );
}

/** Whether the direction of a key is left open. */
export function isDirectionOpen(contract: Contract, operation: ListOperation, index: number): boolean {
  return isOpen(contract, operation, `x-collection/order/${index}/direction`);
}

/** Compares two records by the keys of the order. */
export function compareNeighbours(operation: ListOperation, first: Entry, second: Entry): Neighbours {
  for (const [index, key] of operation.collection.order.entries()) {
    const kind = operation.collection.kindOf(key.by);
    const [left, right] = [toComparable(valueAt(first, key.by), kind), toComparable(valueAt(second, key.by), kind)];
    // What cannot be compared says nothing about the keys after it.
    if (left === undefined || right === undefined) break;
    if (left !== right) return { first, second, key, direction: left < right ? 'ascending' : 'descending', index };
  }
  return { first, second, key: undefined, direction: undefined, index: -1 };
}

function toComparable(value: Json | undefined, kind: string): bigint | number | string | undefined {
  if (kind === 'instant') return typeof value === 'string' ? parseInstant(value) : undefined;
  if (kind === 'number') return typeof value === 'number' ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Each two records that follow each other. */
export function neighboursIn(operation: ListOperation, records: readonly Entry[]): readonly Neighbours[] {
  return records.slice(1).flatMap((second, index) => {
    const first = records[index];
    return first === undefined ? [] : [compareNeighbours(operation, first, second)];
  });
}
