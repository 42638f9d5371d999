/** Layout of the index of one list, derived from its filters and order. */

import type { ComparisonName } from '../../../core/annotations/annotations.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';
import type { FilterArguments, QueryPlan } from '../../../core/query/query.ts';

/** A value of a record that is kept in a column: as a number wherever it can be one. */
export interface Column {
  readonly by: string;
  readonly kind: ComparisonName;
}

/** Bounds of a column; a bound that is `open` does not belong to what it bounds. */
export interface Bounds {
  readonly column: Column;
  readonly least: number;
  readonly most: number;
}

/** Indexed fields. */
export interface IndexDesign {
  readonly plan: QueryPlan;
  /** Keys of the order, one column each. */
  readonly order: readonly (Column & { readonly sign: 1 | -1 })[];
  /** Columns that filters bound. */
  readonly bounded: readonly Column[];
  /** Fields whose values part the records into classes, each of which has a list of its own. */
  readonly classes: readonly string[];
  /** The parameters that only tell classes apart. */
  readonly classParameters: ReadonlySet<string>;
  /** Parameters that are neither bounds nor classes: records are held against them one by one. */
  readonly others: ReadonlySet<string>;
  /** Fields that single records are found by. */
  readonly lookups: readonly string[];
}

/** Designs the index of a list; `lookups` are the fields that single reads find records by. */
export function designIndex(plan: QueryPlan, lookups: readonly string[]): IndexDesign {
  const classFilters = plan.filters.filter(({ filter }) => filter.operator === 'any-of' || filter.operator === 'equals');
  const bounds = plan.filters.filter(({ filter, kind }) => isBound(filter.operator) && kind !== 'text');
  const known = new Set([...classFilters, ...bounds].map(({ parameter }) => parameter));
  const fieldOf = ({ filter }: QueryPlan['filters'][number]): readonly string[] => ('field' in filter ? [filter.field] : []);
  const columns = bounds.flatMap(({ filter, kind }) => ('field' in filter && kind !== undefined ? [{ by: filter.field, kind }] : []));
  return {
    plan,
    order: plan.keys.map(({ by, kind, direction }) => ({ by, kind, sign: direction === 'ascending' ? 1 : -1 })),
    bounded: columns.filter((column, index) => columns.findIndex((other) => isSameColumn(other, column)) === index),
    classes: [...new Set([...classFilters.flatMap(fieldOf), ...(plan.visible === undefined ? [] : [plan.visible.field])])],
    classParameters: new Set(classFilters.map(({ parameter }) => parameter)),
    others: new Set(plan.filters.map(({ parameter }) => parameter).filter((parameter) => !known.has(parameter))),
    lookups,
  };
}

/** The bounds that arguments set; `undefined` when one of them is no value of its kind, so that nothing is inside. */
export function boundsIn({ plan }: IndexDesign, values: FilterArguments): readonly Bounds[] | undefined {
  const found: Bounds[] = [];
  for (const { parameter, filter, kind } of plan.filters) {
    const argument = values.get(parameter);
    if (argument === undefined || kind === undefined || kind === 'text' || !('field' in filter) || !isBound(filter.operator)) continue;
    const bound = toBound(kind, argument);
    if (bound === undefined) return undefined;
    const column = { by: filter.field, kind };
    if (filter.operator === 'from') found.push({ column, least: bound.above, most: Number.POSITIVE_INFINITY });
    else if (filter.operator === 'after') found.push({ column, least: next(kind, bound.below), most: Number.POSITIVE_INFINITY });
    else if (filter.operator === 'to') found.push({ column, least: Number.NEGATIVE_INFINITY, most: bound.below });
    else found.push({ column, least: Number.NEGATIVE_INFINITY, most: previous(kind, bound.above) });
  }
  return found;
}

/** True when two columns are equal. */
export function isSameColumn(left: Column, right: Column): boolean {
  return left.by === right.by && left.kind === right.kind;
}

/** A value as a number of a column: milliseconds, days or itself; `NaN` when it is not of the kind. Text has none. */
export function toNumber(kind: ComparisonName, value: Json | undefined): number {
  if (kind === 'number') return typeof value === 'number' ? value : Number.NaN;
  if (typeof value !== 'string') return Number.NaN;
  if (kind === 'date') return toDay(value);
  const instant = parseInstant(value);
  return instant === undefined ? Number.NaN : Number(instant) / 1_000_000;
}

/** Reads one field of records. */
export type FieldReader = (record: JsonObject) => Json | undefined;

/** A reader of the field at a pointer. Most fields are members of the record itself, and are read as such. */
export function readerOf(pointer: string): FieldReader {
  const name = pointer.slice(1);
  // Inherited members, such as `constructor`, are no fields of a record.
  return /[/~]/.test(name) || pointer === '' || name in Object.prototype ? (record) => valueAt(record, pointer) : (record) => record[name];
}

function isBound(operator: string): boolean {
  return operator === 'from' || operator === 'to' || operator === 'after' || operator === 'before';
}

/** A bound between two milliseconds lies below the one and above the other; columns hold whole ones. */
function toBound(kind: ComparisonName, argument: Json): { readonly below: number; readonly above: number } | undefined {
  if (kind !== 'instant') {
    const number = toNumber(kind, argument);
    return Number.isNaN(number) ? undefined : { below: number, above: number };
  }
  const instant = typeof argument === 'string' ? parseInstant(argument) : undefined;
  if (instant === undefined) return undefined;
  const below = floorDivide(instant, 1_000_000n);
  return { below: Number(below), above: Number(below * 1_000_000n === instant ? below : below + 1n) };
}

/** The least value of a kind that is larger. */
function next(kind: ComparisonName, value: number): number {
  return kind === 'number' ? value + Math.max(Math.abs(value), 1) * Number.EPSILON : value + 1;
}

/** The largest value of a kind that is less. */
function previous(kind: ComparisonName, value: number): number {
  return kind === 'number' ? value - Math.max(Math.abs(value), 1) * Number.EPSILON : value - 1;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return quotient * by > value ? quotient - 1n : quotient;
}

function toDay(text: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(text);
  return match === null ? Number.NaN : Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / 86_400_000;
}
