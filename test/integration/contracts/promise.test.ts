/** A run needs few requests, on the default data and on a long list. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '../../../core/results/run-result.ts';
import { doubts, judgeMock, violated } from '../../helpers/judged-servers.ts';

describe('a run on the default data', { timeout: 60_000 }, () => {
  let whole: RunResult;
  beforeAll(async () => {
    whole = await judgeMock('business');
  }, 60_000);

  test('of the business API takes at most 600 requests; every rule holds but for chaos, and what needs a change stays open', () => {
    expect([whole.exitCode, whole.requests <= 600, whole.requests]).toEqual([0, true, whole.requests]);
    expect(doubts(whole).filter((line) => !/^availability\/.* not-testable: a target that /.test(line))).toEqual([
      'conditional/changed getOrder holds:  [tag-frozen]',
      'conditional/changed getReservation holds:  [tag-frozen]',
      'sync/fractions listOrders holds:  [checkpoint-rounded-to-second:listOrders.updated_after]',
      'sync/fractions listReservations holds:  [checkpoint-rounded-to-second:listReservations.updated_after]',
      'sync/closure listOrders holds:  [change-unmarked]',
      'sync/closure listReservations holds:  [change-unmarked]',
      'details/agree getOrder holds:  [detail-version-older]',
      'details/agree getReservation holds:  [detail-version-older]',
    ]);
  });

  test('of the wiki API takes at most 600 requests; every rule holds, and what needs a change stays open', async () => {
    const result = await judgeMock('wiki');
    expect([result.exitCode, result.requests <= 600, result.requests]).toEqual([0, true, result.requests]);
    expect(doubts(result)).toEqual(['details/agree getEntry holds:  [detail-version-older]']);
  });

  test.each(['business', 'wiki'])('of the %s API stays under 80 requests when it is quick', async (api) => {
    const result = await judgeMock(api, {}, { quick: true });
    expect(violated(result)).toEqual([]);
    expect([result.exitCode, result.requests < 80, result.requests]).toEqual([0, true, result.requests]);
  });

  test('stays under 80 requests where a list has 20,000 records', async () => {
    const result = await judgeMock('business', { sizes: { orders: 20_000 } }, { quick: true });
    expect(violated(result)).toEqual([]);
    expect([result.requests < 80, result.requests]).toEqual([true, result.requests]);
  });
});
