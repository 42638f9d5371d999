/** Rules of the group `ranges`: filters that bound a field from below or above. The checkpoint of a list is such a bound too, but is left out here. */

import type { Filter, ParameterRule } from '../../../core/annotations/annotations.ts';
import type { Json } from '../../../core/json.ts';
import { mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { placeInOperation } from '../../../core/openapi/clauses.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { isCalendarDate } from '../../../core/query/instants.ts';
import { collectionPlace } from '../evidence/clause-places.ts';
import { allWithinBase, observedValues, predictableFilters, takeEvenly } from '../evidence/filter-values.ts';
import type { Pagination } from '../evidence/pagination/pagination.ts';
import { mutantsOfKinds, type PredictableMutant } from '../evidence/pagination/predict-filter-mutants.ts';
import { readSelection } from '../evidence/read-filtered-lists.ts';
import { checkpointOf, matchingRecords, type ParameterValues } from '../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeValues } from './describe-values.ts';
import { judgeSelection, selectionRule } from './examinations/examine-filters.ts';
import { examineRequests, mustBeRefused, mustMatch, refusalRule } from './examinations/examine-requests.ts';
import { isRefused, refusedTexts } from './examinations/invalid-parameter-texts.ts';
import { candidate, contradicts, type Judgement, type Rule, ruleAbout } from './rule.ts';

/** The filters that bound a field. */
function boundNames(contract: Contract, list: ListOperation): readonly string[] {
  return boundsOf(contract, list).map(({ parameter }) => parameter);
}

const inclusiveRule = selectionRule({
  id: 'ranges/inclusive',
  title: 'A bound includes records that equal it',
  why: 'A client that requests records up to a day needs the records of that day too.',
  strength: 'stated',
  kinds: ['exclusive-lower', 'exclusive-upper', 'bound-included'],
  filters: boundNames,
  filterValues: boundValues,
});

const oneSidedRule = selectionRule({
  id: 'ranges/one-sided',
  title: 'Each bound of a range works without the other',
  why: 'A client that needs everything from today on should not have to invent an end date.',
  strength: 'stated',
  slow: true,
  kinds: ['bound-ignored-alone'],
  filters: boundNames,
  filterValues: boundValues,
  times: 1,
});

const singleDayRule = ruleAbout(isList, {
  id: 'ranges/single-day',
  title: 'A range with equal bounds returns the records with that value',
  why: 'A range of one day is the most common one. Half-open implementations lose it.',
  strength: 'stated',
  place: (list, contract) =>
    rangesOf(contract, list).some(({ lower, upper }) => lower.isInclusive && upper.isInclusive)
      ? collectionPlace(list, 'filters')
      : undefined,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const sizeOf = (values: ParameterValues): number => matchingRecords(snapshot.operation, snapshot.records, values).length;
    const [smallestRange] = allWithinBase(snapshot, singleDays(context, snapshot)).toSorted((left, right) => sizeOf(left) - sizeOf(right));
    const mutants = mutantsOfKinds(context.contract, list, ['single-day-empty']);
    if (smallestRange === undefined || !snapshot.isComplete) return { mutants, judge: () => [] };
    const pagination = await readSelection(context, snapshot, smallestRange);
    // Requests with each bound alone show whether equal bounds or an exclusive one lose the day.
    if (pagination.records.length === 0)
      for (const singleBound of singleBounds(context, snapshot, smallestRange)) await readSelection(context, snapshot, singleBound);
    return { mutants, judge: () => judgeSingleDay(context, snapshot, pagination, mutants) };
  },
});

/** Each bound of a range without the other. */
function singleBounds({ contract }: RoundContext, snapshot: Snapshot, values: ParameterValues): readonly ParameterValues[] {
  const names = rangesOf(contract, snapshot.operation).flatMap(({ lower, upper }) => [lower.parameter, upper.parameter]);
  return allWithinBase(
    snapshot,
    [...new Set(names)].flatMap((name): readonly ParameterValues[] => (values[name] === undefined ? [] : [{ [name]: values[name] }])),
  );
}

