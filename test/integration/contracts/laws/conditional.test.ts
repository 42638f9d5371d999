import { describe, expect, it } from 'vitest';
import { doubts, judgeMock, judgeSecond, resultsOf } from './judged.ts';

const slow = 60_000;

describe('the laws about conditional reads', () => {
  it('hold at a correct server; only what needs a change during the run stays open', { timeout: slow }, async () => {
    const open = (['getOrder', 'getReservation'] as const).map((operation) => `conditional/changed ${operation} holds:  [frozen]`);
    expect(doubts(await judgeMock({ only: ['conditional/*'] }))).toEqual(open);
  });

  it('accuse nobody for weak tags, for a 304 without one, or for reading only one tag', { timeout: slow }, async () => {
    const choices = { etag: 'weak', 'if-none-match': 'one-tag', 'not-modified-tag': 'absent', 'detail-place': 'root', gzip: 'yes' };
    const result = await judgeSecond({ only: ['conditional/*'] }, { choices });
    expect(resultsOf(result, '*').filter((law) => law.verdict !== 'holds')).toEqual([]);
    expect(resultsOf(result, 'conditional/bare')[0]?.open.map((rival) => rival.id)).toEqual(['other-tag']);
  });

  it('conditional/unchanged tells a tag that is new with each answer from one that is not read', { timeout: slow }, async () => {
    const result = await judgeSecond({ only: ['conditional/unchanged'] }, { faults: ['tag-per-request'] });
    expect(resultsOf(result, 'conditional/unchanged', 'violated')[0]?.diagnosis).toMatch(/each answer had a tag of its own/);
  });
});
