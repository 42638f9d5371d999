/** The records of one collection under one parent, in the order of their creation. All changes are synchronous, so that concurrent writers lose nothing. */

import type { Json } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import type { DataRecord } from '../../core/query/query.ts';

/** A change of one record. */
export interface RecordChange {
  /** The key of the record, as a text. */
  readonly key: string;
  /** The record after the change; `null` if it was removed. */
  readonly record: DataRecord | null;
}

/** The records of a collection under one parent. */
export class Partition {
  readonly #keyField: string;
  readonly #byKey: Map<string, DataRecord>;
  readonly #removed = new Set<string>();
  readonly #created = new Set<string>();
  #records: readonly DataRecord[] | undefined;

  constructor(keyField: string, seed: readonly DataRecord[]) {
    this.#keyField = keyField;
    this.#byKey = new Map(seed.map((record) => [String(this.keyOf(record)), record]));
  }

  /** All records. The array is the same until the next change. */
  get records(): readonly DataRecord[] {
    this.#records ??= [...this.#byKey.values()];
    return this.#records;
  }

  /** The record with a key; numbers and texts with the same characters are the same key, as they are in a path. */
  find(key: Json): DataRecord | undefined {
    return this.#byKey.get(String(key));
  }

  /** The record that a client created last, or else the first. */
  get latest(): DataRecord | undefined {
    return this.find([...this.#created].at(-1) ?? '') ?? this.records[0];
  }

  /** Number of keys that were given so far. */
  get given(): number {
    return this.#byKey.size + this.#removed.size;
  }

  /** True for the key of a record, and of one that was removed. */
  wasGiven(key: Json): boolean {
    return this.#byKey.has(String(key)) || this.isRemoved(key);
  }

  keyOf(record: DataRecord): Json {
    return valueAt(record, this.#keyField) ?? null;
  }

  /** Adds a record, or replaces the one with its key. */
  put(record: DataRecord, key: Json = this.keyOf(record)): RecordChange {
    const text = String(key);
    const next = String(this.keyOf(record));
    const isCreated = !this.#byKey.has(text) || this.#created.has(text);
    if (next !== text) this.#forget(text);
    if (isCreated) this.#created.add(next);
    this.#byKey.set(next, record);
    this.#records = undefined;
    return { key: next, record };
  }

  /** True for the key of a record that a client created. */
  isCreated(key: Json): boolean {
    return this.#created.has(String(key));
  }

  /** True for the key of a record that a client removed. */
  isRemoved(key: Json): boolean {
    return this.#removed.has(String(key));
  }

  remove(key: Json): RecordChange {
    this.#removed.add(String(key));
    this.#forget(String(key));
    this.#records = undefined;
    return { key: String(key), record: null };
  }

  #forget(key: string): void {
    this.#byKey.delete(key);
    this.#created.delete(key);
  }

  /** Repeats a change. */
  apply({ key, record }: RecordChange): void {
    if (record === null) this.remove(key);
    else this.put(record);
  }
}
