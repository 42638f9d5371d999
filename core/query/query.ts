/**
 * The one evaluator of filters, order, pages and visibility: a pure function of a collection's annotations over plain records. Whatever serves or predicts a
 * list uses it.
 */

import type { Collection, ComparisonName, Filter, OrderKey, Visibility } from '../annotations/annotations.ts';
import { bisect } from '../bisect.ts';
import { isArray, isNumber, type Json, type JsonObject } from '../json.ts';
import type { ComparisonKind } from '../openapi/schema-facts.ts';
import { valueAt } from '../pointer.ts';
import { instantOf } from './instants.ts';

/** A record of a collection. */
export type DataRecord = JsonObject;

/** Parameter values by name, as `readRequest` returns them. */
export type FilterArguments = ReadonlyMap<string, Json>;

/** Start of a page: after a record with these order values, or after a number of records. */
export type PageStart =
  | {
      /** Order values of the last record before the page; `undefined` for the first page. */
      readonly after: readonly Json[] | undefined;
    }
  | {
      /** Number of records before the page. */
      readonly skip: number;
    };

/** A page of an ordered selection. */
export interface PageSlice {
  /** Records of the page in order. */
  readonly records: readonly DataRecord[];
  /** True if further records follow. */
  readonly more: boolean;
}

/** The evaluator of one collection. */
export interface Query {
  /** Returns true if clients may see a record. */
  readonly isVisible: (record: DataRecord) => boolean;
  /** Returns the test of whether a record satisfies every filter in the arguments. Arguments are parsed once, not for each record. */
  readonly matching: (values: FilterArguments) => (record: DataRecord) => boolean;
  /** Sorts records in the order of the collection. The record key breaks remaining ties. */
  readonly sort: (records: readonly DataRecord[]) => readonly DataRecord[];
  /** Returns the values of a record that decide its place in the order. */
  readonly position: (record: DataRecord) => readonly Json[];
  /** Returns a page of the visible and matching records; `sorted` comes from `sort`. */
  readonly page: (sorted: readonly DataRecord[], values: FilterArguments, start: PageStart, limit: number) => PageSlice;
  /** Counts the visible records that match. */
  readonly count: (records: readonly DataRecord[], values: FilterArguments) => number;
  /** The annotations that it evaluates; `undefined` for a mutant, whose functions do something else. */
  readonly plan: QueryPlan | undefined;
}

/** The annotations behind an evaluator. An index that is built from them must give the same results. */
export interface QueryPlan {
  /** The keys of the order, including the record key, which breaks ties. */
  readonly keys: readonly (OrderKey & { readonly kind: ComparisonKind })[];
  /** The filters by parameter, each with the comparison of its field; a text search has none. */
  readonly filters: readonly { readonly parameter: string; readonly filter: Filter; readonly kind: ComparisonName | undefined }[];
  /** Which records clients may see; `undefined` if all. */
  readonly visible: Visibility | undefined;
}

/** Returns the comparison of the values at a pointer of a record, by their schema. */
export type ComparisonKindOf = (pointer: string) => ComparisonKind;

/** Compiles the annotations of a collection into its evaluator. */
export function createQuery(rules: Pick<Collection, 'key' | 'order' | 'filters' | 'visible'>, kindOf: ComparisonKindOf): Query {
  const keys = completeOrder(rules).map((key) => ({ ...key, read: comparable(kindOf(key.by)) }));
  const filters = [...rules.filters].map(([parameter, filter]) => ({ parameter, read: compileFilter(filter, kindOf) }));
  const isVisible = (record: DataRecord): boolean =>
    rules.visible === undefined || rules.visible.shown.includes(String(valueAt(record, rules.visible.field)));
  const matching = (values: FilterArguments): ((record: DataRecord) => boolean) => {
    const tests = filters.flatMap(({ parameter, read: testFor }) => {
      const argument = values.get(parameter);
      return argument === undefined ? [] : [testFor(argument)];
    });
    return (record) => tests.every((test) => test(record));
  };
  const accepting = (values: FilterArguments): ((record: DataRecord) => boolean) => {
    const matches = matching(values);
    return (record) => isVisible(record) && matches(record);
  };
  const position = (record: DataRecord): readonly Json[] => keys.map((key) => valueAt(record, key.by) ?? null);
  const compare = (left: readonly (Comparable | undefined)[], right: readonly (Comparable | undefined)[]): number =>
    compareByKeys(keys, left, right);
  const toComparables = (values: readonly Json[]): readonly (Comparable | undefined)[] => keys.map((key, index) => key.read(values[index]));
  return {
    isVisible,
    matching,
    position,
    sort: (records) => sortBy(records, (record) => toComparables(position(record)), compare),
    page: (sorted, values, start, limit) => {
      const accepts = accepting(values);
      if ('skip' in start) return takePage(sorted.filter(accepts).slice(start.skip), () => true, 0, limit);
      const after = start.after === undefined ? undefined : toComparables(start.after);
      const isAfter = (record: DataRecord): boolean => after === undefined || compare(toComparables(position(record)), after) > 0;
      const from = bisect(sorted.length, (index) => isAfter(sorted[index] ?? {}));
      return takePage(sorted, accepts, from, limit);
    },
    count: (records, values) => {
      const accepts = accepting(values);
      return records.reduce((sum, record) => (accepts(record) ? sum + 1 : sum), 0);
    },
    plan: {
      keys: completeOrder(rules).map((key) => ({ ...key, kind: kindOf(key.by) })),
      filters: [...rules.filters].map(([parameter, filter]) => ({
        parameter,
        filter,
        kind: filter.operator === 'matches' ? undefined : (filter.as ?? kindOf(filter.field)),
      })),
      visible: rules.visible,
    },
  };
}

