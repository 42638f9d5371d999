/**
 * Witnesses for changed annotations of lists and single reads: evaluates a request over the same records under both contracts until the results differ.
 * Nothing is sent.
 */

import type { Collection, Filter, OrderKey, Visibility } from '../../../core/annotations/annotations.ts';
import type { Json } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { type ComparisonKindOf, createQuery, type DataRecord, type FilterArguments, type Query } from '../../../core/query/query.ts';
import type { ChangeWitness } from '../../../core/results/diff-result.ts';
import type { ParameterValues } from '../../verify/evidence/record-keys-and-filters.ts';
import {
  type AnnotatedOperationPair,
  isListOperationPair,
  type ListOperationPair,
  pairAnnotatedOperations,
} from '../annotations/annotated-operation-pair.ts';
import { printAnnotation } from '../annotations/located-value.ts';
import { type CandidateRecords, candidateRecords, memoizeByText, parameterValues, withField } from './annotation-candidates.ts';
import { readByBoth, refusalOf, toWitness } from './find-request-annotation-witness.ts';
import { outcomeOf, type SearchOutcome, unwitnessed } from './search-outcome.ts';

/** Records, and the parameter values of a request. */
interface ListTrial {
  readonly values: ParameterValues;
  readonly records: readonly DataRecord[];
}

/** The parts of a list annotation that the evaluator reads. */
type ListRules = Pick<Collection, 'key' | 'order' | 'filters' | 'visible'>;

/** The queries of both contracts, and that of the old one with the searched change alone. */
interface ComparedQueries {
  readonly old: Query;
  readonly oldWithChange: Query;
  readonly new: Query;
}

/** Plan of a search: trials that can show the effect of one change, and the compared queries. */
interface ListExperiment {
  /** Trials in order, the most promising first. */
  readonly trials: (candidates: CandidateRecords) => Iterable<ListTrial>;
  readonly queries: ComparedQueries;
  /** The single read that is asked for the records; the list by default. */
  readonly singleRead?: AnnotatedOperationPair;
  /** The compared result; by default the keys of the returned records. */
  readonly answer?: (query: Query, records: readonly DataRecord[], values: FilterArguments, side: 'old' | 'new') => Json;
  /** The annotation keyword that changed. */
  readonly keyword: string;
}

/** Limit of trials for each search. */
const trialsMax = 20_000;

/** Searches for records with different results under both contracts, caused by this change alone. */
function runExperiment(pair: ListOperationPair, experiment: ListExperiment): SearchOutcome {
  const candidates = candidateRecords(pair);
  if (candidates === undefined) return unwitnessed;
  const tryTrial = createTrialRunner(pair, experiment);
  let tried = 0;
  for (const trial of experiment.trials(candidates)) {
    if (tried >= trialsMax) break;
    tried += 1;
    const witness = tryTrial(trial, candidates);
    if (witness !== undefined) return outcomeOf(witness);
  }
  return unwitnessed;
}

type TryTrial = (trial: ListTrial, candidates: CandidateRecords) => ChangeWitness | undefined;

function createTrialRunner(pair: ListOperationPair, experiment: ListExperiment): TryTrial {
  const { operation } = pair.old;
  const { queries, keyword, singleRead: asked = pair } = experiment;
  const answer = experiment.answer ?? ((query, records, values) => returnedKeys(query, records, values, operation.collection.key));
  // Many trials repeat a request with other records.
  const readRequest = memoizeByText((values: ParameterValues) => readByBoth(asked, values));
  return ({ values, records }, candidates) => {
    const readings = readRequest(values);
    if (readings === undefined) return undefined;
    const expected = answer(queries.old, records, readings.old.values, 'old');
    if (isSameValue(expected, answer(queries.oldWithChange, records, readings.old.values, 'new'))) return undefined;
    if (!records.every(candidates.allows)) return undefined;
    const refused = refusalOf(readings.new);
    const actual = refused === undefined ? answer(queries.new, records, readings.new.values, 'new') : null;
    if (isSameValue(expected, actual)) return undefined;
    const expectedText = describeResult(operation, expected);
    const message =
      refused === undefined
        ? `the old contract returns ${expectedText}; the new one returns ${describeResult(operation, actual)}`
        : `the old contract returns ${expectedText}; the new one rejects the request: ${refused.message}`;
    return toWitness(asked.old, readings, {
      refusedBy: refused === undefined ? undefined : 'new',
      keyword,
      message,
      records: { given: records, before: expected, after: actual },
    });
  };
}

