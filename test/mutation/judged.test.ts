/** What the mutation tests stand on: a run over exchanges that were written down is the run that wrote them, and hangs on nothing else. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeAgain, recall } from './judged.ts';
import { listWorlds } from './worlds.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-recordings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const chosen = ['wiki as it is, pages/total', 'wiki hidden-counted', 'wiki with data one', 'business as it is, details/absent'];

describe('from what was written down', () => {
  it.each(listWorlds().filter(({ name }) => chosen.includes(name)))('$name', { timeout: 60_000 }, async (world) => {
    const saved = await recall(folder, world);
    expect(await judgeAgain(world, saved)).toEqual(saved.summary);
    // A server that gives nothing any more is judged otherwise, so the comparison is able to see a difference.
    expect(await judgeAgain(world, { ...saved, recording: {} })).not.toEqual(saved.summary);
  });

  it('has every law, and every kind of fault', () => {
    expect(listWorlds().length).toBeGreaterThan(300);
    expect(listWorlds().filter(({ name }) => chosen.includes(name))).toHaveLength(chosen.length);
  });
});
