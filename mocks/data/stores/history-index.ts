/**
 * Index of a list over a period, which finds records at any instant without reading all of them. Its tables are built when a request first needs their span of
 * time.
 */

import type { Filter } from '../../../core/annotations/annotations.ts';
import { bisect } from '../../../core/bisect.ts';
import { type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { instantOf } from '../../../core/query/instants.ts';
import type { DataRecord, FilterArguments, PageSlice, PageStart, Query, QueryPlan } from '../../../core/query/query.ts';
import { RecentCache } from '../../../core/recent-cache.ts';
import type { CollectionHistory } from '../dataset.ts';
import { type FieldValue, hasAll, type Store } from './list-store.ts';
import { type ComparedField, type TableSpan, toNumber, VersionTable } from './version-table.ts';

/** Time that is indexed beyond the requested instant, so that a running clock seldom needs a new table. */
const indexAheadMs = 64 * 86_400_000;

/** Time before the first requested instant that is indexed at first. Most versions ended earlier and are seldom needed. */
const indexBehindMs = 86_400_000;

/** Maximum number of cached records. */
const maxCachedRecords = 2_000;

/** Maximum number of versions in all cached selections. */
const maxCachedVersions = 4_000_000;

/** Records read in one turn of the event loop, which takes about five milliseconds. */
const recordsPerSlice = 200;

/** An indexed list. */
interface IndexedList {
  readonly history: CollectionHistory;
  readonly query: Query;
  readonly plan: QueryPlan;
  /** Fields of single reads. */
  readonly lookups: readonly string[];
}

/** Index of a list: returns the list at an instant. */
export type HistoryIndex = (nowMs: number) => Store;

/** Creates an index. It builds a new table when the last one does not include the instant. */
export function createHistoryIndex(list: IndexedList): HistoryIndex {
  const lastMs = list.history.untilMs;
  let table: { readonly span: TableSpan; readonly reader: TableReader } | undefined;
  return (nowMs) => {
    const { afterMs, untilMs } = table?.span ?? { afterMs: nowMs - indexBehindMs, untilMs: Number.NEGATIVE_INFINITY };
    const isIncluded = nowMs >= afterMs && (nowMs < untilMs || untilMs === lastMs);
    if (table === undefined || !isIncluded) {
      const span = {
        afterMs: nowMs < afterMs ? Number.NEGATIVE_INFINITY : afterMs,
        untilMs: Math.min(lastMs, Math.max(untilMs, nowMs + indexAheadMs)),
      };
      table = { span, reader: new TableReader(list, span) };
    }
    return table.reader.at(nowMs);
  };
}

/** Filters of a list, by how the index applies them. */
interface FilterGroups {
  /** Filters for single values, which the index applies once to each class. */
  readonly single: readonly FieldFilter[];
  /** Filters for a range, which the index compares with columns. */
  readonly range: readonly FieldFilter[];
  /** Parameters of all others, such as a text search: each record must be read to apply them. */
  readonly scanned: readonly string[];
}

/** Filter of one field. */
interface FieldFilter extends ComparedField {
  readonly parameter: string;
  readonly operator: Filter['operator'];
}

function groupFilters({ filters }: QueryPlan): FilterGroups {
  const [single, range, scanned]: [FieldFilter[], FieldFilter[], string[]] = [[], [], []];
  for (const { parameter, filter, kind = 'text' } of filters) {
    if (filter.operator === 'any-of' || filter.operator === 'equals')
      single.push({ parameter, operator: filter.operator, by: filter.field, kind });
    else if (filter.operator === 'matches' || kind === 'text') scanned.push(parameter);
    else range.push({ parameter, operator: filter.operator, by: filter.field, kind });
  }
  return { single, range, scanned };
}

/** Range of a column's values, both ends included. */
interface Bound {
  readonly column: Float64Array;
  readonly least: number;
  readonly most: number;
}

/** Reads one table, and keeps the records and selections that were read last. */
class TableReader {
  readonly #list: IndexedList;
  readonly #filters: FilterGroups;
  readonly #table: VersionTable;
  /** By version. */
  readonly #records = new RecentCache<number, JsonObject>(maxCachedRecords);
  readonly #selections = new RecentCache<string, Int32Array>(maxCachedVersions, ({ length }) => length + 1);
  /** Selections in progress, by key. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(list: IndexedList, span: TableSpan) {
    const { history, plan, lookups } = list;
    this.#list = list;
    this.#filters = groupFilters(plan);
    const { single, range } = this.#filters;
    const classes = [...single.map(({ by }) => by), ...(plan.visible === undefined ? [] : [plan.visible.field])];
    this.#table = new VersionTable(history, { order: plan.keys, ranges: range, classes, lookups }, span);
  }

  at(nowMs: number): Store {
    return {
      page: (values, start, limit) => this.#page(nowMs, values, start, limit),
      count: (values) => this.#select(nowMs, values).length,
      find: (wanted) => this.#find(nowMs, wanted),
      prepare: (values) => this.#prepare(nowMs, values),
    };
  }

  #page(nowMs: number, values: FilterArguments, start: PageStart, limit: number): PageSlice {
    const from = 'skip' in start || start.after === undefined ? 0 : this.#table.placeAfter(start.after);
    if ('skip' in start || this.#readsRecords(values)) {
      const versions = this.#select(nowMs, values);
      const first = 'skip' in start ? start.skip : bisect(versions.length, (place) => (versions[place] as number) >= from);
      const records = Array.from(versions.subarray(first, first + limit), (version) => this.#recordAt(version));
      return { records, more: versions.length > first + limit };
    }
    const records: DataRecord[] = [];
    const next = this.#search(from, nowMs, values);
    for (let version = next(); version >= 0; version = next()) {
      if (records.length === limit) return { records, more: true };
      records.push(this.#recordAt(version));
    }
    return { records, more: false };
  }

  /** Returns all selected versions in order. They are cached, because clients read the pages of a list one after another. */
  #select(nowMs: number, values: FilterArguments): Int32Array {
    return getOrCompute(this.#selections, this.#keyOf(nowMs, values), () => {
      const selecting = this.#collect(nowMs, values);
      let step = selecting.next();
      while (step.done !== true) step = selecting.next();
      return step.value;
    });
  }

  /** Prepares a selection that must read every record, in slices, so that other requests get responses meanwhile. */
  #prepare(nowMs: number, values: FilterArguments): Promise<void> | undefined {
    const key = this.#keyOf(nowMs, values);
    if (!this.#readsRecords(values) || this.#selections.has(key)) return undefined;
    return getOrCompute(this.#underWay, key, () => this.#selectInSlices(key, this.#collect(nowMs, values)));
  }

  async #selectInSlices(key: string, selecting: Generator<undefined, Int32Array>): Promise<void> {
    try {
      let step = selecting.next();
      while (step.done !== true) {
        await nextTurn();
        step = selecting.next();
      }
      this.#selections.set(key, step.value);
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** Collects the selected versions. Yields after each slice of records that it had to read. */
  *#collect(nowMs: number, values: FilterArguments): Generator<undefined, Int32Array> {
    const versions: number[] = [];
    const scanned = only(this.#filters.scanned, values);
    const matches = this.#list.query.matching(scanned);
    let read = 0;
    const next = this.#search(0, nowMs, values);
    for (let version = next(); version >= 0; version = next()) {
      if (scanned.size > 0) {
        read += 1;
        if (read % recordsPerSlice === 0) yield undefined;
        if (!matches(this.#records.get(version) ?? this.#readRecord(version))) continue;
      }
      versions.push(version);
    }
    return Int32Array.from(versions);
  }

  #keyOf(nowMs: number, values: FilterArguments): string {
    return printJson([nowMs, ...this.#list.plan.filters.map(({ parameter }) => values.get(parameter) ?? null)]);
  }

  /** True if a filter, such as a text search, must read every record. */
  #readsRecords(values: FilterArguments): boolean {
    return this.#filters.scanned.some((parameter) => values.has(parameter));
  }

  /** Returns a function that gives, from a version on, one after another that is valid at an instant and matches the unscanned filters; -1 at the end. */
  #search(from: number, nowMs: number, values: FilterArguments): () => number {
    const { query } = this.#list;
    const { outlines, begins, ends, classes } = this.#table;
    const classValues = only(
      this.#filters.single.map(({ parameter }) => parameter),
      values,
    );
    const matches = query.matching(classValues);
    const isMatching = outlines.map((outline) => query.isVisible(outline) && matches(outline));
    const bounds = this.#boundsIn(values);
    if (bounds === undefined || !isMatching.includes(true)) return () => -1;
    const [first, end] = this.#rangeWithin(bounds, nowMs);
    const limits: readonly Bound[] = [
      { column: begins, least: Number.NEGATIVE_INFINITY, most: nowMs },
      { column: ends, least: nextAbove(nowMs), most: Number.POSITIVE_INFINITY },
      ...bounds,
    ];
    let version = Math.max(from, first) - 1;
    return () => {
      for (version += 1; version < end; version += 1)
        if (isMatching[classes[version] as number] === true && isWithin(limits, version)) return version;
      return -1;
    };
  }

  /** Converts arguments to bounds; `undefined` if an argument is not a value of its kind, so that no record matches. */
  #boundsIn(values: FilterArguments): readonly Bound[] | undefined {
    const bounds: Bound[] = [];
    for (const filter of this.#filters.range) {
      const argument = values.get(filter.parameter);
      if (argument === undefined) continue;
      const [below, above] = roundToColumn(filter.kind, argument);
      if (Number.isNaN(below)) return undefined;
      const bound = {
        column: this.#table.columnOf(filter) as Float64Array,
        least: Number.NEGATIVE_INFINITY,
        most: Number.POSITIVE_INFINITY,
      };
      if (filter.operator === 'from') bounds.push({ ...bound, least: above });
      else if (filter.operator === 'after') bounds.push({ ...bound, least: nextAbove(below) });
      else if (filter.operator === 'to') bounds.push({ ...bound, most: below });
      else bounds.push({ ...bound, most: -nextAbove(-above) });
    }
    return bounds;
  }

  /** Returns the versions within the bounds of the first key of the order. It skips future versions, and changes before a checkpoint. */
  #rangeWithin(bounds: readonly Bound[], nowMs: number): readonly [first: number, end: number] {
    const { length } = this.#table;
    const [key] = this.#list.plan.keys;
    const column = key === undefined ? undefined : this.#table.columnOf(key);
    const ofKey = bounds.filter((bound) => bound.column === column);
    const isTimeOfChange = key?.by === this.#list.history.instantField;
    if (!(column instanceof Float64Array) || (ofKey.length === 0 && !isTimeOfChange)) return [0, length];
    const least = Math.max(...ofKey.map((bound) => bound.least));
    const most = Math.min(...ofKey.map((bound) => bound.most), isTimeOfChange ? nowMs : Number.POSITIVE_INFINITY);
    // Missing values, which are not a number, come first in an ascending order, and last in a descending one.
    const isAtLeast = (version: number): boolean => (column[version] as number) >= least;
    const isAbove = (version: number): boolean => (column[version] as number) > most;
    return key?.direction === 'ascending'
      ? [bisect(length, isAtLeast), bisect(length, isAbove)]
      : [bisect(length, (version) => !isAbove(version)), bisect(length, (version) => !isAtLeast(version))];
  }

  #find(nowMs: number, wanted: readonly FieldValue[]): DataRecord | undefined {
    const first = wanted.find(({ field }) => this.#list.lookups.includes(field));
    if (first === undefined) return undefined;
    for (const index of this.#table.recordsWith(first.field, first.value)) {
      const history = this.#list.history.recordHistory(index);
      const change = history.instants.findLastIndex((instant) => instant <= nowMs);
      const record = change < 0 ? undefined : history.record(change);
      if (record !== undefined && hasAll(record, wanted)) return record;
    }
    return undefined;
  }

  /** Returns a record, and keeps it for the next page that has it. */
  #recordAt(version: number): JsonObject {
    const known = this.#records.get(version);
    if (known !== undefined) return known;
    const record = this.#readRecord(version);
    this.#records.set(version, record);
    return record;
  }

  #readRecord(version: number): JsonObject {
    const { records, changes } = this.#table;
    return this.#list.history.recordHistory(records[version] as number).record(changes[version] as number);
  }
}

