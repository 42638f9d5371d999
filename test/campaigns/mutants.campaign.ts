/** Every mutant of the mock, at every place, is reported by the rule that it names, with evidence, and with its diagnosis where one is written down. */

import { allFaults, judgeByNamedRule } from '../helpers/faults.ts';
import { type Campaign, defineCampaign } from './campaign.ts';

export const campaign: Campaign = defineCampaign({
  items: (size) => allFaults.slice(0, size).map((fault) => ({ key: `${fault.contract} ${fault.id}`, fault })),
  judge: async ({ fault }) => await judgeByNamedRule([fault]),
  complaints: (complaints) => complaints,
  smoke: (items) =>
    ['business exclusive-upper:listReservations.date_to', 'wiki hidden-counted:listEntries'].flatMap((key) =>
      items.filter((item) => item.key === key),
    ),
});
