/**
 * Index of a list for a period, which finds records for any instant without reading all of them. It holds versions of records in segments; the instant selects
 * the current ones. `create-list-store.ts` creates one per list and period, and asks it for each request. Segments are built when a request first needs them:
 * later times in steps, earlier times at once. Its layout is in `index-design.ts`, the order of pages in `merge-runs.ts`.
 */

import { bisect } from '../../../core/bisect.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { DataRecord, FilterArguments, PageSlice, Query } from '../../../core/query/query.ts';
import { RecentCache } from '../../../core/recent-cache.ts';
import type { CollectionHistory } from '../dataset.ts';
import { type Bounds, boundsIn, compareKeys, type IndexDesign, toNumber } from './index-design.ts';
import { type FieldValue, hasAll, type Store } from './list-store.ts';
import { type Limit, mergeRuns, type RunPosition, RunReader } from './merge-runs.ts';
import { type Extent, Segment } from './segment.ts';

/** Time that is indexed beyond the requested instant, so that a running clock seldom needs a new segment. */
const indexAheadMs = 64 * 86_400_000;

/** Time before the first requested instant that is indexed at first. Most versions ended earlier and are seldom needed. */
const indexBehindMs = 86_400_000;

/** Maximum number of cached records. */
const maxCachedRecords = 1_000;

/**
 * Number of changes per record in the cache's keys, `record * 2048 + change`. With up to a million records, the keys are small integers, which a map finds
 * faster. Later changes of a record are not cached.
 */
const maxCachedChanges = 2048;

/** Maximum number of versions in all cached selections. */
const maxCachedVersions = 4_000_000;

/** Records read in one turn of the event loop, which takes about five milliseconds. */
const recordsPerSlice = 200;

/** Selected versions in order: the number of each one's segment, and its number there. */
interface Selection {
  readonly segments: Int32Array;
  readonly versions: Int32Array;
}

