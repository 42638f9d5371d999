/** Data that changes adversarially at the second server raises no alarm of a watch. */

import { expect, test, vi } from 'vitest';
import { watch } from '../../../../contracts/watch/watch.ts';
import { readContract } from '../../../../core/contract.ts';
import { contractFile } from '../../../../core/shipped.ts';
import { busy, edges, slow } from '../../../second/chaos.ts';
import { startSecondServer } from '../../../second/server.ts';
import { alarms } from '../second.ts';
import { movingClock, verdictsOf } from './watching.ts';

vi.setConfig({ testTimeout: 60_000 });

const plans = Object.entries({ edges, busy, slow }).flatMap(([name, chaos]) => [1, 2].map((seed) => [name, seed, chaos] as const));

test.each(plans)('changes of the business API: %s, seed %i', async (_name, seed, chaos) => {
  const contract = await readContract(contractFile('business'));
  await using server = await startSecondServer({ api: 'business', chaos, seed });
  const result = await watch({
    contract,
    target: server.url,
    keys: { full: { variable: 'FULL_KEY', value: server.keys['full'] ?? 'none' } },
    forMs: 2 * 3_600_000,
    rate: 1 / 30,
    clock: movingClock(() => undefined),
  });
  expect(alarms(result)).toEqual([]);
  expect(result.laws.some(({ verdict }) => verdict === 'holds')).toBe(true);
  expect(Object.keys(verdictsOf(result, 'watch/converges'))).toEqual(['listOrders', 'listReservations']);
});
