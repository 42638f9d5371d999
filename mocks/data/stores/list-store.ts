/**
 * Read access to the records of one list at one instant: pages, counts and single records. `choose-store.ts` creates a store over plain records,
 * `history-index.ts` one over an index; `listing.ts` and `single-read.ts` call a store for each request. `history-index.ts` and `single-read.ts` compare fields
 * by `hasAll` when they look for one record. It changes nothing.
 */

import type { Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord, FilterArguments, PageSlice, PageStart, Query } from '../../../core/query/query.ts';

/** Records of a list at an instant. An unchanged record is the same object as long as a cache keeps it, so that its text can be cached too. */
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

/** Creates a store over plain records, without an index. `sorted` returns them in the order of the list. */
export function createListStore(query: Query, records: readonly DataRecord[], sorted: () => readonly DataRecord[]): Store {
  return {
    page: (values, start, limit) => query.page(sorted(), values, start, limit),
    count: (values) => query.count(sorted(), values),
    find: (wanted) => records.find((record) => hasAll(record, wanted)),
  };
}

/** True if a record has all of the values. */
export function hasAll(record: DataRecord, wanted: readonly FieldValue[]): boolean {
  return wanted.every(({ field, value }) => valueAt(record, field) === value);
}
