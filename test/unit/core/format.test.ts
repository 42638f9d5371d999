/** Formats are judged by the real calendar, and those of other APIs are known too. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { addFormats, checksNumber, checksText } from '../../../core/format.ts';

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

function accepts(format: string, value: unknown): boolean {
  return ajv.validate({ format }, value);
}

describe('the format', () => {
  it.each([
    ['date-time', '2026-10-03T16:10:30+02:00'],
    ['date-time', '1990-12-31T23:59:60Z'],
    ['date', '2024-02-29'],
    ['date-time-local', '2026-09-14 18:22:05'],
    ['time', '18:22:05Z'],
    ['duration', 'P1DT2H'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
    ['email', 'giulia.ferri@example.com'],
    ['uri', 'https://example.com/a'],
    ['ipv4', '127.0.0.1'],
    ['int32', 2_147_483_647],
    ['int64', 2_147_483_648],
    ['double', 1.5],
    ['byte', 'aGFsbG8='],
  ])('%s accepts %s', (format, value) => {
    expect(accepts(format, value)).toBe(true);
  });

  it.each([
    ['date-time', '2026-10-03T16:10:30'],
    ['date-time', '2026-10-03 16:10:30Z'],
    ['date-time', '2026-02-30T16:10:30Z'],
    ['date-time', '2026-10-03'],
    ['date', '2026-02-29'],
    ['date', '2026-10-03T00:00:00Z'],
    ['date-time-local', '2026-09-14T18:22:05Z'],
    ['date-time-local', '2026-02-30 18:22:05'],
    ['uuid', '123e4567'],
    ['email', 'giulia'],
    ['int32', 2_147_483_648],
    ['int32', 1.5],
  ])('%s refuses %s', (format, value) => {
    expect(accepts(format, value)).toBe(false);
  });

  it('says nothing about values of another type', () => {
    expect(accepts('date-time', 5)).toBe(true);
    expect(accepts('int32', 'a')).toBe(true);
  });
});

describe('the check of a format by name', () => {
  it('judges texts as the validator does', () => {
    for (const [format, text] of [
      ['date-time', '2026-10-03 16:10:30Z'],
      ['date-time', '2026-10-03T16:10:30+02:00'],
      ['date', '2026-02-29'],
      ['date-time-local', '2026-09-14 18:22:05'],
      ['time', '18:22:05Z'],
      ['uuid', '123e4567'],
      ['uri', 'https://example.com/a'],
      ['byte', 'aGFsbG8='],
      ['regex', '('],
    ] as const) {
      expect(checksText(format)?.(text)).toBe(accepts(format, text));
    }
  });

  it('answers alike when asked again', () => {
    for (const format of ['byte', 'ipv6', 'duration', 'json-pointer']) {
      const check = checksText(format);
      expect([check?.('::1'), check?.('::1')]).toEqual([format === 'ipv6', format === 'ipv6']);
    }
  });

  it('judges numbers as the validator does', () => {
    for (const [format, value] of [
      ['int32', 2_147_483_648],
      ['int32', -2_147_483_648],
      ['int64', 1.5],
      ['int64', 2 ** 60],
      ['float', 1e300],
      ['double', 0.5],
    ] as const) {
      expect(checksNumber(format)?.(value)).toBe(accepts(format, value));
    }
  });

  it('is absent where a format says nothing about the type, or is not known', () => {
    expect(
      ['int32', 'double', 'password', 'binary', 'colour', 'toString', '__proto__', ''].filter((name) => checksText(name) !== undefined),
    ).toEqual([]);
    expect(
      ['date', 'uri', 'uuid', 'password', 'colour', 'toString', '__proto__', ''].filter((name) => checksNumber(name) !== undefined),
    ).toEqual([]);
  });
});
