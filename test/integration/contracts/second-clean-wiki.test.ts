/** A correct server raises no alarm, however it answers what the documents leave open: the API with counted pages. */

import { describe, expect, test } from 'vitest';
import type { SecondOptions } from '../../second/server.ts';
import { alarms, judgeSecond } from './second.ts';

const variants: readonly (readonly [string, Omit<SecondOptions, 'api'>])[] = [
  ['as it is', {}],
  ['strict', { choices: { 'bad-number': 'refused', 'sloppy-number': 'refused', 'undeclared-parameter': 'refused', 'empty-q': 'refused' } }],
  ['lenient', { choices: { 'bad-number': 'clamped', 'unknown-type': 'ignored', 'type-case': 'insensitive', 'slug-case': 'insensitive' } }],
  ['a total of everything', { choices: { total: 'overall', 'page-beyond': 'last', 'entries-order': 'scrambled', 'limit-cap': '50' } }],
  ['absent pages', { choices: { 'page-beyond': '404', 'unknown-type': '404', 'hidden-entry': '401', 'limit-cap': 'refused-over-100' } }],
  ['words only', { choices: { 'q-style': 'words', 'q-case': 'exact', 'q-fields': 'title', 'empty-q': 'nothing' } }],
  ['no data', { data: 'none' }],
  ['one entry', { data: 'one', choices: { 'hidden-entry': '403', 'trailing-slash': 'list', 'broken-escape': '400' } }],
  ['a limit of requests', { rateLimit: 5 }],
];

test.each(variants)('nothing is raised: %s', { timeout: 30_000 }, async (_, options) => {
  expect(alarms(await judgeSecond({ api: 'wiki', ...options }))).toEqual([]);
});

describe('a quick run', () => {
  // `test/night/verify.mjs` reads many entries in whole runs, too.
  test('raises nothing either, of many entries', { timeout: 30_000 }, async () => {
    expect(alarms(await judgeSecond({ api: 'wiki', data: 'large', choices: { 'limit-cap': '50' } }, { quick: true }))).toEqual([]);
  });
});
