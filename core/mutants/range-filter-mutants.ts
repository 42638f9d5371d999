/** Mutants of filters that bound a field (checkpoints, and ranges of times, days or numbers), made together with the other mutants of a list. */

import type { ComparisonName, Filter } from '../annotations/annotations.ts';
import { isObject, type Json } from '../json.ts';
import type { ListOperation } from '../openapi/list-operation.ts';
import { valueAt, withValueAt } from '../pointer.ts';
import { instantOf } from '../query/instants.ts';
import type { DataRecord, FilterArguments, Query } from '../query/query.ts';
import { contractMutant, type FilterMutant, type Selection, selectByArguments, selectByFilters, withoutArguments } from './mutant.ts';
import type { MutantKind, TitleWords } from './mutant-catalogue.ts';
import { utcDayOf } from './utc-day.ts';

/** The exclusive form of each inclusive bound, and the inclusive form of each exclusive one. */
const otherEdge = { from: 'after', to: 'before', after: 'from', before: 'to' } as const;

/** A filter that bounds a field from one side. */
type BoundFilter = Exclude<Filter, { operator: 'matches' }> & { readonly operator: keyof typeof otherEdge };

/** True for a filter that bounds a field from one side. */
export function isBound(filter: Filter): filter is BoundFilter {
  return filter.operator in otherEdge;
}

/** A filter of a list that bounds a field. */
interface Bound {
  readonly list: ListOperation;
  readonly name: string;
  readonly filter: BoundFilter;
  /** True for the lower bound of the last change, which clients use as their checkpoint. */
  readonly isCheckpoint: boolean;
}

/** Every mutant of one bound. */
export function boundMutants(list: ListOperation, name: string, filter: BoundFilter): readonly FilterMutant[] {
  const { version, kindOf } = list.collection;
  const isCheckpoint = filter.operator === 'from' && filter.field === version;
  const bound: Bound = { list, name, filter, isCheckpoint };
  const kind = filter.as ?? kindOf(filter.field);
  return [
    ignoredBoundMutant(bound),
    otherEdgeMutant(bound),
    ...(kind === 'instant' ? instantMutants(bound) : []),
    ...(mayBeDay(kind) ? dayMutants(bound, [name]) : []),
    ...(isCheckpoint && kind === 'instant' ? checkpointMutants(bound) : []),
  ];
}

/** Every mutant of two bounds of one field. */
export function rangeMutants(list: ListOperation): readonly FilterMutant[] {
  return rangesOf(list).flatMap(({ lower, upper, filter }) => {
    const bound: Bound = { list, name: lower, filter, isCheckpoint: false };
    const { kindOf } = list.collection;
    return [
      ignoredAloneMutant(bound, upper),
      ignoredAloneMutant({ ...bound, name: upper }, lower),
      ...(mayBeDay(filter.as ?? kindOf(filter.field)) ? dayMutants(bound, [lower, upper]) : []),
      ...wholeRangeMutants(bound, upper),
    ];
  });
}

/** The fields of a list that can be bounded from both sides, but for the time of the last change. */
function rangesOf({
  collection,
}: ListOperation): readonly { readonly lower: string; readonly upper: string; readonly filter: BoundFilter }[] {
  const bounds = [...collection.filters].flatMap(([name, filter]) => (isBound(filter) ? [{ name, filter }] : []));
  return bounds.flatMap(({ name: lower, filter }) => {
    const isLower = filter.operator === 'from' || filter.operator === 'after';
    const upper = bounds.find((each) => ['to', 'before'].includes(each.filter.operator) && each.filter.field === filter.field)?.name;
    return isLower && upper !== undefined && filter.field !== collection.version ? [{ lower, upper, filter }] : [];
  });
}

/** True for days, which a file may describe as texts. */
function mayBeDay(kind: ComparisonName): boolean {
  return kind === 'text' || kind === 'date';
}

/** Makes a mutant of one bound. */
function mutantOfBound(
  { list, name, filter }: Bound,
  kind: MutantKind,
  { part = name, words, ...changes }: Pick<FilterMutant, 'missing' | 'selects'> & { readonly part?: string; readonly words?: TitleWords },
): FilterMutant {
  const place = { operation: list.id, part, words: { parameter: name, field: nameOf(filter.field), ...words } };
  return contractMutant(kind, place, { parameters: [name], ...changes });
}

function nameOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}

/** The selection by another filter than that of a bound. */
function selectByFilter({ list, name }: Bound, filter: Filter | undefined): Selection {
  return selectByFilters(list, new Map([[name, filter]]));
}

function ignoredBoundMutant(bound: Bound): FilterMutant {
  const change = { missing: `a value of ${bound.name} that not every record has`, selects: selectByFilter(bound, undefined) };
  return bound.isCheckpoint ? mutantOfBound(bound, 'checkpoint-ignored', change) : mutantOfBound(bound, 'bound-ignored', change);
}

