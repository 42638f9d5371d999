/** The matchers for tests of a client: what passes, and the text of a failure. */

import { describe, expect, it } from 'vitest';
import { clientMatchers, type MatcherOutcome, type ReportingMock } from '../../../../contracts/vitest/client-matchers.ts';
import type { ClientFinding, ClientReport } from '../../../../core/results/client-result.ts';

const finding: ClientFinding = {
  rule: 'client/last-page',
  level: 'warning',
  contract: 'api',
  operation: 'list',
  alsoAt: [],
  role: 'full',
  count: 2,
  message: 'c1 came with the last page.',
  consequence: 'Nothing was lost.',
  advice: 'Stop there.',
  source: { file: 'api.yaml', line: 3, column: 5 },
  exchanges: [4, 7],
  curl: 'curl x',
};

const report: ClientReport = {
  schema: 'touchstone-client/1',
  verdict: 'warning',
  requests: 9,
  findings: [finding],
  exercised: ['client/last-page'],
  notExercised: [{ rule: 'client/retry-after', reason: 'No request was throttled (429).' }],
};

const mock: ReportingMock = { client: () => report };
const clean: ReportingMock = { client: () => ({ ...report, verdict: 'clean', findings: [] }) };

function outcome(...[given, expectation]: Parameters<typeof clientMatchers.toHaveNoClientFindings>): MatcherOutcome {
  const result = clientMatchers.toHaveNoClientFindings(given, expectation);
  if (result instanceof Promise) throw new Error('a report that is there needs no promise');
  return result;
}

describe('toHaveNoClientFindings', () => {
  it('fails with the mistake, its consequence, the correction and the places', () => {
    const { pass, message } = outcome(mock);
    expect([pass, message()]).toEqual([
      false,
      'warning client/last-page: c1 came with the last page. (2 times)\n  Nothing was lost.\n  Stop there.\n  key full, exchanges 4, 7, api.yaml:3:5',
    ]);
  });

  it.each([
    [mock, { level: 'error' }, true],
    [mock, { level: 'advice' }, false],
    [clean, {}, true],
    [clean, { require: ['client/last-page'] }, true],
    [clean, { require: ['client/retry-after'] }, false],
  ] as const)('judges by level and by the required rules (%#)', (given, expectation, passes) => {
    expect(outcome(given, expectation).pass).toBe(passes);
  });

  it('names a required rule that was not exercised, with the reason', () => {
    expect(outcome(clean, { require: ['client/retry-after'] }).message()).toBe(
      'client/retry-after was not exercised: No request was throttled (429).',
    );
  });

  it('says under not that there is no finding', () => {
    expect(outcome(clean).message()).toBe('expected a finding in 9 requests from the client, but there is none');
  });

  it('waits for a mock in another process, and passes the key role on', async () => {
    const asked: unknown[] = [];
    const remote: ReportingMock = {
      client: (query) => {
        asked.push(query);
        return Promise.resolve(report);
      },
    };
    expect((await clientMatchers.toHaveNoClientFindings(remote, { role: 'full' })).pass).toBe(false);
    expect(asked).toEqual([{ role: 'full' }]);
  });
});
