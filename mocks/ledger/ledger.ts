/**
 * The records of a list through an era, answered for any instant without looking at all of them: the versions of every record stand in an index, and the
 * instant only tells which of them are current. What was over before anyone asked is indexed when somebody first looks back that far.
 */

import type { Json, JsonObject } from '../../core/json.ts';
import type { Arguments, Entry, PageSlice, Query } from '../../core/query.ts';
import { hasAll, type Store, type Wanted } from '../store.ts';
import type { Chronicle } from '../world.ts';
import { type Bounds, boundsIn, type Design, toNumber } from './design.ts';
import { Integers } from './growing.ts';
import { Head, Merge, type Spot } from './merge.ts';
import { Recent } from './recent.ts';
import { type Limit, Limits, type Run } from './run.ts';
import { Searches } from './searches.ts';
import { beginning, type Extent, ending, Segment, shown } from './segment.ts';
import { compareKeys } from './sorting.ts';

/** How much of an era is indexed at once. */
const stretch = 64 * 86_400_000;

/** How far back the first index reaches: most of what ever happened is over by then. */
const lookBack = 86_400_000;

/** How many records are kept as they were made last. */
const recordsKept = 1_000;

/**
 * A record and a change of it as one number: up to a million records it is a small one, which a map finds faster. The few records that change more often
 * than this are made each time.
 */
const changesMost = 2048;

/** How many versions the selections that are kept have together; they serve lists that are paged by number. */
const selectedMost = 4_000_000;

/** Places in the index, in order: the numbers of segments, and versions in them. */
interface Selection {
  readonly segments: Int32Array;
  readonly versions: Int32Array;
}