/** The mutant that makes an inclusive bound exclusive, or an exclusive one inclusive. */
function otherEdgeMutant(bound: Bound): FilterMutant {
  const { filter } = bound;
  const operator = otherEdge[filter.operator];
  const change = {
    missing: `a record whose ${nameOf(filter.field)} can be the bound`,
    selects: selectByFilter(bound, { ...filter, operator }),
  };
  if (bound.isCheckpoint) return mutantOfBound(bound, 'checkpoint-exclusive', change);
  if (filter.operator === 'from') return mutantOfBound(bound, 'exclusive-lower', change);
  return mutantOfBound(bound, filter.operator === 'to' ? 'exclusive-upper' : 'bound-included', change);
}

/** Mutants that compare times as days, as text, or without their UTC offset. */
function instantMutants(bound: Bound): readonly FilterMutant[] {
  const { filter, isCheckpoint } = bound;
  const comparedAs = (comparison: ComparisonName): Selection => selectByFilter(bound, { ...filter, as: comparison });
  const byDay = { missing: 'records that changed on the same day as a bound, before it', selects: comparedAs('date') };
  const asText = { missing: 'records whose order by local time differs from their order in UTC', selects: comparedAs('text') };
  const byWallClock = { missing: 'records that changed within a few hours of each other', selects: selectByWallClock(bound) };
  return isCheckpoint
    ? [
        mutantOfBound(bound, 'checkpoint-by-day', byDay),
        mutantOfBound(bound, 'checkpoint-as-text', asText),
        mutantOfBound(bound, 'checkpoint-by-wall-clock', byWallClock),
      ]
    : [
        mutantOfBound(bound, 'bound-by-day', byDay),
        mutantOfBound(bound, 'bound-as-text', asText),
        mutantOfBound(bound, 'bound-by-wall-clock', byWallClock),
      ];
}

/** The selection of a server that compares local times and ignores the UTC offset. */
function selectByWallClock({ name, filter }: Bound): Selection {
  const withoutOffset = (value: Json): Json => (typeof value === 'string' ? value.replace(/([+-]\d\d:\d\d|[Zz])$/, 'Z') : value);
  return (values, query) => {
    const value = values.get(name);
    if (value === undefined) return query.matching(values);
    const matchesOwn = query.matching(new Map([[name, withoutOffset(value)]]));
    const matchesOthers = query.matching(withoutArguments(values, name));
    return (record) => {
      const time = valueAt(record, filter.field);
      const shifted = time === undefined ? record : withValueAt(record, filter.field, withoutOffset(time));
      return matchesOthers(record) && isObject(shifted) && matchesOwn(shifted);
    };
  };
}

/** Mutants that compare another day than that of the field, at one bound or at both: the day of the last change, or the day in UTC. */
function dayMutants(bound: Bound, parameters: readonly string[]): readonly FilterMutant[] {
  const { list, filter } = bound;
  const { version, kindOf, filters } = list.collection;
  const common = { part: parameters.join('+'), words: { parameter: parameters.join(' and ') } };
  const field = nameOf(filter.field);
  const versionFilters = new Map(
    [...filters].flatMap(([name, each]): readonly (readonly [string, Filter])[] =>
      parameters.includes(name) && each.operator !== 'matches' ? [[name, { ...each, field: version ?? '', as: 'date' }]] : [],
    ),
  );
  const onVersion = mutantOfBound(bound, 'bound-on-version', {
    missing: `a record that changed on a day other than its ${field}`,
    selects: selectByFilters(list, versionFilters),
    ...common,
  });
  const inUtc = mutantOfBound(bound, 'bound-in-utc', {
    missing: 'a record whose day in UTC differs from its local day',
    selects: (values, query) => acceptingInUtc({ filters, query }, parameters, filter.field, values),
    ...common,
  });
  return version !== undefined && kindOf(version) === 'instant' ? [onVersion, inUtc] : [inUtc];
}

/** The test of a server that reads these bounds of the field in UTC. */
function acceptingInUtc(
  { filters, query }: { readonly filters: ReadonlyMap<string, Filter>; readonly query: Query },
  parameters: readonly string[],
  field: string,
  values: FilterArguments,
): (record: DataRecord) => boolean {
  const [matches, matchesOthers] = [query.matching(values), query.matching(withoutArguments(values, ...parameters))];
  const isInside = (day: string): boolean =>
    parameters.every((name) => {
      const [bound, filter] = [values.get(name), filters.get(name)];
      return typeof bound !== 'string' || filter === undefined || filter.operator === 'matches' || compareDays(filter.operator, day, bound);
    });
  return (record) => {
    const day = utcDayOf(record, field);
    return day === undefined ? matches(record) : isInside(day) && matchesOthers(record);
  };
}

function compareDays(operator: Filter['operator'], day: string, bound: string): boolean {
  if (operator === 'from') return day >= bound;
  if (operator === 'to') return day <= bound;
  return operator === 'after' ? day > bound : day < bound;
}

