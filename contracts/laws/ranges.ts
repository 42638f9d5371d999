/** Rules about ranges: filters that bound a field from one side or from both. */

import type { Contract } from '../../core/contract.ts';
import { isCalendarDate } from '../../core/instant.ts';
import type { Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import type { Entry } from '../../core/query.ts';
import type { Filter, ParameterRule } from '../../core/rules.ts';
import { explanationOf, lawOf } from '../explanation.ts';
import { observedValues, predictableFilters, thin } from '../filter-values.ts';
import type { Lab } from '../lab.ts';
import type { Finding, Law } from '../law.ts';
import { collectionPlace, filterPlace } from '../list-clause.ts';
import { isRefused, refusedTexts } from '../mistakes.ts';
import { examineSuccesses, refusalRule } from '../refusal.ts';
import type { FilterRival } from '../rival.ts';
import { judgeSelection, type Selection, select, selectionRule, withinBase } from '../selection.ts';
import { checkpointOf, type Universe } from '../universe.ts';
import { isList, type ListOperation, requireList, toArguments, type Values } from '../walk.ts';
import { describeValues } from '../words.ts';

/** The filters that bound a field. */
function boundNames(contract: Contract, list: ListOperation): readonly string[] {
  return boundsOf(contract, list).map(({ parameter }) => parameter);
}

const inclusive = selectionRule({
  id: 'ranges/inclusive',
  title: 'A bound that equals an observed value includes it',
  why: 'Who asks for records up to a day and does not get those of that day loses a day of business, every day.',
  strength: 'stated',
  kinds: ['exclusive'],
  filters: boundNames,
  candidates: boundValues,
});

const oneSided: Law = {
  ...selectionRule({
    id: 'ranges/one-sided',
    title: 'Each bound of a range works without the other',
    why: 'Who asks for everything from today on must not have to invent an end.',
    strength: 'stated',
    slow: true,
    kinds: [],
    filters: (contract, list) => rangesOf(contract, list).flatMap(({ lower, upper }) => [lower.parameter, upper.parameter]),
    more: ({ operation }, names) =>
      names.map((alone, index) => loneRival(operation, alone, names[index % 2 === 0 ? index + 1 : index - 1] ?? '')),
    candidates: boundValues,
    times: 1,
  }),
  clause: (operation, contract) => {
    const [range] = isList(operation) ? rangesOf(contract, operation) : [];
    return range === undefined ? undefined : filterPlace(requireList(operation), range.lower.parameter);
  },
};

function loneRival(list: ListOperation, alone: string, partner: string): FilterRival {
  const { query } = list.collection;
  return {
    id: `lone:${alone}`,
    kind: 'lone',
    title: `${alone} is ignored without ${partner}`,
    missing: `a value of ${alone} that some records pass and others do not`,
    parameters: [alone],
    accepts: (record, values) => {
      const isAlone = values.has(alone) && !values.has(partner);
      return query.matches(record, isAlone ? new Map([...values].filter(([name]) => name !== alone)) : values);
    },
  };
}

const singleDay: Law = {
  id: 'ranges/single-day',
  title: 'A range whose ends are equal gives what lies on them',
  why: 'A range of one day is the most common one, and the one that half-open readings lose.',
  strength: 'stated',
  clause: (operation, contract) =>
    isList(operation) && rangesOf(contract, operation).some(({ lower, upper }) => lower.isInclusive && upper.isInclusive)
      ? collectionPlace(operation, 'filters')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const telling = singleDays(lab, universe)
      .flatMap((values) => {
        const given = withinBase(universe, values);
        const size = universe.records.filter((record) => list.collection.query.matches(record, toArguments(values))).length;
        return given === undefined ? [] : [{ given, size }];
      })
      .toSorted((left, right) => left.size - right.size)
      .slice(0, universe.isComplete ? 1 : 0);
    const made: Selection[] = [];
    for (const { given } of telling) {
      const selection = await select(lab, universe, given);
      made.push(selection);
      // Whether the day is lost because its ends are equal, or because one of them is exclusive, only shows with each end alone.
      if (selection.walk.records.length === 0) for (const alone of endsOf(lab, selection)) await select(lab, universe, alone);
    }
    const equal = equalRival(lab, list);
    return { rivals: [equal], judge: () => made.flatMap((selection) => judgeSingleDay(lab, selection, equal)) };
  },
};

