/** Whatever bytes and connections arrive at a mock: documented answers or a clean close within a bound, and afterwards the mock is as it was. */

import { contractFile, listShipped } from '../../core/shipped.ts';
import { hostileRequests } from '../helpers/hostile-requests.ts';
import { connections, ownHeaders, putGenerated, putListed, putOwnHeaders, putValues, watchMemory } from '../helpers/hostile-traffic.ts';
import { openContract } from '../helpers/judge.ts';
import { type Campaign, defineCampaign, type Item } from './campaign.ts';

interface Traffic extends Item {
  readonly put: () => Promise<unknown>;
}

const contracts = await Promise.all(listShipped().map((name) => openContract(contractFile(name))));

const fixed: readonly Traffic[] = [
  ...Object.entries(hostileRequests).flatMap(([name, list]) =>
    list.map((each, index) => ({ key: `${name} ${index}: ${each.title}`, put: () => putListed([each]) })),
  ),
  ...ownHeaders.map((each, index) => ({ key: `header ${index}: ${each.line.slice(0, 60)}`, put: () => putOwnHeaders([each]) })),
  ...contracts.flatMap(({ operations }) => operations.map(({ id }) => ({ key: `values for ${id}`, put: () => putValues(id) }))),
  { key: 'connections that are idle', put: () => connections.idle(1000) },
  { key: 'connections that are slow', put: () => connections.slow(30) },
  { key: 'connections that are half open', put: connections.halfOpen },
  { key: 'connections that are reset', put: connections.reset },
  { key: 'connections that never read', put: connections.deaf },
  { key: 'memory', put: watchMemory },
];

export const campaign: Campaign = defineCampaign<Traffic, { readonly complaint: string | null }>({
  // `--size` is how many batches of a hundred generated requests are sent.
  items: (size = 20, { seed = 6 }) => [
    ...fixed,
    ...Array.from({ length: size }, (_, index) => seed + index).map((each) => ({
      key: `generated ${each}`,
      put: () => putGenerated(each),
    })),
  ],
  judge: async ({ put }) => {
    try {
      await put();
      return { complaint: null };
    } catch (error) {
      return { complaint: error instanceof Error ? error.message.slice(0, 2000) : String(error) };
    }
  },
  complaints: ({ complaint }) => (complaint === null ? [] : [complaint]),
  smoke: (items) => items.filter(({ key }) => ['malformed 0: random bytes', 'connections that are half open'].includes(key)),
});
