/** Witnesses of a changed order: two records that come in one order by the old contract and in the other by the new. */

import type { Json } from '../../../core/json.ts';
import type { OrderKey } from '../../../core/rules.ts';
import { searchList, type Trial } from './list-trial.ts';
import type { ListPair } from './pair.ts';
import { type Pool, putAt } from './pool.ts';
import type { Search } from './rule-change.ts';

/** Looks for two records that two orders sort differently. */
export function searchOrder(pair: ListPair, before: readonly OrderKey[], after: readonly OrderKey[]): Search {
  const { key } = pair.old.operation.collection;
  const fields = [...new Set([key, ...before.map(({ by }) => by), ...after.map(({ by }) => by)])];
  return searchList(pair, {
    trials: (pool) => orderTrials(fields, pool),
    edit: (rules) => ({ ...rules, order: after }),
    kindOf: pair.next.operation.collection.kindOf,
    keyword: 'order',
  });
}

/** So many values of each field are enough to be less, equal or more, in every way of comparing. */
const valuesMost = 4;

/** Two records with every combination of values in the fields that decide; the first field identifies them, so it differs. */
function* orderTrials([key = '', ...fields]: readonly string[], pool: Pool): Generator<Trial> {
  const [first, second] = pool.valuesAt(key);
  if (first === undefined || second === undefined) return;
  const pairs = combine(fields.map((field) => pool.valuesAt(field).slice(0, valuesMost)));
  for (const [left, right] of pairs) {
    const make = (identity: Json, values: readonly Json[]): Trial['records'][number] =>
      fields.reduce((record, field, index) => putAt(record, field, values[index] ?? null), putAt(pool.base, key, identity));
    yield { values: {}, records: [make(first, left), make(second, right)] };
  }
}

/** All pairs of lists with one value for each field: first those that differ in the fewest fields. */
function combine(values: readonly (readonly Json[])[]): readonly (readonly [readonly Json[], readonly Json[]])[] {
  let pairs: readonly { readonly left: readonly Json[]; readonly right: readonly Json[]; readonly unlike: number }[] = [
    { left: [], right: [], unlike: 0 },
  ];
  for (const each of values) {
    const couples = each.flatMap((left) => each.map((right) => ({ left, right })));
    pairs = pairs.flatMap((pair) =>
      couples.map(({ left, right }) => ({
        left: [...pair.left, left],
        right: [...pair.right, right],
        unlike: pair.unlike + (left === right ? 0 : 1),
      })),
    );
    if (pairs.length > combinationsMost) pairs = pairs.slice(0, combinationsMost);
  }
  return pairs.toSorted((left, right) => left.unlike - right.unlike).map(({ left, right }) => [left, right] as const);
}

const combinationsMost = 20_000;
