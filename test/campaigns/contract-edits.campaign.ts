/** Every edit of the shipped contracts is reported once for each half of an exchange, with its level, its line and a witness. */

import { listShipped } from '../../core/shipped-files.ts';
import { openEdits } from '../unit/contracts/diff/shipped-edits.ts';
import { type Campaign, defineCampaign } from './campaign.ts';

const campaignOf = (names: readonly string[]): Campaign =>
  defineCampaign({
    items: async () => {
      const contracts = await Promise.all(names.map(async (name) => ({ name, ...(await openEdits(name)) })));
      return contracts.flatMap(({ name, edits, check }) =>
        edits.map((edit) => ({ key: `${name} ${edit.title}`, check: () => check(edit) })),
      );
    },
    judge: async ({ check }) => {
      try {
        await check();
        return '';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    complaints: (message) => (message === '' ? [] : [message]),
    smoke: (items) => items.slice(0, 2),
  });

// The edits of the other contract take two seconds to list.
export const campaign: Campaign = { ...campaignOf(listShipped()), smoke: campaignOf(['wiki']).smoke };
