/** The versions of a range of records, indexed: every state that each of them is ever in, in the order of the list, class by class. */

import type { JsonObject } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Chronicle, Life } from '../world.ts';
import { type Column, classOf, type Design, isSameColumn, toNumber } from './design.ts';
import { Integers, Numbers } from './growing.ts';
import { Lookup } from './lookup.ts';
import { Run } from './run.ts';
import { type KeyColumn, sortVersions } from './sorting.ts';

/** A class of versions: those that no filter by value tells apart. */
export interface VersionClass {
  /** Fields of one of them, which stand for all. */
  readonly outline: JsonObject;
  readonly run: Run;
}

/** The columns that every segment has before those of its design: when a version begins, and when the next one does. */
export const beginning = 0;
export const ending = 1;
const boundedFrom = 2;

/** A range of records. */
export class Segment {
  readonly classes: readonly VersionClass[];
  /** By version: the record that it is a version of, and how many changes came before. */
  readonly records: Int32Array;
  readonly changes: Int32Array;
  readonly keys: readonly KeyColumn[];
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly #columns: readonly Float64Array[];
  readonly #design: Design;

  constructor(chronicle: Chronicle, design: Design, from: number, to: number) {
    const draft = new Draft(design, chronicle.instantField);
    for (let index = from; index < to; index += 1) draft.add(index, chronicle.life(index));
    this.#design = design;
    this.records = draft.records.finish();
    this.changes = draft.changes.finish();
    this.keys = draft.keys.map((column) => (Array.isArray(column) ? column : column.finish()));
    this.#columns = draft.columns.map((column) => column.finish());
    this.lookups = draft.finishLookups();
    this.classes = [...draft.classes.values()].map(({ outline, versions }) => ({
      outline,
      run: new Run(sortVersions(versions.finish(), this.keys, design.order), this.#columns),
    }));
  }

  /** The number of a column that filters bound. */
  columnOf(column: Column): number {
    return boundedFrom + this.#design.bounded.findIndex((each) => isSameColumn(each, column));
  }

  /** Whether a version is the current one of its record at an instant. */
  isCurrent(version: number, nowMs: number): boolean {
    return (this.#columns[beginning]?.[version] ?? Number.NaN) <= nowMs && (this.#columns[ending]?.[version] ?? Number.NaN) > nowMs;
  }
}

/** A segment while it is being filled. */
class Draft {
  readonly records = new Integers();
  readonly changes = new Integers();
  readonly columns: readonly Numbers[];
  readonly keys: readonly (Numbers | string[])[];
  readonly classes = new Map<string, { readonly outline: JsonObject; readonly versions: Integers }>();
  readonly #design: Design;
  readonly #instantField: string;
  readonly #lookups: readonly { readonly field: string; readonly lookup: Lookup }[];
  #count = 0;

  constructor(design: Design, instantField: string) {
    this.#design = design;
    this.#instantField = instantField;
    this.columns = Array.from({ length: boundedFrom + design.bounded.length }, () => new Numbers());
    this.keys = design.order.map(({ kind }) => (kind === 'text' ? [] : new Numbers()));
    this.#lookups = design.lookups.map((field) => ({ field, lookup: new Lookup() }));
  }

  add(index: number, life: Life): void {
    const { instants } = life;
    let before: JsonObject | undefined;
    for (let change = 0; change < instants.length; change += 1) {
      const [begins = Number.NaN, ends = Number.POSITIVE_INFINITY] = [instants[change], instants[change + 1]];
      // Of what happens at one instant, only the last is ever seen.
      if (begins === ends) continue;
      const outline = life.outline(change);
      this.#addVersion(index, change, outline, begins, ends);
      for (const { field, lookup } of this.#lookups) {
        const value = valueAt(outline, field);
        if (before === undefined || valueAt(before, field) !== value) lookup.add(value, index);
      }
      before = outline;
    }
  }

  finishLookups(): ReadonlyMap<string, Lookup> {
    return new Map(this.#lookups.map(({ field, lookup }) => [field, lookup]));
  }

  #addVersion(index: number, change: number, outline: JsonObject, begins: number, ends: number): void {
    this.records.push(index);
    this.changes.push(change);
    this.columns[beginning]?.push(begins);
    this.columns[ending]?.push(ends);
    for (const [place, column] of this.#design.bounded.entries())
      this.columns[boundedFrom + place]?.push(this.#numberIn(outline, column, begins));
    for (const [place, key] of this.#design.order.entries()) {
      const column = this.keys[place];
      if (Array.isArray(column)) column.push(textIn(outline, key.by));
      else column?.push(this.#numberIn(outline, key, begins));
    }
    const name = classOf(outline, this.#design.classes);
    const known = this.classes.get(name) ?? { outline, versions: new Integers() };
    this.classes.set(name, known);
    known.versions.push(this.#count);
    this.#count += 1;
  }

  /** The field that shows the instant need not be written and read again. */
  #numberIn(outline: JsonObject, { by, kind }: Column, begins: number): number {
    return by === this.#instantField && kind === 'instant' ? begins : toNumber(kind, valueAt(outline, by));
  }
}

function textIn(outline: JsonObject, by: string): string {
  const value = valueAt(outline, by);
  return value === null || value === undefined ? '' : String(value);
}
