/** Data that changes while it is read raises no alarm, nor does a server that turns requests away. */

import { expect, test } from 'vitest';
import { busy, edges, slow } from '../../second/chaos.ts';
import { alarms, judgeSecond } from './second.ts';

const plans = Object.entries({ edges, busy, slow });

test.each(plans)('changes of the business API: %s', { timeout: 90_000 }, async (_, chaos) => {
  expect(alarms(await judgeSecond({ api: 'business', chaos, seed: 3 }, { quick: true, seed: 3 }))).toEqual([]);
});

test.each(plans)('changes of counted pages: %s', { timeout: 60_000 }, async (_, chaos) => {
  for (const seed of [1, 2]) expect(alarms(await judgeSecond({ api: 'wiki', chaos, seed }, { seed }))).toEqual([]);
});

test.each([
  ['too many requests, a date to come back', { rateLimit: 7, choices: { 'retry-after': 'date' } }],
  ['too many requests of a key', { rateLimit: 11, choices: { 'rate-scope': 'key', 'retry-after': 'zero' } }],
  ['not ready now and then', { notReady: 9, choices: { precedence: 'trouble-first', 'not-ready-code': 'by-module' } }],
] as const)('%s', { timeout: 60_000 }, async (_, options) => {
  expect(alarms(await judgeSecond({ api: 'business', ...options }, { quick: true }))).toEqual([]);
});
