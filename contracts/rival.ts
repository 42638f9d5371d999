/**
 * Rival readings of the filters of a list: each says which records a server would give that gets one thing wrong. Most are the same evaluator over
 * an edited rule.
 */

import type { Contract } from '../core/contract.ts';
import { parseInstant } from '../core/instant.ts';
import type { Json } from '../core/json.ts';
import { valueAt } from '../core/pointer.ts';
import { type Arguments, createQuery, type Entry } from '../core/query.ts';
import type { ComparisonName, Filter } from '../core/rules.ts';
import type { Candidate } from './law.ts';
import { isPredictable } from './openness.ts';
import { acceptsInUtc } from '../core/mutants/utc-range.ts';
import type { ListOperation } from './walk.ts';

/** A rival reading of one filter, or of several together. */
export interface FilterRival extends Candidate {
  /** What it gets wrong, whichever the filter: `exclusive`, `ignored`, `first-only`. */
  readonly kind: string;
  /** The filters that it is about. */
  readonly parameters: readonly string[];
  /** Whether it would give a record. */
  readonly accepts: (record: Entry, values: Arguments) => boolean;
}

/** A filter of one field. */
type FieldFilter = Exclude<Filter, { operator: 'matches' }>;

/** Every rival reading of the filters of a list whose rules are stated, one filter wrong at a time, or two of them together. */
export function filterRivals(contract: Contract, operation: ListOperation): readonly FilterRival[] {
  const known = made.get(operation) ?? makeRivals(contract, operation);
  made.set(operation, known);
  return known;
}

const made = new WeakMap<ListOperation, readonly FilterRival[]>();

function makeRivals(contract: Contract, operation: ListOperation): readonly FilterRival[] {
  const filters = [...operation.collection.filters].filter(([parameter]) => isPredictable(contract, operation, parameter));
  const single = filters.flatMap(([parameter, filter]) => rivalsOf(operation, parameter, filter));
  const pairs = filters.flatMap(([first], index) => filters.slice(index + 1).flatMap(([second]) => pairRivals(operation, first, second)));
  return [...single, ...wholeDayRivals(operation, filters), ...pairs];
}

function rivalsOf(operation: ListOperation, parameter: string, filter: Filter): readonly FilterRival[] {
  const ignored = argumentRival(
    operation,
    parameter,
    'ignored',
    'is ignored',
    `a value of ${parameter} that not every record has`,
    () => [],
  );
  if (filter.operator === 'matches') return [ignored];
  if (filter.operator === 'any-of') return [ignored, ...listRivals(operation, parameter)];
  if (filter.operator === 'equals') return [ignored];
  return [ignored, ...boundRivals(operation, parameter, filter)];
}

/** A server that reads another list of values than was sent: an empty one for a filter that it ignores. */
function argumentRival(
  operation: ListOperation,
  parameter: string,
  kind: string,
  title: string,
  missing: string,
  read: (values: readonly Json[]) => readonly Json[],
): FilterRival {
  // An evaluator of its own keeps what it read of these arguments, while the list's keeps what it read of the true ones.
  const query = createQuery(operation.collection, operation.collection.kindOf);
  const changed = perArguments((values) => {
    const kept = read([values.get(parameter) ?? []].flat() as readonly Json[]);
    const others = [...values].filter(([name]) => name !== parameter);
    return new Map(kept.length === 0 ? others : [...others, [parameter, kept]]);
  });
  return {
    id: `${kind}:${parameter}`,
    kind,
    title: `${parameter} ${title}`,
    missing,
    parameters: [parameter],
    accepts: (record, values) => query.matches(record, changed(values)),
  };
}

/** Other arguments in place of some, made once for all records that they are held against. */
function perArguments(change: (values: Arguments) => Arguments): (values: Arguments) => Arguments {
  const known = new WeakMap<Arguments, Arguments>();
  return (values) => {
    const made = known.get(values) ?? change(values);
    known.set(values, made);
    return made;
  };
}

