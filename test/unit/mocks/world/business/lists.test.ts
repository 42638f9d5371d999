/** What the lists of the business world have for those who page, filter and synchronise: numbers, ties, offsets. */

import { describe, expect, it } from 'vitest';
import { createBusinessWorld } from '../../../../../mocks/world/business/world.ts';
import { countBy, defaultClock, defaultWorld, distinct, ordersOf, reservationsOf, tenants } from '../records.ts';

const day = 86_400_000;

/** The sizes of the groups of records that changed at the same instant, and the states within each. */
function tiesOf(records: readonly { readonly changed_at: string; readonly status: string }[]): readonly { size: number; states: number }[] {
  return [...countBy(records, (record) => record.changed_at)]
    .filter(([, size]) => size > 1)
    .map(([instant, size]) => ({
      size,
      states: new Set(records.filter((record) => record.changed_at === instant).map((record) => record.status)).size,
    }));
}

describe('the default world', () => {
  it('has so many records', () => {
    expect(tenants.map((tenant) => [ordersOf(tenant).length, reservationsOf(tenant).length])).toEqual([
      [262, 180],
      [61, 40],
      [13, 10],
    ]);
  });

  it('has changes of the last five weeks', () => {
    for (const records of [ordersOf('full'), reservationsOf('full')]) {
      const ages = records.map((record) => (defaultClock - Date.parse(record.changed_at)) / day);
      expect(Math.max(...ages)).toBeGreaterThan(33);
      expect(Math.max(...ages)).toBeLessThan(36);
      expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
      expect(Math.min(...ages)).toBeLessThan(0.2);
    }
  });

  it('shows winter time before the change of clocks and summer time after it', () => {
    const instants = [...ordersOf('full'), ...reservationsOf('full')].map((record) => record.changed_at);
    for (const instant of instants) expect(instant.slice(19)).toBe(instant < '2026-03-29T02' ? '+01:00' : '+02:00');
    expect(distinct(ordersOf('full').map((order) => order.changed_at.slice(19)))).toEqual(['+01:00', '+02:00']);
  });

  it('shows one offset where clocks never change', () => {
    expect(distinct(ordersOf('other').map((order) => order.changed_at.slice(19)))).toEqual(['-03:00']);
    expect(distinct(reservationsOf('no-menu').map((reservation) => reservation.changed_at.slice(19)))).toEqual(['+00:00']);
  });
});

describe.each([1, 2, 3, 99, 2 ** 40])('with seed %i', (seed) => {
  const options = { seed, nowMs: defaultClock };

  it('many orders changed at the same instant: a large batch, a pair, and others between', () => {
    const ties = tiesOf(ordersOf('full', options));
    expect(ties.length).toBeGreaterThanOrEqual(5);
    expect(ties.some(({ size, states }) => size >= 9 && states >= 3)).toBe(true);
    expect(ties.some(({ size }) => size === 2)).toBe(true);
  });

  it('many reservations changed at the same instant', () => {
    const ties = tiesOf(reservationsOf('full', options));
    expect(ties.some(({ size, states }) => size === 12 && states >= 3)).toBe(true);
    expect(ties.some(({ size }) => size === 2)).toBe(true);
  });

  it('every state of both kinds is there', () => {
    expect(new Set(ordersOf('full', options).map(({ status }) => status)).size).toBe(8);
    expect(new Set(reservationsOf('full', options).map(({ status }) => status)).size).toBe(6);
  });

  it('numbers and codes are unique', () => {
    const orders = tenants.flatMap((tenant) => ordersOf(tenant, options));
    expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
    expect(new Set(orders.map(({ code }) => code)).size).toBe(orders.length);
  });
});

describe('a business world', () => {
  const world = createBusinessWorld(defaultWorld);

  it('names its tenants by the keys that reach them, the full one first', () => {
    expect(world.tenants).toEqual(['full', 'other', 'no-menu']);
  });

  it('gives the same array each time', () => {
    for (const tenant of world.tenants) {
      expect(world.records(tenant, 'orders')).toBe(world.records(tenant, 'orders'));
      expect(world.records(tenant, 'reservations')).toBe(world.records(tenant, 'reservations'));
    }
  });

  it('is another one for another seed', () => {
    const other = createBusinessWorld({ seed: 2, nowMs: defaultClock });
    expect(other.records('full', 'orders')).not.toEqual(world.records('full', 'orders'));
    expect(other.records('no-menu', 'reservations')).not.toEqual(world.records('no-menu', 'reservations'));
  });

  it('shows version and business beside orders, and nothing beside reservations', () => {
    expect(world.head('full', 'orders')).toEqual({
      schema_version: '1.0',
      business: { id: 27, name: 'Trattoria del Glicine', timezone: 'Europe/Rome' },
    });
    expect(world.head('other', 'orders')).toEqual({
      schema_version: '1.0',
      business: { id: 31, name: 'Parrilla La Tranquera Azul', timezone: 'America/Argentina/Buenos_Aires' },
    });
    expect(world.head('full', 'reservations')).toBeUndefined();
  });

  it('says what it has when it is asked for something else', () => {
    expect(() => world.records('nobody', 'orders')).toThrow('the business world has no tenant nobody; it has full, other, no-menu');
    expect(() => world.records('full', 'invoices')).toThrow('the business world has no collection invoices; it has orders, reservations');
    expect(() => world.head('full', 'invoices')).toThrow('no collection invoices');
  });
});
