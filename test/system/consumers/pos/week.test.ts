/** A till that synchronises all week, with bad days among them, ends up with what a full read of the service shows. */

import { describe, expect, it } from 'vitest';
import { type RunningMock, type ServedExchange, startMock } from '../../../../index.ts';
import { openConnection, type Query } from '../../../consumers/pos/connection.ts';
import { createService, type Page, type Versioned } from '../../../consumers/pos/service.ts';
import { createStore, type Store } from '../../../consumers/pos/store.ts';
import { createSynchroniser, type Report, type Synchroniser } from '../../../consumers/pos/synchroniser.ts';

const dayMs = 86_400_000;
/** Pause of the till between two runs. */
const intervalMs = dayMs / 12;

/** Conditions of the service by day; other days are normal. */
const chaos: ReadonlyMap<number, readonly string[]> = new Map([
  [1, ['429 retry-after=90 30%']],
  [2, ['503 30%']],
  [4, ['reset 20%', 'truncated 20%']],
  [5, ['503 listOrders', '503 50% getMenuManifest', '429 30% retry-after=20']],
]);

/** Each of them answers unspecified points differently, and the till relies on none. */
const services = [
  { seed: 1, profile: {} },
  { seed: 42, profile: 'terse' },
] as const;

describe.each(services)('a week of a business, seed $seed, profile $profile', ({ seed, profile }) => {
  it('leaves the till with what is there', { timeout: 60_000 }, async () => {
    const statuses: number[] = [];
    const onExchange = ({ response }: ServedExchange): unknown => statuses.push(response.status);
    await using mock = await startMock({ contracts: ['business'], seed, profile, onExchange });
    const life = await live(mock);
    const service = createService(openConnection({ ...address(mock), sleep: fail, now: Date.now }));

    const { store } = life;
    expect(toSorted([...store.orders.records.values()])).toEqual(toSorted(await readAll(service.orders)));
    expect(toSorted([...store.reservations.records.values()])).toEqual(toSorted(await readAll(service.reservations)));
    expect(await service.menu()).toEqual({ value: store.menu?.value, etag: store.menu?.etag });
    for (const { value, etag } of store.orders.details.values()) expect(await service.order({ id: value.id }, etag)).toBe('unchanged');

    // Controls: without changes, chaos and kept copies, this test would show nothing.
    const changed = [...store.orders.records.values()].filter(({ id, changed_at }) => life.before.get(id) !== changed_at);
    expect(changed.length).toBeGreaterThan(20);
    expect(life.pauses.length).toBeGreaterThan(20);
    expect(life.pauses).toEqual(expect.arrayContaining([1000, 2000, 4000]));
    expect(Math.max(...life.pauses)).toBeGreaterThan(80_000);
    expect(life.reports.filter((report) => 'orders' in report && report.orders === 'later').length).toBeGreaterThan(10);
    expect(life.reports.filter((report) => 'menu' in report && report.menu === 'updated').length).toBeGreaterThan(1);
    expect(statuses.filter((status) => status === 304).length).toBeGreaterThan(20);
  });
});

interface Life {
  readonly store: Store;
  /** Changes by time, as the till saw them after its first run. */
  readonly before: ReadonlyMap<number, string>;
  readonly pauses: readonly number[];
  readonly reports: readonly Report[];
}

async function live(mock: RunningMock): Promise<Life> {
  const store = createStore();
  const pauses: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
    mock.clock.advance(milliseconds);
  };
  const service = createService(openConnection({ ...address(mock), sleep, now: Date.now }));
  const till = createSynchroniser({ service, store, pageSize: 40 });
  const reports = [await till.run()];
  const before = new Map([...store.orders.records.values()].map(({ id, changed_at }) => [id, changed_at]));
  const start = mock.clock.now();
  for (let run = 1; mock.clock.now() < start + 7 * dayMs; run += 1) {
    mock.clock.advance(intervalMs);
    mock.chaos.set(chaos.get(Math.floor((mock.clock.now() - start) / dayMs)) ?? []);
    reports.push(await till.run());
    await serveAtTheCounter(till, store, run);
  }
  mock.chaos.clear();
  reports.push(await till.run());
  for (const id of store.orders.details.keys()) await till.showOrder({ id });
  return { store, before, pauses, reports };
}

/** Someone asks for an order, by its code or from the screen. */
async function serveAtTheCounter(till: Synchroniser, store: Store, run: number): Promise<void> {
  const orders = toSorted([...store.orders.records.values()]).slice(-12);
  const order = orders[run % orders.length];
  if (order === undefined) return;
  try {
    await till.showOrder(run % 2 === 0 ? { code: order.code } : { id: order.id });
  } catch (error) {
    // The counter asks again later; how the till waits is tested elsewhere.
    expect(error).toMatchObject({ name: 'Unavailable' });
  }
}

async function readAll<T>(list: (query: Query) => Promise<Page<T>>): Promise<readonly T[]> {
  const records: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 100, cursor });
    records.push(...page.records);
    cursor = page.next;
  } while (cursor !== undefined);
  return records;
}

function toSorted<T extends Versioned>(records: readonly T[]): readonly T[] {
  return [...records].sort((one, other) => one.id - other.id);
}

function address(mock: RunningMock): { readonly baseUrl: string; readonly key: string } {
  return { baseUrl: mock.url, key: mock.keys['full'] ?? '' };
}

function fail(): never {
  throw new Error('the mock has no chaos any more');
}