function listRivals(operation: ListOperation, parameter: string): readonly FilterRival[] {
  const missing = `records with two different values of ${parameter}`;
  return [
    argumentRival(operation, parameter, 'first-only', 'takes only the first value of a list', missing, (values) => values.slice(0, 1)),
    argumentRival(operation, parameter, 'last-only', 'takes only the last value of a list', missing, (values) => values.slice(-1)),
    argumentRival(operation, parameter, 'whole-text', 'takes a list for one value', missing, (values) =>
      values.length > 1 ? [values.join(',')] : values,
    ),
  ];
}

const exclusive = { from: 'after', to: 'before', after: 'from', before: 'to' } as const;

function boundRivals(operation: ListOperation, parameter: string, filter: FieldFilter): readonly FilterRival[] {
  const { kindOf } = operation.collection;
  const kind = filter.as ?? kindOf(filter.field);
  const swapped = { ...filter, operator: exclusive[filter.operator as keyof typeof exclusive] };
  const sign = { from: '>', to: '<', after: '>=', before: '<=' }[filter.operator as keyof typeof exclusive];
  const field = filter.field.slice(1).replaceAll('/', '.');
  const edge = editRival(
    operation,
    parameter,
    'exclusive',
    `compares ${field} with ${sign}`,
    `a record whose ${field} can be the bound`,
    swapped,
  );
  if (kind === 'instant') return [edge, ...instantRivals(operation, parameter, filter, field)];
  return [edge, ...(isDay(kind) ? dayRivals(operation, [parameter], filter.field) : [])];
}

function isDay(kind: ComparisonName): boolean {
  return kind === 'text' || kind === 'date';
}

/** Both bounds of a day wrong at once: a server that takes another day takes it at both ends, which neither bound alone explains. */
function wholeDayRivals(operation: ListOperation, filters: readonly (readonly [string, Filter])[]): readonly FilterRival[] {
  const bounds = filters.flatMap(([parameter, filter]) =>
    filter.operator === 'from' || filter.operator === 'to' ? [{ parameter, field: filter.field, filter }] : [],
  );
  return bounds.flatMap(({ field, filter }, index) => {
    const both = bounds.filter((each) => each.field === field).map((each) => each.parameter);
    const isFirst = bounds.findIndex((each) => each.field === field) === index;
    const isRange = isFirst && both.length > 1 && isDay(filter.as ?? operation.collection.kindOf(field));
    return isRange ? dayRivals(operation, both, field) : [];
  });
}

/** The same evaluator over another rule for one filter. */
function editRival(operation: ListOperation, parameter: string, kind: string, title: string, missing: string, filter: Filter): FilterRival {
  const { collection } = operation;
  const query = createQuery({ ...collection, filters: new Map([...collection.filters, [parameter, filter]]) }, collection.kindOf);
  const accepts = (record: Entry, values: Arguments): boolean => query.matches(record, values);
  return { id: `${kind}:${parameter}`, kind, title: `${parameter} ${title}`, missing, parameters: [parameter], accepts };
}

function instantRivals(operation: ListOperation, parameter: string, filter: FieldFilter, field: string): readonly FilterRival[] {
  const as = (comparison: ComparisonName): Filter => ({ ...filter, as: comparison });
  const missing = `records that changed on the same day as a bound, before it`;
  return [
    editRival(operation, parameter, 'day-only', `compares only the day of ${field}`, missing, as('date')),
    editRival(
      operation,
      parameter,
      'offset-ignored',
      `compares ${field} as text, whatever the offset`,
      'records whose order by the clock on the wall is not that of their moments',
      as('text'),
    ),
    bareRival(operation, parameter, filter, field),
  ];
}

