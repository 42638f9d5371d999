/** The versions of a range of records, indexed: the states that each of them is in at some time of a span, in the order of the list, class by class. */

import type { Json, JsonObject } from '../../../core/json.ts';
import type { CollectionHistory, RecordHistory } from '../dataset.ts';
import { Integers, Numbers } from './growing-columns.ts';
import { type Column, type FieldReader, type IndexDesign, isSameColumn, readerOf, toNumber } from './index-design.ts';
import { type KeyColumn, sortVersions } from './sort-versions.ts';
import { Run } from './version-run.ts';

/** A class of versions: those that no filter by value tells apart. */
export interface VersionClass {
  /** Fields of one of them, which stand for all. */
  readonly outline: JsonObject;
  readonly run: Run;
}

/** The first column of every segment: when a version begins. */
export const beginning = 0;
/** The second one: when the next version begins. */
export const ending = 1;
/** The third one: when a version begins as its record shows it, to the second. */
export const shown = 2;

/** Records, and a span of time: what ends after its beginning, and not after its end. */
export interface Extent {
  /** The number of the first record. */
  readonly from: number;
  /** The number after that of the last one. */
  readonly to: number;
  /** In milliseconds since 1970-01-01T00:00:00Z. */
  readonly afterMs: number;
  readonly untilMs: number;
}

/** The versions of some records that end in some span. */
export class Segment {
  readonly classes: readonly VersionClass[];
  /** By version: the record that it is a version of, and how many changes came before. */
  readonly records: Int32Array;
  readonly changes: Int32Array;
  readonly keys: readonly KeyColumn[];
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly #plan: ColumnPlan;

  constructor(history: CollectionHistory, design: IndexDesign, extent: Extent) {
    const plan = planColumns(design, history.instantField);
    const draft = new Draft(design, plan);
    for (let index = extent.from; index < extent.to; index += 1) draft.add(index, history.life(index), extent);
    this.#plan = plan;
    this.records = draft.records.finish();
    this.changes = draft.changes.finish();
    const columns = draft.columns.map((column) => column.finish());
    this.keys = plan.keys.map((key, place) => (key === undefined ? (draft.texts[place] ?? []) : (columns[key] ?? [])));
    this.lookups = new Map(draft.lookups.map(({ field, lookup }) => [field, lookup.finish()]));
    this.classes = draft.classes.all.map(({ outline, versions }) => ({
      outline,
      run: new Run(sortVersions(versions.finish(), this.keys, design.order), columns.slice(0, plan.bounded)),
    }));
  }

  /** The number of a column that filters bound. */
  columnOf(column: Column): number {
    return this.#plan.columns.findIndex((each) => isSameColumn(each, column));
  }
}

/** Numbers stored for each version. */
interface ColumnPlan {
  /** The first three are when a version begins and ends, and the field that shows the former. */
  readonly columns: readonly Column[];
  /** Number of them that filters bound; the rest are sort keys only. */
  readonly bounded: number;
  /** The column of each key of the order; `undefined` for a text. */
  readonly keys: readonly (number | undefined)[];
}

function planColumns({ bounded, order }: IndexDesign, instantField: string): ColumnPlan {
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
  const count = columns.length;
  return { columns, bounded: count, keys: order.map((key) => (key.kind === 'text' ? undefined : numberOf(key))) };
}

/** A version as it is looked at: its outline, and the whole record for a field that the outline does not have. */
class Sight {
  readonly #life: RecordHistory;
  readonly #change: number;
  readonly #outline: JsonObject;
  #record: JsonObject | undefined;

  constructor(life: RecordHistory, change: number) {
    this.#life = life;
    this.#change = change;
    this.#outline = life.outline(change);
  }

