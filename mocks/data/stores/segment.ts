/**
 * Segment of an index: the versions of a range of records that end within a span of time. A version is the state of a record between two changes.
 * `history-index.ts` builds a segment when a request first needs its time; `merge-runs.ts` reads segments for each page. Pages are merged in `merge-runs.ts`.
 */

import { bisect } from '../../../core/bisect.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { CollectionHistory, RecordHistory } from '../dataset.ts';
import {
  type Column,
  compareVersions,
  type FieldReader,
  type IndexDesign,
  type KeyColumn,
  nameOf,
  readerOf,
  toNumber,
} from './index-design.ts';

/** Range of records and span of time of a segment. */
export interface Extent {
  /** Number of the first record. */
  readonly from: number;
  /** Number after the last record. */
  readonly to: number;
  /** Versions end after `afterMs` and at or before `untilMs`, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly afterMs: number;
  readonly untilMs: number;
}

/** The indexed versions of an extent, numbered in the order of the list. Versions with equal values in all fields with filters for single values are a class. */
export class Segment {
  /** By class: the fields of one of its versions. Filters for single values give the same result for all. */
  readonly outlines: readonly JsonObject[];
  /** By version: the number of its class. */
  readonly classes: Int32Array;
  /** By version: the number of its record, and the number of changes up to it. */
  readonly records: Int32Array;
  readonly changes: Int32Array;
  /** By version: the instants at which it begins and at which the next one begins, and its beginning as its record shows it, in whole seconds. */
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  readonly shown: Float64Array;
  readonly keys: readonly KeyColumn[];
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly #columns: ReadonlyMap<string, Float64Array>;

  constructor(history: CollectionHistory, design: IndexDesign, extent: Extent) {
    const collected = new VersionCollector(design, history.instantField);
    for (let index = extent.from; index < extent.to; index += 1) collected.add(index, history.recordHistory(index), extent);
    const sorted = sortVersions(collected, design);
    this.outlines = [...collected.classes.values()].map(({ outline }) => outline);
    this.classes = reorder(collected.classNumbers, sorted, new Int32Array(sorted.length));
    this.records = reorder(collected.records, sorted, new Int32Array(sorted.length));
    this.changes = reorder(collected.changes, sorted, new Int32Array(sorted.length));
    const numbers = (values: readonly number[]): Float64Array => reorder(values, sorted, new Float64Array(sorted.length));
    this.begins = numbers(collected.begins);
    this.ends = numbers(collected.ends);
    this.#columns = new Map([...collected.columns].map(([name, { values }]) => [name, numbers(values)]));
    this.shown = this.valuesOf({ by: history.instantField, kind: 'instant' });
    this.keys = design.order.map((key, place) => {
      return key.kind === 'text' ? reorder(collected.texts[place]?.values ?? [], sorted, []) : this.valuesOf(key);
    });
    this.lookups = new Map(collected.lookups.map(({ field, entries }) => [field, new Lookup(entries)]));
  }

  /** Returns the values of a column by version. */
  valuesOf(column: Column): Float64Array {
    return this.#columns.get(nameOf(column)) as Float64Array;
  }
}

/** Copies the values of some versions in their order. */
function reorder<Value, Target extends { [place: number]: Value }>(values: readonly Value[], order: Int32Array, target: Target): Target {
  for (let place = 0; place < order.length; place += 1) target[place] = values[order[place] as number] as Value;
  return target;
}

/** Numbers of collected versions in the order of the list. */
function sortVersions({ columns, texts, records }: VersionCollector, { order }: IndexDesign): Int32Array {
  const keys = order.map((key, place) => texts[place]?.values ?? columns.get(nameOf(key))?.values ?? []);
  return Int32Array.from(records.keys()).sort((left, right) => compareVersions(order, keys, left, keys, right));
}

/** Fields of a version: read from the outline, or from the whole record if the outline lacks one. */
class VersionFields {
  readonly #history: RecordHistory;
  readonly #change: number;
  readonly #outline: JsonObject;
  #record: JsonObject | undefined;

  constructor(history: RecordHistory, change: number) {
    this.#history = history;
    this.#change = change;
    this.#outline = history.outline(change);
  }