/** The queries of a list. `edit` applies the searched change to the rules of a contract, and `kindOf` compares values after it. */
function queriesWith(
  { old, new: next }: ListOperationPair,
  edit: (rules: ListRules) => ListRules,
  kindOf: ComparisonKindOf = old.operation.collection.kindOf,
): ComparedQueries {
  const { collection } = old.operation;
  return {
    old: collection.query,
    oldWithChange: createQuery(edit(collection), kindOf),
    new: createQuery(edit(next.operation.collection), next.operation.collection.kindOf),
  };
}

/** Keys of the records that a list returns, in order. */
function returnedKeys(query: Query, records: readonly DataRecord[], values: FilterArguments, key: string): Json {
  const { records: shown } = query.page(query.sort(records), values, { skip: 0 }, Infinity);
  return shown.map((record) => valueAt(record, key) ?? null);
}

function describeResult({ collection }: ListOperation, answer: Json): string {
  if (!Array.isArray(answer)) return printAnnotation(answer);
  const field = fromPointer(collection.key).at(-1) ?? 'record';
  const keys = (answer as readonly Json[]).map((key) => `${field} ${printAnnotation(key)}`);
  return keys.join(', ') || 'no record';
}

/** Searches for a record that passes only one of two filters; without a second filter, for a record that the first one excludes. */
export function findFilterWitness(
  pair: ListOperationPair,
  name: string,
  before: Filter | undefined,
  after: Filter | undefined,
): SearchOutcome {
  return runExperiment(pair, {
    trials: (candidates) => filterTrials(pair, name, [...new Set([...fieldsOf(before), ...fieldsOf(after)])], candidates),
    queries: queriesWith(pair, (rules) => withFilter(rules, name, after)),
    keyword: `filters.${name}`,
  });
}

/** The fields that a filter reads. */
function fieldsOf(filter: Filter | undefined): readonly string[] {
  if (filter === undefined) return [];
  return filter.operator === 'matches' ? filter.fields : [filter.field];
}

/** Every value of the parameter with every value of the fields; equal values first. */
function* filterTrials(
  pair: AnnotatedOperationPair,
  name: string,
  fields: readonly string[],
  candidates: CandidateRecords,
): Generator<ListTrial> {
  const parameter = pair.old.operation.parameters.find(({ key }) => key === name);
  if (parameter === undefined) return;
  const fieldValues = fields.flatMap((field) => candidates.valuesAt(field));
  for (const value of parameterValues(pair.old.operation, parameter, fieldValues)) {
    for (const field of fields) {
      for (const record of equalFirst(value, candidates.valuesAt(field)).map((each) => withField(candidates.base, field, each))) {
        yield { values: { [name]: value }, records: [record] };
      }
    }
  }
}

/** Equal values first, since most filters differ at the boundary. */
function equalFirst(value: Json, values: readonly Json[]): readonly Json[] {
  const isEqual = (each: Json): boolean => [value].flat().includes(each);
  return [...values.filter(isEqual), ...values.filter((each) => !isEqual(each))];
}

function withFilter(rules: ListRules, name: string, filter: Filter | undefined): ListRules {
  const others = [...rules.filters].filter(([each]) => each !== name);
  return { ...rules, filters: new Map(filter === undefined ? others : [...others, [name, filter]]) };
}

/** Searches for two records that two orders sort differently. */
export function findOrderWitness(pair: ListOperationPair, before: readonly OrderKey[], after: readonly OrderKey[]): SearchOutcome {
  const { key } = pair.old.operation.collection;
  const fields = [...new Set([key, ...before.map(({ by }) => by), ...after.map(({ by }) => by)])];
  return runExperiment(pair, {
    trials: (candidates) => orderTrials(fields, candidates),
    queries: queriesWith(pair, (rules) => ({ ...rules, order: after }), pair.new.operation.collection.kindOf),
    keyword: 'order',
  });
}

/** Number of values for each field: enough for less, equal and greater in every kind of comparison. */
const valuesMax = 4;

/** Two records with every combination of values in the sorted fields. The first field is the key and always differs. */
function* orderTrials([key = '', ...fields]: readonly string[], candidates: CandidateRecords): Generator<ListTrial> {
  const [first, second] = candidates.valuesAt(key);
  if (first === undefined || second === undefined) return;
  const pairs = combineValues(fields.map((field) => candidates.valuesAt(field).slice(0, valuesMax)));
  for (const [left, right] of pairs) {
    const recordWith = (identity: Json, values: readonly Json[]): DataRecord =>
      fields.reduce((record, field, index) => withField(record, field, values[index] ?? null), withField(candidates.base, key, identity));
    yield { values: {}, records: [recordWith(first, left), recordWith(second, right)] };
  }
}

