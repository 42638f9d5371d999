/** The second server: the rule that a defect names reports it, and no legal choice, data, change or throttling raises an alarm. */

import { correctServers, defectiveServers, judgeCase, type SecondCase } from '../helpers/second-servers.ts';
import { type Campaign, defineCampaign } from './campaign.ts';

export const campaign: Campaign = defineCampaign<SecondCase, readonly string[]>({
  items: (size) => [...defectiveServers, ...correctServers].slice(0, size),
  judge: judgeCase,
  complaints: (complaints) => complaints,
  smoke: (items) => items.filter(({ key }) => ['wiki hidden-counted', 'wiki: one entry'].includes(key)),
});
