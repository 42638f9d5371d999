/** A correct server raises no alarm, however it answers what the documents leave open: the business API. */

import { describe, expect, test } from 'vitest';
import type { SecondOptions } from '../second/server.ts';
import { alarms, judgeSecond } from './second.ts';

const variants: readonly (readonly [string, Omit<SecondOptions, 'api'>])[] = [
  ['cursors that may be used once', { choices: { 'cursor-again': 'refused', 'cursor-other-limit': 'refused' } }],
  ['empty pages in between', { choices: { 'short-pages': 'some-empty', 'last-cursor': 'given' } }],
  ['moments of mixed offsets', { choices: { 'changed-at': 'mixed', zone: 'Pacific/Apia', 'assignment-times': 'local' } }],
  [
    'moments to the microsecond',
    { choices: { 'changed-at': 'microseconds', 'reservations-direction': 'asc', 'orders-order': 'scrambled' } },
  ],
  ['strict in all that is open', { choices: { sloppy: 'refused', undeclared: 'refused', 'damaged-cursor': '410', 'two-keys': 'refused' } }],
  ['lenient in all that is open', { choices: { sloppy: 'accepted', 'damaged-cursor': '400', 'code-case': 'insensitive' } }],
  ['absent records first', { choices: { precedence: 'absent-first', 'manifest-tag': 'conditional', etag: 'weak', gzip: 'yes' } }],
  [
    'codes and ids that repeat',
    { choices: { codes: 'repeated', ids: 'shared', 'cursor-style': 'snapshot', 'foreign-cursor': 'own-records' } },
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
