/** Reservations, field by field: what the API's document says of them, and what makes them believable. */

import { describe, expect, it } from 'vitest';
import { distinct, ordersOf, reservationsOf, tenants } from '../records.ts';

const full = reservationsOf('full');
const all = tenants.flatMap((tenant) => reservationsOf(tenant));

describe('reservations', () => {
  it('have the fields of the document and no others', () => {
    for (const reservation of all) {
      expect(Object.keys(reservation)).toEqual([
        'id',
        'status',
        'source',
        'customer',
        'schedule',
        'notes',
        'table_assignment',
        'changed_at',
      ]);
      expect(Object.keys(reservation.customer)).toEqual(['id', 'name', 'phone', 'email']);
      expect(Object.keys(reservation.schedule)).toEqual(['date', 'time', 'people', 'timezone']);
    }
  });

  it('are in every state and from every source at the default clock', () => {
    expect(distinct(full.map(({ status }) => status))).toEqual(['cancelled', 'completed', 'confirmed', 'no_show', 'pending', 'rejected']);
    expect(distinct(full.map(({ source }) => source))).toEqual(['phone', 'walk_in', 'website']);
  });

  it('are numbered across all businesses', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('are made by the people who also order', () => {
    const people = new Map(ordersOf('full').map(({ customer }) => [customer.id, customer]));
    const known = full.filter(({ customer }) => people.has(customer.id));
    expect(known.length).toBeGreaterThan(50);
    for (const { customer } of known) expect(customer).toEqual(people.get(customer.id));
  });

  it('have notes, empty notes or none', () => {
    const notes = full.map((reservation) => reservation.notes);
    expect(notes).toContain(null);
    expect(notes).toContain('');
    expect(notes.some((text) => text !== null && /[^\p{ASCII}]/u.test(text))).toBe(true);
  });
});

describe('schedules', () => {
  it('are in the zone of the business', () => {
    expect(tenants.map((tenant) => distinct(reservationsOf(tenant).map(({ schedule }) => schedule.timezone)))).toEqual([
      ['Europe/Rome'],
      ['America/Argentina/Buenos_Aires'],
      ['UTC'],
    ]);
  });

  it('reach from a month ago to two months ahead, and to the night on which clocks are set back', () => {
    const dates = full.map(({ schedule }) => schedule.date).sort();
    const near = dates.filter((date) => date < '2026-10');
    expect(near[0]).toMatch(/^2026-02-2\d$/);
    expect(near.at(-1)).toMatch(/^2026-05-(2[0-9]|3[01])$/);
    const autumn = dates.filter((date) => date >= '2026-10');
    expect(autumn.length).toBeGreaterThanOrEqual(3);
    expect(autumn).toContain('2026-10-25');
    for (const date of autumn) expect(date).toMatch(/^2026-10-2[456]$/);
  });

  it('have people and a time of day', () => {
    for (const { schedule } of all) {
      expect(schedule.time).toMatch(/^([01]\d|2[0-3]):(00|15|30|45)$/);
      expect(Number.isInteger(schedule.people) && schedule.people >= 1).toBe(true);
    }
  });

  it('never name an hour that the clocks of Rome skip or repeat', () => {
    for (const { schedule } of full) expect(schedule.time).not.toMatch(/^02:/);
  });

  it('are sometimes close to midnight or after it', () => {
    const times = new Set(full.map(({ schedule }) => schedule.time));
    for (const late of ['23:30', '00:15', '01:45']) expect(times).toContain(late);
  });

  it('are not on the day of the last change, for some that ended after midnight', () => {
    const across = full.filter(({ status, schedule, changed_at }) => status === 'completed' && schedule.date < changed_at.slice(0, 10));
    expect(across.length).toBeGreaterThan(5);
  });

  it('do not follow the order of changes', () => {
    const byChange = [...full]
      .sort((one, other) => Date.parse(one.changed_at) - Date.parse(other.changed_at))
      .map(({ schedule }) => schedule.date);
    const backwards = byChange.slice(1).filter((date, index) => date < (byChange[index] ?? ''));
    expect(backwards.length).toBeGreaterThan(40);
  });
});

describe('table assignments', () => {
  const assigned = all.filter(({ table_assignment }) => table_assignment !== null);

  it('exist while a reservation is confirmed, yet not always', () => {
    expect(distinct(assigned.map(({ status }) => status))).toEqual(['confirmed']);
    expect(full.filter(({ status, table_assignment }) => status === 'confirmed' && table_assignment === null).length).toBeGreaterThan(5);
    expect(full.filter(({ table_assignment }) => table_assignment !== null).length).toBeGreaterThan(20);
  });

  it('have the fields of the document', () => {
    for (const { table_assignment } of assigned) {
      expect(Object.keys(table_assignment ?? {})).toEqual([
        'id',
        'room_id',
        'room_name',
        'room_table_id',
        'table_code',
        'table_label',
        'starts_at',
        'ends_at',
        'people',
      ]);
    }
  });

  it('begin when the guests come, on the clocks of the business, and hold the table for as many', () => {
    for (const { schedule, table_assignment } of assigned) {
      expect(table_assignment?.starts_at).toContain(`${schedule.date}T${schedule.time}:00`);
      expect(table_assignment?.people).toBe(schedule.people);
    }
  });

  it('last two or three hours of real time, also through the night on which clocks are set back', () => {
    for (const { table_assignment } of assigned) {
      const hours = (Date.parse(table_assignment?.ends_at ?? '') - Date.parse(table_assignment?.starts_at ?? '')) / 3_600_000;
      expect([2, 3]).toContain(hours);
    }
  });

  it('end in winter time when they begin in summer time', () => {
    const longNight = [3, 7].map((seed) =>
      reservationsOf('full', { seed, nowMs: Date.parse('2026-06-01T12:00:00Z') }),
    ).flat();
    const through = longNight.filter(({ table_assignment }) => table_assignment?.starts_at === '2026-10-25T01:45:00+02:00');
    expect(through.length).toBeGreaterThan(0);
    expect(distinct(through.map(({ table_assignment }) => table_assignment?.ends_at ?? ''))).toContain('2026-10-25T02:45:00+01:00');
  });
});
