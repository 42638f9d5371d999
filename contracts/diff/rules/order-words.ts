/** The order of a list: which fields decide it, in which direction, and what breaks ties. */

import { isObject, type Json } from '../../../core/json.ts';
import type { KindOf } from '../../../core/query.ts';
import type { OrderKey } from '../../../core/rules.ts';
import { rule, toList } from './judge.ts';
import { groundOf } from './list-words.ts';
import { searchOrder } from './order-witness.ts';
import { isListPair, type Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { show } from './spot.ts';
import { compareWord, type Ruling } from './word.ts';

/** Compares the order of a list. */
export function compareOrder(pair: Pair): readonly Finding[] {
  if (!isListPair(pair)) return [];
  const { old, next } = pair;
  return compareWord(groundOf(pair), {
    group: 'list',
    key: 'order',
    keys: ['x-collection', 'order'],
    noun: 'the order of the records',
    direction: 'response',
    isDerived: true,
    print: printOrder,
    judge: (before, after) => judgeOrder(keysOf(before, old.operation.collection.kindOf), keysOf(after, next.operation.collection.kindOf)),
    search: (before, after) => searchOrder(pair, toOrder(before), toOrder(after)),
  });
}

/** An order as people write it: `/at descending, /id ascending`. */
function printOrder(value: Json | undefined): string {
  if (!Array.isArray(value)) return show(value);
  const keys = (value as readonly Json[]).filter(isObject);
  return keys.map((key) => `${show(key['by'])} ${show(key['direction'])}`).join(', ');
}

/** A closed order. */
export function toOrder(value: Json | undefined): readonly OrderKey[] {
  return toList(value) as unknown as readonly OrderKey[];
}

/** A key of an order with the comparison that the schema of its field asks for. */
interface ComparedKey extends OrderKey {
  readonly as: ReturnType<KindOf>;
}

function keysOf(value: Json | undefined, kindOf: KindOf): readonly ComparedKey[] {
  return toOrder(value).map(({ by, direction }) => ({ by, direction, as: kindOf(by) }));
}

const jumbled = 'Clients that show the list as it comes, or stop at the first record they know, go wrong.';

function judgeOrder(before: readonly ComparedKey[], after: readonly ComparedKey[]): Ruling | undefined {
  const isSameKey = (left: ComparedKey, right: ComparedKey | undefined): boolean =>
    left.by === right?.by && left.direction === right.direction;
  const isPrefix = (left: readonly ComparedKey[], right: readonly ComparedKey[]): boolean =>
    left.every((key, index) => isSameKey(key, right[index]));
  const other = before.findIndex((key, index) => isSameKey(key, after[index]) && key.as !== after[index]?.as);
  const [was, is] = [before[other], after[other]];
  if (was !== undefined && is !== undefined && (isPrefix(before, after) || isPrefix(after, before))) {
    const text = `the order compares ${is.by} as ${is.as} instead of ${was.as}`;
    return { ...rule('order-comparison-changed', ['breaking', jumbled]), text };
  }
  if (isPrefix(before, after)) {
    if (before.length === after.length) return undefined;
    return rule('tie-break-added', ['compatible', 'What was sorted before is sorted in the same way; only ties are decided now.']);
  }
  if (isPrefix(after, before)) {
    return rule('tie-break-removed', [
      'breaking',
      'Records that are equal in the fields that are left come in any order, and not always in the same.',
    ]);
  }
  return rule('order-changed', ['breaking', jumbled]);
}
