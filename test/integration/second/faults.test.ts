/** Shows that every deviation of the second server really deviates, and that without one it answers the same each time. */

import { describe, expect, test } from 'vitest';
import { observed } from '../../second/client.ts';
import { faults } from '../../second/faults.ts';
import type { Probe } from '../../second/probe.ts';
import { listProbes } from '../../second/probes-lists.ts';
import { readProbes } from '../../second/probes-reads.ts';
import { wikiProbes } from '../../second/probes-wiki.ts';

describe.each([
  ['business', [...listProbes, ...readProbes]],
  ['wiki', wikiProbes],
] as const)('the deviations of the %s API', (api, probes) => {
  test('each has a probe', () => {
    const probed = new Set(probes.flatMap((probe) => probe.faults));
    expect(faults.filter((fault) => fault.api === api && !probed.has(fault.id)).map((fault) => fault.id)).toEqual([]);
  });

  test.each(probes.map((probe) => [probe.faults.join(', '), probe] as const))('%s', async (_, probe: Probe) => {
    const correct = await observed({ api, ...probe.options }, probe.observe);
    expect(JSON.stringify(correct)).not.toContain('second server itself');
    expect(await observed({ api, ...probe.options }, probe.observe)).toEqual(correct);
    for (const id of probe.faults) {
      const deviating = await observed({ api, ...probe.options, faults: [id] }, probe.observe);
      expect(deviating, `${id} changes nothing`).not.toEqual(correct);
      expect(JSON.stringify(deviating), id).not.toContain('second server itself');
    }
  });
});

test('every id is there once', () => {
  const ids = faults.map((fault) => fault.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a fault of the other API is refused by name', async () => {
  await expect(observed({ api: 'wiki', faults: ['date-to-exclusive'] }, async () => undefined)).rejects.toThrow(
    "no fault 'date-to-exclusive'",
  );
});
