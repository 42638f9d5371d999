import { describe, expect, it } from 'vitest';
import { doubts, judgeMock, judgeSecond, resultsOf } from './judged.ts';

const slow = 60_000;

describe('the laws about tenants', () => {
  it('hold at a correct server, with every rival refuted', { timeout: slow }, async () => {
    expect(doubts(await judgeMock({ only: ['tenancy/*'] }))).toEqual([]);
    expect(doubts(await judgeSecond({ only: ['tenancy/*'] }))).toEqual([]);
  });

  it('accuse nobody where tenants share identities', { timeout: slow }, async () => {
    const choices = { ids: 'shared', codes: 'shared', 'foreign-cursor': 'own-records' };
    expect(resultsOf(await judgeSecond({ only: ['tenancy/*'] }, { choices }), '*', 'violated')).toEqual([]);
  });

  it('name the key that is lacking, and what an empty tenant lacks', { timeout: slow }, async () => {
    const result = await judgeMock({ only: ['tenancy/*'], roles: ['full'] });
    expect(new Set(result.laws.map((law) => law.message))).toEqual(new Set(['a key of another tenant: --key other=VARIABLE']));
    const empty = await judgeSecond({ only: ['tenancy/lists'] }, { data: 'none' });
    expect(resultsOf(empty, 'tenancy/lists', 'not-exercised')).toHaveLength(2);
  });

  it('say by which of its names a record of another tenant can be read', { timeout: slow }, async () => {
    const result = await judgeMock({ only: ['tenancy/single'] }, ['foreign-record-shown:getOrder.code']);
    const [violated] = resultsOf(result, 'tenancy/single', 'violated');
    expect(violated?.diagnosis).toBe("It behaves as if everybody's records could be read by code");
  });

  it.each([
    ['tenancy/lists', 'foreign-in-list'],
    ['tenancy/single', 'foreign-forbidden'],
  ])('%s is violated by %s of the second server', { timeout: slow }, async (law, fault) => {
    expect(resultsOf(await judgeSecond({ only: [law] }, { faults: [fault] }), law, 'violated')).toHaveLength(2);
  });
});
