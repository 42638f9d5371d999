/**
 * What the laws make of exchanges that were written down. These are the tests that mutants of the laws meet (`node test/night/mutation.mjs`); without
 * mutants they show that a law hangs on what it is answered and on nothing else.
 */

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judgeAgain, recall } from './judged.ts';
import { listWorlds } from './worlds.ts';

const folder = process.env['TOUCHSTONE_RECORDINGS'] ?? fileURLToPath(new URL('../../.touchstone/recordings', import.meta.url));

describe('from what was written down', () => {
  it.each(listWorlds())('$name', { timeout: 120_000 }, async (world) => {
    const saved = await recall(folder, world);
    expect(await judgeAgain(world, saved)).toEqual(saved.summary);
  });
});
