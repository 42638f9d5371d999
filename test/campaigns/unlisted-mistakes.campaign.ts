/** Mistakes of servers outside the catalogue of mutants: at least 85 % of them are found within the normal budget. */

import { judgeSpoiled, violated } from '../helpers/judged-servers.ts';
import { type UnlistedMistake, unlistedMistakes } from '../helpers/unlisted-mistakes.ts';
import { type Campaign, defineCampaign } from './campaign.ts';

interface Found {
  readonly rules: readonly string[];
  readonly causes: readonly string[];
  readonly requests: number;
}

export const campaign: Campaign = defineCampaign<UnlistedMistake, Found>({
  items: (size) => unlistedMistakes.slice(0, size),
  judge: async ({ api, spoiler }) => {
    const result = await judgeSpoiled(api, spoiler());
    return { rules: violated(result), causes: result.causes.map(({ rule, message }) => `${rule}: ${message}`), requests: result.requests };
  },
  complaints: ({ rules }) => (rules.length > 0 ? [] : ['it is not found']),
  // Only drawn requests find this one.
  smoke: (items) => items.filter(({ key }) => key === 'wiki: pages of three or fewer are in another order'),
});
