/** Each campaign judges its smoke items, so that none of them stops working unnoticed. */

import { expect, test } from 'vitest';
import { campaignNames, loadCampaign } from '../../campaigns/campaign.ts';

test.each(campaignNames)('%s', { timeout: 60_000 }, async (name) => {
  const campaign = await loadCampaign(name);
  expect(await campaign.smoke()).toEqual([]);
});
