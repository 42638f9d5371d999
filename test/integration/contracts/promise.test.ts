/** The promise of few requests: what whole runs cost on the default world, and that a list of a million records costs little more. */

import { beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../../../contracts/verify.ts';
import type { RunResult } from '../../../core/verdict.ts';
import { startMock } from '../../../mocks/start.ts';
import { contractOf, namedKeys } from '../../helpers/engine.ts';
import { startHugeTarget } from './huge-target.ts';

const [business, wiki] = [await contractOf('business'), await contractOf('wiki')];

async function run(api: 'business' | 'wiki', quick: boolean): Promise<RunResult> {
  await using mock = await startMock({ contracts: [api] });
  const contract = api === 'business' ? business : wiki;
  return await verify({ contract, target: mock.url, keys: namedKeys(mock.keys), hidden: mock.hiddenSlugs, quick }).result;
}

const violated = ({ laws }: RunResult): readonly string[] => laws.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);

describe('a run on the default world', { timeout: 120_000 }, () => {
  let whole: RunResult;
  beforeAll(async () => {
    whole = await run('business', false);
  }, 120_000);

  test('stays under 250 requests', () => {
    expect(violated(whole)).toEqual([]);
    expect([whole.exitCode, whole.requests < 250, whole.requests]).toEqual([0, true, whole.requests]);
  });

  test.each([
    ['business', true, 80],
    ['wiki', false, 250],
    ['wiki', true, 80],
  ] as const)('of %s, quick %s, stays under %i requests', async (api, quick, most) => {
    const result = await run(api, quick);
    expect(violated(result)).toEqual([]);
    expect([result.exitCode, result.requests < most, result.requests]).toEqual([0, true, result.requests]);
  });

  test('costs at most 1.3 times as much where the lists have a million records', async () => {
    await using huge = await startHugeTarget(1_000_000);
    const result = await verify({ contract: business, target: huge.url, keys: namedKeys(huge.keys) }).result;
    expect(violated(result)).toEqual([]);
    expect([result.requests <= whole.requests * 1.3, result.requests]).toEqual([true, result.requests]);
  });
});