  see(read: FieldReader): Json | undefined {
    const value = read(this.#outline);
    if (value !== undefined) return value;
    this.#record ??= this.#life.record(this.#change);
    return read(this.#record);
  }

  /** Everything that was looked at. */
  get seen(): JsonObject {
    return this.#record ?? this.#outline;
  }
}

/** A segment while it is being filled. */
class Draft {
  readonly records = new Integers();
  readonly changes = new Integers();
  readonly columns: readonly Numbers[];
  /** By key of the order, where it is a text. */
  readonly texts: readonly string[][];
  readonly classes: Classes;
  /** With the value that was noted last of the record that is being added. */
  readonly lookups: readonly {
    readonly field: string;
    readonly read: FieldReader;
    readonly lookup: LookupDraft;
    latest: Json | undefined;
  }[];
  readonly #columnReaders: readonly { readonly kind: Column['kind']; readonly read: FieldReader; readonly column: Numbers | undefined }[];
  readonly #textReaders: readonly { readonly read: FieldReader; readonly texts: string[] }[];
  #count = 0;

  constructor(design: IndexDesign, plan: ColumnPlan) {
    this.columns = plan.columns.map(() => new Numbers());
    this.texts = design.order.map(() => []);
    this.lookups = design.lookups.map((field) => ({ field, read: readerOf(field), lookup: new LookupDraft(), latest: undefined }));
    this.classes = new Classes(design.classes.map(readerOf));
    this.#columnReaders = plan.columns
      .map(({ by, kind }, place) => ({ kind, read: readerOf(by), column: this.columns[place] }))
      .slice(shown + 1);
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
      // Of what happens at one instant, only the last is ever seen.
      if (begins === ends) continue;
      const outline = new Sight(life, change);
      this.#addVersion(index, change, outline);
      this.columns[beginning]?.push(begins);
      this.columns[ending]?.push(ends);
      this.columns[shown]?.push(Math.floor(begins / 1000) * 1000);
      for (const each of this.lookups) {
        const value = outline.see(each.read);
        if (isFirst || each.latest !== value) each.lookup.add(value, index);
        each.latest = value;
      }
      isFirst = false;
    }
  }

  #addVersion(index: number, change: number, outline: Sight): void {
    this.records.push(index);
    this.changes.push(change);
    for (const { kind, read, column } of this.#columnReaders) column?.push(toNumber(kind, outline.see(read)));
    for (const { read, texts } of this.#textReaders) texts.push(String(outline.see(read) ?? ''));
    this.classes.find(outline).versions.push(this.#count);
    this.#count += 1;
  }
}

/** The versions of a class, while they are gathered. */
interface ClassDraft {
  /** Fields of one of them, which stand for all. */
  readonly outline: JsonObject;
  readonly versions: Integers;
}

/** A version as it is looked at. */
interface Seen {
  readonly see: (read: FieldReader) => Json | undefined;
  /** Everything that was looked at. */
  readonly seen: JsonObject;
}

/** One floor of the tree: a value of its field leads to the floor below, or, on the last one, to a class. */
interface Floor {
  readonly floors: Map<Json | undefined, Floor>;
  readonly classes: Map<Json | undefined, ClassDraft>;
}

/** Finds the class of each version. The same few values come again and again, so they are looked up as they are and no name is made of them. */
class Classes {
  readonly #readers: readonly FieldReader[];
  readonly #root: Floor = { floors: new Map(), classes: new Map() };
  readonly #all: ClassDraft[] = [];

  /** Takes the readers of the fields that part versions; none makes one class of all. */
  constructor(readers: readonly FieldReader[]) {
    this.#readers = readers;
  }

  /** Every class, in the order in which the first version of each was found. */
  get all(): readonly ClassDraft[] {
    return this.#all;
  }

  /** The class of a version. */
  find(version: Seen): ClassDraft {
    let floor = this.#root;
    const last = this.#readers.length - 1;
    for (let place = 0; place < last; place += 1) floor = below(floor, keyOf(this.#readers[place], version));
    const key = keyOf(this.#readers[last], version);
    let found = floor.classes.get(key);
    if (found === undefined) {
      found = { outline: version.seen, versions: new Integers() };
      floor.classes.set(key, found);
      this.#all.push(found);
    }
    return found;
  }
}

/** A value as a key: what is no plain value is known by its text, which begins with what no plain text of a field begins with. */
function keyOf(read: FieldReader | undefined, version: Seen): Json | undefined {
  const value = read === undefined ? undefined : version.see(read);
  return typeof value === 'object' && value !== null ? `\u0000${JSON.stringify(value)}` : value;
}

function below(floor: Floor, key: Json | undefined): Floor {
  const known = floor.floors.get(key);
  if (known !== undefined) return known;
  const made: Floor = { floors: new Map(), classes: new Map() };
  floor.floors.set(key, made);
  return made;
}

/** The values of a field with the records that have them, while they are gathered. */
class LookupDraft {
  readonly #hashes = new Integers();
  readonly #records = new Integers();

  /** Notes that a record has a value at some time. */
  add(value: Json | undefined, record: number): void {
    this.#hashes.push(hash(value));
    this.#records.push(record);
  }

  finish(): Lookup {
    return new Lookup(this.#hashes.finish(), this.#records.finish());
  }
}

/** Finds the records that have a value. Open addressing: the places after a hash's own are searched until one is empty. */
export class Lookup {
  readonly #hashes: Int32Array;
  readonly #records: Int32Array;
  /** Numbers of entries, from 1 on; 0 is an empty place. */
  readonly #table: Int32Array;

  /** Takes the hashes of values and the records that have them, in the same order. */
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

  /** The records that may have a value, in the order in which they were noted. */
  *find(value: Json | undefined): Generator<number> {
    const wanted = hash(value);
    const mask = this.#table.length - 1;
    for (let place = wanted & mask; this.#table[place] !== 0; place = (place + 1) & mask) {
      const entry = (this.#table[place] ?? 0) - 1;
      if (this.#hashes[entry] === wanted) yield this.#records[entry] ?? 0;
    }
  }
}

/** Values of different types hash apart: `1` is not `'1'`. FNV-1a, and a last stir for tables of a power of two. */
function hash(value: Json | undefined): number {
  const isText = typeof value === 'string';
  const text = isText ? value : String(typeof value === 'object' ? JSON.stringify(value) : value);
  let state = isText ? 0x811c9dc5 : 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  state ^= state >>> 15;
  return Math.imul(state, 0x2c1b3c6d) | 0;
}
