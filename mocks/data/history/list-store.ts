/** The records of one list at one instant, as answers need them: pages, counts, and single records. */

import type { Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord, FilterArguments, PageSlice, PageStart, Query } from '../../../core/query/query.ts';

/** Answers what a list or a single read asks. The same record is the same object as long as it does not change and is not forgotten. */
export interface Store {
  readonly page: (values: FilterArguments, start: PageStart, limit: number) => PageSlice;
  /** Number of visible records that match. */
  readonly count: (values: FilterArguments) => number;
  /** The first record, visible or not, whose fields equal all of these. */
  readonly find: (wanted: readonly Wanted[]) => DataRecord | undefined;
  /** Makes what a page for these values needs and takes long, in pieces, so that others are answered meanwhile; `undefined` when there is nothing to make. */
  readonly prepare?: (values: FilterArguments) => Promise<void> | undefined;
}

/** A field, by JSON Pointer, and the value that it must have. */
export interface Wanted {
  readonly field: string;
  readonly value: Json;
}

/** The records as they stand, one by one. `sorted` gives them in the order of the list. */
export function createListStore(query: Query, records: readonly DataRecord[], sorted: () => readonly DataRecord[]): Store {
  return {
    page: (values, start, limit) => query.page(sorted(), values, start, limit),
    count: (values) => query.count(sorted(), values),
    find: (wanted) => records.find((record) => hasAll(record, wanted)),
  };
}

/** True when a record has every wanted field. */
export function hasAll(record: DataRecord, wanted: readonly Wanted[]): boolean {
  return wanted.every(({ field, value }) => valueAt(record, field) === value);
}
