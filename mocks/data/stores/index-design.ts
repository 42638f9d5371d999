/**
 * Layout of a list's index, derived from its filters and order. `create-list-store.ts` designs it once per list and period. `history-index.ts`, `segment.ts`
 * and `merge-runs.ts` follow the layout when a request needs a new segment or a page. Records are held in `segment.ts`.
 */

import type { ComparisonName } from '../../../core/annotations/annotations.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instants-and-dates.ts';
import type { FilterArguments, QueryPlan } from '../../../core/query/query.ts';

/** A column: one field of all records, as numbers if its kind allows. `by` is a JSON Pointer. */
export interface Column {
  readonly by: string;
  readonly kind: ComparisonName;
}

/** Range of a column's values, both ends included. */
export interface Bounds {
  readonly column: Column;
  readonly least: number;
  readonly most: number;
}

/** Layout of an index. */
export interface IndexDesign {
  readonly plan: QueryPlan;
  /** Sort keys, one column each. */
  readonly order: readonly (Column & { readonly sign: 1 | -1 })[];
  /** Columns with filters for a range. */
  readonly boundColumns: readonly Column[];
  /** Fields with filters for single values. Records with equal values form a class. */
  readonly classFields: readonly string[];
  /** Parameters that select classes. */
  readonly classParameters: ReadonlySet<string>;
  /** All other parameters, such as a text search: each record must be read to apply them. */
  readonly scannedParameters: ReadonlySet<string>;
  /** Fields of single reads. */
  readonly lookupFields: readonly string[];
}

/** Designs the index of a list. `lookups` are the fields of single reads. */
export function designIndex(plan: QueryPlan, lookups: readonly string[]): IndexDesign {
  const classFilters = plan.filters.filter(({ filter }) => filter.operator === 'any-of' || filter.operator === 'equals');
  const bounds = plan.filters.filter(({ filter, kind }) => isBound(filter.operator) && kind !== 'text');
  const indexedParameters = new Set([...classFilters, ...bounds].map(({ parameter }) => parameter));
  const fieldOf = ({ filter }: QueryPlan['filters'][number]): readonly string[] => ('field' in filter ? [filter.field] : []);
  return {
    plan,
    order: plan.keys.map(({ by, kind, direction }) => ({ by, kind, sign: direction === 'ascending' ? 1 : -1 })),
    boundColumns: bounds.flatMap(({ filter, kind }) => ('field' in filter && kind !== undefined ? [{ by: filter.field, kind }] : [])),
    classFields: [...new Set([...classFilters.flatMap(fieldOf), ...(plan.visible === undefined ? [] : [plan.visible.field])])],
    classParameters: new Set(classFilters.map(({ parameter }) => parameter)),
    scannedParameters: new Set(plan.filters.map(({ parameter }) => parameter).filter((parameter) => !indexedParameters.has(parameter))),
    lookupFields: lookups,
  };
}

/** Converts arguments to ranges; `undefined` if an argument is not a value of its kind, so that no record matches. */
export function boundsIn({ plan }: IndexDesign, values: FilterArguments): readonly Bounds[] | undefined {
  const ranges: Bounds[] = [];
  for (const { parameter, filter, kind } of plan.filters) {
    const argument = values.get(parameter);
    if (argument === undefined || kind === undefined || kind === 'text' || !('field' in filter) || !isBound(filter.operator)) continue;
    const bound = toBound(kind, argument);
    if (bound === undefined) return undefined;
    const column = { by: filter.field, kind };
    if (filter.operator === 'from') ranges.push({ column, least: bound.above, most: Number.POSITIVE_INFINITY });
    else if (filter.operator === 'after') ranges.push({ column, least: next(kind, bound.below), most: Number.POSITIVE_INFINITY });
    else if (filter.operator === 'to') ranges.push({ column, least: Number.NEGATIVE_INFINITY, most: bound.below });
    else ranges.push({ column, least: Number.NEGATIVE_INFINITY, most: previous(kind, bound.above) });
  }
  return ranges;
}

/** Names a column; equal columns have equal names. */
export function nameOf({ by, kind }: Column): string {
  return `${kind} ${by}`;
}

/** Converts a value to a number of a column: milliseconds, days, or the number itself; `NaN` for a value of another kind. */
export function toNumber(kind: ComparisonName, value: Json | undefined): number {
  if (kind === 'number') return typeof value === 'number' ? value : Number.NaN;
  if (typeof value !== 'string') return Number.NaN;
  if (kind === 'date') return toDay(value);
  const instant = parseInstant(value);
  return instant === undefined ? Number.NaN : Number(instant) / 1_000_000;
}

/** Values of one sort key by version: numbers or texts. */
export type KeyColumn = Float64Array | readonly number[] | readonly string[];

/** Compares two versions in the order of a list, by their sort keys. */
export function compareVersions(
  order: IndexDesign['order'],
  leftKeys: readonly KeyColumn[],
  left: number,
  rightKeys: readonly KeyColumn[],
  right: number,
): number {
  for (let index = 0; index < order.length; index += 1) {
    const compared = compareKeys(leftKeys[index]?.[left], rightKeys[index]?.[right]);
    if (compared !== 0) return compared * (order[index]?.sign ?? 1);
  }
  return 0;
}

/** Compares two values of a key. `NaN` and the empty text are missing values, which come first. */
export function compareKeys(left: number | string | undefined, right: number | string | undefined): number {
  if (left === right) return 0;
  if (left !== undefined && right !== undefined) {
    if (left < right) return -1;
    if (left > right) return 1;
  }
  const [first, second] = [rank(left), rank(right)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function rank(value: number | string | undefined): number | string {
  return value === undefined || Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

/** Reads one field of records. */
export type FieldReader = (record: JsonObject) => Json | undefined;

/** Creates a reader of a field (JSON Pointer), with a fast path for members of the record itself. */
export function readerOf(pointer: string): FieldReader {
  const name = pointer.slice(1);
  // Direct access would find inherited members such as `constructor`.
  return /[/~]/.test(name) || pointer === '' || name in Object.prototype ? (record) => valueAt(record, pointer) : (record) => record[name];
}

function isBound(operator: string): boolean {
  return operator === 'from' || operator === 'to' || operator === 'after' || operator === 'before';
}

/** Rounds an argument down and up to values of the column, which has whole milliseconds. */
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

/** Returns the next larger value of a kind. */
function next(kind: ComparisonName, value: number): number {
  return kind === 'number' ? value + Math.max(Math.abs(value), 1) * Number.EPSILON : value + 1;
}

/** Returns the next smaller value of a kind. */
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
