import { describe, expect, it } from 'vitest';
import { doubts, judgeMock, judgeSecond, resultsOf } from './judged.ts';

const slow = 90_000;

/** The laws about single answers look at what others asked for. */
const asking = [
  'keys/missing',
  'keys/unknown',
  'keys/scopes',
  'conditional/tag',
  'conditional/failures',
  'details/absent',
  'details/hostile',
];

describe('the laws about single answers', () => {
  it('hold at a correct server, and trouble that did not come cannot be tested', { timeout: slow }, async () => {
    const only = ['response/*', 'trouble/*', ...asking];
    const isMine = (line: string): boolean => /^(response|trouble)\//.test(line);
    const lines = doubts(await judgeMock({ only })).filter(isMine);
    expect(lines.filter((line) => line.startsWith('response/'))).toEqual([]);
    expect(lines.every((line) => line.includes('not-testable'))).toBe(true);
    const second = await judgeSecond({ only }, { choices: { 'extra-fields': 'everywhere', challenge: 'present', gzip: 'yes' } });
    expect(resultsOf(second, 'response/*', 'violated')).toEqual([]);
  });

  it.each([
    ['response/schema', 'totals-as-text'],
    ['response/no-credential', 'credential-shown'],
    ['response/status', 'gone'],
  ])('%s is violated by %s of the second server', { timeout: slow }, async (law, fault) => {
    const only = [law, 'keys/missing', 'conditional/tag', 'conditional/failures'];
    expect(resultsOf(await judgeSecond({ only }, { faults: [fault] }), law, 'violated')).not.toEqual([]);
  });

  it('hears what a throttled run is told, and what it is not', { timeout: slow }, async () => {
    const only = ['trouble/retry-after', 'keys/missing'];
    const told = await judgeSecond({ only }, { rateLimit: 5, choices: { 'retry-after': 'zero' } });
    expect(resultsOf(told, 'trouble/retry-after', 'holds')).not.toEqual([]);
    expect(resultsOf(told, '*', 'violated')).toEqual([]);
    const untold = await judgeSecond({ only }, { rateLimit: 5, faults: ['retry-after-missing'] });
    expect(resultsOf(untold, 'trouble/retry-after', 'violated')).not.toEqual([]);
  });
});
