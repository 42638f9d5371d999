/** The pact recorded from the till has its requests, and fits the contract. */

import { describe, expect, it } from 'vitest';
import { checkPacts } from '../../../../contracts/pact/check/check-pacts.ts';
import { parsePact } from '../../../../core/pact/parse-pact.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { startMock } from '../../../../index.ts';
import { openConnection } from '../../../consumers/pos/connection.ts';
import { createService } from '../../../consumers/pos/service.ts';
import { createStore } from '../../../consumers/pos/store.ts';
import { createSynchroniser } from '../../../consumers/pos/synchroniser.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const dayMs = 86_400_000;

describe('the pact of a till', () => {
  it('has its requests, with and without chaos, and expects nothing that the contract does not promise', { timeout: 60_000 }, async () => {
    await using mock = await startMock({ contracts: ['business'], recordPacts: true, journal: 0 });
    const sleep = async (milliseconds: number): Promise<void> => mock.clock.advance(milliseconds);
    const service = createService(openConnection({ baseUrl: mock.url, key: mock.keys['full'] ?? '', sleep, now: mock.clock.now }));
    const till = createSynchroniser({ service, store: createStore(), pageSize: 100 });
    // Every request of the third run gets 503. In the other runs with chaos, the client reaches its data by retries.
    for (const chaos of [[], ['429 retry-after=90 30%'], ['503'], ['reset 20%']]) {
      mock.chaos.set(chaos);
      await till.run();
      mock.clock.advance(dayMs);
    }
    const { text } = mock.recordPact({ consumer: 'till' });
    const pact = parsePact('till.json', text);
    const { pacts } = await checkPacts({ pairs: [{ pact, contract: await openContract(contractFile('business')) }] });
    expect(pacts.flatMap(({ interactions }) => interactions.flatMap(({ findings }) => findings.map(({ message }) => message)))).toEqual([]);
    expect(pact.interactions.map(({ description, response }) => `${response.status} ${description}`)).toEqual(
      expect.arrayContaining([
        '200 a request for the manifest of the menu',
        '200 a request to list orders, with a limit, of which more follow',
        '200 a request to list orders, the next page, with a limit',
        '200 a request to list orders by updated_after, with a limit',
        '503 a request for the manifest of the menu, while the service is not ready (API_NOT_READY)',
        '200 a request to list reservations, the next page, with a limit',
      ]),
    );
  });
});
