/** Takes one step of the campaign that TOUCHSTONE_CAMPAIGN names. Use `npm run campaign`, which sets the variables. */

import { expect, test } from 'vitest';
import { loadCampaign, type Options } from './campaign.ts';

/** The step: `prepare`, `INDEX/COUNT` for a share of the items, or `conclude`. */
const { TOUCHSTONE_CAMPAIGN: name = '', TOUCHSTONE_CAMPAIGN_STEP: step = '', TOUCHSTONE_CAMPAIGN_OPTIONS: options = '{}' } = process.env;

test.runIf(name !== '')(`${name}: ${step}`, async () => {
  const campaign = await loadCampaign(name);
  const given = JSON.parse(options) as Options;
  const [index, count] = step.split('/').map(Number);
  if (step === 'prepare') await campaign.prepare(given);
  else if (step === 'conclude') expect(await campaign.conclude(name, given)).toEqual([]);
  else await campaign.run(name, { index: index ?? 0, count: count ?? 1 }, given);
});
