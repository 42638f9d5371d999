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

  it.each([
    ['tenancy/single', 'foreign-record-shown:getOrder.id', "everybody's records could be read by id"],
    ['tenancy/single', 'foreign-record-shown:getOrder.code', "everybody's records could be read by code"],
    [
      'tenancy/single',
      'foreign-record-told:getReservation',
      'a record of another tenant were answered otherwise than one that does not exist',
    ],
    ['tenancy/single', 'foreign-record-unchanged:getOrder', 'the tag of a foreign record were enough'],
    ['tenancy/lists', 'foreign-records-listed:listOrders', 'the list were of all tenants'],
    ['tenancy/lists', 'foreign-records-filtered:listOrders.status', 'filters widened the list to all tenants'],
    ['tenancy/cursor', 'foreign-cursor-accepted:listOrders', 'a cursor opened the list of the one that it was made for'],
  ])('%s is violated by %s', { timeout: slow }, async (law, fault, diagnosis) => {
    const result = await judgeMock({ only: [law] }, [fault]);
    expect(resultsOf(result, law, 'violated')[0]?.diagnosis).toBe(`It behaves as if ${diagnosis}`);
  });

  it.each([
    ['tenancy/lists', 'foreign-in-list'],
    ['tenancy/single', 'foreign-forbidden'],
  ])('%s is violated by %s of the second server', { timeout: slow }, async (law, fault) => {
    expect(resultsOf(await judgeSecond({ only: [law] }, { faults: [fault] }), law, 'violated')).toHaveLength(2);
  });
});
