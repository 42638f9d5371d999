/** Every defect of the second server changes an answer; without one, equal requests get equal answers. */

import { describe, expect, test } from 'vitest';
import { listProbes, readProbes, wikiProbes } from '../../second/defect-probes.ts';
import { defects } from '../../second/defects.ts';
import type { Probe } from '../../second/second-client.ts';
import { withSecondServer } from '../../second/second-client.ts';

describe.each([
  ['business', [...listProbes, ...readProbes]],
  ['wiki', wikiProbes],
] as const)('the defects of the %s API', (api, probes) => {
  test('each has a probe', () => {
    const probed = new Set(probes.flatMap((probe) => probe.defects));
    expect(defects.filter((defect) => defect.api === api && !probed.has(defect.id)).map((defect) => defect.id)).toEqual([]);
  });

  test.each(probes.map((probe) => [probe.defects.join(', '), probe] as const))('%s', async (_, probe: Probe) => {
    const correct = await withSecondServer({ api, ...probe.options }, probe.observe);
    expect(JSON.stringify(correct)).not.toContain('second server itself');
    expect(await withSecondServer({ api, ...probe.options }, probe.observe)).toEqual(correct);
    for (const id of probe.defects) {
      const defective = await withSecondServer({ api, ...probe.options, defects: [id] }, probe.observe);
      expect(defective, `${id} changes nothing`).not.toEqual(correct);
      expect(JSON.stringify(defective), id).not.toContain('second server itself');
    }
  });
});

test('every id is there once', () => {
  const ids = defects.map((defect) => defect.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a defect of the other API is refused by name', async () => {
  await expect(withSecondServer({ api: 'wiki', defects: ['date-to-exclusive'] }, async () => undefined)).rejects.toThrow(
    "no defect 'date-to-exclusive'",
  );
});
