/** A correct server raises no alarm, however it answers what the documents leave open: the business API. */

import { describe, expect, test } from 'vitest';
import type { SecondOptions } from '../../second/server.ts';
import { alarms, judgeSecond } from './second.ts';

/** Choices that have nothing to do with each other share a run; `test/night/verify.mjs` draws them at random, a thousand times. */
const variants: readonly (readonly [string, Omit<SecondOptions, 'api'>])[] = [
  [
    'cursors that may be used once, and moments of mixed offsets',
    {
      choices: {
        ...{ 'cursor-again': 'refused', 'cursor-other-limit': 'refused' },
        ...{ 'changed-at': 'mixed', zone: 'Pacific/Apia', 'assignment-times': 'local' },
      },
    },
  ],
  [
    'empty pages in between, and moments to the microsecond',
    {
      choices: {
        ...{ 'short-pages': 'some-empty', 'last-cursor': 'given' },
        ...{ 'changed-at': 'microseconds', 'reservations-direction': 'asc', 'orders-order': 'scrambled' },
      },
    },
  ],
  [
    'strict in all that is open, with codes and ids that repeat',
    {
      choices: {
        ...{ sloppy: 'refused', undeclared: 'refused', 'damaged-cursor': '410', 'two-keys': 'refused' },
        ...{ codes: 'repeated', ids: 'shared', 'cursor-style': 'snapshot', 'foreign-cursor': 'own-records' },
      },
    },
  ],
  [
    'lenient in all that is open, with absent records first',
    {
      choices: {
        ...{ sloppy: 'accepted', 'damaged-cursor': '400', 'code-case': 'insensitive' },
        ...{ precedence: 'absent-first', 'manifest-tag': 'conditional', etag: 'weak', gzip: 'yes' },
      },
    },
  ],
  ['no data', { data: 'none' }],
  ['two records', { data: 'two', choices: { outside: 'html', 'detail-place': 'root', 'extra-fields': 'everywhere' } }],
  ['one moment for all', { data: 'same-instant' }],
];

describe('a correct server of the business API', () => {
  test.each(variants)('raises nothing in a quick run: %s', { timeout: 60_000 }, async (_, options) => {
    expect(alarms(await judgeSecond({ api: 'business', ...options }, { quick: true }))).toEqual([]);
  });

  test('raises nothing in a full run', { timeout: 90_000 }, async () => {
    const choices = { 'cursor-again': 'refused', 'short-pages': 'some-empty', 'changed-at': 'milliseconds', codes: 'shared' };
    expect(alarms(await judgeSecond({ api: 'business', choices }))).toEqual([]);
  });
});
