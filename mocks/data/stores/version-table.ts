/**
 * The versions of the records of a list over a span of time, in the order of the list: a version is a record's state between two changes. Built when a request
 * first needs its span; selects nothing.
 */

import type { ComparisonName } from '../../../core/annotations/annotations.ts';
import { bisect } from '../../../core/bisect.ts';
import { isNumber, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instants.ts';
import type { QueryPlan } from '../../../core/query/query.ts';
import type { CollectionHistory, RecordHistory } from '../dataset.ts';

/** Span of a table, in milliseconds since 1970-01-01T00:00:00Z: the versions that end after `afterMs`, of the records created before `untilMs`. */
export interface TableSpan {
  readonly afterMs: number;
  readonly untilMs: number;
}

/** A field (JSON Pointer) with the kind of its values. */
export interface ComparedField {
  readonly by: string;
  readonly kind: ComparisonName;
}

/** Fields that a table holds. */
export interface TableFields {
  readonly order: QueryPlan['keys'];
  /** Fields with filters for a range. */
  readonly ranges: readonly ComparedField[];
  /** Fields with filters for single values. Versions with equal values in all of them are a class. */
  readonly classes: readonly string[];
  /** Fields of single reads. */
  readonly lookups: readonly string[];
}

/** Values of one field by version: numbers, or texts. Missing values are `NaN` or the empty text. */
type Column = Float64Array | readonly string[];

/** The versions of a span. */
export class VersionTable {
  /** By version: the number of its record, and the number of changes up to it. */
  readonly records: Int32Array;
  readonly changes: Int32Array;
  /** By version: the instants at which it begins and at which the next one begins. */
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  /** By version: the number of its class. */
  readonly classes: Int32Array;
  /** By class: the fields of one of its versions. Filters for single values give the same result for all. */
  readonly outlines: readonly JsonObject[];
  readonly #order: QueryPlan['keys'];
  readonly #columns: ReadonlyMap<string, Column>;
  /** By field: sorted entries. */
  readonly #lookups: ReadonlyMap<string, Float64Array>;

  constructor(history: CollectionHistory, fields: TableFields, span: TableSpan) {
    const columns = new Map([...fields.order, ...fields.ranges].map((field) => [nameOf(field), createUnsortedColumn(field, history)]));
    const classReaders = fields.classes.map(readerOf);
    const classNumbers = new Map<string, number>();
    const outlines: JsonObject[] = [];
    const lookups = fields.lookups.map((field) => ({
      field,
      read: readerOf(field),
      entries: [] as number[],
      latest: undefined as Json | undefined,
    }));
    const [records, changes, begins, ends, classes]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
    for (const version of versionsIn(history, span)) {
      for (const lookup of lookups) {
        const value = version.read(lookup.read);
        if (value !== lookup.latest || version.record !== records.at(-1)) lookup.entries.push(toLookupEntry(value, version.record));
        lookup.latest = value;
      }
      records.push(version.record);
      changes.push(version.change);
      begins.push(version.begins);
      ends.push(version.ends);
      for (const { values, readValue } of columns.values()) values.push(readValue(version));
      const key = classReaders.map((read) => printJson(version.read(read))).join();
      // Numbers begin with 1 here, since `getOrCompute` returns what `push` does.
      classes.push(getOrCompute(classNumbers, key, () => outlines.push(version.fields)) - 1);
    }
    const sorted = sortVersions(
      records.length,
      fields.order.map((key) => ({ values: columns.get(nameOf(key))?.values ?? [], sign: key.direction === 'ascending' ? 1 : -1 })),
    );
    const integers = (values: readonly number[]): Int32Array => reorder(values, sorted, new Int32Array(sorted.length));
    const numbers = (values: readonly Sortable[]): Float64Array => reorder(values, sorted, new Float64Array(sorted.length));
    this.records = integers(records);
    this.changes = integers(changes);
    this.begins = numbers(begins);
    this.ends = numbers(ends);
    this.classes = integers(classes);
    this.outlines = outlines;
    this.#order = fields.order;
    this.#columns = new Map(
      [...columns].map(([name, { kind, values }]) => [name, kind === 'text' ? reorder<string[]>(values, sorted, []) : numbers(values)]),
    );
    this.#lookups = new Map(lookups.map(({ field, entries }) => [field, Float64Array.from(entries).sort()]));
  }

  get length(): number {
    return this.records.length;
  }

  columnOf(field: ComparedField): Column {
    return this.#columns.get(nameOf(field)) ?? [];
  }

  /** Returns the first version after a position in the order of the list. */
  placeAfter(position: readonly Json[]): number {
    const keys = this.#order.map((key, index) => ({
      direction: key.direction,
      values: this.columnOf(key),
      wanted: toColumnValue(key.kind, position[index]),
    }));
    return bisect(this.length, (version) => {
      for (const { direction, values, wanted } of keys) {
        const compared = compareValues(values[version] as Sortable, wanted);
        if (compared !== 0) return compared > 0 === (direction === 'ascending');
      }
      return false;
    });
  }

  /** Yields the numbers of the records that may have a value in a field of single reads. Different values may share a hash, so callers compare. */
  *recordsWith(field: string, value: Json): Generator<number> {
    const entries = this.#lookups.get(field) ?? new Float64Array();
    const first = toLookupEntry(value, 0);
    const place = bisect(entries.length, (candidate) => (entries[candidate] as number) >= first);
    for (const entry of entries.subarray(place)) {
      if (entry >= first + recordSpan) return;
      yield entry - first;
    }
  }
}

