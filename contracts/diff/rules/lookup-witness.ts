/** Witnesses of another field that a record is named by: two records, and a value that names the one before and the other now. */

import type { Json } from '../../../core/json.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { createQuery, type Entry } from '../../../core/query.ts';
import { ask, refusalOf, toExchange, valuesFor } from './asking.ts';
import { isListPair, type ListPair, type Pair, pairOperations } from './pair.ts';
import { openPool, type Pool, putAt } from './pool.ts';
import type { Search } from './rule-change.ts';
import { show } from './spot.ts';

/** Looks for a value that names a record by one field and another record, or none, by the other. */
export function searchLookup(pair: Pair, name: string, before: string | undefined, after: string | undefined): Search {
  const list = listOf(pair);
  const pool = list === undefined ? undefined : openPool(list);
  const parameter = pair.old.operation.parameters.find(({ key }) => key === name);
  if (list === undefined || pool === undefined || parameter === undefined || before === undefined || after === undefined) {
    return { tried: 0, witness: undefined };
  }
  let tried = 0;
  for (const value of valuesFor(pair.old.operation, parameter, [...pool.valuesAt(before), ...pool.valuesAt(after)])) {
    const asked = ask(pair, { [name]: value });
    const given = recordsFor(pool, value, before, after);
    tried += 1;
    if (asked === undefined || refusalOf(asked.next) !== undefined || given.length === 0) continue;
    const find = (field: string): Json => lookUp(list, given, field, value);
    if (JSON.stringify(find(before)) === JSON.stringify(find(after))) continue;
    return { tried, witness: witnessOf(list, asked, given, name, [find(before), find(after)]) };
  }
  return { tried, witness: undefined };
}

/** The list that shows the records which the single read reads. */
function listOf({ old, next }: Pair): ListPair | undefined {
  return pairOperations(old.contract, next.contract)
    .filter(isListPair)
    .find((each) => each.old.operation.collection.name === old.operation.resource?.name);
}

/** A record with the value in the old field, and one with it in the new field. */
function recordsFor(pool: Pool, value: Json, before: string, after: string): readonly Entry[] {
  const others = (field: string): readonly Json[] => pool.valuesAt(field).filter((each) => String(each) !== String(value));
  const [otherBefore, otherAfter] = [others(before)[0], others(after)[0]];
  if (otherBefore === undefined || otherAfter === undefined) return [];
  const first = putAt(putAt(pool.base, before, value), after, otherAfter);
  const second = putAt(putAt(pool.base, before, otherBefore), after, value);
  return [first, second].filter(pool.allows);
}

function lookUp({ old }: ListPair, records: readonly Entry[], field: string, value: Json): Json {
  const { key, kindOf } = old.operation.collection;
  const filter = { operator: 'equals', field, as: undefined } as const;
  const query = createQuery({ key, order: [], filters: new Map([['it', filter]]) }, kindOf);
  const found = records.find((record) => query.matches(record, new Map([['it', value]])));
  return found === undefined ? null : (valueAt(found, key) ?? null);
}

function witnessOf(
  { old }: ListPair,
  asked: NonNullable<ReturnType<typeof ask>>,
  given: readonly Entry[],
  name: string,
  [before, after]: readonly [Json, Json],
): Search['witness'] {
  const field = fromPointer(old.operation.collection.key).at(-1) ?? 'record';
  const tell = (found: Json): string => (found === null ? 'with nothing' : `with ${field} ${show(found)}`);
  return {
    exchange: toExchange(asked.request),
    pointer: '',
    value: undefined,
    refusedBy: undefined,
    keyword: `by.${name}`,
    message: `the old contract answers ${tell(before)}; the new one ${tell(after)}`,
    place: undefined,
    records: { given, before, after },
  };
}
