/** Instants are those of RFC 3339, dates those of the calendar, and both compare by what they mean. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCalendarDate, isLocalDateTime, parseInstant } from '../../../core/instant.ts';

const second = 1_000_000_000n;

describe('an instant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01T00:00:01Z', second],
    ['1969-12-31T23:59:59Z', -second],
    ['2000-02-29T00:00:00Z', 951_782_400n * second],
    ['2026-10-03T16:10:30+02:00', 1_791_036_630n * second],
    ['2026-10-03T14:10:30Z', 1_791_036_630n * second],
    ['2026-10-03T04:40:30-09:30', 1_791_036_630n * second],
    ['2026-10-03t14:10:30z', 1_791_036_630n * second],
    ['2026-10-03T14:10:30-00:00', 1_791_036_630n * second],
    ['2026-10-03T14:10:30.5Z', 1_791_036_630n * second + 500_000_000n],
    ['2026-10-03T14:10:30.000000001Z', 1_791_036_630n * second + 1n],
    ['9999-12-31T23:59:59Z', 253_402_300_799n * second],
    ['0001-01-01T00:00:00Z', -62_135_596_800n * second],
    ['0000-01-01T00:00:00Z', -62_167_219_200n * second],
  ])('%s is counted in nanoseconds from 1970', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  it.each([
    ['1990-12-31T23:59:60Z', '1991-01-01T00:00:00Z'],
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00Z'],
    ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00Z'],
  ])('may be a leap second at the end of a UTC day: %s', (text, next) => {
    expect(parseInstant(text)).toBe(parseInstant(next));
  });

  it.each([
    ['no date-time', 'abc'],
    ['empty', ''],
    ['a date without a time', '2026-10-03'],
    ['a time without an offset', '2026-10-03T16:10:30'],
    ['a space for the T', '2026-10-03 16:10:30Z'],
    ['a space for the plus', '2026-10-03T16:10:30 02:00'],
    ['spaces around', ' 2026-10-03T16:10:30Z'],
    ['a line break behind', '2026-10-03T16:10:30Z\n'],
    ['an offset without a colon', '2026-10-03T16:10:30+0200'],
    ['an offset of hours', '2026-10-03T16:10:30+02'],
    ['no seconds', '2026-10-03T16:10Z'],
    ['a bare point', '2026-10-03T16:10:30.Z'],
    ['a comma for the point', '2026-10-03T16:10:30,5Z'],
    ['hour 24', '2026-10-03T24:00:00Z'],
    ['minute 60', '2026-10-03T23:60:00Z'],
    ['second 60 in the middle of a day', '2026-10-03T12:00:60Z'],
    ['second 60 at local midnight only', '2026-10-03T23:59:60+02:00'],
    ['second 61', '2016-12-31T23:59:61Z'],
    ['offset hour 24', '2026-10-03T16:10:30+24:00'],
    ['offset minute 60', '2026-10-03T16:10:30+02:60'],
    ['day 0', '2026-10-00T16:10:30Z'],
    ['day 32', '2026-10-32T16:10:30Z'],
    ['31 September', '2026-09-31T00:00:00Z'],
    ['month 0', '2026-00-10T00:00:00Z'],
    ['month 13', '2026-13-10T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['29 February of 1900', '1900-02-29T00:00:00Z'],
    ['30 February', '2024-02-30T00:00:00Z'],
    ['a year of five digits', '12026-10-03T16:10:30Z'],
    ['digits of another script', '٢٠٢٦-10-03T16:10:30Z'],
  ])('is not %s', (_, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('agrees with the calendar of the language on every whole second', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        (date) => {
          expect(parseInstant(date.toISOString())).toBe(BigInt(date.getTime()) * 1_000_000n);
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });

  it('moves by its offset', () => {
    const two = (value: number): string => String(value).padStart(2, '0');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (hours, minutes) => {
        const shift = BigInt(hours * 3600 + minutes * 60) * second;
        const utc = parseInstant('2024-02-29T23:30:00Z') ?? 0n;
        expect(parseInstant(`2024-02-29T23:30:00+${two(hours)}:${two(minutes)}`)).toBe(utc - shift);
        expect(parseInstant(`2024-02-29T23:30:00-${two(hours)}:${two(minutes)}`)).toBe(utc + shift);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('a microsecond later is later', () => {
    const [earlier, later] = [parseInstant('2026-10-03T16:10:30.123456Z'), parseInstant('2026-10-03T16:10:30.123457Z')];
    expect((later ?? 0n) - (earlier ?? 0n)).toBe(1000n);
  });
});

describe('a calendar date', () => {
  it.each(['2026-10-03', '2024-02-29', '2000-02-29', '0000-02-29', '2026-12-31', '2026-04-30'])('is %s', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-1-3',
    '03-10-2026',
    '20261003',
  ])('is not %s', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it.each(['', ' 2026-10-03', '2026-10-03\n', '2026-10-03T00:00:00Z', '2026/10/03', 'abc'])('is not %j', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

describe('a local date-time', () => {
  it.each(['2026-09-14 18:22:05', '2026-09-14T18:22:05', '2026-09-14T18:22:05.25', '2024-02-29 00:00:00', '2026-09-14 23:59:59'])(
    'is %s',
    (text) => {
      expect(isLocalDateTime(text)).toBe(true);
    },
  );

  it.each([
    '2026-09-14',
    '2026-02-30 18:22:05',
    '2026-09-14 24:00:00',
    '2026-09-14 18:60:05',
    '2026-09-14 18:22:60',
    '2026-09-14 18:22',
    '2026-09-14T18:22:05Z',
  ])('is not %s', (text) => {
    expect(isLocalDateTime(text)).toBe(false);
  });
});
