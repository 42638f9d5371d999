/**
 * A segment of an index: the versions of a range of records that end within a span of time. A version is the state of a record between two changes.
 * Versions are sorted in the order of the list, separately for each class. `history-index.ts` builds a segment when a request first needs its time.
 */

import type { Json, JsonObject } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { CollectionHistory, RecordHistory } from '../dataset.ts';
import { float64Column, type GrowingColumn, int32Column } from './growing-columns.ts';
import {
  type Column,
  compareKeys,
  type FieldReader,
  type IndexDesign,
  isSameColumn,
  type KeyColumn,
  readerOf,
  toNumber,
} from './index-design.ts';

/** Versions with equal values in all fields with filters for single values. */
interface VersionClass {
  /** Fields of one version; the filters for single values give the same result for all. */
  readonly outline: JsonObject;
  /** In the order of the list. */
  readonly versions: Int32Array;
}

/** First columns of every segment. */
const [beginColumn, endColumn, shownColumn] = [0, 1, 2];

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

/** The indexed versions of an extent. */
export class Segment {
  readonly classes: readonly VersionClass[];
  /** By version: the number of its record, and the number of changes up to it. */
  readonly records: Int32Array;
  readonly changes: Int32Array;
  /** By version: the instants at which it begins and at which the next one begins, and its beginning as its record shows it, in whole seconds. */
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  readonly shown: Float64Array;
  readonly keys: readonly KeyColumn[];
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly #plan: ColumnPlan;
  readonly #columns: readonly Float64Array[];

  constructor(history: CollectionHistory, design: IndexDesign, extent: Extent) {
    const plan = planColumns(design, history.instantField);
    const builder = new SegmentBuilder(design, plan);
    for (let index = extent.from; index < extent.to; index += 1) builder.add(index, history.recordHistory(index), extent);
    this.#plan = plan;
    this.records = builder.records.toArray();
    this.changes = builder.changes.toArray();
    this.#columns = builder.columns.map((column) => column.toArray());
    const valuesOf = (column: number): Float64Array => this.#columns[column] as Float64Array;
    [this.begins, this.ends, this.shown] = [valuesOf(beginColumn), valuesOf(endColumn), valuesOf(shownColumn)];
    this.keys = plan.keys.map((key, place) => (key === undefined ? (builder.texts[place] ?? []) : valuesOf(key)));
    this.lookups = new Map(builder.lookups.map(({ field, hashes, records }) => [field, new Lookup(hashes.toArray(), records.toArray())]));
    const compare = (left: number, right: number): number => this.#compareVersions(design.order, left, right);
    this.classes = [...builder.classes.values()].map(({ outline, versions }) => ({ outline, versions: versions.toArray().sort(compare) }));
  }

  /** Compares two versions by all keys. Missing values come first, or last in descending order. */
  #compareVersions(order: IndexDesign['order'], left: number, right: number): number {
    for (let index = 0; index < order.length; index += 1) {
      const keys = this.keys[index];
      const compared = compareKeys(keys?.[left], keys?.[right]);
      if (compared !== 0) return compared * (order[index]?.sign ?? 1);
    }
    return 0;
  }

  /** Returns the values of a column with filters for a range. */
  valuesOf(column: Column): Float64Array {
    return this.#columns[this.#plan.columns.findIndex((candidate) => isSameColumn(candidate, column))] as Float64Array;
  }
}

/** Columns of a segment. */
interface ColumnPlan {
  /** The first three are `beginColumn`, `endColumn` and `shownColumn`. */
  readonly columns: readonly Column[];
  /** Column of each sort key; `undefined` for texts. */
  readonly keys: readonly (number | undefined)[];
}

function planColumns({ boundColumns: bounded, order }: IndexDesign, instantField: string): ColumnPlan {
  const columns: Column[] = [
    { by: '', kind: 'instant' },
    { by: '', kind: 'instant' },
    { by: instantField, kind: 'instant' },
  ];
  const numberOf = (column: Column): number => {
    const known = columns.findIndex((each) => isSameColumn(each, column));
    return known < 0 ? columns.push({ by: column.by, kind: column.kind }) - 1 : known;
  };
  for (const column of bounded) numberOf(column);
  return { columns, keys: order.map((key) => (key.kind === 'text' ? undefined : numberOf(key))) };
}

/** Fields of a version: read from the outline, or from the whole record if the outline lacks one. */
class VersionFields {
  readonly #life: RecordHistory;
  readonly #change: number;
  readonly #outline: JsonObject;
  #record: JsonObject | undefined;

  constructor(life: RecordHistory, change: number) {
    this.#life = life;
    this.#change = change;
    this.#outline = life.outline(change);
  }