/** True if a version is within all bounds. A loop without closures, since a page of rare records looks at many versions. */
function isWithin(bounds: readonly Bound[], version: number): boolean {
  for (const { column, least, most } of bounds) {
    const value = column[version] as number;
    if (!(value >= least && value <= most)) return false;
  }
  return true;
}

/** The values of some parameters. */
function only(parameters: readonly string[], values: FilterArguments): FilterArguments {
  return new Map([...values].filter(([name]) => parameters.includes(name)));
}

/** Rounds an argument down and up to values of a column, where instants have whole milliseconds; `NaN` for a value of another kind. */
function roundToColumn(kind: ComparedField['kind'], argument: Json): readonly [below: number, above: number] {
  const instant = kind === 'instant' ? instantOf(argument) : undefined;
  if (instant === undefined) return [toNumber(kind, argument), toNumber(kind, argument)];
  const towardsZero = instant / 1_000_000n;
  const rest = instant % 1_000_000n;
  return [Number(rest < 0n ? towardsZero - 1n : towardsZero), Number(rest > 0n ? towardsZero + 1n : towardsZero)];
}

/** Returns a number just above a value: less than every greater value of a column. */
function nextAbove(value: number): number {
  return value + Math.max(Math.abs(value), 1) * Number.EPSILON;
}

/** Waits for the next turn of the event loop. The timer does not keep the process alive, which `setImmediate` would do. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0).unref();
  });
}
