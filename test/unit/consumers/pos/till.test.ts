/** Behaviour of the till over several exchanges: retries, checkpoints, restarts, stops. */

import { describe, expect, it } from 'vitest';
import { type Answer, answerInTurn } from '../../../consumers/answers.ts';
import { createStore } from '../../../consumers/pos/store.ts';
import { createTill, type Till, type TillOptions } from '../../../consumers/pos/till.ts';

const noon = Date.UTC(2026, 9, 3, 12);
const wrongQuery: Answer = failure(422, 'INVALID_QUERY');

describe('patience', () => {
  it.each([
    ['seconds', { 'Retry-After': '30' }, 30_000],
    ['a date', { 'Retry-After': 'Sat, 03 Oct 2026 12:02:00 GMT' }, 120_000],
    ['a date that has passed', { 'Retry-After': 'Sat, 03 Oct 2026 11:00:00 GMT' }, 0],
    ['something that nobody can read', { 'Retry-After': 'soon' }, 30_000],
    ['nothing', {}, 1000],
  ])('waits as long as a 429 says: %s', async (_, headers, pause) => {
    const { till } = serve([[429, { ok: false }, headers], ordersPage([1])]);
    expect(await till.syncOrders()).toBe('updated');
    expect(till.pauses).toEqual([pause]);
  });

  it('waits twice as long each time when the service is not ready, a minute at most, and gives up for now', async () => {
    const { till, asked } = serve(
      Array.from({ length: 9 }, (): Answer => failure(503, 'API_NOT_READY')),
      { attempts: 9 },
    );
    await expect(till.syncOrders()).rejects.toMatchObject({ name: 'Unavailable', status: 503, code: 'API_NOT_READY', requestId: 'r-1' });
    expect(till.pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(asked).toHaveLength(9);
  });

  it('asks again after a connection that broke', async () => {
    const { till } = serve([new TypeError('fetch failed'), ordersPage([1])]);
    expect(await till.syncOrders()).toBe('updated');
    expect(till.pauses).toEqual([1000]);
  });
});

describe('checkpoints', () => {
  it('move only after the last page, to the latest change by instant', async () => {
    const { till, asked } = serve([
      ordersPage([3, '2026-10-03T19:00:00+02:00'], 'two'),
      ordersPage([2, '2026-10-03T18:30:00+01:00']),
      ordersPage([2, '2026-10-03T18:30:00+01:00']),
    ]);
    await till.syncOrders();
    expect(till.store.orders.progress?.checkpoint).toBe('2026-10-03T18:30:00+01:00');
    expect(await till.syncOrders()).toBe('current');
    const first = 'orders/index.php?limit=100';
    expect(asked).toEqual([first, `${first}&cursor=two`, `${first}&updated_after=2026-10-03T18:30:00+01:00`]);
  });

  it('stay when a page cannot be read, though what was read is kept', async () => {
    const { till, asked } = serve([ordersPage([3], 'two'), failure(503, 'ORDERS_NOT_READY'), ordersPage([3])], { attempts: 1 });
    await expect(till.syncOrders()).rejects.toMatchObject({ name: 'Unavailable' });
    expect([...till.store.orders.records.keys()]).toEqual([3]);
    await till.syncOrders();
    expect(asked.at(-1)).toBe('orders/index.php?limit=100');
  });

  it('stay when nothing changed', async () => {
    const { till } = serve([ordersPage([1]), ordersPage()]);
    await till.syncOrders();
    const { progress } = till.store.orders;
    expect(await till.syncOrders()).toBe('current');
    expect(till.store.orders.progress).toEqual(progress);
  });

  it('are worth nothing with other filters: the till starts over, without what it had', async () => {
    const store = createStore();
    await serve([ordersPage([1])], { store }).till.syncOrders();
    const { till, asked } = serve([ordersPage([2])], { store, orderFilters: { channel: ['table'] } });
    expect(await till.syncOrders()).toBe('updated');
    expect(asked).toEqual(['orders/index.php?channel=table&limit=100']);
    expect([...store.orders.records.keys()]).toEqual([2]);
  });
});

describe('cursors', () => {
  it('that are refused on the way let the till start over from its checkpoint', async () => {
    const store = createStore();
    store.orders.progress = { checkpoint: '2026-10-03T19:00:00+02:00', filters: '{}' };
    const { till, asked } = serve([ordersPage([3], 'two'), wrongQuery, ordersPage([3], 'other'), ordersPage([2])], { store });
    expect(await till.syncOrders()).toBe('updated');
    const first = 'orders/index.php?limit=100&updated_after=2026-10-03T19:00:00+02:00';
    expect(asked).toEqual([first, `${first}&cursor=two`, first, `${first}&cursor=other`]);
    expect([...store.orders.records.keys()]).toEqual([3, 2]);
  });

  it('that are refused again are the fault of the service', async () => {
    const { till } = serve([ordersPage([3], 'two'), wrongQuery, ordersPage([3], 'two'), wrongQuery]);
    await expect(till.syncOrders()).rejects.toThrow('the service refuses the cursors that it gives');
    expect(till.store.orders.progress).toBeUndefined();
  });

  it('are not to blame for a first page that is refused', async () => {
    await expect(serve([wrongQuery]).till.run()).rejects.toMatchObject({ name: 'QueryRefused', status: 422 });
  });
});

describe('a run', () => {
  const manifest: Answer = [200, { version: 1 }];
  const menu: Answer = [200, { sections: [] }, { ETag: '"m1"' }];

  it('stops at a key that is refused, says so, and asks nothing more', async () => {
    const { till, asked } = serve([failure(401, 'UNAUTHORIZED')]);
    const report = { stopped: 'the service refuses the key: give the till a valid one (request r-1)' };
    expect(await till.run()).toEqual(report);
    expect(await till.run()).toEqual(report);
    expect(asked).toHaveLength(1);
  });

  it('goes on with what the key may do, and with what is available', async () => {
    const { till } = serve([failure(403, 'FORBIDDEN'), failure(503, 'ORDERS_NOT_READY'), [200, list('reservations', [9])]], {
      attempts: 1,
    });
    expect(await till.run()).toEqual({ menu: 'not-allowed', orders: 'later', reservations: 'updated' });
  });

  it('reads the menu only when its manifest changed, and its document only when its tag did', async () => {
    const { till, asked } = serve([manifest, menu, manifest, [200, { version: 2 }], [304]]);
    expect([await till.syncMenu(), await till.syncMenu(), await till.syncMenu()]).toEqual(['updated', 'current', 'current']);
    expect(asked.map((path) => path.replace(/^menus\/|\.php$/g, ''))).toEqual(['manifest', 'current', 'manifest', 'manifest', 'current']);
    expect(till.store.menu).toEqual({ value: { sections: [] }, etag: '"m1"', manifest: '{"version":2}' });
  });

  it('has no menu when it goes away between manifest and menu', async () => {
    const { till } = serve([manifest, failure(404, 'MENU_NOT_FOUND')]);
    expect(await till.syncMenu()).toBe('none');
  });
});

describe('answers that nobody promised', () => {
  it.each<readonly [string, Answer]>([
    ['a page for people', [200, '<h1>Welcome</h1>']],
    ['a list in place of an object', [200, []]],
    ['a page without orders', [200, { data: { page: { has_more: false } } }]],
    ['more pages without a cursor', [200, { data: { orders: [], page: { has_more: true } } }]],
    ['an order without an id', [200, { data: { orders: [{ changed_at: '2026-10-03T19:00:00+02:00' }], page: { has_more: false } } }]],
    ['a status of its own', [500, 'Internal error']],
    ['a list that is not there', failure(404, 'NOT_FOUND')],
  ])('are reported as such: %s', async (_, answer) => {
    const { till } = serve([answer]);
    await expect(till.syncOrders()).rejects.toMatchObject({ name: 'UnexpectedAnswer' });
    expect(till.store.orders.progress).toBeUndefined();
  });
});

function serve(answers: readonly Answer[], options: TillOptions = {}): { readonly till: Till; readonly asked: readonly string[] } {
  const { fetch, asked } = answerInTurn(...answers);
  return { till: createTill('http://service.test', { now: () => noon, ...options, fetch }), asked };
}

function ordersPage([id, changedAt]: readonly [id?: number, changedAt?: string] = [], cursor?: string): Answer {
  return [200, list('orders', id === undefined ? [] : [id], changedAt, cursor)];
}

function list(name: string, ids: readonly number[], changedAt = '2026-10-03T19:00:00+02:00', cursor?: string): unknown {
  const records = ids.map((id) => ({ id, code: `C${id}`, changed_at: changedAt }));
  return { data: { [name]: records, page: { next_cursor: cursor ?? null, has_more: cursor !== undefined } } };
}

function failure(status: number, code: string): Answer {
  return [status, { ok: false, error: { code, message: 'For people.', request_id: 'r-1' } }];
}