/** Values that compare by `<`: instants as bigint, numbers, and text by code units. */
type Comparable = bigint | number | string;

/** Adds the record key to an order, so that no ties remain. */
function completeOrder(rules: Pick<Collection, 'key' | 'order'>): readonly OrderKey[] {
  return rules.order.some((key) => key.by === rules.key) ? rules.order : [...rules.order, { by: rules.key, direction: 'ascending' }];
}

/** Converts values for comparison. A value of another kind gives `undefined`: it matches no filter and sorts first. */
function comparable(kind: ComparisonName): (value: Json | undefined) => Comparable | undefined {
  if (kind === 'number') return (value) => (isNumber(value) ? value : undefined);
  if (kind === 'instant') return instantOf;
  const toText = (value: Json | undefined): string | undefined => (value === null || value === undefined ? undefined : String(value));
  return kind === 'date' ? (value) => toText(value)?.slice(0, 10) : toText;
}

/** Compiles a filter into a function of its argument, which returns a test of records. */
function compileFilter(filter: Filter, kindOf: ComparisonKindOf): (argument: Json) => (record: DataRecord) => boolean {
  if (filter.operator === 'matches') return compileTextSearch(filter.fields, filter.fold);
  const { field, operator } = filter;
  const read = comparable(filter.as ?? kindOf(field));
  if (operator === 'any-of') {
    return (argument) => {
      const members = new Set([argument].flat().map((member) => read(member as Json)));
      return (record) => someValue(valueAt(record, field), (value) => isAmong(read(value), members));
    };
  }
  return (argument) => {
    const bound = read(argument);
    const holds = operator === 'equals' ? equals : comparisons[operator];
    const test = (single: Json | undefined): boolean => {
      const value = read(single);
      return value !== undefined && bound !== undefined && holds(value, bound);
    };
    return (record) => someValue(valueAt(record, field), test);
  };
}

/** True if a test accepts the value of a field. An array, such as tags, is accepted by one of its items. */
function someValue(value: Json | undefined, test: (value: Json | undefined) => boolean): boolean {
  return isArray(value) ? value.some(test) : test(value);
}

function isAmong(value: Comparable | undefined, members: ReadonlySet<Comparable | undefined>): boolean {
  return value !== undefined && members.has(value);
}

function equals(value: Comparable, bound: Comparable): boolean {
  return value === bound;
}

const comparisons: Readonly<Record<'from' | 'to' | 'after' | 'before', (value: Comparable, bound: Comparable) => boolean>> = {
  from: (value, bound) => value >= bound,
  to: (value, bound) => value <= bound,
  after: (value, bound) => value > bound,
  before: (value, bound) => value < bound,
};

function compileTextSearch(fields: readonly string[], fold: boolean): (argument: Json) => (record: DataRecord) => boolean {
  const normalise = fold ? foldText : (text: string): string => text;
  return (argument) => {
    const searchText = normalise(String(argument));
    return (record) =>
      fields.some((field) => {
        const value = valueAt(record, field);
        return typeof value === 'string' && normalise(value).includes(searchText);
      });
  };
}

/** Returns the text in lower case and without accents: decomposed (Unicode NFD), without combining marks. */
export function foldText(text: string): string {
  // Most texts are ASCII and have no accents.
  const unaccented = /\P{ASCII}/u.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
  return unaccented.toLowerCase();
}

function compareByKeys(
  keys: readonly OrderKey[],
  left: readonly (Comparable | undefined)[],
  right: readonly (Comparable | undefined)[],
): number {
  for (const [index, key] of keys.entries()) {
    const [leftValue, rightValue] = [left[index], right[index]];
    if (leftValue === rightValue) continue;
    const isBefore = leftValue === undefined || (rightValue !== undefined && leftValue < rightValue);
    return isBefore === (key.direction === 'ascending') ? -1 : 1;
  }
  return 0;
}

/** Sorts records. Converts the values of each record once. */
function sortBy(
  records: readonly DataRecord[],
  read: (record: DataRecord) => readonly (Comparable | undefined)[],
  compare: (left: readonly (Comparable | undefined)[], right: readonly (Comparable | undefined)[]) => number,
): readonly DataRecord[] {
  return records
    .map((record) => ({ record, values: read(record) }))
    .sort((left, right) => compare(left.values, right.values))
    .map(({ record }) => record);
}

function takePage(sorted: readonly DataRecord[], accepts: (record: DataRecord) => boolean, from: number, limit: number): PageSlice {
  const records: DataRecord[] = [];
  for (let index = from; index < sorted.length; index += 1) {
    const record = sorted[index];
    if (record === undefined || !accepts(record)) continue;
    if (records.length === limit) return { records, more: true };
    records.push(record);
  }
  return { records, more: false };
}