/** Each end of a range by itself. */
function endsOf({ contract }: Lab, { universe, values }: Selection): readonly Values[] {
  const names = rangesOf(contract, universe.operation).flatMap(({ lower, upper }) => [lower.parameter, upper.parameter]);
  return [...new Set(names)].flatMap((name): readonly Values[] => {
    const value = values[name];
    const alone = value === undefined ? undefined : withinBase(universe, { [name]: value });
    return alone === undefined ? [] : [alone];
  });
}

/** Equal bounds that are taken for an empty range, or for a mistake. */
function equalRival({ contract }: Lab, operation: ListOperation): FilterRival {
  const ranges = rangesOf(contract, operation);
  return {
    id: 'equal-bounds',
    kind: 'equal-bounds',
    title: 'a range whose ends are equal had nothing in it',
    missing: 'a record on a day that can be both bounds',
    parameters: ranges.slice(0, 1).flatMap(({ lower, upper }) => [lower.parameter, upper.parameter]),
    accepts: (record, given) =>
      !ranges.some(({ lower, upper }) => given.has(lower.parameter) && given.get(lower.parameter) === given.get(upper.parameter)) &&
      operation.collection.query.matches(record, given),
  };
}

function judgeSingleDay(lab: Lab, selection: Selection, equal: FilterRival): readonly Finding[] {
  const [reply] = selection.walk.replies;
  const isRefused = reply !== undefined && selection.walk.replies.length === 1 && [400, 404, 422].includes(reply.response.status);
  if (!isRefused) {
    const named = explanationOf(lab, selection.universe, selection.walk);
    if (named !== undefined) return [{ kind: 'obscured', by: lawOf(named, checkpointOf(selection.universe.operation)) }];
    return judgeSelection(lab, selection, { rivals: [equal], otherwise: 'filters/complete' });
  }
  const { id, title } = equal;
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${selection.walk.operation.id} with ${describeValues(selection.values)} succeeds: the ends may be equal`,
      actual: `it is answered with ${reply.response.status}`,
      rival: { id, title },
      witnesses: [],
    },
  ];
}

const empty: Law = {
  id: 'ranges/empty',
  title: 'A range that nothing lies in gives an empty list',
  why: 'A quiet week is no error, and a client must be able to tell the two apart.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) =>
    isList(operation) && rangesOf(contract, operation).length > 0 ? collectionPlace(operation, 'filters') : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const values = rangesOf(lab.contract, list).flatMap((range) => beyond(universe, range));
    const legals = values.map((each) => ({
      call: { operation: list, values: each },
      what: describeValues(each),
      belongs: (record: Entry) => list.collection.query.matches(record, toArguments(each)),
    }));
    const examination = await examineSuccesses(lab, list, legals);
    const unknown = {
      id: 'refused:nothing',
      title: 'an empty range were an error',
      missing: 'a record with a value whose successor is known, such as a day or a whole number',
    };
    return examination.rivals.length > 0 ? examination : { ...examination, rivals: [unknown] };
  },
};

/** A range far beyond all that was seen. */
function beyond(universe: Universe, { lower, upper }: Range): readonly Values[] {
  const values = valuesOf(universe, lower.parameter);
  const far = farBeyond(values);
  const given = far === undefined ? undefined : withinBase(universe, { [lower.parameter]: far, [upper.parameter]: far });
  return given === undefined ? [] : [given];
}

function farBeyond(values: readonly Json[]): Json | undefined {
  if (values.length > 0 && values.every((value) => typeof value === 'string' && isCalendarDate(value))) return '2199-12-31';
  if (values.length > 0 && values.every((value) => typeof value === 'number' && Number.isInteger(value))) return 2_000_000_000;
  return undefined;
}

const inverted = refusalRule({
  id: 'ranges/inverted',
  title: 'A range that ends before it begins is refused',
  why: 'An empty list for two bounds in the wrong order hides the mistake of whoever wrote them.',
  strength: 'stated',
  attempts: (contract, list) => {
    const clause = list.document.place(list.value, 'x-parameter-rules');
    const wrong = orderedRules(list).flatMap((rule) => wrongWays(list, rule));
    const refused = wrong.filter((values) => isRefused(contract, { operation: list, values }));
    return refused.slice(0, 1).map((values) => ({ call: { operation: list, values }, what: describeValues(values), clause }));
  },
});

function orderedRules(operation: Operation): readonly ParameterRule[] {
  return operation.rules.filter((rule) => rule.rule === 'ordered' && rule.parameters.length > 1);
}

/** The same two bounds in the wrong order: far apart, and one step apart. */
function wrongWays(operation: Operation, { parameters }: ParameterRule): readonly Readonly<Record<string, string | number>>[] {
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

const impossible = refusalRule({
  id: 'ranges/impossible',
  title: 'A bound that is no value of its kind is refused',
  why: 'The thirtieth of February that is ignored gives the whole list, and one that is rolled over gives the wrong days.',
  strength: 'stated',
  attempts: (contract, list) => boundNames(contract, list).flatMap((name) => refusedTexts(contract, list, name, ['malformed'])),
});

const ownField = selectionRule({
  id: 'ranges/own-field',
  title: 'A range compares the field that it names, as it is written',
  why: 'A day that is taken in another time zone, or from another field, moves the records around midnight to the wrong day.',
  strength: 'stated',
  // Other fields, other zones, and only a part of the field's own value.
  kinds: ['day-of-change', 'utc-day', 'day-only'],
  filters: boundNames,
  candidates: boundValues,
  times: 1,
});

/** The rules, in the order in which a run looks at them. */
export const ranges: readonly Law[] = [inclusive, oneSided, singleDay, empty, inverted, impossible, ownField];

/** A filter that bounds a field. */
interface Bound {
  readonly parameter: string;
  readonly field: string;
  readonly side: 'lower' | 'upper';
  readonly isInclusive: boolean;
}

/** The bounds of a list whose rules are stated, but for its checkpoint, which has laws of its own. */
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

/** The fields of a list that can be bounded from both sides. */
function rangesOf(contract: Contract, operation: ListOperation): readonly Range[] {
  const bounds = boundsOf(contract, operation);
  return bounds.flatMap((lower) => {
    const upper = bounds.find((each) => each.side === 'upper' && each.field === lower.field);
    return lower.side === 'lower' && upper !== undefined ? [{ lower, upper }] : [];
  });
}

/** How many values of one field are tried at most. */
const tried = 80;

/** Requests with one bound each, and with both bounds equal, for every observed value. */
function boundValues(lab: Lab, universe: Universe, parameters: readonly string[]): readonly Values[] {
  const { operation } = universe;
  const single = boundsOf(lab.contract, operation)
    .filter((bound) => parameters.includes(bound.parameter))
    .flatMap(({ parameter }) => valuesOf(universe, parameter).map((value): Values => ({ [parameter]: value })));
  return [...single, ...singleDays(lab, universe)];
}

/** Ranges whose ends are one observed value. */
function singleDays(lab: Lab, universe: Universe): readonly Values[] {
  return rangesOf(lab.contract, universe.operation).flatMap(({ lower, upper }) =>
    valuesOf(universe, lower.parameter).map((value): Values => ({ [lower.parameter]: value, [upper.parameter]: value })),
  );
}

/** The observed values of the field that a filter bounds, the rarest first: they need the fewest pages. */
function valuesOf(universe: Universe, parameter: string): readonly Json[] {
  const filter = universe.operation.collection.filters.get(parameter);
  return filter === undefined ? [] : thin(observedValues(universe, filter), tried);
}
