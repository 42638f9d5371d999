/** Orders and reservations: realistic values, and the hard cases for clients that paginate, filter and synchronise. */

import { describe, expect, it } from 'vitest';
import { noGaps } from '../../../../../mocks/data/business/common-record-parts.ts';
import {
  countBy,
  createBusinessDataset,
  defaultClock,
  defaultDataset,
  distinct,
  ordersOf,
  reservationsOf,
  tenants,
} from '../dataset-records.ts';

const day = 86_400_000;
const orders = { full: ordersOf('full'), all: tenants.flatMap((tenant) => ordersOf(tenant)) };
const reservations = { full: reservationsOf('full'), all: tenants.flatMap((tenant) => reservationsOf(tenant)) };

describe('both lists', () => {
  it('have changes from five weeks, in winter time and in summer time', () => {
    for (const records of [orders.full, reservations.full]) {
      const ages = records.map((record) => (defaultClock - Date.parse(record.changed_at)) / day);
      expect(Math.max(...ages)).toBeGreaterThan(33);
      expect(Math.max(...ages)).toBeLessThan(36);
      expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
      expect(Math.min(...ages)).toBeLessThan(0.2);
      for (const { changed_at } of records) expect(changed_at.slice(19)).toBe(changed_at < '2026-03-29T02' ? '+01:00' : '+02:00');
    }
    expect(distinct(ordersOf('other').map((order) => order.changed_at.slice(19)))).toEqual(['-03:00']);
    expect(distinct(reservationsOf('no-menu').map((reservation) => reservation.changed_at.slice(19)))).toEqual(['+00:00']);
  });

  it('share the customers', () => {
    const people = new Map(orders.full.map(({ customer }) => [customer.id, customer]));
    const known = reservations.full.filter(({ customer }) => people.has(customer.id));
    expect(known.length).toBeGreaterThan(50);
    for (const { customer } of known) expect(customer).toEqual(people.get(customer.id));
  });

  it('have orders of change that differ from the orders of ids and dates', () => {
    const byNumber = orders.full.toSorted((one, other) => one.id - other.id).map((order) => Date.parse(order.changed_at));
    expect(byNumber.slice(1).filter((changedAt, index) => changedAt < (byNumber[index] ?? 0)).length).toBeGreaterThan(30);
    const byChange = reservations.full
      .toSorted((one, other) => Date.parse(one.changed_at) - Date.parse(other.changed_at))
      .map(({ schedule }) => schedule.date);
    expect(byChange.slice(1).filter((date, index) => date < (byChange[index] ?? '')).length).toBeGreaterThan(40);
  });
});

/** The sizes of the groups of records that changed at the same instant, and the states within each. */
function tiesOf(records: readonly { readonly changed_at: string; readonly status: string }[]): readonly { size: number; states: number }[] {
  return [...countBy(records, (record) => record.changed_at)]
    .filter(([, size]) => size > 1)
    .map(([instant, size]) => ({
      size,
      states: new Set(records.filter((record) => record.changed_at === instant).map((record) => record.status)).size,
    }));
}

describe.each([1, 2, 99, 2 ** 40])('with seed %i', (seed) => {
  const options = { seed, nowMs: defaultClock };

  it.each([
    ['orders', ordersOf('full', options), 9, 8],
    ['reservations', reservationsOf('full', options), 12, 6],
  ] as const)('%s are in every state, and many changed at the same instant: a large batch, and a pair', (_, records, large, states) => {
    const ties = tiesOf(records);
    expect(ties.some((tie) => tie.size >= large && tie.states >= 3)).toBe(true);
    expect(ties.some(({ size }) => size === 2)).toBe(true);
    expect(new Set(records.map(({ status }) => status)).size).toBe(states);
  });

  it('ids and codes are unique across businesses', () => {
    const all = tenants.flatMap((tenant) => ordersOf(tenant, options));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
    const reserved = tenants.flatMap((tenant) => reservationsOf(tenant, options));
    expect(new Set(reserved.map(({ id }) => id)).size).toBe(reserved.length);
  });
});

/** Page boundaries between two records of one instant; the latest change comes first. */
function tiedEnds(records: readonly { readonly id: number; readonly changed_at: string }[], size: number): readonly number[] {
  const instants = records.map(({ changed_at }) => Date.parse(changed_at)).sort((one, other) => other - one);
  return instants.flatMap((instant, index) => (index > 0 && index % size === 0 && instants[index - 1] === instant ? [index] : []));
}

