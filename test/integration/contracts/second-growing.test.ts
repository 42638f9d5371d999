/** A list that grows while it is read, at a server that may give an empty page in between, raises no alarm. */

import { expect, test } from 'vitest';
import type { Chaos } from '../../second/chaos.ts';
import { alarms, judgeSecond } from './second.ts';

/** What comes in before each request. */
const growing: Chaos = (_, world) => void world.insert('orders', 'A');

test('records that come meanwhile stand on any of the pages that follow', { timeout: 60_000 }, async () => {
  const choices = { 'short-pages': 'some-empty', 'orders-order': 'id-asc' };
  const only = ['paging/exact-multiple', 'paging/complete', 'paging/once'];
  const result = await judgeSecond({ api: 'business', data: 'two', choices, chaos: growing }, { only });
  expect(alarms(result)).toEqual([]);
  expect(result.laws.find(({ id }) => id === 'paging/exact-multiple')?.message).toMatch(/^(The data moved|$)/);
});
