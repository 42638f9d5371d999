/** Orders, field by field: what the API's document says of them, and what makes them believable. */

import { describe, expect, it } from 'vitest';
import { countBy, defaultClock, distinct, type Order, ordersOf, tenants } from '../records.ts';

const full = ordersOf('full');
const all = tenants.flatMap((tenant) => ordersOf(tenant));
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

describe('orders', () => {
  it('have the fields of the document and the three arrays, and no others', () => {
    for (const order of all) {
      expect(Object.keys(order)).toEqual([
        'id',
        'code',
        'channel',
        'fulfillment_type',
        'status',
        'customer',
        'service',
        'payment',
        'totals',
        'changed_at',
        'items',
        'modifiers',
        'option_groups',
      ]);
      expect(Object.keys(order.customer)).toEqual(['id', 'name', 'phone', 'email']);
      expect(Object.keys(order.service)).toEqual(['pickup_mode', 'pickup_date', 'pickup_time', 'table']);
      expect(Object.keys(order.payment)).toEqual(['mode', 'status', 'provider', 'paid_at']);
      expect(Object.keys(order.totals)).toEqual(['subtotal', 'discount', 'total', 'currency']);
    }
  });

  it('are in every state at the default clock', () => {
    expect(distinct(full.map((order) => order.status))).toEqual([
      'cancelled',
      'completed',
      'confirmed',
      'no_show',
      'pending',
      'preparing',
      'ready',
      'rejected',
    ]);
  });

  it('come from both channels, in about equal shares', () => {
    const counts = countBy(full, (order) => order.channel);
    expect([...counts.keys()].sort()).toEqual(['table', 'takeaway']);
    for (const count of counts.values()) expect(count).toBeGreaterThan(90);
  });

  it('are numbered across all businesses', () => {
    expect(new Set(all.map((order) => order.id)).size).toBe(all.length);
    for (const order of all) expect(Number.isSafeInteger(order.id) && order.id >= 1).toBe(true);
  });

  it('show the instant of the last change with an offset and whole seconds', () => {
    for (const order of all) expect(order.changed_at).toMatch(withOffset);
  });

  it('do not change in the order of their numbers', () => {
    const byNumber = [...full].sort((one, other) => one.id - other.id).map((order) => Date.parse(order.changed_at));
    const steps = byNumber.slice(1).filter((changedAt, index) => changedAt < (byNumber[index] ?? 0));
    expect(steps.length).toBeGreaterThan(30);
  });
});

describe('codes', () => {
  it('are unique, whichever the business', () => {
    expect(new Set(all.map((order) => order.code)).size).toBe(all.length);
  });

  it('are short and easy to read out', () => {
    const plain = full.filter((order) => /^TR-[2-9A-HJ-NP-Z]{4}$/.test(order.code));
    expect(plain.length).toBe(full.length - 3);
    for (const order of ordersOf('other')) expect(order.code).toMatch(/^PZ-[2-9A-HJ-NP-Z]{4}$/);
  });

  it('have characters, three times, that must be escaped in a URL', () => {
    const odd = full.map((order) => order.code).filter((code) => encodeURIComponent(code) !== code);
    expect(odd.sort()).toEqual(['TR-4F 7K', 'TR/9&2W', 'TRè+6H3']);
  });
});

describe('customers', () => {
  it('left a number and an address, one of them, or neither', () => {
    const left = distinct(
      full.map(({ customer }) => `${customer.phone === null ? '' : 'phone '}${customer.email === null ? '' : 'email'}`),
    );
    expect(left).toEqual(['', 'email', 'phone ', 'phone email']);
  });

  it('can be reached at addresses that exist for examples only', () => {
    for (const { customer } of all) {
      if (customer.email !== null) expect(customer.email).toMatch(/^[a-z.-]+@example\.(com|net|org)$/);
      if (customer.phone !== null) expect(customer.phone).toMatch(/^\+\d\d[ \d]+$/);
    }
  });

  it('are the same person under the same number', () => {
    const people = new Set(all.map(({ customer }) => JSON.stringify(customer)));
    expect(people.size).toBe(new Set(all.map(({ customer }) => customer.id)).size);
  });
});

