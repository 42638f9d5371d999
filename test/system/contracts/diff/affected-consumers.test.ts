/** Consumers that an edit breaks: the interactions of the shipped pacts, assigned to the changes. */

import { beforeAll, describe, expect, it, test } from 'vitest';
import { compareLoadedContracts } from '../../../../contracts/diff/compare-contracts.ts';
import { asContract } from '../../../../contracts/diff/load-contract-pair.ts';
import { checkPacts } from '../../../../contracts/pact/check/check-pacts.ts';
import type { Pact } from '../../../../core/pact/pact.ts';
import { readPacts } from '../../../../core/pact/read-pacts.ts';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { pactsFolder } from '../../../../core/shipped-files.ts';
import { openEdited } from './edited-contract.ts';
import { combinedEdits, singleEdits } from './reviewed-edits.ts';

let pacts: readonly Pact[] = [];
beforeAll(async () => {
  pacts = (await readPacts([pactsFolder() ?? ''])).pacts;
});

async function compare(title: string): Promise<ContractComparison> {
  const edit = [...singleEdits, ...combinedEdits].find((each) => each.title === title);
  if (edit === undefined) throw new Error(`there is no edit ${title}`);
  const versions = await openEdited(edit);
  const [old, contract] = [asContract(versions[0]), asContract(versions[1])];
  const pairs = pacts.filter(({ provider }) => provider === edit.contract).map((pact) => ({ pact, contract, old }));
  return compareLoadedContracts(versions, { today: '2026-11-21', pacts: await checkPacts({ pairs }) });
}

/** By the title of an edit, each change with the number of broken interactions and the first of them. */
const edits: Readonly<Record<string, readonly (readonly [change: string, number: number, first?: string])[]>> = {
  'a smaller maximum': [['the maximum of `limit` changed from 100 to 50', 6, 'a request for all orders']],
  'a further scope': [['keys now need the scope `orders.detail`', 0]],
  'a renamed operation': [
    [
      '`GET /api/integrations/v1/reservations/view.php` is now `GET /api/integrations/v1/reservations/one.php`',
      3,
      'a request for a reservation',
    ],
  ],
  'a new state, a renamed property': [
    ['`OrderTotals`: `discount` is now `reduction`', 8, 'a request for all orders'],
    ['`OrderStatus` can now be "paused"', 7, 'a request for all orders'],
  ],
  'a required parameter, an exclusive checkpoint': [
    ['`date_from` became required', 4, 'a request for all reservations'],
    ['the filter `updated_after` changed from /changed_at >= value to /changed_at > value', 0],
  ],
};

describe('the till', () => {
  it.each(Object.entries(edits))(
    'is broken by %s',
    async (title, expected) => {
      const { changes, consumers } = await compare(title);
      const found = changes.map(({ text, consumers: broken = [] }) => {
        expect(broken.map(({ consumer }) => consumer)).toEqual(broken.length === 0 ? [] : ['point-of-sale']);
        const names = broken[0]?.broken ?? [];
        return [text, names.length, ...names.slice(0, 1)];
      });
      expect(found).toEqual(expected);
      expect(consumers?.map(({ consumer, interactions }) => [consumer, interactions])).toEqual([['point-of-sale', 41]]);
    },
    60_000,
  );
});

test('without pacts, nothing is said about consumers', async () => {
  const edit = singleEdits[0];
  if (edit === undefined) throw new Error('there is no edit');
  const { changes, consumers } = await compareLoadedContracts(await openEdited(edit), { today: '2026-11-21' });
  expect([consumers, changes[0]?.consumers]).toEqual([undefined, undefined]);
});