/** Value in a column. */
type Sortable = number | string;

/** Names a column; equal columns have equal names. */
function nameOf({ by, kind }: ComparedField): string {
  return `${kind} ${by}`;
}

/** A version while its table is built. */
class Version {
  /** Number of its record. */
  readonly record: number;
  readonly change: number;
  readonly begins: number;
  readonly ends: number;
  /** The outline, or the whole record once a field was missing in the outline. */
  fields: JsonObject;
  readonly #history: RecordHistory;
  #isWhole = false;

  constructor(history: RecordHistory, record: number, change: number) {
    this.record = record;
    this.change = change;
    this.begins = history.instants[change] ?? Number.NaN;
    this.ends = history.instants[change + 1] ?? Number.POSITIVE_INFINITY;
    this.fields = history.outline(change);
    this.#history = history;
  }

  read(read: FieldReader): Json | undefined {
    const value = read(this.fields);
    if (value !== undefined || this.#isWhole) return value;
    this.fields = this.#history.record(this.change);
    this.#isWhole = true;
    return read(this.fields);
  }
}

/** Yields the versions of a span, record by record. */
function* versionsIn(history: CollectionHistory, { afterMs, untilMs }: TableSpan): Generator<Version> {
  const count = history.countUntil(untilMs);
  for (let record = 0; record < count; record += 1) {
    const recordHistory = history.recordHistory(record);
    const { instants } = recordHistory;
    for (let change = 0; change < instants.length; change += 1) {
      const ends = instants[change + 1] ?? Number.POSITIVE_INFINITY;
      // Of several changes at one instant, only the last is visible.
      if (ends > afterMs && ends !== instants[change]) yield new Version(recordHistory, record, change);
    }
  }
}

/** Key of the order, with its values by version. */
interface SortKey {
  readonly values: ArrayLike<Sortable>;
  readonly sign: 1 | -1;
}

/** Column while its table is built: its values in the order of the records. */
interface UnsortedColumn {
  readonly kind: ComparisonName;
  readonly readValue: (version: Version) => Sortable;
  readonly values: Sortable[];
}

function createUnsortedColumn({ by, kind }: ComparedField, { instantField }: CollectionHistory): UnsortedColumn {
  const read = readerOf(by);
  // Records change at any millisecond and show the second.
  const isShownInstant = by === instantField && kind === 'instant';
  const readValue: UnsortedColumn['readValue'] = isShownInstant
    ? (version) => Math.floor(version.begins / 1000) * 1000
    : (version) => toColumnValue(kind, version.read(read));
  return { kind, readValue, values: [] };
}

/** Sorts versions by some keys, and returns their numbers. */
function sortVersions(length: number, keys: readonly SortKey[]): Int32Array {
  const versions = new Int32Array(length);
  for (let version = 0; version < length; version += 1) versions[version] = version;
  return versions.sort((left, right) => {
    for (let index = 0; index < keys.length; index += 1) {
      const { values, sign } = keys[index] as SortKey;
      const compared = compareValues(values[left] as Sortable, values[right] as Sortable);
      if (compared !== 0) return compared * sign;
    }
    return 0;
  });
}

/** Copies values in the order of some versions. It is a loop, which takes a fifth of the time of `Float64Array.from`. */
function reorder<Target extends { [place: number]: Sortable }>(values: readonly Sortable[], order: Int32Array, target: Target): Target {
  for (let place = 0; place < order.length; place += 1) target[place] = values[order[place] as number] as Target[number];
  return target;
}

/** Compares two values of a column. `NaN`, a missing value, comes first. */
function compareValues(left: Sortable, right: Sortable): number {
  if (left < right) return -1;
  if (left > right) return 1;
  return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
}

function toColumnValue(kind: ComparisonName, value: Json | undefined): Sortable {
  return kind === 'text' ? String(value ?? '') : toNumber(kind, value);
}

/** Converts a value to a number of a column: milliseconds, days, or the number itself; `NaN` for a value of another kind. */
export function toNumber(kind: ComparisonName, value: Json | undefined): number {
  if (kind === 'number') return isNumber(value) ? Number(value) : Number.NaN;
  if (typeof value !== 'string') return Number.NaN;
  if (kind === 'date') return toDay(value);
  const instant = parseInstant(value);
  return instant === undefined ? Number.NaN : Number(instant) / 1_000_000;
}

function toDay(text: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(text);
  return match === null ? Number.NaN : Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / 86_400_000;
}

/** Reads one field of records. */
type FieldReader = (record: JsonObject) => Json | undefined;

/** Creates a reader of a field (JSON Pointer), with a fast path for members of the record itself. */
function readerOf(pointer: string): FieldReader {
  const name = pointer.slice(1);
  // Direct access would find inherited members such as `constructor`.
  return /[/~]/.test(name) || pointer === '' || name in Object.prototype ? (record) => valueAt(record, pointer) : (record) => record[name];
}

/** Bits of a record's number in an entry of a lookup, above which are the bits of the hash. */
const recordSpan = 2 ** 22;

/** Entry of a lookup: a hash of the value, and the number of the record. */
function toLookupEntry(value: Json | undefined, record: number): number {
  return hash(value) * recordSpan + record;
}

/** Hashes a value with its type to 31 bits (FNV-1a): `1` is not `'1'`. */
function hash(value: Json | undefined): number {
  const text = typeof value === 'string' ? `"${value}` : printJson(value ?? null);
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state >>> 1;
}