describe('service', () => {
  const takeaway = all.filter((order) => order.channel === 'takeaway');
  const atTable = all.filter((order) => order.channel === 'table');

  it('of a takeaway order says when it is picked up', () => {
    for (const { service, fulfillment_type } of takeaway) {
      expect(fulfillment_type).toBe('pickup');
      expect(['asap', 'scheduled']).toContain(service.pickup_mode);
      expect(service.pickup_date).toMatch(/^2026-0[2-4]-\d\d$/);
      expect(service.pickup_time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
      expect(service.table).toBeNull();
    }
  });

  it('of an order from a table says which table', () => {
    for (const { service, fulfillment_type } of atTable) {
      expect(fulfillment_type).toBe('dine_in');
      expect([service.pickup_mode, service.pickup_date, service.pickup_time]).toEqual([null, null, null]);
      expect(Object.keys(service.table ?? {})).toEqual(['label', 'room_id', 'room_table_id', 'qr_mode']);
      expect(['self_order', 'menu_only']).toContain(service.table?.qr_mode);
    }
  });

  it('knows both ways of picking up and both uses of a QR code', () => {
    expect(distinct(takeaway.map(({ service }) => service.pickup_mode ?? ''))).toEqual(['asap', 'scheduled']);
    expect(distinct(atTable.map(({ service }) => service.table?.qr_mode ?? ''))).toEqual(['menu_only', 'self_order']);
  });
});

describe('payment', () => {
  it('is unpaid, paid or refunded, in cash or online', () => {
    expect(distinct(full.map(({ payment }) => `${payment.mode} ${payment.provider} ${payment.status}`))).toEqual([
      'cash none paid',
      'cash none unpaid',
      'online card paid',
      'online card refunded',
      'online card unpaid',
    ]);
  });

  it('has an instant exactly when money changed hands, never later than the last change', () => {
    for (const { payment, changed_at } of all) {
      expect(payment.paid_at === null).toBe(payment.status === 'unpaid');
      if (payment.paid_at !== null) {
        expect(payment.paid_at).toMatch(withOffset);
        expect(Date.parse(payment.paid_at)).toBeLessThanOrEqual(Math.min(Date.parse(changed_at), defaultClock));
      }
    }
  });

  it('is given back only when nothing was served', () => {
    const refunded = full.filter(({ payment }) => payment.status === 'refunded');
    expect(distinct(refunded.map((order) => order.status))).toEqual(['cancelled', 'rejected']);
  });

  it('is done by the time an order is completed', () => {
    for (const { status, payment } of all) if (status === 'completed') expect(payment.status).toBe('paid');
  });
});

describe('sums', () => {
  const cents = (amount: number): number => Math.round(amount * 100);

  it('have at most two decimals', () => {
    const amounts = all.flatMap(({ totals, items, modifiers }) => [
      totals.subtotal,
      totals.discount,
      totals.total,
      ...items.flatMap((item) => [item.unit_price, item.modifiers_price, item.total]),
      ...modifiers.map((modifier) => modifier.price),
    ]);
    for (const amount of amounts) {
      expect(String(amount)).toMatch(/^\d+(\.\d\d?)?$/);
      expect(amount).toBeGreaterThanOrEqual(0);
    }
    expect(amounts.some((amount) => !Number.isInteger(amount * 10))).toBe(true);
  });

  it('add up: the lines to the subtotal, less the discount to the total', () => {
    for (const { totals, items } of all) {
      expect(cents(totals.subtotal)).toBe(items.reduce((sum, item) => sum + cents(item.total), 0));
      expect(cents(totals.total)).toBe(cents(totals.subtotal) - cents(totals.discount));
      expect(totals.total).toBeGreaterThan(0);
    }
  });

  it('are sometimes reduced by a discount', () => {
    const reduced = full.filter(({ totals }) => totals.discount > 0);
    expect(reduced.length).toBeGreaterThan(30);
    expect(reduced.length).toBeLessThan(full.length / 2);
  });

  it('are in the money of the place', () => {
    expect(tenants.map((tenant) => distinct(ordersOf(tenant).map(({ totals }) => totals.currency)))).toEqual([['EUR'], ['ARS'], ['EUR']]);
  });

  it('of a line are its quantity times the price with what was added', () => {
    for (const order of all) for (const item of order.items) expect(cents(item.total)).toBe(lineCents(order, item.id));
  });

  function lineCents({ items, modifiers }: Order, id: number): number {
    const item = items.find((candidate) => candidate.id === id);
    const added = modifiers.filter((modifier) => modifier.item_id === id).reduce((sum, modifier) => sum + cents(modifier.price), 0);
    return (item?.quantity ?? 0) * (cents(item?.unit_price ?? 0) + added);
  }
});
