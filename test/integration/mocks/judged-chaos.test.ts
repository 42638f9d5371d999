/** Chaos of every kind is no violation to the judge. */

import { expect, it } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { startMock } from '../../../mocks/start-mock.ts';
import { namedKeys } from '../../helpers/engine.ts';
import { openContract } from '../../helpers/exchange-judge.ts';

const chaos = '503 3%; 429 4% retry-after=0; latency 1ms..5ms 10%; reset 3%; truncated 3%; slow 1MB/s';

it('finds nothing wrong with a service that meets chaos of every kind', { timeout: 60_000 }, async () => {
  const contract = await openContract(contractFile('business'));
  await using mock = await startMock({ contracts: ['business'], chaos });
  const { checks: rules, requests } = await verify({ contract, target: mock.url, keys: namedKeys(mock.keys), quick: true, budget: 25 })
    .result;
  expect(rules.filter(({ verdict }) => verdict === 'violated').map(({ rule: id }) => id)).toEqual([]);
  expect(requests).toBeGreaterThan(10);
});