/** The mutant that ignores a bound in a request without the other bound. */
function ignoredAloneMutant(bound: Bound, other: string): FilterMutant {
  const { name } = bound;
  return mutantOfBound(bound, 'bound-ignored-alone', {
    missing: `a value of ${name} that some records pass and others do not`,
    words: { other },
    selects: selectByArguments((values) => (values.has(name) && !values.has(other) ? withoutArguments(values, name) : values)),
  });
}

/** Mutants of a range whose bounds are equal, or that selects nothing. */
function wholeRangeMutants(bound: Bound, upper: string): readonly FilterMutant[] {
  const { name: lower } = bound;
  const isSame = (values: FilterArguments): boolean => values.has(lower) && values.get(lower) === values.get(upper);
  const parameters = [lower, upper];
  return [
    {
      ...mutantOfBound(bound, 'single-day-empty', {
        missing: 'a record on a day that can be both bounds',
        selects: (values, query) => (isSame(values) ? () => false : query.matching(values)),
      }),
      parameters,
    },
    {
      ...mutantOfBound(bound, 'empty-range-widened', {
        missing: 'a range without records',
        selects: (values, query, all) => {
          const range = new Map([...values].filter(([name]) => parameters.includes(name)));
          const isEmpty = range.size === 2 && !all.some(query.matching(range));
          return query.matching(isEmpty ? withoutArguments(values, ...parameters) : values);
        },
      }),
      parameters,
    },
  ];
}

const secondNs = 1_000_000_000n;
const weekNs = 7n * 86_400n * secondNs;

/** Mutants of a checkpoint: lost ties, rounded fractions, and a wrong reach into the past or future. */
function checkpointMutants(bound: Bound): readonly FilterMutant[] {
  const { name, filter } = bound;
  const timeOf = (record: DataRecord): bigint | undefined => instantOf(valueAt(record, filter.field));
  const keyOf = (record: DataRecord | undefined): Json | undefined => valueAt(record, bound.list.collection.key);
  const tieMutant = (kind: MutantKind, choose: (records: readonly DataRecord[]) => DataRecord | undefined): FilterMutant =>
    mutantOfBound(bound, kind, {
      missing: 'several records that changed at the same time',
      selects: (values, query, all) => {
        const checkpoint = instantOf(values.get(name));
        const chosen = keyOf(choose(all.filter((record) => checkpoint !== undefined && timeOf(record) === checkpoint)));
        const matches = query.matching(values);
        return (record) => matches(record) && (checkpoint === undefined || timeOf(record) !== checkpoint || keyOf(record) === chosen);
      },
    });
  const roundedMutant = (kind: MutantKind, missing: string, read: (time: bigint, text: string) => bigint): FilterMutant =>
    mutantOfBound(bound, kind, { missing, selects: selectFrom(bound, read) });
  const roundUp = (time: bigint, grid: bigint): bigint => (time % secondNs === 0n ? time : (time / grid + 1n) * grid);
  const restOf = (unit: string): string => `records that changed in the rest of the ${unit} after a checkpoint`;
  return [
    tieMutant('checkpoint-ties-first', (records) => records[0]),
    tieMutant('checkpoint-ties-last', (records) => records.at(-1)),
    roundedMutant('checkpoint-rounded-to-minute', restOf('minute'), (time) => roundUp(time, 60n * secondNs)),
    roundedMutant('checkpoint-rounded-to-second', restOf('second'), (time) => roundUp(time, secondNs)),
    roundedMutant('checkpoint-digits-as-milliseconds', 'records that changed in the minutes after a checkpoint', (time, text) => {
      const digits = /\.(\d+)/.exec(text)?.[1];
      return digits === undefined ? time : time - (time % secondNs) + BigInt(digits) * 1_000_000n;
    }),
    mutantOfBound(bound, 'checkpoint-future-ignored', {
      missing: 'a list with at least one record',
      selects: (values, query, all) => {
        const own = new Map([[name, values.get(name) ?? null]]);
        const isFuture = values.has(name) && !all.some(query.matching(own));
        return query.matching(isFuture ? withoutArguments(values, name) : values);
      },
    }),
    mutantOfBound(bound, 'checkpoint-reach-limited', {
      missing: 'records that changed more than a week before the last change',
      selects: (values, query, all) => {
        const latest = all.reduce((most, record) => ((timeOf(record) ?? 0n) > most ? (timeOf(record) ?? 0n) : most), 0n);
        const matches = query.matching(values);
        return (record) => matches(record) && !(values.has(name) && (timeOf(record) ?? 0n) < latest - weekNs);
      },
    }),
  ];
}

/** The selection of a server that changes the time of a checkpoint before it compares. */
function selectFrom({ name, filter }: Bound, read: (time: bigint, text: string) => bigint): Selection {
  return (values, query) => {
    const text = values.get(name);
    const checkpoint = instantOf(text);
    const matches = query.matching(values);
    if (typeof text !== 'string' || checkpoint === undefined) return matches;
    const [matchesOthers, from] = [query.matching(withoutArguments(values, name)), read(checkpoint, text)];
    return (record) => {
      const value = instantOf(valueAt(record, filter.field));
      return value === undefined ? matches(record) : matchesOthers(record) && value >= from;
    };
  };
}