describe.each([1, 2, 7, 99])('with seed %i, at the mock’s own instant', (seed) => {
  const options = { seed, nowMs: defaultClock };
  it.each([10, 20, 25, 50, 100])('equal instants cross the end of a page of %i', (size) => {
    expect(tiedEnds(ordersOf('full', options), size)).not.toEqual([]);
    expect(tiedEnds(reservationsOf('full', options), size)).not.toEqual([]);
  });
});

describe('orders', () => {
  it('have readable codes, and three that a URL must encode', () => {
    const plain = orders.full.filter((order) => /^TR-[2-9A-HJ-NP-Z]{4}$/.test(order.code));
    expect(plain.length).toBe(orders.full.length - 3);
    const odd = orders.full.map((order) => order.code).filter((code) => encodeURIComponent(code) !== code);
    expect(odd.sort()).toEqual(['TR-4F 7K', 'TR/9&2W', 'TRè+6H3']);
  });

  it('have customers with phone and e-mail, one of them, or (with gaps) neither, all at example domains', () => {
    const left = ordersOf('full', { ...defaultDataset, gaps: { ...noGaps, contacts: true } }).map(
      ({ customer }) => `${customer.phone === null ? '' : 'phone '}${customer.email === null ? '' : 'email'}`,
    );
    expect(distinct(left)).toEqual(['', 'email', 'phone ', 'phone email']);
    for (const { customer } of orders.all) expect(customer.email).toMatch(/^[a-z.-]+@example\.(com|net|org)$/);
    const people = new Set(orders.all.map(({ customer }) => JSON.stringify(customer)));
    expect(people.size).toBe(new Set(orders.all.map(({ customer }) => customer.id)).size);
  });

  it('have a pickup at the counter, or a table', () => {
    expect(Math.min(...countBy(orders.full, (order) => order.channel).values())).toBeGreaterThan(90);
    for (const { channel, service, fulfillment_type } of orders.all) {
      const isTakeaway = channel === 'takeaway';
      expect(fulfillment_type).toBe(isTakeaway ? 'pickup' : 'dine_in');
      expect([service.pickup_mode, service.pickup_date, service.pickup_time].every((each) => (each !== null) === isTakeaway)).toBe(true);
      expect(['Banco', 'Mostrador', 'Counter'].includes(service.table?.label ?? '')).toBe(isTakeaway);
    }
  });

  it.each([
    ['at once', false, ['cash none paid', 'cash none refunded', 'online card paid', 'online card refunded']],
    ['in time', true, ['cash none paid', 'cash none unpaid', 'online card paid', 'online card refunded', 'online card unpaid']],
  ] as const)('are paid %s, and paid back only when nothing was served', (_, payments, expected) => {
    const options = { ...defaultDataset, gaps: { ...noGaps, payments } };
    const all = tenants.flatMap((tenant) => ordersOf(tenant, options));
    expect(distinct(ordersOf('full', options).map(({ payment: { mode, provider, status } }) => `${mode} ${provider} ${status}`))).toEqual(
      expected,
    );
    for (const { status, payment, changed_at } of all) {
      expect(payment.paid_at === null).toBe(payment.status === 'unpaid');
      if (payment.paid_at !== null) expect(Date.parse(payment.paid_at)).toBeLessThanOrEqual(Math.min(Date.parse(changed_at), defaultClock));
      if (payment.status === 'refunded') expect(['cancelled', 'rejected']).toContain(status);
      if (status === 'completed') expect(payment.status).toBe('paid');
    }
  });

  it('have correct sums: lines, subtotal, discount and total', () => {
    const cents = (amount: number): number => Math.round(amount * 100);
    for (const { totals, items, modifiers } of orders.all) {
      for (const item of items) {
        const added = modifiers.filter(({ item_id }) => item_id === item.id).reduce((sum, { price }) => sum + cents(price), 0);
        expect(cents(item.total)).toBe(item.quantity * (cents(item.unit_price) + added));
        expect(String(item.total)).toMatch(/^\d+(\.\d\d?)?$/);
      }
      expect(cents(totals.subtotal)).toBe(items.reduce((sum, item) => sum + cents(item.total), 0));
      expect(cents(totals.total)).toBe(cents(totals.subtotal) - cents(totals.discount));
      expect(totals.total).toBeGreaterThan(0);
    }
    const reduced = orders.full.filter(({ totals }) => totals.discount > 0);
    expect(reduced.length).toBeGreaterThan(30);
    expect(reduced.length).toBeLessThan(orders.full.length / 2);
  });
});