  read(read: FieldReader): Json | undefined {
    const value = read(this.#outline);
    if (value !== undefined) return value;
    this.#record ??= this.#history.record(this.#change);
    return read(this.#record);
  }

  /** Returns all fields read so far. */
  get fields(): JsonObject {
    return this.#record ?? this.#outline;
  }
}

/** Numbers for an order or a range, by version. */
interface CollectedColumn {
  readonly kind: Column['kind'];
  readonly read: FieldReader;
  readonly values: number[];
}

/** Collects the versions of a segment in the order of their records. */
class VersionCollector {
  readonly records: number[] = [];
  readonly changes: number[] = [];
  readonly begins: number[] = [];
  readonly ends: number[] = [];
  /** By name. */
  readonly columns: ReadonlyMap<string, CollectedColumn>;
  /** Texts by sort key; `undefined` for numbers. */
  readonly texts: readonly ({ readonly read: FieldReader; readonly values: string[] } | undefined)[];
  readonly classNumbers: number[] = [];
  /** Classes by the values of their fields. */
  readonly classes = new Map<string, { readonly number: number; readonly outline: JsonObject }>();
  /** Lookups; `latest` is the last value of the current record. */
  readonly lookups: readonly { readonly field: string; readonly read: FieldReader; readonly entries: number[]; latest: Json | undefined }[];
  readonly #classReaders: readonly FieldReader[];
  readonly #shown: number[] = [];

  constructor({ boundColumns, classFields, lookupFields, order }: IndexDesign, instantField: string) {
    const shown: Column = { by: instantField, kind: 'instant' };
    const columns = [...boundColumns, ...order.filter(({ kind }) => kind !== 'text'), shown];
    this.columns = new Map(
      columns.map((column): [string, CollectedColumn] => {
        const isShown = nameOf(column) === nameOf(shown);
        return [nameOf(column), { kind: column.kind, read: readerOf(column.by), values: isShown ? this.#shown : [] }];
      }),
    );
    this.texts = order.map(({ by, kind }) => (kind === 'text' ? { read: readerOf(by), values: [] } : undefined));
    this.lookups = lookupFields.map((field) => ({ field, read: readerOf(field), entries: [], latest: undefined }));
    this.#classReaders = classFields.map(readerOf);
  }

  add(index: number, history: RecordHistory, { afterMs, untilMs }: Extent): void {
    const { instants } = history;
    for (const field of this.lookups) field.latest = undefined;
    for (let change = 0; change < instants.length; change += 1) {
      const [begins, ends] = [instants[change] ?? Number.NaN, instants[change + 1] ?? Number.POSITIVE_INFINITY];
      // Of several changes at one instant, only the last is visible.
      if (ends <= afterMs || ends > untilMs || begins === ends) continue;
      const version = new VersionFields(history, change);
      this.#addVersion(version);
      this.records.push(index);
      this.changes.push(change);
      this.begins.push(begins);
      this.ends.push(ends);
      this.#shown.push(Math.floor(begins / 1000) * 1000);
      for (const field of this.lookups) {
        const value = version.read(field.read);
        if (field.latest !== value) field.entries.push(toLookupEntry(value, index));
        field.latest = value;
      }
    }
  }

  #addVersion(version: VersionFields): void {
    for (const { kind, read, values } of this.columns.values()) if (values !== this.#shown) values.push(toNumber(kind, version.read(read)));
    for (const text of this.texts) text?.values.push(String(version.read(text.read) ?? ''));
    const key = this.#classReaders.map((read) => JSON.stringify(version.read(read))).join();
    const { number } = getOrCompute(this.classes, key, () => ({ number: this.classes.size, outline: version.fields }));
    this.classNumbers.push(number);
  }
}

/** Bits of a record's number in an entry of a lookup, above which are the bits of the hash. */
const recordSpan = 2 ** 22;

/** Records by the value of a field, which may be absent. An entry is a hash of the value and the number of the record; they are sorted. */
class Lookup {
  readonly #entries: Float64Array;

  constructor(entries: readonly number[]) {
    this.#entries = Float64Array.from(entries).sort();
  }

  /** Yields the records that may have a value, in order. Different values may share a hash, so callers compare. */
  *find(value: Json): Generator<number> {
    const first = toLookupEntry(value, 0);
    const place = bisect(this.#entries.length, (candidate) => (this.#entries[candidate] as number) >= first);
    for (const entry of this.#entries.subarray(place)) {
      if (entry >= first + recordSpan) return;
      yield entry - first;
    }
  }
}

function toLookupEntry(value: Json | undefined, record: number): number {
  return hash(value) * recordSpan + record;
}

/** Hashes a value with its type to 31 bits (FNV-1a): `1` is not `'1'`. */
function hash(value: Json | undefined): number {
  const text = typeof value === 'string' ? `"${value}` : JSON.stringify(value ?? null);
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state >>> 1;
}
