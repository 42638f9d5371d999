/** The till's pact with the service: single orders, by id and by code. The documents leave open where in its body an order stands; the pact has one place. */

import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, it } from 'vitest';
import { injected, injectedNumber, startPactVerifier } from '../interaction.ts';
import { failureOf, givenTag, keyed, orderSummary, withTag } from './promised.ts';
import type { Order } from './service.ts';
import { createStore } from './store.ts';
import { createTill } from './till.ts';

const { like } = MatchersV3;
const play = startPactVerifier('point-of-sale', 'business');
const asked = { path: '/api/integrations/v1/orders/view.php', given: { 'an order exists': {} }, headers: keyed };
const conditional = { ...asked, headers: { ...keyed, 'If-None-Match': givenTag }, status: 304 };
const order = {
  id: 4711,
  code: 'TDN-4711',
  channel: 'takeaway',
  fulfillment_type: 'pickup',
  status: 'ready',
  customer: { id: 88, name: 'Giulia Ferri' },
  payment: { mode: 'online', status: 'paid', provider: 'card' },
  totals: { subtotal: 34.5, discount: 3.5, total: 31, currency: 'EUR' },
  changed_at: '2026-10-03T19:20:41+02:00',
  items: [],
  modifiers: [],
  option_groups: [],
} as const satisfies Order;
/** The contract does not document the members that a detail has beyond the summary, so the till relies on the lists alone. */
const body = { data: { order: { ...orderSummary, items: like([]), modifiers: like([]), option_groups: like([]) } } };
const byId = { id: injectedNumber('id', order.id) };
const byCode = { code: injected('code', order.code) };

describe('a single order', () => {
  it('is complete, and comes with an ETag', async () => {
    const interaction = { ...asked, description: 'a request for an order by id', query: byId, status: 200, responseHeaders: withTag };
    const store = createStore();
    const till = (url: string): Promise<Order | undefined> => createTill(url, { store }).showOrder({ id: order.id });
    expect(await play({ ...interaction, body }, till)).toEqual(order);
    expect(store.orders.details.get(order.id)?.etag).toBe('"5b0e1f"');
  });

  it('is found by its code, too', async () => {
    const interaction = {
      ...asked,
      description: 'a request for an order by code',
      query: byCode,
      status: 200,
      responseHeaders: withTag,
    };
    const till = (url: string): Promise<Order | undefined> => createTill(url).showOrder({ code: order.code });
    expect(await play({ ...interaction, body }, till)).toEqual(order);
  });

  it('is not sent again while it is the same', async () => {
    const interaction = { ...conditional, description: 'a request for an order by id that the till has', query: byId };
    expect(await play(interaction, (url) => tillWithOrder(url).showOrder({ id: order.id }))).toEqual(order);
  });

  it('is not sent again by its code, either', async () => {
    const interaction = { ...conditional, description: 'a request for an order by code that the till has', query: byCode };
    expect(await play(interaction, (url) => tillWithOrder(url).showOrder({ code: order.code }))).toEqual(order);
  });

  it('is sent again when the one that the till has is an old one', async () => {
    const headers = { ...keyed, 'If-None-Match': '"an-older-order"' };
    const interaction = {
      ...asked,
      description: 'a request for an order, of which the till has an older one',
      query: byId,
      headers,
      status: 200,
    };
    const till = (url: string): Promise<Order | undefined> => tillWithOrder(url, '"an-older-order"').showOrder({ id: order.id });
    expect(await play({ ...interaction, responseHeaders: withTag, body }, till)).toEqual(order);
  });
});

describe('a single order that is not there', () => {
  it('is forgotten by its id', async () => {
    const given = { 'no order has id 999999999': {} };
    const query = { id: injectedNumber('id', 999_999_999) };
    const interaction = { ...asked, description: 'a request for an order that is not there, by id', given, query, status: 404 };
    const store = createStore();
    store.orders.records.set(999_999_999, { ...order, id: 999_999_999 });
    const till = (url: string): Promise<Order | undefined> => createTill(url, { store }).showOrder({ id: 999_999_999 });
    expect(await play({ ...interaction, body: failureOf('ORDER_NOT_FOUND') }, till)).toBeUndefined();
    expect([...store.orders.records]).toEqual([]);
  });

  it('is unknown by its code', async () => {
    const given = { 'no order has code NO-SUCH-ORDER': {} };
    const query = { code: injected('code', 'NO-SUCH-ORDER') };
    const interaction = { ...asked, description: 'a request for an order that is not there, by code', given, query, status: 404 };
    const till = (url: string): Promise<Order | undefined> => createTill(url).showOrder({ code: 'NO-SUCH-ORDER' });
    expect(await play({ ...interaction, body: failureOf('ORDER_NOT_FOUND') }, till)).toBeUndefined();
  });

  it('is nothing without a right id', async () => {
    const interaction = {
      ...asked,
      description: 'a request for an order with an id that is none',
      query: { id: '0' },
      given: {},
      status: 422,
    };
    const refused = play({ ...interaction, body: failureOf('INVALID_QUERY') }, (url) => createTill(url).showOrder({ id: 0 }).catch(String));
    expect(await refused).toMatch(/^QueryRefused/);
  });
});

function tillWithOrder(url: string, etag = '"5b0e1f"'): ReturnType<typeof createTill> {
  const store = createStore();
  store.orders.details.set(order.id, { value: order, etag });
  return createTill(url, { store });
}
