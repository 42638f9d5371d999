/** The till's pact with the service: lists of orders, page by page and from a checkpoint on. */

import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, it } from 'vitest';
import { injected, startPactVerifier } from '../interaction.ts';
import { failureOf, keyed, oneOf, orderSummary, pageBeforeOthers, pageOf } from './promised.ts';
import { createStore } from './store.ts';
import { createTill } from './till.ts';

const { equal, integer, like } = MatchersV3;
const play = startPactVerifier('point-of-sale', 'business');
const asked = { path: '/api/integrations/v1/orders/index.php', headers: keyed };
const cursor = 'b3JkZXJzOjQ3MDk';
const checkpoint = '2026-10-03T19:20:41+02:00';

describe('a list of orders', () => {
  it('is read in pages, written by id, and leaves a checkpoint', async () => {
    const interaction = { ...asked, description: 'a request for all orders', given: { 'an order exists': {} }, query: { limit: '100' } };
    const store = createStore();
    const till = (url: string): Promise<string> => createTill(url, { store }).syncOrders();
    expect(await play({ ...interaction, status: 200, body: pageOf('orders', orderSummary) }, till)).toBe('updated');
    expect([...store.orders.records.keys()]).toEqual([4711]);
    expect(store.orders.progress?.checkpoint).toBe(checkpoint);
  });

  it('goes on with a cursor while it has more', async () => {
    const given = { 'more than 1 orders exist': {} };
    const interaction = { ...asked, description: 'a request for the first page of orders', given, query: { limit: '1' }, status: 200 };
    const body = pageBeforeOthers('orders', orderSummary, cursor);
    const page = await play({ ...interaction, body }, (url) => createTill(url).service.orders({ limit: 1 }));
    expect(page).toMatchObject({ records: [{ id: 4711 }], next: cursor });
  });

  it('has a next page behind its cursor', async () => {
    const query = { limit: '1', cursor: injected('cursor', cursor) };
    const interaction = {
      ...asked,
      description: 'a request for the next page of orders',
      given: { 'more than 1 orders exist': {} },
      query,
    };
    const body = pageOf('orders', { ...orderSummary, id: integer(4709), code: like('TDN-4709') });
    const page = await play({ ...interaction, status: 200, body }, (url) => createTill(url).service.orders({ limit: 1, cursor }));
    expect(page).toMatchObject({ records: [{ id: 4709 }], next: undefined });
  });

  it('holds what changed since the checkpoint, the checkpoint included', async () => {
    const query = { limit: '100', updated_after: injected('changed_at', checkpoint) };
    const interaction = {
      ...asked,
      description: 'a request for the orders that changed',
      given: { 'an order exists': {} },
      query,
      status: 200,
    };
    const store = createStore();
    store.orders.progress = { checkpoint, filters: '{}' };
    const till = (url: string): Promise<string> => createTill(url, { store }).syncOrders();
    expect(await play({ ...interaction, body: pageOf('orders', orderSummary) }, till)).toBe('updated');
    expect(store.orders.progress?.checkpoint).toBe(checkpoint);
  });

  it('holds the orders in some states from some channel only, when the till asks for those', async () => {
    const given = { 'an order with status ready and channel takeaway exists': {} };
    const query = { limit: '100', status: 'preparing,ready', channel: 'takeaway' };
    const interaction = { ...asked, description: 'a request for the orders that the kitchen works on', given, query, status: 200 };
    const record = { ...orderSummary, status: oneOf(['preparing', 'ready'], 'ready'), channel: equal('takeaway') };
    const orderFilters = { status: ['preparing', 'ready'], channel: ['takeaway'] };
    const till = (url: string): Promise<string> => createTill(url, { orderFilters }).syncOrders();
    expect(await play({ ...interaction, body: pageOf('orders', record) }, till)).toBe('updated');
  });
});

describe('a list of orders that is refused', () => {
  it('is refused to a cursor that is damaged, and the till starts over', async () => {
    const query = { limit: '1', cursor: 'damaged' };
    const interaction = { ...asked, description: 'a request for orders with a damaged cursor', query, status: 422 };
    const refused = play({ ...interaction, body: failureOf('INVALID_QUERY') }, (url) =>
      createTill(url).service.orders({ limit: 1, cursor: 'damaged' }).catch(String),
    );
    expect(await refused).toMatch(/^QueryRefused: the service refuses the query with INVALID_QUERY/);
  });

  it('is refused to a wrong query, and that is a mistake of the till', async () => {
    const interaction = { ...asked, description: 'a request for too many orders at once', query: { limit: '101' }, status: 422 };
    const refused = play({ ...interaction, body: failureOf('INVALID_QUERY') }, (url) =>
      createTill(url, { pageSize: 101 }).syncOrders().catch(String),
    );
    expect(await refused).toMatch(/^QueryRefused/);
  });

  it('is refused to a key that has expired, and the till stops', async () => {
    const interaction = { ...asked, description: 'a request for orders with a key that has expired', query: { limit: '100' } };
    const given = { 'the key has expired': {} };
    const refused = play({ ...interaction, given, status: 401, body: failureOf('UNAUTHORIZED') }, (url) =>
      createTill(url).syncOrders().catch(String),
    );
    expect(await refused).toMatch(/^KeyRefused/);
  });

  it('is refused to a key that may not read orders', async () => {
    const interaction = { ...asked, description: 'a request for orders without that scope', query: { limit: '100' } };
    const given = { 'the key lacks the scope orders.read': {} };
    const refused = play({ ...interaction, given, status: 403, body: failureOf('FORBIDDEN') }, (url) =>
      createTill(url).syncOrders().catch(String),
    );
    expect(await refused).toMatch(/^NotAllowed/);
  });
});