describe('reservations', () => {
  it('have notes, empty notes or (with gaps) none', () => {
    const notesOf = (notes: boolean): readonly (string | null)[] =>
      reservationsOf('full', { ...defaultDataset, gaps: { ...noGaps, notes } }).map((reservation) => reservation.notes);
    const some = ['', expect.stringMatching(/[^\p{ASCII}]/u)];
    expect(notesOf(false)).toEqual(expect.arrayContaining(some));
    expect(notesOf(true)).toEqual(expect.arrayContaining([null, ...some]));
  });

  it('are from a month ago to two months ahead, and on the night on which clocks are set back', () => {
    const dates = reservations.full.map(({ schedule }) => schedule.date).sort();
    const near = dates.filter((date) => date < '2026-10');
    expect(near[0]).toMatch(/^2026-02-2\d$/);
    expect(near.at(-1)).toMatch(/^2026-05-(2[0-9]|3[01])$/);
    expect(dates).toContain('2026-10-25');
  });

  it('are sometimes near midnight, but never in an hour that the clocks of Rome skip or repeat', () => {
    const times = new Set(reservations.full.map(({ schedule }) => schedule.time));
    for (const late of ['23:30', '00:15', '01:45']) expect(times).toContain(late);
    expect([...times].filter((time) => time.startsWith('02:'))).toEqual([]);
    const across = reservations.full.filter(
      ({ status, schedule, changed_at }) => status === 'completed' && schedule.date < changed_at.slice(0, 10),
    );
    expect(across.length).toBeGreaterThan(5);
  });

  const changeDays = ['2026-03-29', '2026-10-25'];

  it('are near midnight on both days on which clocks change', () => {
    const times = changeDays.map((day) =>
      distinct(reservations.full.flatMap(({ schedule: { date, time } }) => (date === day ? [time] : []))),
    );
    for (const shown of times) expect(shown).toEqual(expect.arrayContaining(['00:15', '01:45', '23:30']));
  });

  it.each([1, 7, 99, 2 ** 40])('are on both days at a time when UTC has another day: seed %i', (seed) => {
    const early = reservationsOf('full', { seed, nowMs: defaultClock }).filter(({ schedule }) => schedule.time < '02:00');
    for (const day of changeDays) expect(early.map(({ schedule }) => schedule.date)).toContain(day);
  });

  it('sometimes have a table while they are confirmed, for two or three hours from the visit', () => {
    const assigned = reservations.all.filter(({ table_assignment }) => table_assignment !== null);
    expect(assigned.length).toBeGreaterThan(20);
    expect(reservations.full.filter((each) => each.status === 'confirmed' && each.table_assignment === null).length).toBeGreaterThan(5);
    for (const { status, schedule, table_assignment } of assigned) {
      expect([status, table_assignment?.people]).toEqual(['confirmed', schedule.people]);
      expect(table_assignment?.starts_at).toContain(`${schedule.date}T${schedule.time}:00`);
      const hours = (Date.parse(table_assignment?.ends_at ?? '') - Date.parse(table_assignment?.starts_at ?? '')) / 3_600_000;
      expect([2, 3]).toContain(hours);
    }
  });

  it('may begin in summer time and end in winter time', () => {
    const longNight = reservationsOf('full', { seed: 7, nowMs: Date.parse('2026-06-01T12:00:00Z') });
    const through = longNight.filter(({ table_assignment }) => table_assignment?.starts_at === '2026-10-25T01:45:00+02:00');
    expect(through.map(({ table_assignment }) => table_assignment?.ends_at)).toContain('2026-10-25T02:45:00+01:00');
  });
});

describe('a business dataset', () => {
  const dataset = createBusinessDataset(defaultDataset);

  it('names tenants by the roles of their keys, and returns the same array each time', () => {
    expect(dataset.tenants).toEqual(['full', 'other', 'no-menu']);
    for (const tenant of dataset.tenants)
      for (const name of ['orders', 'reservations']) expect(dataset.records(tenant, name)).toBe(dataset.records(tenant, name));
  });

  it('differs by seed', () => {
    const other = createBusinessDataset({ seed: 2, nowMs: defaultClock });
    for (const name of ['orders', 'reservations']) expect(other.records('full', name)).not.toEqual(dataset.records('full', name));
  });

  it('has a head for orders, and none for reservations', () => {
    expect(dataset.head('full', 'orders')).toEqual({
      schema_version: '1.0',
      business: { id: 27, name: 'Trattoria del Glicine', timezone: 'Europe/Rome' },
    });
    expect(dataset.head('other', 'orders')).toMatchObject({ business: { id: 31, timezone: 'America/Argentina/Buenos_Aires' } });
    expect(dataset.head('full', 'reservations')).toBeUndefined();
  });
});