/** A server that drops the offset of the bound, and takes its wall clock for the record's own. */
function bareRival(operation: ListOperation, parameter: string, filter: FieldFilter, field: string): FilterRival {
  const { query } = operation.collection;
  const bare = (value: Json | undefined): bigint | undefined =>
    typeof value === 'string' ? parseInstant(value.replace(/([+-]\d\d:\d\d|[Zz])$/, 'Z')) : undefined;
  return {
    id: `wall-clock:${parameter}`,
    kind: 'wall-clock',
    title: `${parameter} is compared with ${field} without regard to the offset`,
    missing: 'records that changed within a few hours of each other',
    parameters: [parameter],
    accepts: (record, values) => {
      const [bound, value] = [bare(values.get(parameter)), bare(valueAt(record, filter.field))];
      const others = new Map([...values].filter(([name]) => name !== parameter));
      return query.matches(record, others) && (bound === undefined || (value !== undefined && value >= bound));
    },
  };
}

/** A server that compares another day than the field's own, at one bound or at several: that of the last change, or the day in UTC. */
function dayRivals(operation: ListOperation, parameters: readonly string[], field: string): readonly FilterRival[] {
  const { version, kindOf } = operation.collection;
  const named = field.slice(1).replaceAll('/', '.');
  const common = { parameters: parameters.slice(0, 1) };
  const [ids, names] = [parameters.join('+'), parameters.join(' and ')];
  const change = version !== undefined && kindOf(version) === 'instant' ? changeQuery(operation, parameters, version) : undefined;
  const byChange: readonly FilterRival[] =
    change === undefined || version === undefined
      ? []
      : [
          {
            id: `day-of-change:${ids}`,
            kind: 'day-of-change',
            title: `${names} ${parameters.length > 1 ? 'compare' : 'compares'} ${version.slice(1)} instead of ${named}`,
            missing: `a record that changed on another day than its ${named}`,
            accepts: change,
            ...common,
          },
        ];
  const inUtc: FilterRival = {
    id: `utc-day:${ids}`,
    kind: 'utc-day',
    title: `${names} ${parameters.length > 1 ? 'compare' : 'compares'} the day of ${named} in UTC`,
    missing: `a record whose local time lies so near to midnight that its day in UTC is another one`,
    accepts: (record, values) => acceptsInUtc(operation, parameters, field, record, values),
    ...common,
  };
  return [...byChange, inUtc];
}

/** The same evaluator over rules that compare the day of the last change. */
function changeQuery({ collection }: ListOperation, parameters: readonly string[], version: string): FilterRival['accepts'] {
  const edited = [...collection.filters].map(([name, filter]): [string, Filter] =>
    parameters.includes(name) && filter.operator !== 'matches' ? [name, { ...filter, field: version, as: 'date' }] : [name, filter],
  );
  const query = createQuery({ ...collection, filters: new Map(edited) }, collection.kindOf);
  return (record, values) => query.matches(record, values);
}

/** Two filters that are meant to narrow each other. */
function pairRivals(operation: ListOperation, first: string, second: string): readonly FilterRival[] {
  const { query } = operation.collection;
  const without = (values: Arguments, name: string): Arguments => new Map([...values].filter(([each]) => each !== name));
  const both = (values: Arguments): boolean => values.has(first) && values.has(second);
  const rival = (kind: string, title: string, accepts: FilterRival['accepts']): FilterRival => ({
    id: `${kind}:${first}+${second}`,
    kind,
    title,
    missing: `records that pass ${first} and not ${second}, and the other way round`,
    parameters: [first, second],
    accepts: (record, values) => (both(values) ? accepts(record, values) : query.matches(record, values)),
  });
  return [
    rival('either', `${first} and ${second} together give what passes either of them`, (record, values) =>
      [...values].some(([name, value]) => query.matches(record, new Map([[name, value]]))),
    ),
    rival('dropped-second', `${second} is ignored beside ${first}`, (record, values) => query.matches(record, without(values, second))),
    rival('dropped-first', `${first} is ignored beside ${second}`, (record, values) => query.matches(record, without(values, first))),
  ];
}
