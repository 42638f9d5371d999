/** The index compared with the evaluator: random queries at random instants give the same records. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../core/json.ts';
import { type Contract, resolveContract } from '../../../../../core/openapi/contract.ts';
import type { Operation } from '../../../../../core/openapi/operation.ts';
import type { FilterArguments } from '../../../../../core/query/query.ts';
import { contractFile } from '../../../../../core/shipped-files.ts';
import { createBusinessDatasets } from '../../../../../mocks/data/business/business-dataset.ts';
import type { ChangingDataset, Dataset } from '../../../../../mocks/data/dataset.ts';
import { createStoreOf, type ListedCollection, type StoreOf } from '../../../../../mocks/data/stores/create-list-store.ts';
import type { Store } from '../../../../../mocks/data/stores/list-store.ts';
import { createWikiDatasets } from '../../../../../mocks/data/wiki/wiki-dataset.ts';
import { openContract } from '../../../../helpers/exchange-judge.ts';

const day = 86_400_000;
const [firstMs, lastMs] = [Date.UTC(2026, 1, 20), Date.UTC(2026, 4, 10)];
const business = await openContract(contractFile('business'));
const wiki = await openContract(contractFile('wiki'));

const businessDatasets = (): ChangingDataset => createBusinessDatasets({ seed: 5 });
const wikiDatasets = (): ChangingDataset => createWikiDatasets({ seed: 7 });

/** Lists of both contracts, in each order that an open question allows. */
const lists: readonly (readonly [name: string, contract: Contract, id: string, tenant: string, createDatasets: () => ChangingDataset])[] = [
  ['orders, changed-first', resolveContract(business, { 'orders-order': 'changed-first' }), 'listOrders', 'full', businessDatasets],
  ['orders, id-first', resolveContract(business, { 'orders-order': 'id-first' }), 'listOrders', 'other', businessDatasets],
  [
    'reservations, ascending',
    resolveContract(business, { 'reservations-direction': 'ascending' }),
    'listReservations',
    'other',
    businessDatasets,
  ],
  ...[...(wiki.questions.get('entries-order')?.choices.keys() ?? [])].map(
    (order) => [`entries, ${order}`, resolveContract(wiki, { 'entries-order': order }), 'listEntries', 'public', wikiDatasets] as const,
  ),
];

const statuses = ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show', 'unheard of'];
const instants = fc.integer({ min: firstMs / 1000, max: lastMs / 1000 }).map((second) => second * 1000);
const dates = instants.map((at) => new Date(at).toISOString().slice(0, 10));

/** Values for any filter of the lists; those that a list does not have are left out. */
const filters: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  status: fc.subarray(statuses, { minLength: 1 }),
  channel: fc.subarray(['takeaway', 'table'], { minLength: 1 }),
  updated_after: fc.oneof(
    instants.map((at) => new Date(at).toISOString()),
    instants.map((at) => `${new Date(at).toISOString().slice(0, 19)}.000000001Z`),
    instants.map((at) => `${new Date(at).toISOString().slice(0, 19)}+02:00`),
    fc.constant('no instant'),
  ),
  date_from: dates,
  date_to: dates,
  type: fc.constantFrom('creature', 'place', 'item', 'nothing'),
  q: fc.constantFrom('a', 'della', 'E', 'xyzzy', 'grotta', 'la p', ' di ', 'è', '</p>', '', 'a\n', 'il faro'),
};

describe.each(lists)('the index of %s', (_, contract, id, tenant, createDatasets) => {
  const datasets = createDatasets();
  const collection = collectionOf(contract, id);
  const stores = createStoreOf(contract, collection);
  const own = [...collection.filters.keys()];
  const asked = fc.record({
    nowMs: instants,
    values: fc
      .record(Object.fromEntries(own.map((name) => [name, filters[name] ?? fc.constant('x')])), { requiredKeys: [] })
      .map((record) => new Map(Object.entries(record)) as FilterArguments),
    limit: fc.integer({ min: 1, max: 60 }),
    skip: fc.integer({ min: 0, max: 200 }),
  });

  it('has the same pages, counts and single records', () => {
    fc.assert(
      fc.property(asked, ({ nowMs, values, limit, skip }) => {
        const dataset = datasets.at(nowMs);
        const [index, plain] = [stores(dataset, tenant), plainStore(stores, dataset, tenant)];
        expect(walk(index, collection, values, limit)).toEqual(walk(plain, collection, values, limit));
        expect(index.page(values, { skip }, limit)).toEqual(plain.page(values, { skip }, limit));
        expect(index.count(values)).toBe(plain.count(values));
      }),
      { numRuns: 5, seed: 11 },
    );
  });

  it('finds each record by each lookup field, and no others', () => {
    const dataset = datasets.at(Date.UTC(2026, 2, 29, 16));
    const [index, plain] = [stores(dataset, tenant), plainStore(stores, dataset, tenant)];
    const fields = [
      ...new Set(contract.operations.flatMap(({ resource }) => (resource?.name === collection.name ? [...resource.by.values()] : []))),
    ];
    for (const record of dataset.records(tenant, collection.name))
      for (const field of fields) {
        const wanted = [{ field, value: (record[field.slice(1)] ?? null) as Json }];
        expect(index.find(wanted)).toEqual(plain.find(wanted));
        expect(index.find(wanted)).toBeDefined();
        expect(index.find([{ field, value: 'no such name' }])).toBeUndefined();
      }
  });

  it('answers for earlier instants than before, and for later ones again', () => {
    const latest = Date.UTC(2026, 3, 9, 12);
    const fresh = createDatasets();
    for (const nowMs of [latest, latest - 21 * day, latest + 30 * day, latest]) {
      const [index, plain] = [stores(fresh.at(nowMs), tenant), plainStore(stores, fresh.at(nowMs), tenant)];
      expect(walk(index, collection, new Map(), 50)).toEqual(walk(plain, collection, new Map(), 50));
      expect(index.count(new Map())).toBe(plain.count(new Map()));
    }
  });

  it('continues a list while the clock advances', () => {
    const [early, late] = [datasets.at(Date.UTC(2026, 2, 20)), datasets.at(Date.UTC(2026, 2, 20) + 9 * day)];
    const first = stores(early, tenant).page(new Map(), { after: undefined }, 10);
    const position = collection.query.position(first.records.at(-1) ?? {});
    const rest = { after: position };
    expect(stores(late, tenant).page(new Map(), rest, 500)).toEqual(plainStore(stores, late, tenant).page(new Map(), rest, 500));
  });
});

function collectionOf(contract: Contract, id: string): ListedCollection {
  const found = contract.operations.find((operation: Operation) => operation.id === id)?.collection;
  if (found === undefined) throw new Error(`${id} lists nothing`);
  return found;
}

/** The store of a dataset without its history, which has no index. */
function plainStore(stores: StoreOf, { history: _, ...dataset }: Dataset, tenant: string): Store {
  return stores(dataset, tenant);
}

/** The keys of all records, page by page. */
function walk(store: Store, { query, key }: ListedCollection, values: FilterArguments, limit: number): readonly (readonly Json[])[] {
  const pages: (readonly Json[])[] = [];
  for (let after: readonly Json[] | undefined; ; ) {
    const { records, more } = store.page(values, { after }, limit);
    pages.push(records.map((record) => record[key.slice(1)] ?? null));
    const last = records.at(-1);
    if (!more || last === undefined) return pages;
    after = query.position(last);
  }
}