/** The index of one list through one era. */
export class Ledger {
  readonly #chronicle: Chronicle;
  readonly #design: Design;
  readonly #query: Query;
  readonly #searches: Searches;
  readonly #segments: Segment[] = [];
  readonly #records = new Recent<number, JsonObject>(recordsKept);
  readonly #selections = new Recent<string, Selection>(selectedMost, ({ versions }) => versions.length + 1);
  /** What ended up to this instant is not indexed; `undefined` as long as nothing is. */
  #afterMs: number | undefined;
  #untilMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(chronicle: Chronicle, design: Design, query: Query) {
    this.#chronicle = chronicle;
    this.#design = design;
    this.#query = query;
    this.#searches = new Searches(chronicle, design, query);
  }

  /** The list at an instant. */
  at(nowMs: number): Store {
    this.#reach(nowMs);
    return {
      page: (values, start, limit) =>
        'skip' in start ? this.#slice(nowMs, values, start.skip, limit) : this.#page(nowMs, values, start.after, limit),
      count: (values) => this.#select(nowMs, values).versions.length,
      find: (wanted) => this.#find(nowMs, wanted),
      prepare: (values) => this.#searches.prepare(values, this.#segments),
    };
  }

  /** Indexes what may happen up to an instant, and somewhat more, so that a clock that goes on is seldom waited for. */
  #reach(nowMs: number): void {
    this.#afterMs ??= nowMs - lookBack;
    if (nowMs < this.#afterMs) this.#lookBack(this.#afterMs);
    while (this.#untilMs <= nowMs) {
      const untilMs = Math.min(this.#chronicle.untilMs, Math.max(nowMs, this.#untilMs) + stretch);
      const count = this.#chronicle.countUntil(untilMs);
      if (count > this.#count) this.#index({ from: this.#count, to: count, afterMs: this.#afterMs, untilMs: Number.POSITIVE_INFINITY });
      this.#count = Math.max(count, this.#count);
      this.#untilMs = untilMs;
      if (untilMs === this.#chronicle.untilMs) return;
    }
  }

  /** Indexes what was left out as it ended up to an instant. */
  #lookBack(untilMs: number): void {
    this.#afterMs = Number.NEGATIVE_INFINITY;
    if (this.#count > 0) this.#index({ from: 0, to: this.#count, afterMs: this.#afterMs, untilMs });
  }

  #index(extent: Extent): void {
    this.#segments.push(new Segment(this.#chronicle, this.#design, extent));
  }

  #page(nowMs: number, values: Arguments, after: readonly Json[] | undefined, limit: number): PageSlice {
    const records: Entry[] = [];
    const next = this.#walk(nowMs, values, after);
    for (let spot = next(); spot !== undefined; spot = next()) {
      if (records.length === limit) return { records, more: true };
      records.push(this.#recordAt(spot));
    }
    return { records, more: false };
  }

  #slice(nowMs: number, values: Arguments, skip: number, limit: number): PageSlice {
    const { segments, versions } = this.#select(nowMs, values);
    const records: Entry[] = [];
    for (let place = skip; place < Math.min(skip + limit, versions.length); place += 1) {
      const segment = this.#segments[segments[place] ?? 0];
      if (segment !== undefined) records.push(this.#recordAt({ segment, version: versions[place] ?? 0 }));
    }
    return { records, more: versions.length > skip + limit };
  }

  /** All that is selected, in order. Kept, since pages of one list are asked for one after another. */
  #select(nowMs: number, values: Arguments): Selection {
    const key = JSON.stringify([nowMs, ...[...values].filter(([name]) => this.#isFilter(name))]);
    const known = this.#selections.get(key);
    if (known !== undefined) return known;
    const [segments, versions] = [new Integers(), new Integers()];
    const next = this.#walk(nowMs, values, undefined);
    for (let spot = next(); spot !== undefined; spot = next()) {
      segments.push(this.#segments.indexOf(spot.segment));
      versions.push(spot.version);
    }
    const selected = { segments: segments.finish(), versions: versions.finish() };
    this.#selections.set(key, selected);
    return selected;
  }

  #isFilter(parameter: string): boolean {
    return this.#design.plan.filters.some((each) => each.parameter === parameter);
  }

  /** Gives the current versions that match, one after the other in order: the runs of all classes, merged. */
  #walk(nowMs: number, values: Arguments, after: readonly Json[] | undefined): () => Spot | undefined {
    const bounds = boundsIn(this.#design, values);
    if (bounds === undefined) return () => undefined;
    const isMatch = this.#searches.matcher(values, (spot) => this.#recordAt(spot));
    const merge = new Merge(this.#open(nowMs, values, bounds, after), this.#design.order);
    if (isMatch === undefined) return () => merge.take();
    return () => {
      let spot = merge.take();
      while (spot !== undefined && !isMatch(spot)) spot = merge.take();
      return spot;
    };
  }

  /** The runs whose classes match, each at its first current version after the position. */
  #open(nowMs: number, values: Arguments, bounds: readonly Bounds[], after: readonly Json[] | undefined): Head[] {
    const named = new Map([...values].filter(([name]) => this.#design.classParameters.has(name)));
    const position = after?.map((value, index) => {
      const kind = this.#design.order[index]?.kind ?? 'text';
      return kind === 'text' ? String(value ?? '') : toNumber(kind, value);
    });
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
        const head = new Head(segment, run, packed, isReached === undefined ? 0 : bisect(run, isReached));
        if (!head.isAtEnd) heads.push(head);
      }
    }
    return heads;
  }

  #find(nowMs: number, wanted: readonly Wanted[]): Entry | undefined {
    const first = wanted.find(({ field }) => this.#design.lookups.includes(field));
    if (first === undefined) return undefined;
    for (const segment of this.#segments)
      for (const index of segment.lookups.get(first.field)?.find(first.value) ?? []) {
        const life = this.#chronicle.life(index);
        const change = life.instants.findLastIndex((instant) => instant <= nowMs);
        if (change < 0) continue;
        // The answer itself is kept for whoever asks for the same again.
        const found = this.#records.get(keyOf(index, change)) ?? life.record(change);
        if (hasAll(found, wanted)) return found;
      }
    return undefined;
  }

  #recordAt({ segment, version }: Spot): JsonObject {
    const index = segment.records[version] ?? 0;
    const change = segment.changes[version] ?? 0;
    const known = this.#records.get(keyOf(index, change));
    if (known !== undefined) return known;
    const record = this.#chronicle.life(index).record(change);
    if (change < changesMost) this.#records.set(keyOf(index, change), record);
    return record;
  }
}

/** Changes beyond the last one that has a number share a key that nothing is kept under. */
function keyOf(index: number, change: number): number {
  return change < changesMost ? index * changesMost + change : -1;
}

/**
 * Whether the runs of a segment have come within the limits of their first key: what is yet to change stands before them in a list whose newest records
 * come first. What has no such key is left to the limits, and `undefined` says so.
 */
function reachingLimits(segment: Segment, { order }: Design, limits: readonly Limit[]): ((version: number) => boolean) | undefined {
  const [first] = order;
  const [keys] = segment.keys;
  if (first === undefined || !(keys instanceof Float64Array)) return undefined;
  const column = segment.columnOf(first);
  const ofKey = limits.filter((limit) => limit.column === column);
  const { sign } = first;
  const bound = sign === 1 ? Math.max(...ofKey.map(({ least }) => least)) : -Math.min(...ofKey.map(({ most }) => most));
  return Number.isFinite(bound) ? (version) => !((keys[version] ?? Number.NaN) * sign < bound) : undefined;
}

/** Whether the runs of a segment have come past a position in the order. */
function reachingAfter({ keys }: Segment, { order }: Design, position: readonly (number | string)[]): (version: number) => boolean {
  return (version) => {
    for (const [index, { sign }] of order.entries()) {
      const compared = compareKeys(keys[index]?.[version], position[index]) * sign;
      if (compared !== 0) return compared > 0;
    }
    return false;
  };
}

/** The first place of a run from which on a condition holds. */
function bisect(run: Run, holds: (version: number) => boolean): number {
  let [low, high] = [0, run.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(run.versions[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