  read(read: FieldReader): Json | undefined {
    const value = read(this.#outline);
    if (value !== undefined) return value;
    this.#record ??= this.#life.record(this.#change);
    return read(this.#record);
  }

  /** Returns all fields read so far. */
  get fields(): JsonObject {
    return this.#record ?? this.#outline;
  }
}

/** Collects the versions of a segment. */
class SegmentBuilder {
  readonly records = int32Column();
  readonly changes = int32Column();
  readonly columns: readonly GrowingColumn<Float64Array>[];
  /** Texts by sort key; empty for numbers. */
  readonly texts: readonly string[][];
  /** Classes by the values of their fields. */
  readonly classes = new Map<string, ClassBuilder>();
  /** Lookups; `latest` is the last value of the current record. */
  readonly lookups: readonly {
    readonly field: string;
    readonly read: FieldReader;
    readonly hashes: GrowingColumn<Int32Array>;
    readonly records: GrowingColumn<Int32Array>;
    latest: Json | undefined;
  }[];
  readonly #columnReaders: readonly {
    readonly kind: Column['kind'];
    readonly read: FieldReader;
    readonly column: GrowingColumn<Float64Array> | undefined;
  }[];
  readonly #classReaders: readonly FieldReader[];
  readonly #textReaders: readonly { readonly read: FieldReader; readonly texts: string[] }[];
  #count = 0;

  constructor(design: IndexDesign, plan: ColumnPlan) {
    this.columns = plan.columns.map(float64Column);
    this.texts = design.order.map(() => []);
    this.lookups = design.lookupFields.map((field) => ({
      field,
      read: readerOf(field),
      hashes: int32Column(),
      records: int32Column(),
      latest: undefined,
    }));
    this.#classReaders = design.classFields.map(readerOf);
    this.#columnReaders = plan.columns
      .map(({ by, kind }, place) => ({ kind, read: readerOf(by), column: this.columns[place] }))
      .slice(shownColumn + 1);
    this.#textReaders = design.order.flatMap(({ by }, place) =>
      plan.keys[place] === undefined ? [{ read: readerOf(by), texts: this.texts[place] ?? [] }] : [],
    );
  }

  add(index: number, life: RecordHistory, { afterMs, untilMs }: Extent): void {
    const { instants } = life;
    let isFirst = true;
    for (let change = 0; change < instants.length; change += 1) {
      const [begins, ends] = [instants[change] ?? Number.NaN, instants[change + 1] ?? Number.POSITIVE_INFINITY];
      if (ends <= afterMs || ends > untilMs) continue;
      // Of several changes at one instant, only the last is visible.
      if (begins === ends) continue;
      const version = new VersionFields(life, change);
      this.#addVersion(index, change, version);
      this.columns[beginColumn]?.push(begins);
      this.columns[endColumn]?.push(ends);
      this.columns[shownColumn]?.push(Math.floor(begins / 1000) * 1000);
      for (const field of this.lookups) {
        const value = version.read(field.read);
        if (isFirst || field.latest !== value) {
          field.hashes.push(hash(value));
          field.records.push(index);
        }
        field.latest = value;
      }
      isFirst = false;
    }
  }

  #addVersion(index: number, change: number, version: VersionFields): void {
    this.records.push(index);
    this.changes.push(change);
    for (const { kind, read, column } of this.#columnReaders) column?.push(toNumber(kind, version.read(read)));
    for (const { read, texts } of this.#textReaders) texts.push(String(version.read(read) ?? ''));
    const key = this.#classReaders.map((read) => JSON.stringify(version.read(read))).join();
    getOrCompute(this.classes, key, () => ({ outline: version.fields, versions: int32Column() })).versions.push(this.#count);
    this.#count += 1;
  }
}

/** Collects the versions of a class. */
interface ClassBuilder {
  readonly outline: JsonObject;
  readonly versions: GrowingColumn<Int32Array>;
}

/** Hash table from a field's value to records, with open addressing: a search continues until an empty place. */
class Lookup {
  readonly #hashes: Int32Array;
  readonly #records: Int32Array;
  /** Number of an entry plus 1; 0 is an empty place. */
  readonly #table: Int32Array;

  /** Creates the table from hashes of values and their records, in the same order. */
  constructor(hashes: Int32Array, records: Int32Array) {
    this.#hashes = hashes;
    this.#records = records;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, hashes.length * 1.5))));
    const mask = this.#table.length - 1;
    for (let entry = 0; entry < hashes.length; entry += 1) {
      let place = (hashes[entry] ?? 0) & mask;
      while (this.#table[place] !== 0) place = (place + 1) & mask;
      this.#table[place] = entry + 1;
    }
  }

  /** Yields the records that may have a value, in the order of their addition. Different values may share a hash, so callers compare. */
  *find(value: Json | undefined): Generator<number> {
    const wanted = hash(value);
    const mask = this.#table.length - 1;
    for (let place = wanted & mask; this.#table[place] !== 0; place = (place + 1) & mask) {
      const entry = (this.#table[place] ?? 0) - 1;
      if (this.#hashes[entry] === wanted) yield this.#records[entry] ?? 0;
    }
  }
}

/** Hashes a value with its type (FNV-1a): `1` is not `'1'`. The last step spreads bits, since the table has a power of two as its size. */
function hash(value: Json | undefined): number {
  const isText = typeof value === 'string';
  const text = isText ? value : String(typeof value === 'object' ? JSON.stringify(value) : value);
  let state = isText ? 0x811c9dc5 : 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  state ^= state >>> 15;
  return Math.imul(state, 0x2c1b3c6d) | 0;
}
