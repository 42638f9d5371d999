/** The versions of a range of records, indexed: the states that each of them is in at some time of a span, in the order of the list, class by class. */

import type { Json, JsonObject } from '../../core/json.ts';
import type { Chronicle, Life } from '../world.ts';
import { Classes } from './classes.ts';
import { type Column, type Design, type FieldReader, isSameColumn, readerOf, toNumber } from './design.ts';
import { Integers, Numbers } from './growing.ts';
import { type Lookup, LookupDraft } from './lookup.ts';
import { Run } from './run.ts';
import { type KeyColumn, sortVersions } from './sorting.ts';

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

  constructor(chronicle: Chronicle, design: Design, extent: Extent) {
    const plan = planColumns(design, chronicle.instantField);
    const draft = new Draft(design, plan);
    for (let index = extent.from; index < extent.to; index += 1) draft.add(index, chronicle.life(index), extent);
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

/** Which numbers are kept of each version. */
interface ColumnPlan {
  /** The first three are when a version begins and ends, and the field that shows the former. */
  readonly columns: readonly Column[];
  /** How many of them filters bound; the rest are keys of the order alone. */
  readonly bounded: number;
  /** The column of each key of the order; `undefined` for a text. */
  readonly keys: readonly (number | undefined)[];
}

function planColumns({ bounded, order }: Design, instantField: string): ColumnPlan {
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
  readonly #life: Life;
  readonly #change: number;
  readonly #outline: JsonObject;
  #record: JsonObject | undefined;

  constructor(life: Life, change: number) {
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

  constructor(design: Design, plan: ColumnPlan) {
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

  add(index: number, life: Life, { afterMs, untilMs }: Extent): void {
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