/** Pairs of value lists, one value for each field; those with the fewest different fields first. */
function combineValues(values: readonly (readonly Json[])[]): readonly (readonly [readonly Json[], readonly Json[]])[] {
  let pairs: readonly { readonly left: readonly Json[]; readonly right: readonly Json[]; readonly differing: number }[] = [
    { left: [], right: [], differing: 0 },
  ];
  for (const each of values) {
    const couples = each.flatMap((left) => each.map((right) => ({ left, right })));
    pairs = pairs.flatMap((pair) =>
      couples.map(({ left, right }) => ({
        left: [...pair.left, left],
        right: [...pair.right, right],
        differing: pair.differing + (left === right ? 0 : 1),
      })),
    );
    if (pairs.length > combinationsMax) pairs = pairs.slice(0, combinationsMax);
  }
  return pairs.toSorted((left, right) => left.differing - right.differing).map(({ left, right }) => [left, right] as const);
}

/** Limit of combinations, against orders with many keys. */
const combinationsMax = 20_000;

/** Searches for a record that only one visibility rule shows. Without a rule, all records are visible. */
export function findVisibilityWitness(
  pair: ListOperationPair,
  before: Visibility | undefined,
  after: Visibility | undefined,
): SearchOutcome {
  const fields = [...new Set([before, after].flatMap((visible) => visible?.field ?? []))];
  return runExperiment(pair, {
    trials: (candidates) =>
      fields.flatMap((field) =>
        candidates.valuesAt(field).map((value) => ({ values: {}, records: [withField(candidates.base, field, value)] })),
      ),
    queries: queriesWith(pair, ({ visible: _visible, ...rules }) => (after === undefined ? rules : { ...rules, visible: after })),
    keyword: 'visible',
  });
}

/** Searches for a record and a filter with different totals: filtered and overall. */
export function findTotalWitness(pair: ListOperationPair, before: Json | undefined, after: Json | undefined): SearchOutcome {
  const counts = { old: before, new: after };
  const answer: ListExperiment['answer'] = (query: Query, records, values, side) =>
    query.count(records, counts[side] === 'overall' ? new Map() : values);
  return runExperiment(pair, {
    trials: function* (candidates) {
      for (const [name, filter] of pair.old.operation.collection.filters) yield* filterTrials(pair, name, fieldsOf(filter), candidates);
    },
    queries: queriesWith(pair, (rules) => rules),
    answer,
    keyword: 'page.counts',
  });
}

/** Builds a request for one record more than the new cap allows. No search is needed: this request shows the change, or none does. */
export function findCapWitness(pair: ListOperationPair, before: Json | undefined, after: Json | undefined): SearchOutcome {
  const { limit } = pair.old.operation.collection.page;
  const wanted = typeof after === 'number' ? after + 1 : 1;
  const served = (cap: Json | undefined): number => Math.min(wanted, typeof cap === 'number' ? cap : wanted);
  const readings = readByBoth(pair, { [limit]: wanted });
  if (readings === undefined || readings.new.problems.length > 0 || served(before) === served(after)) return unwitnessed;
  const message = `the old contract returns up to ${served(before)} records; the new one up to ${served(after)}`;
  return outcomeOf(toWitness(pair.old, readings, { value: wanted, refusedBy: undefined, keyword: 'page.cap', message }));
}

/** Searches for a value that finds different records by the old and the new field of a single read, which is a filter with at most one result. */
export function findLookupWitness(
  pair: AnnotatedOperationPair,
  name: string,
  before: string | undefined,
  after: string | undefined,
): SearchOutcome {
  const list = listPairOf(pair);
  if (list === undefined || before === undefined || after === undefined) return unwitnessed;
  const { key, kindOf } = list.old.operation.collection;
  const queryBy = (field: string): Query =>
    createQuery({ key, order: [], filters: new Map([[name, { operator: 'equals', field, as: undefined }]]) }, kindOf);
  const [old, next] = [queryBy(before), queryBy(after)];
  return runExperiment(list, {
    trials: (candidates) => filterTrials(pair, name, [before, after], candidates),
    queries: { old, oldWithChange: next, new: next },
    singleRead: pair,
    keyword: `by.${name}`,
  });
}

/** The list whose records the single read returns. */
function listPairOf({ old, new: next }: AnnotatedOperationPair): ListOperationPair | undefined {
  return pairAnnotatedOperations(old.contract, next.contract)
    .filter(isListOperationPair)
    .find((each) => each.old.operation.collection.name === old.operation.resource?.name);
}
