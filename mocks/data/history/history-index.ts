/**
 * The records of a list through a period, answered for any instant without looking at all of them: the versions of every record stand in an index, and the
 * instant only tells which of them are current. What was over before anyone asked is indexed when somebody first looks back that far.
 */

import type { Json, JsonObject } from '../../../core/json.ts';
import type { DataRecord, FilterArguments, PageSlice, Query } from '../../../core/query/query.ts';
import type { CollectionHistory } from '../dataset.ts';
import { Integers } from './growing-columns.ts';
import { type Bounds, boundsIn, type IndexDesign, toNumber } from './index-design.ts';
import { hasAll, type Store, type Wanted } from './list-store.ts';
import { Head, Merge, type RunPosition } from './merge-runs.ts';
import { Recent } from './recently-used.ts';
import { beginning, type Extent, ending, Segment, shown } from './segment.ts';
import { compareKeys } from './sort-versions.ts';
import { type Limit, Limits, type Run } from './version-run.ts';

/** Part of a period that is indexed at once. */
const stretch = 64 * 86_400_000;

/** Reach of the first index into the past: most events are older. */
const lookBack = 86_400_000;

/** Number of cached records. */
const recordsKept = 1_000;

/**
 * A record and a change of it as one number: up to a million records it is a small one, which a map finds faster. The few records that change more often
 * than this are made each time.
 */
const changesMost = 2048;

/** Most versions in all cached selections, which serve numbered pages. */
const selectedMost = 4_000_000;

/** Records read in one turn of the event loop: some five milliseconds' worth. */
const slice = 200;

/** Places in the index, in order: the numbers of segments, and versions in them. */
interface Selection {
  readonly segments: Int32Array;
  readonly versions: Int32Array;
}

