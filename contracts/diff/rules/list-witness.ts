/** Witnesses of changed lists: both contracts are asked for the same list of the same records, until they answer differently. */

import type { Json } from '../../../core/json.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { type Arguments, createQuery, type Entry, type KindOf, type Query } from '../../../core/query.ts';
import type { Collection, Filter, OrderKey, Visibility } from '../../../core/rules.ts';
import type { ListOperation, Values } from '../../walk.ts';
import { isListPair, type ListPair, type Pair, pairOperations } from './pair.ts';
import { memoise, openPool, type Pool, putAt } from './pool.ts';
import { ask, refusalOf, valuesFor, witnessBy } from './request-witness.ts';
import { isSame, show } from './spot.ts';
import { nothingTried, type Search } from './word.ts';

/** Records, and the values to ask for them with. */
interface Trial {
  readonly values: Values;
  readonly records: readonly Entry[];
}

/** The rules of a list that its evaluator reads. */
type ListRules = Pick<Collection, 'key' | 'order' | 'filters' | 'visible'>;

/** What tells two contracts apart. */
interface Contest {
  /** What both are asked, in this order, until they answer differently. */
  readonly trials: (pool: Pool) => Iterable<Trial>;
  /** What changes of the rules: applied to those of the old contract, it shows what this change alone does. */
  readonly edit: (rules: ListRules) => ListRules;
  /** How values compare once this is changed, if that has changed with it. */
  readonly kindOf?: KindOf;
  /** What an answer is; the keys of the records unless said otherwise. */
  readonly answer?: (query: Query, records: readonly Entry[], values: Arguments, side: 'old' | 'next') => Json;
  /** The word that the answers differ by. */
  readonly keyword: string;
}

/** No search asks more often than this. */
const most = 20_000;

/** Looks for records that the two contracts answer differently, and would if nothing else had changed. */
function searchList(pair: ListPair, contest: Contest): Search {
  const pool = openPool(pair);
  if (pool === undefined) return nothingTried;
  const judge = createJudge(pair, contest);
  let tried = 0;
  for (const trial of contest.trials(pool)) {
    if (tried >= most) break;
    tried += 1;
    const witness = judge(trial, pool);
    if (witness !== undefined) return { tried, witness };
  }
  return { tried, witness: undefined };
}

type Judge = (trial: Trial, pool: Pool) => Search['witness'];

function createJudge(pair: ListPair, contest: Contest): Judge {
  const { old, next } = pair;
  const answer = contest.answer ?? ((query, records, values) => keysIn(query, records, values, old.operation.collection.key));
  const before = old.operation.collection.query;
  const alone = createQuery(contest.edit(old.operation.collection), contest.kindOf ?? old.operation.collection.kindOf);
  const after = createQuery(contest.edit(next.operation.collection), next.operation.collection.kindOf);
  // Many trials ask the same of other records.
  const asking = memoise((values: Values) => ask(pair, values));
  return ({ values, records }, pool) => {
    const asked = asking(values);
    if (asked === undefined) return undefined;
    const expected = answer(before, records, asked.old.values, 'old');
    if (isSame(expected, answer(alone, records, asked.old.values, 'next'))) return undefined;
    if (!records.every(pool.allows)) return undefined;
    const refused = refusalOf(asked.next);
    const actual = refused === undefined ? answer(after, records, asked.next.values, 'next') : null;
    if (isSame(expected, actual)) return undefined;
    const told = tell(old.operation, expected);
    const message =
      refused === undefined
        ? `the old contract answers with ${told}; the new one with ${tell(old.operation, actual)}`
        : `the old contract answers with ${told}; the new one refuses the request: ${refused.message}`;
    return witnessBy(asked, {
      refusedBy: refused === undefined ? undefined : 'new',
      keyword: contest.keyword,
      message,
      records: { given: records, before: expected, after: actual },
    });
  };
}

/** The keys of the records that a list shows, in its order. */
function keysIn(query: Query, records: readonly Entry[], values: Arguments, key: string): Json {
  const { records: shown } = query.page(query.sort(records), values, { skip: 0 }, Infinity);
  return shown.map((record) => valueAt(record, key) ?? null);
}

function tell({ collection }: ListOperation, answer: Json): string {
  if (!Array.isArray(answer)) return show(answer);
  const field = fromPointer(collection.key).at(-1) ?? 'record';
  const keys = (answer as readonly Json[]).map((key) => `${field} ${show(key)}`);
  return keys.join(', ') || 'no record';
}

/** Looks for a record that passes one of two filters and not the other; without a second one, for a record that does not pass the first. */
export function searchFilter(pair: ListPair, name: string, before: Filter | undefined, after: Filter | undefined): Search {
  return searchList(pair, {
    trials: (pool) => filterTrials(pair, name, [...new Set([...fieldsOf(before), ...fieldsOf(after)])], pool),
    edit: (rules) => withFilter(rules, name, after),
    keyword: `filters.${name}`,
  });
}

