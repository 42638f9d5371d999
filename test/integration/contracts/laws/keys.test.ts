import { describe, expect, it } from 'vitest';
import { doubts, judgeMock, judgeSecond, resultsOf } from './judged.ts';

const slow = 60_000;

describe('the laws about keys', () => {
  it('hold at a correct server, with every rival refuted', { timeout: slow }, async () => {
    expect(doubts(await judgeMock({ only: ['keys/*'] }))).toEqual([]);
    expect(doubts(await judgeSecond({ only: ['keys/*'] }))).toEqual([]);
  });

  it('accuse nobody where the order of errors is open and nothing is listed', { timeout: slow }, async () => {
    const result = await judgeSecond({ only: ['keys/*'] }, { data: 'none', choices: { precedence: 'absent-first' } });
    expect(resultsOf(result, '*', 'violated')).toEqual([]);
  });

  it('name the key that is lacking', { timeout: slow }, async () => {
    const result = await judgeMock({ only: ['keys/expired', 'keys/scopes'], roles: ['full'] });
    expect(resultsOf(result, 'keys/expired', 'not-testable')).toHaveLength(7);
    expect(resultsOf(result, 'keys/scopes')[3]?.message).toBe('a key without the scope orders.read: --key without:orders.read=VARIABLE');
  });

  it('hold where no key is needed', { timeout: slow }, async () => {
    expect(doubts(await judgeMock({ api: 'wiki', only: ['keys/*'] }))).toEqual([]);
  });

  it.each([
    ['keys/carriers', 'carriers-differ'],
    ['keys/scopes', 'scope-unauthorized'],
    ['keys/conditional', 'unchanged-before-scope'],
    ['keys/missing', 'missing-key-forbidden'],
  ])('%s is violated by %s of the second server', { timeout: slow }, async (law, fault) => {
    expect(resultsOf(await judgeSecond({ only: [law] }, { faults: [fault] }), law, 'violated')).not.toEqual([]);
  });

  it('keep every key out of what they report', { timeout: slow }, async () => {
    const result = await judgeSecond({ only: ['keys/carriers'] }, { faults: ['bearer-refused'] });
    const [violated] = resultsOf(result, 'keys/carriers', 'violated');
    expect(violated?.counterexample?.curl[1]).toContain('"authorization: Bearer $KEY_FULL"');
  });
});
