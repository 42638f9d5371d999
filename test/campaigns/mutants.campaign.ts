/** Every mutant of the mock, at every place, is reported by the rule that it names, with evidence, and with its diagnosis where one is written down. */

import { allMutants, judgeByNamedRule } from '../helpers/mutants.ts';
import { type Campaign, defineCampaign } from './campaign.ts';

export const campaign: Campaign = defineCampaign({
  items: (size) => allMutants.slice(0, size).map((mutant) => ({ key: `${mutant.contract} ${mutant.id}`, mutant })),
  judge: async ({ mutant }) => await judgeByNamedRule(mutant),
  complaints: (complaints) => complaints,
  smoke: (items) =>
    ['business exclusive-upper:listReservations.date_to', 'wiki hidden-counted:listEntries'].flatMap((key) =>
      items.filter((item) => item.key === key),
    ),
});