function judgeSingleDay(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  mutants: readonly PredictableMutant[],
): Judgement | undefined {
  const [reply, ...others] = pagination.replies;
  if (reply === undefined || others.length > 0 || ![400, 404, 422].includes(reply.response.status))
    return judgeSelection(context, snapshot, pagination, { mutants, fallbackRule: 'filters/complete' });
  const [parameter = '', other = ''] = mutants[0]?.parameters ?? [];
  return contradicts({
    replies: [reply],
    expected: `${pagination.operation.id} with ${describeValues(pagination.values)} must succeed: both bounds may be equal`,
    actual: `the status is ${reply.response.status}`,
    mutant: mutantOf('single-day-refused', { parameter, other }),
  });
}

const emptyRangeRule = ruleAbout(isList, {
  id: 'ranges/empty',
  title: 'A range that matches nothing returns an empty list',
  why: 'A week without records is not an error, and a client must be able to tell the two apart.',
  strength: 'stated',
  slow: true,
  place: (list, contract) => (rangesOf(contract, list).length > 0 ? collectionPlace(list, 'filters') : undefined),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const values = rangesOf(context.contract, list).flatMap((range) => emptyRange(snapshot, range));
    const emptyRangeRefused = candidate(
      'empty-range-refused',
      'a record with a value whose successor is known, such as a day or a whole number',
    );
    return examineRequests(
      context,
      values.map((each) => mustMatch(list, each)),
      [emptyRangeRefused],
    );
  },
});

/** A range that no observed record is in. */
function emptyRange(snapshot: Snapshot, { lower, upper }: Range): readonly ParameterValues[] {
  const value = unusedValue(valuesOf(snapshot, lower.parameter));
  return value === undefined ? [] : allWithinBase(snapshot, [{ [lower.parameter]: value, [upper.parameter]: value }]);
}

function unusedValue(values: readonly Json[]): Json | undefined {
  if (values.length > 0 && values.every((value) => typeof value === 'string' && isCalendarDate(value))) return '2199-12-31';
  if (values.length > 0 && values.every((value) => typeof value === 'number' && Number.isInteger(value))) return 2_000_000_000;
  return undefined;
}

const swappedBoundsRule = refusalRule({
  id: 'ranges/inverted',
  title: 'A range that ends before it begins is rejected',
  why: "An empty list for two swapped bounds hides the client's mistake.",
  strength: 'stated',
  attempts: (contract, list) => {
    const clause = placeInOperation(list, 'x-parameter-rules');
    const candidates = orderedRules(list).flatMap((rule) => swapBounds(list, rule));
    const refusedValues = candidates.filter((values) => isRefused(contract, { operation: list, values }));
    return refusedValues
      .slice(0, 1)
      .map((values) => mustBeRefused({ call: { operation: list, values }, what: describeValues(values), clause }));
  },
});

function orderedRules(operation: Operation): readonly ParameterRule[] {
  return operation.rules.filter((rule) => rule.rule === 'ordered' && rule.parameters.length > 1);
}

/** Two bounds in the wrong order: one step apart, and far apart. */
function swapBounds(operation: Operation, { parameters }: ParameterRule): readonly Readonly<Record<string, string | number>>[] {
  const [lower = '', upper = ''] = parameters;
  const isNumber =
    operation.parameters.find((each) => each.key === lower)?.kinds.some((kind) => kind === 'integer' || kind === 'number') === true;
  const pairs = isNumber
    ? ([
        [8, 7],
        [900, 3],
      ] as const)
    : ([
        ['2026-03-02', '2026-03-01'],
        ['2026-04-02', '2026-03-01'],
      ] as const);
  return pairs.map(([high, low]) => ({ [lower]: high, [upper]: low }));
}

