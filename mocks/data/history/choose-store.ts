/** Choice of the store of a list: an index of its history, or the records themselves without a history. */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { type DataRecord, planOf, type Query } from '../../../core/query/query.ts';
import type { CollectionHistory, Dataset } from '../dataset.ts';
import { HistoryIndex } from './history-index.ts';
import { designIndex } from './index-design.ts';
import { createListStore, type Store } from './list-store.ts';

/** A list operation's collection, with its evaluator. */
export type ListedCollection = NonNullable<Operation['collection']>;

/** The store of a collection of a tenant in a dataset. */
export type StoreOf = (dataset: Dataset, tenant: string) => Store;

/**
 * Gives the store of a collection for any dataset. A collection whose evaluator was replaced in part, as mutants do, has no index: an index would answer by
 * the rules.
 */
export function createStores(contract: Contract, collection: ListedCollection): StoreOf {
  const plan = planOf(collection.query);
  const lookups = lookupsOf(contract, collection.name);
  return (dataset, tenant) => {
    const history = plan === undefined || dataset.nowMs === undefined ? undefined : dataset.history?.(tenant, collection.name);
    if (history === undefined || plan === undefined || dataset.nowMs === undefined)
      return plainStore(collection.query, dataset, tenant, collection.name);
    const known = indexes.get(history) ?? new WeakMap<Query, HistoryIndex>();
    indexes.set(history, known);
    const index = known.get(collection.query) ?? new HistoryIndex(history, designIndex(plan, lookups), collection.query);
    known.set(collection.query, index);
    return index.at(dataset.nowMs);
  };
}

/** Several operations, and the mocks of one seed, share an index. */
const indexes = new WeakMap<CollectionHistory, WeakMap<Query, HistoryIndex>>();

/** The fields by which single reads find records of a collection. */
function lookupsOf({ operations }: Contract, name: string): readonly string[] {
  return [...new Set(operations.flatMap(({ resource }) => (resource?.name === name ? [...resource.by.values()] : [])))];
}

function plainStore(query: Query, dataset: Dataset, tenant: string, name: string): Store {
  const records = dataset.records(tenant, name);
  return createListStore(query, records, () => sortOnce(query, records));
}

const sortedBy = new WeakMap<Query, WeakMap<readonly DataRecord[], readonly DataRecord[]>>();

/** The records in the order of the list: as long as they are the same, they are sorted once. */
function sortOnce(query: Query, records: readonly DataRecord[]): readonly DataRecord[] {
  const known = sortedBy.get(query) ?? new WeakMap<readonly DataRecord[], readonly DataRecord[]>();
  sortedBy.set(query, known);
  const sorted = known.get(records) ?? query.sort(records);
  known.set(records, sorted);
  return sorted;
}
