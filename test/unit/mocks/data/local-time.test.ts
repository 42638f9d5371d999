/** Local times, in particular on the two days on which clocks change. */

import { describe, expect, it } from 'vitest';
import {
  dayAt,
  formatDay,
  formatInstant,
  formatPlain,
  formatTime,
  instantAt,
  lastSunday,
  numberOfDay,
  yearOf,
  zones,
} from '../../../../mocks/data/local-time.ts';

describe('instants in Rome', () => {
  it.each([
    ['2026-01-15T11:00:00Z', '2026-01-15T12:00:00+01:00'],
    ['2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['2026-07-01T22:30:00Z', '2026-07-02T00:30:00+02:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
    ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
    ['2024-03-31T01:00:00Z', '2024-03-31T03:00:00+02:00'],
    ['2027-03-28T00:59:59Z', '2027-03-28T01:59:59+01:00'],
  ])('%s is %s', (utc, local) => {
    expect(formatInstant(Date.parse(utc), zones.rome)).toBe(local);
  });

  it('are formatted in whole seconds', () => {
    expect(formatInstant(Date.parse('2026-07-01T22:30:00.999Z'), zones.rome)).toBe('2026-07-02T00:30:00+02:00');
  });
});

describe('instants elsewhere', () => {
  it('never change their offset', () => {
    expect(formatInstant(Date.parse('2026-01-01T01:00:00Z'), zones.buenosAires)).toBe('2025-12-31T22:00:00-03:00');
    expect(formatInstant(Date.parse('2026-07-01T01:00:00Z'), zones.buenosAires)).toBe('2026-06-30T22:00:00-03:00');
    expect(formatInstant(Date.parse('2026-07-01T01:00:00Z'), zones.utc)).toBe('2026-07-01T01:00:00+00:00');
  });

  it('are formatted as by Date, also before 1970 and beyond the cache', () => {
    const from = Date.UTC(1900, 0, 1);
    const instants = Array.from({ length: 12_000 }, (_, index) => from + index * 93_784_211);
    expect(instants.map(formatPlain)).toEqual(instants.map((instant) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ')));
    expect(instants.map((instant) => formatInstant(instant, zones.utc))).toEqual(
      instants.map((instant) => `${new Date(instant).toISOString().slice(0, 19)}+00:00`),
    );
  });

  it('have the names of the time zone database', () => {
    expect([zones.rome.name, zones.buenosAires.name, zones.utc.name]).toEqual(['Europe/Rome', 'America/Argentina/Buenos_Aires', 'UTC']);
  });
});

describe('local times', () => {
  const spring = numberOfDay(2026, 3, 29);
  const autumn = numberOfDay(2026, 10, 25);

  it.each([
    [spring, 105, '2026-03-29T01:45:00+01:00'],
    [spring, 180, '2026-03-29T03:00:00+02:00'],
    [autumn, 105, '2026-10-25T01:45:00+02:00'],
    [autumn, 180, '2026-10-25T03:00:00+01:00'],
    [autumn, 1230, '2026-10-25T20:30:00+01:00'],
  ])('on day %i at minute %i have the instant %s', (dayNumber, minutes, shown) => {
    expect(formatInstant(instantAt(dayNumber, minutes, zones.rome), zones.rome)).toBe(shown);
  });

  it('that occur twice mean the first instant', () => {
    expect(formatInstant(instantAt(autumn, 150, zones.rome), zones.rome)).toBe('2026-10-25T02:30:00+02:00');
  });

  it('west of Greenwich are later instants', () => {
    expect(instantAt(spring, 60, zones.buenosAires)).toBe(Date.parse('2026-03-29T04:00:00Z'));
  });
});

describe('days', () => {
  it('begin at midnight of the zone', () => {
    const instant = Date.parse('2026-03-28T23:30:00Z');
    expect([zones.rome, zones.utc, zones.buenosAires].map((zone) => formatDay(dayAt(instant, zone)))).toEqual([
      '2026-03-29',
      '2026-03-28',
      '2026-03-28',
    ]);
  });

  it.each([
    [2024, 3, '2024-03-31'],
    [2024, 10, '2024-10-27'],
    [2025, 3, '2025-03-30'],
    [2026, 3, '2026-03-29'],
    [2026, 10, '2026-10-25'],
    [1969, 12, '1969-12-28'],
  ])('the last Sunday of %i-%i is %s', (year, month, shown) => {
    expect(formatDay(lastSunday(year, month))).toBe(shown);
  });

  it('have a year', () => {
    expect(yearOf(numberOfDay(2026, 12, 31))).toBe(2026);
    expect(yearOf(numberOfDay(2026, 12, 31) + 1)).toBe(2027);
  });

  it('have times of two digits each', () => {
    expect([0, 15, 105, 1439].map(formatTime)).toEqual(['00:00', '00:15', '01:45', '23:59']);
  });

  it('are formatted without an offset by formatPlain', () => {
    expect(formatPlain(Date.parse('2026-03-29T18:00:07.5+02:00'))).toBe('2026-03-29 16:00:07');
  });
});
