/** Each campaign judges its smoke items, so that none of them stops working unnoticed. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { campaignNames, campaignTable, loadCampaign } from '../../campaigns/campaign.ts';

test.each(campaignNames)('%s', { timeout: 60_000 }, async (name) => {
  const campaign = await loadCampaign(name);
  expect(await campaign.smoke()).toEqual([]);
});

test('the table of last results has campaigns that exist', () => {
  const rows = [...readFileSync(campaignTable, 'utf8').matchAll(/^\| ([a-z-]+) \| \d+ \|/gm)].map((row) => row[1] ?? '');
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter((name) => !campaignNames.includes(name))).toEqual([]);
});