/** The index of one list through one period. */
export class HistoryIndex {
  readonly #history: CollectionHistory;
  readonly #design: IndexDesign;
  readonly #query: Query;
  readonly #segments: Segment[] = [];
  readonly #records = new Recent<number, JsonObject>(recordsKept);
  readonly #selections = new Recent<string, Selection>(selectedMost, ({ versions }) => versions.length + 1);
  /** Selections that are being made in slices, by key. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Versions that ended up to this instant are not indexed; `undefined` before the first index. */
  #afterMs: number | undefined;
  #untilMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(history: CollectionHistory, design: IndexDesign, query: Query) {
    this.#history = history;
    this.#design = design;
    this.#query = query;
  }

  /** The list at an instant. */
  at(nowMs: number): Store {
    this.#reach(nowMs);
    return {
      page: (values, start, limit) =>
        'skip' in start ? this.#slice(nowMs, values, start.skip, limit) : this.#page(nowMs, values, start.after, limit),
      count: (values) => this.#select(nowMs, values).versions.length,
      find: (wanted) => this.#find(nowMs, wanted),
      prepare: (values) => this.#prepare(nowMs, values),
    };
  }

  /** Indexes what may happen up to an instant, and somewhat more, so that a clock that goes on is seldom waited for. */
  #reach(nowMs: number): void {
    this.#afterMs ??= nowMs - lookBack;
    if (nowMs < this.#afterMs) this.#lookBack(this.#afterMs);
    while (this.#untilMs <= nowMs) {
      const untilMs = Math.min(this.#history.untilMs, Math.max(nowMs, this.#untilMs) + stretch);
      const count = this.#history.countUntil(untilMs);
      if (count > this.#count) this.#index({ from: this.#count, to: count, afterMs: this.#afterMs, untilMs: Number.POSITIVE_INFINITY });
      this.#count = Math.max(count, this.#count);
      this.#untilMs = untilMs;
      if (untilMs === this.#history.untilMs) return;
    }
  }

  /** Indexes what was left out as it ended up to an instant. */
  #lookBack(untilMs: number): void {
    this.#afterMs = Number.NEGATIVE_INFINITY;
    if (this.#count > 0) this.#index({ from: 0, to: this.#count, afterMs: this.#afterMs, untilMs });
  }

  #index(extent: Extent): void {
    this.#segments.push(new Segment(this.#history, this.#design, extent));
  }

  #page(nowMs: number, values: FilterArguments, after: readonly Json[] | undefined, limit: number): PageSlice {
    if (this.#readsRecords(values)) return this.#slice(nowMs, values, this.#placeAfter(nowMs, values, after), limit);
    const records: DataRecord[] = [];
    const next = this.#walk(nowMs, values, after);
    for (let spot = next(); spot !== undefined; spot = next()) {
      if (records.length === limit) return { records, more: true };
      records.push(this.#recordAt(spot));
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

  /** The number of selected versions up to a position. */
  #placeAfter(nowMs: number, values: FilterArguments, after: readonly Json[] | undefined): number {
    if (after === undefined) return 0;
    const { segments, versions } = this.#select(nowMs, values);
    const position = this.#positionOf(after);
    const isPast = this.#segments.map((segment) => reachingAfter(segment, this.#design, position));
    return bisect(versions.length, (place) => isPast[segments[place] ?? 0]?.(versions[place] ?? 0) === true);
  }

  /** Everything that is selected, in order. It is kept, since pages of one list are asked for one after another. */
  #select(nowMs: number, values: FilterArguments): Selection {
    const key = this.#keyOf(nowMs, values);
    const known = this.#selections.get(key);
    if (known !== undefined) return known;
    const selecting = this.#collect(nowMs, values);
    let step = selecting.next();
    while (step.done !== true) step = selecting.next();
    this.#selections.set(key, step.value);
    return step.value;
  }

  /** Selects in slices what has to be read record by record, so that others are answered meanwhile. */
  #prepare(nowMs: number, values: FilterArguments): Promise<void> | undefined {
    if (!this.#readsRecords(values)) return undefined;
    const key = this.#keyOf(nowMs, values);
    if (this.#selections.has(key)) return undefined;
    const preparing = this.#underWay.get(key) ?? this.#selectInSlices(key, this.#collect(nowMs, values));
    this.#underWay.set(key, preparing);
    return preparing;
  }

  async #selectInSlices(key: string, selecting: Generator<undefined, Selection>): Promise<void> {
    try {
      let step = selecting.next();
      while (step.done !== true) {
        await laterTurn();
        step = selecting.next();
      }
      this.#selections.set(key, step.value);
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** Collects what is selected; it yields after each slice of records that it had to read. */
  *#collect(nowMs: number, values: FilterArguments): Generator<undefined, Selection> {
    const [segments, versions] = [new Integers(), new Integers()];
    const others = new Map([...values].filter(([name]) => this.#design.others.has(name)));
    const next = this.#walk(nowMs, values, undefined);
    let read = 0;
    for (let spot = next(); spot !== undefined; spot = next()) {
      if (others.size > 0) {
        read += 1;
        if (read % slice === 0) yield undefined;
        if (!this.#query.matches(this.#read(spot), others)) continue;
      }
      segments.push(this.#segments.indexOf(spot.segment));
      versions.push(spot.version);
    }
    return { segments: segments.finish(), versions: versions.finish() };
  }

  #keyOf(nowMs: number, values: FilterArguments): string {
    return JSON.stringify([nowMs, ...[...values].filter(([name]) => this.#isFilter(name))]);
  }

  /** True when a filter, such as a text search, must read the records themselves. */
  #readsRecords(values: FilterArguments): boolean {
    for (const name of this.#design.others) if (values.has(name)) return true;
    return false;
  }

  #isFilter(parameter: string): boolean {
    return this.#design.plan.filters.some((each) => each.parameter === parameter);
  }

  /** Gives the current versions within all bounds, one after the other in order: the runs of all classes, merged. */
  #walk(nowMs: number, values: FilterArguments, after: readonly Json[] | undefined): () => RunPosition | undefined {
    const bounds = boundsIn(this.#design, values);
    if (bounds === undefined) return () => undefined;
    const merge = new Merge(this.#open(nowMs, values, bounds, after), this.#design.order);
    return () => merge.take();
  }

  /** The runs whose classes match, each at its first current version after the position. */
  #open(nowMs: number, values: FilterArguments, bounds: readonly Bounds[], after: readonly Json[] | undefined): Head[] {
    const named = new Map([...values].filter(([name]) => this.#design.classParameters.has(name)));
    const position = after === undefined ? undefined : this.#positionOf(after);
    const heads: Head[] = [];
    const isWanted = (outline: JsonObject): boolean =>
      this.#query.isVisible(outline) && (named.size === 0 || this.#query.matches(outline, named));
    for (const segment of this.#segments) {
      const limits: readonly Limit[] = [
        { column: beginning, least: Number.NEGATIVE_INFINITY, most: nowMs },
        { column: ending, least: nowMs + 1, most: Number.POSITIVE_INFINITY },
        { column: shown, least: Number.NEGATIVE_INFINITY, most: nowMs },
        ...bounds.map(({ column, least, most }) => ({ column: segment.columnOf(column), least, most })),
      ];
      const packed = new Limits(limits);
      const isReached =
        position === undefined ? reachingLimits(segment, this.#design, limits) : reachingAfter(segment, this.#design, position);
      for (const { outline, run } of segment.classes) {
        if (!isWanted(outline)) continue;
        const head = new Head(segment, run, packed, isReached === undefined ? 0 : placeIn(run, isReached));
        if (!head.isAtEnd) heads.push(head);
      }
    }
    return heads;
  }

  /** The order values of a position, as the columns of keys hold them. */
  #positionOf(after: readonly Json[]): readonly (number | string)[] {
    return after.map((value, index) => {
      const kind = this.#design.order[index]?.kind ?? 'text';
      return kind === 'text' ? String(value ?? '') : toNumber(kind, value);
    });
  }

  #find(nowMs: number, wanted: readonly Wanted[]): DataRecord | undefined {
    const first = wanted.find(({ field }) => this.#design.lookups.includes(field));
    if (first === undefined) return undefined;
    for (const segment of this.#segments)
      for (const index of segment.lookups.get(first.field)?.find(first.value) ?? []) {
        const life = this.#history.life(index);
        const change = life.instants.findLastIndex((instant) => instant <= nowMs);
        if (change < 0) continue;
        // The answer itself is kept for whoever asks for the same again.
        const found = this.#records.get(keyOf(index, change)) ?? life.record(change);
        if (hasAll(found, wanted)) return found;
      }
    return undefined;
  }

  /** Reads a record, and keeps it for the next page that has it. */
  #recordAt({ segment, version }: RunPosition): JsonObject {
    const [index, change] = [segment.records[version] ?? 0, segment.changes[version] ?? 0];
    const known = this.#records.get(keyOf(index, change));
    if (known !== undefined) return known;
    const record = this.#history.life(index).record(change);
    if (change < changesMost) this.#records.set(keyOf(index, change), record);
    return record;
  }

  /** Reads a record that need not be kept. */
  #read({ segment, version }: RunPosition): JsonObject {
    const [index, change] = [segment.records[version] ?? 0, segment.changes[version] ?? 0];
    return this.#records.get(keyOf(index, change)) ?? this.#history.life(index).record(change);
  }
}

/** Changes beyond the last one that has a number share a key that nothing is kept under. */
function keyOf(index: number, change: number): number {
  return change < changesMost ? index * changesMost + change : -1;
}

/**
 * Tells whether the runs of a segment have come within the limits of their first key: future changes stand before them in a list whose newest records
 * come first. What has no such key is left to the limits, and `undefined` says so.
 */
function reachingLimits(segment: Segment, { order }: IndexDesign, limits: readonly Limit[]): ((version: number) => boolean) | undefined {
  const [first] = order;
  const [keys] = segment.keys;
  if (first === undefined || !(keys instanceof Float64Array)) return undefined;
  const column = segment.columnOf(first);
  const ofKey = limits.filter((limit) => limit.column === column);
  const { sign } = first;
  const bound = sign === 1 ? Math.max(...ofKey.map(({ least }) => least)) : -Math.min(...ofKey.map(({ most }) => most));
  return Number.isFinite(bound) ? (version) => !((keys[version] ?? Number.NaN) * sign < bound) : undefined;
}

/** True when the runs of a segment have come past a position in the order. */
function reachingAfter({ keys }: Segment, { order }: IndexDesign, position: readonly (number | string)[]): (version: number) => boolean {
  return (version) => {
    for (const [index, { sign }] of order.entries()) {
      const compared = compareKeys(keys[index]?.[version], position[index]) * sign;
      if (compared !== 0) return compared > 0;
    }
    return false;
  };
}

function placeIn({ versions, length }: Run, holds: (version: number) => boolean): number {
  return bisect(length, (place) => holds(versions[place] ?? 0));
}

/** The first of so many places from which on a condition holds. */
function bisect(length: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A later turn of the event loop, which a mock that is otherwise done does not wait for: with `setImmediate` it would, or never come to it. */
function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0).unref();
  });
}