const malformedBoundRule = refusalRule({
  id: 'ranges/impossible',
  title: 'A malformed bound is rejected',
  why: 'An ignored 30 February returns the whole list. One that rolls over into March returns the wrong days.',
  strength: 'stated',
  attempts: (contract, list) => boundNames(contract, list).flatMap((name) => refusedTexts(contract, list, name, ['malformed'])),
});

const ownFieldRule = selectionRule({
  id: 'ranges/own-field',
  title: 'A range compares its own field, with the values as written',
  why: 'A comparison in another time zone or field moves records around midnight to the wrong day.',
  strength: 'stated',
  kinds: ['bound-on-version', 'bound-in-utc', 'bound-by-day', 'bound-as-text', 'bound-by-wall-clock'],
  filters: boundNames,
  filterValues: boundValues,
  times: 1,
});

/** The rules, in the order of a run. */
export const rangeFilterRules: readonly Rule[] = [
  inclusiveRule,
  oneSidedRule,
  singleDayRule,
  emptyRangeRule,
  swappedBoundsRule,
  malformedBoundRule,
  ownFieldRule,
];

/** A filter that bounds a field. */
interface Bound {
  readonly parameter: string;
  readonly field: string;
  readonly side: 'lower' | 'upper';
  readonly isInclusive: boolean;
}

/** The bounds of a list that the contract states, without its checkpoint. */
function boundsOf(contract: Contract, operation: ListOperation): readonly Bound[] {
  const checkpoint = checkpointOf(operation);
  return predictableFilters(contract, operation).flatMap((parameter) => {
    const filter = operation.collection.filters.get(parameter);
    return filter === undefined || parameter === checkpoint ? [] : toBound(parameter, filter);
  });
}

function toBound(parameter: string, filter: Filter): readonly Bound[] {
  if (filter.operator === 'from' || filter.operator === 'after')
    return [{ parameter, field: filter.field, side: 'lower', isInclusive: filter.operator === 'from' }];
  if (filter.operator === 'to' || filter.operator === 'before')
    return [{ parameter, field: filter.field, side: 'upper', isInclusive: filter.operator === 'to' }];
  return [];
}

/** A lower and an upper bound of one field. */
interface Range {
  readonly lower: Bound;
  readonly upper: Bound;
}

/** The fields of a list with both bounds. */
function rangesOf(contract: Contract, operation: ListOperation): readonly Range[] {
  const bounds = boundsOf(contract, operation);
  return bounds.flatMap((lower) => {
    const upper = bounds.find((each) => each.side === 'upper' && each.field === lower.field);
    return lower.side === 'lower' && upper !== undefined ? [{ lower, upper }] : [];
  });
}

/** Maximum number of values per field. */
const maxValues = 80;

/** Filter values with one bound, and with two equal bounds, for every observed value. */
function boundValues(context: RoundContext, snapshot: Snapshot, parameters: readonly string[]): readonly ParameterValues[] {
  const { operation } = snapshot;
  const singleBoundValues = boundsOf(context.contract, operation)
    .filter((bound) => parameters.includes(bound.parameter))
    .flatMap(({ parameter }) => valuesOf(snapshot, parameter).map((value): ParameterValues => ({ [parameter]: value })));
  return [...singleBoundValues, ...singleDays(context, snapshot)];
}

/** Ranges with two equal bounds, for every observed value. */
function singleDays(context: RoundContext, snapshot: Snapshot): readonly ParameterValues[] {
  return rangesOf(context.contract, snapshot.operation).flatMap(({ lower, upper }) =>
    valuesOf(snapshot, lower.parameter).map((value): ParameterValues => ({ [lower.parameter]: value, [upper.parameter]: value })),
  );
}

/** The observed values of a bounded field, the rarest first, because they need the fewest pages. */
function valuesOf(snapshot: Snapshot, parameter: string): readonly Json[] {
  return takeEvenly(observedValues(snapshot, parameter), maxValues);
}