/** The fields that a filter looks at. */
function fieldsOf(filter: Filter | undefined): readonly string[] {
  if (filter === undefined) return [];
  return filter.operator === 'matches' ? filter.fields : [filter.field];
}

/** Every value that the parameter may have, with every value that one of the fields may have: the same value first. */
function* filterTrials(pair: ListPair, name: string, fields: readonly string[], pool: Pool): Generator<Trial> {
  const parameter = pair.old.operation.parameters.find(({ key }) => key === name);
  if (parameter === undefined) return;
  const seen = fields.flatMap((field) => pool.valuesAt(field));
  for (const value of valuesFor(pair.old.operation, parameter, seen)) {
    for (const field of fields) {
      for (const record of nearFirst(value, pool.valuesAt(field)).map((each) => putAt(pool.base, field, each))) {
        yield { values: { [name]: value }, records: [record] };
      }
    }
  }
}

/** The boundary is what most filters differ at. */
function nearFirst(value: Json, values: readonly Json[]): readonly Json[] {
  const isEqual = (each: Json): boolean => [value].flat().includes(each);
  return [...values.filter(isEqual), ...values.filter((each) => !isEqual(each))];
}

function withFilter(rules: ListRules, name: string, filter: Filter | undefined): ListRules {
  const others = [...rules.filters].filter(([each]) => each !== name);
  return { ...rules, filters: new Map(filter === undefined ? others : [...others, [name, filter]]) };
}

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

/** Looks for a record that is shown by one visibility and not by the other. Without a visibility, all are shown. */
export function searchVisible(pair: ListPair, before: Visibility | undefined, after: Visibility | undefined): Search {
  const fields = [...new Set([before, after].flatMap((visible) => visible?.field ?? []))];
  return searchList(pair, {
    trials: (pool) =>
      fields.flatMap((field) => pool.valuesAt(field).map((value) => ({ values: {}, records: [putAt(pool.base, field, value)] }))),
    edit: ({ visible: _visible, ...rules }) => (after === undefined ? rules : { ...rules, visible: after }),
    keyword: 'visible',
  });
}

/** Looks for a record and a filter by which a total of what passes differs from a total of all. */
export function searchTotal(pair: ListPair, before: Json | undefined, after: Json | undefined): Search {
  const counts = { old: before, next: after };
  const answer: Contest['answer'] = (query: Query, records, values, side) =>
    query.count(records, counts[side] === 'overall' ? new Map() : values);
  return searchList(pair, {
    trials: function* (pool) {
      for (const [name, filter] of pair.old.operation.collection.filters) yield* filterTrials(pair, name, fieldsOf(filter), pool);
    },
    edit: (rules) => rules,
    answer,
    keyword: 'page.counts',
  });
}

/** A request for one record more than the lower cap serves. */
export function searchCap(pair: ListPair, before: Json | undefined, after: Json | undefined): Search {
  const { limit } = pair.old.operation.collection.page;
  const wanted = typeof after === 'number' ? after + 1 : 1;
  const served = (cap: Json | undefined): number => Math.min(wanted, typeof cap === 'number' ? cap : wanted);
  const asked = ask(pair, { [limit]: wanted });
  if (asked === undefined || asked.next.problems.length > 0 || served(before) === served(after)) return { tried: 1, witness: undefined };
  const message = `the old contract answers with up to ${served(before)} records; the new one with up to ${served(after)}`;
  return { tried: 1, witness: witnessBy(asked, { value: wanted, refusedBy: undefined, keyword: 'page.cap', message }) };
}

/** Looks for a value that names a record by one field and another record, or none, by the other. */
export function searchLookup(pair: Pair, name: string, before: string | undefined, after: string | undefined): Search {
  const list = listOf(pair);
  const pool = list === undefined ? undefined : openPool(list);
  const parameter = pair.old.operation.parameters.find(({ key }) => key === name);
  if (list === undefined || pool === undefined || parameter === undefined || before === undefined || after === undefined)
    return nothingTried;
  let tried = 0;
  for (const value of valuesFor(pair.old.operation, parameter, [...pool.valuesAt(before), ...pool.valuesAt(after)])) {
    const asked = ask(pair, { [name]: value });
    const given = recordsFor(pool, value, before, after);
    tried += 1;
    if (asked === undefined || refusalOf(asked.next) !== undefined || given.length === 0) continue;
    const [old, next] = [lookUp(list, given, before, value), lookUp(list, given, after, value)];
    if (JSON.stringify(old) === JSON.stringify(next)) continue;
    const tellOne = (found: Json): string => (found === null ? 'with nothing' : `with ${tell(list.old.operation, [found])}`);
    const message = `the old contract answers ${tellOne(old)}; the new one ${tellOne(next)}`;
    const records = { given, before: old, after: next };
    return { tried, witness: witnessBy(asked, { refusedBy: undefined, keyword: `by.${name}`, message, records }) };
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
