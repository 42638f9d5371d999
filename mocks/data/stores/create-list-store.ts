/**
 * Chooses, at each request, how the records of a list are read: by an index if the collection has a history, otherwise from the plain records. Indexes and
 * sorted lists are kept for later requests.
 */

import { getOrCompute } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { DataRecord, Query } from '../../../core/query/query.ts';
import type { CollectionHistory, Dataset } from '../dataset.ts';
import { createHistoryIndex, type HistoryIndex } from './history-index.ts';
import { hasAll, type Store } from './list-store.ts';

/** A list operation's collection, with its evaluator. */
export type ListedCollection = NonNullable<Operation['collection']>;

/** Returns the store of a tenant's collection in a dataset. */
export type StoreOf = (dataset: Dataset, tenant: string) => Store;

/**
 * Creates the function that returns the store of a collection. A mutant's query has no plan and so gets no index, since an index would ignore the
 * mutation.
 */
export function createStoreOf(contract: Contract, collection: ListedCollection): StoreOf {
  const { plan } = collection.query;
  const lookups = lookupsOf(contract, collection.name);
  return (dataset, tenant) => {
    const history = plan === undefined || dataset.nowMs === undefined ? undefined : dataset.history?.(tenant, collection.name);
    if (history === undefined || plan === undefined || dataset.nowMs === undefined)
      return plainStore(collection.query, dataset, tenant, collection.name);
    const indexByQuery = getOrCompute(indexes, history, () => new WeakMap<Query, HistoryIndex>());
    const { query } = collection;
    const index = getOrCompute(indexByQuery, query, () => createHistoryIndex({ history, query, plan, lookups }));
    return index(dataset.nowMs);
  };
}

/** Indexes, shared by operations with the same query and by mocks with the same seed. */
const indexes = new WeakMap<CollectionHistory, WeakMap<Query, HistoryIndex>>();

/** Lists the fields by which single reads find records of a collection. */
function lookupsOf({ operations }: Contract, name: string): readonly string[] {
  return [...new Set(operations.flatMap(({ resource }) => (resource?.name === name ? [...resource.by.values()] : [])))];
}

function plainStore(query: Query, dataset: Dataset, tenant: string, name: string): Store {
  const records = dataset.records(tenant, name);
  return createPlainStore(query, records, () => sortOnce(query, records));
}

/** A store over plain records, without an index. `sorted` returns them in the order of the list. */
function createPlainStore(query: Query, records: readonly DataRecord[], sorted: () => readonly DataRecord[]): Store {
  return {
    page: (values, start, limit) => query.page(sorted(), values, start, limit),
    count: (values) => query.count(sorted(), values),
    find: (wanted) => records.find((record) => hasAll(record, wanted)),
  };
}

const sortedBy = new WeakMap<Query, WeakMap<readonly DataRecord[], readonly DataRecord[]>>();

/** Sorts records for a list. The same array is sorted only once. */
function sortOnce(query: Query, records: readonly DataRecord[]): readonly DataRecord[] {
  const sortedRecords = getOrCompute(sortedBy, query, () => new WeakMap<readonly DataRecord[], readonly DataRecord[]>());
  return getOrCompute(sortedRecords, records, () => query.sort(records));
}
