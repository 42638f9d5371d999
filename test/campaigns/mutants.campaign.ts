/** Every mutant of the mock, at every place, is reported by the rule that it names, with evidence. */

import { allFaults, judgeFault, lacksOf, sendersFor, violationsOf } from '../helpers/faults.ts';
import { type Campaign, defineCampaign } from './campaign.ts';

export const campaign: Campaign = defineCampaign({
  items: () => allFaults.map((fault) => ({ key: `${fault.contract} ${fault.id}`, fault })),
  judge: async ({ fault }) => {
    const violations = violationsOf(await judgeFault(fault, [fault.law, ...sendersFor(fault)]), fault.law);
    return { reported: violations.length > 0, lacking: violations.flatMap(lacksOf) };
  },
  complaints: ({ reported, lacking }, { fault }) => [
    ...(reported ? [] : [`${fault.law} does not report it`]),
    ...lacking.map((part) => `the report of ${fault.law} lacks ${part}`),
  ],
  smoke: (items) =>
    ['business exclusive-upper:listOrders.date_to', 'wiki hidden-counted:listEntries'].flatMap((key) =>
      items.filter((item) => item.key === key),
    ),
});
