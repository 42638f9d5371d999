/** Instants are parsed by RFC 3339 and dates by the calendar; the formats of dates and times agree. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFormats, textCheckOf } from '../../../../core/openapi/formats.ts';
import { isCalendarDate, isLocalDateTime, parseInstant } from '../../../../core/query/instants.ts';

const second = 1_000_000_000n;

describe('an instant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01T00:00:01Z', second],
    ['1969-12-31T23:59:59Z', -second],
    ['2000-02-29T00:00:00Z', 951_782_400n * second],
    ['2026-10-03T16:10:30+02:00', 1_791_036_630n * second],
    ['2026-10-03T04:40:30-09:30', 1_791_036_630n * second],
    ['2026-10-03t14:10:30z', 1_791_036_630n * second],
    ['2026-10-03T14:10:30-00:00', 1_791_036_630n * second],
    ['2026-10-03T14:10:30.5Z', 1_791_036_630n * second + 500_000_000n],
    ['2026-10-03T14:10:30.000000001Z', 1_791_036_630n * second + 1n],
    ['9999-12-31T23:59:59Z', 253_402_300_799n * second],
    ['0001-01-01T00:00:00Z', -62_135_596_800n * second],
    ['0000-01-01T00:00:00Z', -62_167_219_200n * second],
    // Leap seconds at the end of a UTC day are the second after them.
    ['1990-12-31T23:59:60Z', 662_688_000n * second],
    ['1990-12-31T15:59:60-08:00', 662_688_000n * second],
    ['2017-01-01T00:59:60+01:00', 1_483_228_800n * second],
  ])('%s is counted in nanoseconds from 1970', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
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
    ['a day of no calendar', '2026-02-29T00:00:00Z'],
    ['a year of five digits', '12026-10-03T16:10:30Z'],
    ['digits of another script', '٢٠٢٦-10-03T16:10:30Z'],
  ])('is not %s', (_, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('agrees with the calendar of the language on every whole second, moved by its offset', () => {
    const [min, max] = [new Date('0001-01-02T00:00:00Z'), new Date('9999-12-30T23:59:59Z')];
    const two = (value: number): string => String(value).padStart(2, '0');
    const offset = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), offset, (date, [hours, minutes]) => {
        const [utc, shift] = [BigInt(date.getTime()) * 1_000_000n, BigInt(hours * 3600 + minutes * 60) * second];
        const text = date.toISOString();
        expect(parseInstant(text)).toBe(utc);
        expect(parseInstant(text.replace('Z', `+${two(hours)}:${two(minutes)}`))).toBe(utc - shift);
        expect(parseInstant(text.replace('Z', `-${two(hours)}:${two(minutes)}`))).toBe(utc + shift);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('a calendar date', () => {
  it.each(['2026-10-03', '2024-02-29', '2000-02-29', '0000-02-29', '2026-12-31', '2026-04-30'])('is %s', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  const outside = ['2026-02-29', '2026-02-30', '2100-02-29', '1900-02-29', '2024-02-30', '2026-04-31', '2026-09-31'];
  const never = ['2026-13-01', '2026-00-01', '2026-01-00', '2026-10-32', '2026-1-3', '03-10-2026', '20261003', '2026/10/03'];
  it.each([...outside, ...never, '', ' 2026-10-03', '2026-10-03\n', '2026-10-03T00:00:00Z', 'abc'])('is not %j', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

describe('a local date-time', () => {
  const right = ['2026-09-14 18:22:05', '2026-09-14T18:22:05', '2026-09-14T18:22:05.25', '2024-02-29 00:00:00', '2026-09-14 23:59:59'];
  it.each(right)('is %s', (text) => {
    expect(isLocalDateTime(text)).toBe(true);
  });

  const wrong = ['2026-09-14', '2026-02-30 18:22:05', '2026-09-14 24:00:00', '2026-09-14 18:60:05', '2026-09-14 18:22:60'];
  it.each([...wrong, '2026-09-14 18:22', '2026-09-14T18:22:05Z'])('is not %s', (text) => {
    expect(isLocalDateTime(text)).toBe(false);
  });
});

describe('the format', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);

  it.each<readonly [format: string, accepted: readonly (string | number)[], refused: readonly (string | number)[]]>([
    [
      'date-time',
      ['2026-10-03T16:10:30+02:00', '1990-12-31T23:59:60Z'],
      ['2026-10-03T16:10:30', '2026-10-03 16:10:30Z', '2026-02-30T16:10:30Z', '2026-10-03'],
    ],
    ['date', ['2024-02-29'], ['2026-02-29', '2026-10-03T00:00:00Z']],
    ['date-time-local', ['2026-09-14 18:22:05'], ['2026-09-14T18:22:05Z', '2026-02-30 18:22:05']],
    ['time', ['18:22:05Z'], ['18:22']],
    ['duration', ['P1DT2H'], ['1 day']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
    ['email', ['giulia.ferri@example.com'], ['giulia']],
    ['uri', ['https://example.com/a'], ['a b']],
    ['ipv4', ['127.0.0.1'], ['127.0.0.256']],
    ['ipv6', ['::1'], ['1']],
    ['byte', ['aGFsbG8='], ['a']],
    ['regex', ['a+'], ['(']],
    ['int32', [2_147_483_647, -2_147_483_648], [2_147_483_648, 1.5]],
    ['int64', [2_147_483_648, 2 ** 60, -(2 ** 63)], [1.5, 2 ** 64]],
    ['float', [1e300], []],
    ['double', [1.5], []],
  ])('%s accepts %j and refuses %j, in schemas and by its name, each time it is asked', (format, accepted, refused) => {
    for (const value of [...accepted, ...refused, ...accepted]) {
      const isAccepted = accepted.includes(value);
      expect([value, ajv.validate({ format }, value)]).toEqual([value, isAccepted]);
      if (typeof value === 'string') expect([value, textCheckOf(format)?.(value)]).toEqual([value, isAccepted]);
    }
  });

  it('says nothing about values of another type, and names no check where it is not known', () => {
    expect([ajv.validate({ format: 'date-time' }, 5), ajv.validate({ format: 'int32' }, 'a')]).toEqual([true, true]);
    const names = ['password', 'colour', 'toString', '__proto__', ''];
    expect(['int32', 'double', 'binary', ...names].filter((name) => textCheckOf(name) !== undefined)).toEqual([]);
  });
});
