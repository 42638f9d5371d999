/** Generated requests under any answers to the open questions: the mock answers as its contract says, without internal errors. */

import { type Contract, resolveContract } from '../../core/openapi/contract.ts';
import { contractFile, listShipped } from '../../core/shipped-files.ts';
import { openContract } from '../helpers/exchange-judge.ts';
import { type Sample, sendAllowed, sendBad, sendStrange, sendUnderProfiles } from '../helpers/generated-traffic.ts';
import { fixture, startJudgedMock } from '../helpers/judged-mock.ts';
import { type Campaign, defineCampaign, type Item } from './campaign.ts';
import { numbersOf } from './seed.ts';

interface Batch extends Item {
  readonly put: () => Promise<unknown>;
}

const written = await Promise.all(listShipped().map((name) => openContract(contractFile(name))));
const contracts: readonly Contract[] = [...written, await openContract(fixture('library'))];

/** The batches of one seed. */
function batchesOf(seed: number): readonly Batch[] {
  const few: Sample = { seed, numRuns: 120 };
  return [
    ...written.flatMap((contract) =>
      resolveContract(contract).operations.flatMap((operation) => [
        {
          key: `allowed ${operation.id} ${seed}`,
          put: async () => {
            await using mock = await startJudgedMock();
            await sendAllowed(mock, operation, few);
          },
        },
        {
          key: `bad ${operation.id} ${seed}`,
          put: async () => {
            await using mock = await startJudgedMock();
            await sendBad(mock, operation, few);
          },
        },
      ]),
    ),
    ...contracts.flatMap((contract) => [
      { key: `strange ${contract.name} ${seed}`, put: () => sendStrange(contract, { seed, numRuns: 700 }) },
      { key: `profiles ${contract.name} ${seed}`, put: () => sendUnderProfiles(contract, { seed, numRuns: 15 }) },
    ]),
  ];
}

export const campaign: Campaign = defineCampaign<Batch, { readonly complaint: string | null }>({
  // `--size` is how many seeds are drawn.
  items: (size = 5, { seed = 1 }) => {
    const next = numbersOf(seed);
    return Array.from({ length: size }, () => next() % 2 ** 31).flatMap(batchesOf);
  },
  judge: async ({ put }) => {
    try {
      await put();
      return { complaint: null };
    } catch (error) {
      return { complaint: error instanceof Error ? error.message.slice(0, 2000) : String(error) };
    }
  },
  complaints: ({ complaint }) => (complaint === null ? [] : [complaint]),
  smoke: (items) => items.filter(({ key }) => /^bad (getIdentity|getEntry) /.test(key)).slice(0, 2),
});
