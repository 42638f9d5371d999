/** Retry-After in both of its forms, counted by the clock of the server. */

import { describe, expect, test } from 'vitest';
import { parseHttpDate, readRetryAfter } from '../../../contracts/call.ts';

const wait = (headers: Readonly<Record<string, string>>): number | undefined => readRetryAfter({ status: 429, headers, body: '' });

describe('readRetryAfter', () => {
  test.each([
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 17 ' }, 17_000],
    [{}, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '1.5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '3, 4' }, undefined],
  ] as const)('%j is %s', (headers, expected) => expect(wait(headers)).toBe(expected));

  test('a date counts from the Date of the same answer, whatever the time is here', () => {
    expect(wait({ date: 'Sun, 08 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 08 Nov 1994 08:50:07 GMT' })).toBe(30_000);
  });

  test('a date over the end of a year, and one that has passed', () => {
    expect(wait({ date: 'Thu, 31 Dec 2026 23:59:59 GMT', 'retry-after': 'Fri, 01 Jan 2027 00:00:04 GMT' })).toBe(5000);
    expect(wait({ date: 'Thu, 31 Dec 2026 23:59:59 GMT', 'retry-after': 'Thu, 31 Dec 2026 23:00:00 GMT' })).toBe(0);
  });

  test('a date without a Date beside it says nothing', () => {
    expect(wait({ 'retry-after': 'Sun, 08 Nov 1994 08:50:07 GMT' })).toBeUndefined();
    expect(wait({ date: 'yesterday', 'retry-after': 'Sun, 08 Nov 1994 08:50:07 GMT' })).toBeUndefined();
  });
});

describe('parseHttpDate', () => {
  test('the preferred form', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784_111_777_000);
    expect(parseHttpDate(' Thu, 01 Jan 1970 00:00:00 GMT ')).toBe(0);
  });

  test.each([
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    '',
  ])('%j is none', (text) => expect(parseHttpDate(text)).toBeUndefined());
});
