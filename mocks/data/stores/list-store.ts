import type { Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord, FilterArguments, PageSlice, PageStart } from '../../../core/query/query.ts';

/** Reads the records of one list at one instant. An unchanged record is the same object as long as a cache keeps it, so that its text can be cached too. */
export interface Store {
  readonly page: (values: FilterArguments, start: PageStart, limit: number) => PageSlice;
  /** Counts the visible records that match. */
  readonly count: (values: FilterArguments) => number;
  /** Finds the first record with all of these values, hidden records included. */
  readonly find: (wanted: readonly FieldValue[]) => DataRecord | undefined;
  /** Does the slow part of a page in slices, so that other requests get responses meanwhile; `undefined` if no part is slow. */
  readonly prepare?: (values: FilterArguments) => Promise<void> | undefined;
}

/** A field (JSON Pointer) with the value to find. */
export interface FieldValue {
  readonly field: string;
  readonly value: Json;
}

/** True if a record has all of the values. */
export function hasAll(record: DataRecord, wanted: readonly FieldValue[]): boolean {
  return wanted.every(({ field, value }) => valueAt(record, field) === value);
}
