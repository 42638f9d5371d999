/** Runs the campaign that TOUCHSTONE_CAMPAIGN names. Use `npm run campaign`, which sets the variables. */

import { expect, test } from 'vitest';
import { loadCampaign } from './campaign.ts';

const { TOUCHSTONE_CAMPAIGN: name = '', TOUCHSTONE_CAMPAIGN_SHARE: share = '', TOUCHSTONE_CAMPAIGN_SIZE: size } = process.env;

test.runIf(name !== '')(`the campaign ${name}`, async () => {
  const campaign = await loadCampaign(name);
  const count = size === undefined ? undefined : Number(size);
  const [index, processes] = share.split('/').map(Number);
  if (index !== undefined && processes !== undefined) await campaign.run(name, { index, count: processes }, count);
  else expect(await campaign.conclude(name, count)).toEqual([]);
});