/** Index of one list in one period. */
export class HistoryIndex {
  readonly #history: CollectionHistory;
  readonly #design: IndexDesign;
  readonly #query: Query;
  readonly #segments: Segment[] = [];
  readonly #records = new Map<number, JsonObject>();
  readonly #selections = new RecentCache<string, Selection>(maxCachedVersions, ({ versions }) => versions.length + 1);
  /** Selections in progress, by key. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Versions that ended up to this instant are not indexed; `undefined` before the first segment. */
  #afterMs: number | undefined;
  #untilMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(history: CollectionHistory, design: IndexDesign, query: Query) {
    this.#history = history;
    this.#design = design;
    this.#query = query;
  }

  /** Returns the list at an instant. Builds missing segments first. */
  at(nowMs: number): Store {
    this.#indexUpTo(nowMs);
    return {
      page: (values, start, limit) =>
        'skip' in start ? this.#slice(nowMs, values, start.skip, limit) : this.#page(nowMs, values, start.after, limit),
      count: (values) => this.#select(nowMs, values).versions.length,
      find: (wanted) => this.#find(nowMs, wanted),
      prepare: (values) => this.#prepare(nowMs, values),
    };
  }

  /** Builds the segments that an instant needs. */
  #indexUpTo(nowMs: number): void {
    this.#afterMs ??= nowMs - indexBehindMs;
    if (nowMs < this.#afterMs) this.#indexPast(this.#afterMs);
    while (this.#untilMs <= nowMs) {
      const untilMs = Math.min(this.#history.untilMs, Math.max(nowMs, this.#untilMs) + indexAheadMs);
      const count = this.#history.countUntil(untilMs);
      if (count > this.#count) this.#index({ from: this.#count, to: count, afterMs: this.#afterMs, untilMs: Number.POSITIVE_INFINITY });
      this.#count = Math.max(count, this.#count);
      this.#untilMs = untilMs;
      if (untilMs === this.#history.untilMs) return;
    }
  }

  /** Builds a segment of all versions that ended up to an instant. */
  #indexPast(untilMs: number): void {
    this.#afterMs = Number.NEGATIVE_INFINITY;
    if (this.#count > 0) this.#index({ from: 0, to: this.#count, afterMs: this.#afterMs, untilMs });
  }

  #index(extent: Extent): void {
    this.#segments.push(new Segment(this.#history, this.#design, extent));
  }

  #page(nowMs: number, values: FilterArguments, after: readonly Json[] | undefined, limit: number): PageSlice {
    if (this.#readsRecords(values)) return this.#slice(nowMs, values, this.#placeAfter(nowMs, values, after), limit);
    const records: DataRecord[] = [];
    const next = this.#iterate(nowMs, values, after);
    for (let position = next(); position !== undefined; position = next()) {
      if (records.length === limit) return { records, more: true };
      records.push(this.#recordAt(position));
    }
    return { records, more: false };
  }

  #slice(nowMs: number, values: FilterArguments, skip: number, limit: number): PageSlice {
    const { segments, versions } = this.#select(nowMs, values);
    const records: DataRecord[] = [];
    for (let place = skip; place < Math.min(skip + limit, versions.length); place += 1) {
      const segment = this.#segments[segments[place] ?? 0];
      if (segment !== undefined) records.push(this.#recordAt({ segment, version: versions[place] ?? 0 }));
    }
    return { records, more: versions.length > skip + limit };
  }

  /** Returns the number of selected versions up to a position. */
  #placeAfter(nowMs: number, values: FilterArguments, after: readonly Json[] | undefined): number {
    if (after === undefined) return 0;
    const { segments, versions } = this.#select(nowMs, values);
    const position = this.#positionOf(after);
    const isPast = this.#segments.map((segment) => startAfterPosition(segment, this.#design, position));
    return bisect(versions.length, (place) => isPast[segments[place] ?? 0]?.(versions[place] ?? 0) === true);
  }

  /** Returns all selected versions in order. They are cached, because clients read the pages of a list one after another. */
  #select(nowMs: number, values: FilterArguments): Selection {
    return getOrCompute(this.#selections, this.#keyOf(nowMs, values), () => {
      const selecting = this.#collect(nowMs, values);
      let step = selecting.next();
      while (step.done !== true) step = selecting.next();
      return step.value;
    });
  }

  /** Prepares a selection that must read every record, in slices, so that other requests get responses meanwhile. */
  #prepare(nowMs: number, values: FilterArguments): Promise<void> | undefined {
    if (!this.#readsRecords(values)) return undefined;
    const key = this.#keyOf(nowMs, values);
    if (this.#selections.has(key)) return undefined;
    return getOrCompute(this.#underWay, key, () => this.#selectInSlices(key, this.#collect(nowMs, values)));
  }

  async #selectInSlices(key: string, selecting: Generator<undefined, Selection>): Promise<void> {
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
  *#collect(nowMs: number, values: FilterArguments): Generator<undefined, Selection> {
    const [segments, versions]: [number[], number[]] = [[], []];
    const scanned = new Map([...values].filter(([name]) => this.#design.scannedParameters.has(name)));
    const next = this.#iterate(nowMs, values, undefined);
    let read = 0;
    for (let position = next(); position !== undefined; position = next()) {
      if (scanned.size > 0) {
        read += 1;
        if (read % recordsPerSlice === 0) yield undefined;
        if (!this.#query.matches(this.#read(position), scanned)) continue;
      }
      segments.push(this.#segments.indexOf(position.segment));
      versions.push(position.version);
    }
    return { segments: Int32Array.from(segments), versions: Int32Array.from(versions) };
  }

  #keyOf(nowMs: number, values: FilterArguments): string {
    return JSON.stringify([nowMs, ...[...values].filter(([name]) => this.#isFilter(name))]);
  }

  /** True if a filter, such as a text search, must read every record. */
  #readsRecords(values: FilterArguments): boolean {
    for (const name of this.#design.scannedParameters) if (values.has(name)) return true;
    return false;
  }

  #isFilter(parameter: string): boolean {
    return this.#design.plan.filters.some((filter) => filter.parameter === parameter);
  }

  /** Returns a function that gives the current versions within all ranges, in order, one per call. It merges the runs of all classes. */
  #iterate(nowMs: number, values: FilterArguments, after: readonly Json[] | undefined): () => RunPosition | undefined {
    const bounds = boundsIn(this.#design, values);
    if (bounds === undefined) return () => undefined;
    return mergeRuns(this.#openRuns(nowMs, values, bounds, after), this.#design.order);
  }

  /** Opens the run of each segment that has a matching class, at its first current version after the position. */
  #openRuns(nowMs: number, values: FilterArguments, bounds: readonly Bounds[], after: readonly Json[] | undefined): RunReader[] {
    const classValues = new Map([...values].filter(([name]) => this.#design.classParameters.has(name)));
    const position = after === undefined ? undefined : this.#positionOf(after);
    const readers: RunReader[] = [];
    for (const segment of this.#segments) {
      const matches = segment.outlines.map((outline) => this.#query.isVisible(outline) && this.#query.matches(outline, classValues));
      if (!matches.includes(true)) continue;
      const limits: readonly Limit[] = [
        { values: segment.begins, least: Number.NEGATIVE_INFINITY, most: nowMs },
        { values: segment.ends, least: nowMs + 1, most: Number.POSITIVE_INFINITY },
        { values: segment.shown, least: Number.NEGATIVE_INFINITY, most: nowMs },
        ...bounds.map(({ column, least, most }) => ({ values: segment.valuesOf(column), least, most })),
      ];
      const range = rangeOfFirstKey(segment, this.#design, limits);
      const isStarted = position === undefined ? range.isStarted : startAfterPosition(segment, this.#design, position);
      readers.push(new RunReader(segment, bisect(segment.records.length, isStarted), { matches, limits, isPast: range.isEnded }));
    }
    return readers;
  }

  /** Converts the sort values of a position to values of the key columns. */
  #positionOf(after: readonly Json[]): readonly (number | string)[] {
    return after.map((value, index) => {
      const kind = this.#design.order[index]?.kind ?? 'text';
      return kind === 'text' ? String(value ?? '') : toNumber(kind, value);
    });
  }

  #find(nowMs: number, wanted: readonly FieldValue[]): DataRecord | undefined {
    const first = wanted.find(({ field }) => this.#design.lookupFields.includes(field));
    if (first === undefined) return undefined;
    for (const segment of this.#segments)
      for (const index of segment.lookups.get(first.field)?.find(first.value) ?? []) {
        const history = this.#history.recordHistory(index);
        const change = history.instants.findLastIndex((instant) => instant <= nowMs);
        if (change < 0) continue;
        const record = this.#records.get(keyOf(index, change)) ?? history.record(change);
        if (hasAll(record, wanted)) return record;
      }
    return undefined;
  }

  /** Reads a record, and keeps it for the next page that has it. */
  #recordAt({ segment, version }: RunPosition): JsonObject {
    const [index, change] = [segment.records[version] ?? 0, segment.changes[version] ?? 0];
    const known = this.#records.get(keyOf(index, change));
    if (known !== undefined) return known;
    const record = this.#history.recordHistory(index).record(change);
    if (this.#records.size >= maxCachedRecords) this.#records.clear();
    if (change < maxCachedChanges) this.#records.set(keyOf(index, change), record);
    return record;
  }

  /** Reads a record that need not be kept. */
  #read({ segment, version }: RunPosition): JsonObject {
    const [index, change] = [segment.records[version] ?? 0, segment.changes[version] ?? 0];
    return this.#records.get(keyOf(index, change)) ?? this.#history.recordHistory(index).record(change);
  }
}

/** Returns the cache key of a record's version; -1, which is never stored, for changes beyond the limit. */
function keyOf(index: number, change: number): number {
  return change < maxCachedChanges ? index * maxCachedChanges + change : -1;
}

/** Test of versions in the order of a list: true from some version on. */
type Begins = (version: number) => boolean;

/** Tests for the beginning of a range, and for its end, after which no version lies within the limits. */
interface KeyRange {
  readonly isStarted: Begins;
  readonly isEnded: Begins;
}

/** Returns the range of versions within the limits of the first key. It skips future versions, and changes before a checkpoint. */
function rangeOfFirstKey({ keys: [keys] }: Segment, { order: [first] }: IndexDesign, limits: readonly Limit[]): KeyRange {
  const ofKey = limits.filter((limit) => limit.values === keys);
  if (first === undefined || !(keys instanceof Float64Array) || ofKey.length === 0) return { isStarted: () => true, isEnded: () => false };
  const [least, most] = [Math.max(...ofKey.map((limit) => limit.least)), Math.min(...ofKey.map((limit) => limit.most))];
  // Missing values, which are not a number, come first in an ascending order, and last in a descending one.
  const isAtLeast: Begins = (version) => (keys[version] as number) >= least;
  const isAbove: Begins = (version) => (keys[version] as number) > most;
  if (first.sign === 1) return { isStarted: isAtLeast, isEnded: isAbove };
  return { isStarted: (version) => !isAbove(version), isEnded: (version) => !isAtLeast(version) };
}

/** Returns a test for versions after a position in the order, for a binary search. */
function startAfterPosition(
  { keys }: Segment,
  { order }: IndexDesign,
  position: readonly (number | string)[],
): (version: number) => boolean {
  return (version) => {
    for (const [index, { sign }] of order.entries()) {
      const compared = compareKeys(keys[index]?.[version], position[index]) * sign;
      if (compared !== 0) return compared > 0;
    }
    return false;
  };
}

/** Waits for the next turn of the event loop. The timer does not keep the process alive, which `setImmediate` would do. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0).unref();
  });
}
