/** Which store answers for a list: an index of its records through time, or, where there is none, the records themselves. */

import type { Contract } from '../../core/contract.ts';
import type { Operation } from '../../core/operation.ts';
import { type Entry, planOf, type Query } from '../../core/query.ts';
import type { Chronicle, World } from '../world.ts';
import { designIndex } from './design.ts';
import { Ledger } from './ledger.ts';
import { createListStore, type Store } from './store.ts';

/** A list operation's collection, with its evaluator. */
export type ListedCollection = NonNullable<Operation['collection']>;

/** The store of a collection of a tenant in a world. */
export type StoreOf = (world: World, tenant: string) => Store;

/**
 * Gives the store of a collection for any world. A collection whose evaluator was replaced in part, as faults do, has no index: an index would answer by
 * the rules.
 */
export function createStores(contract: Contract, collection: ListedCollection): StoreOf {
  const plan = planOf(collection.query);
  const lookups = lookupsOf(contract, collection.name);
  return (world, tenant) => {
    const chronicle = plan === undefined || world.nowMs === undefined ? undefined : world.chronicle?.(tenant, collection.name);
    if (chronicle === undefined || plan === undefined || world.nowMs === undefined)
      return plainStore(collection.query, world, tenant, collection.name);
    const known = ledgers.get(chronicle) ?? new WeakMap<Query, Ledger>();
    ledgers.set(chronicle, known);
    const ledger = known.get(collection.query) ?? new Ledger(chronicle, designIndex(plan, lookups), collection.query);
    known.set(collection.query, ledger);
    return ledger.at(world.nowMs);
  };
}

/** Several operations, and the mocks of one seed, share an index. */
const ledgers = new WeakMap<Chronicle, WeakMap<Query, Ledger>>();

/** The fields by which single reads find records of a collection. */
function lookupsOf({ operations }: Contract, name: string): readonly string[] {
  return [...new Set(operations.flatMap(({ resource }) => (resource?.name === name ? [...resource.by.values()] : [])))];
}

function plainStore(query: Query, world: World, tenant: string, name: string): Store {
  const records = world.records(tenant, name);
  return createListStore(query, records, () => sortOnce(query, records));
}

const sortedBy = new WeakMap<Query, WeakMap<readonly Entry[], readonly Entry[]>>();

/** The records in the order of the list: as long as they are the same, they are sorted once. */
function sortOnce(query: Query, records: readonly Entry[]): readonly Entry[] {
  const known = sortedBy.get(query) ?? new WeakMap<readonly Entry[], readonly Entry[]>();
  sortedBy.set(query, known);
  const sorted = known.get(records) ?? query.sort(records);
  known.set(records, sorted);
  return sorted;
}
