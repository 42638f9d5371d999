/** The report of a proxy in the formats of code review: each mistake stands there, under a name that stays the same. */

import { describe, expect, it } from 'vitest';
import type { ProxyFinding, ProxyReport } from '../../../core/results/proxy-result.ts';
import { reportOfProxy } from '../../../reports/client/proxy-report.ts';
import { renderGitlab } from '../../../reports/render-gitlab-code-quality.ts';
import { renderSarif } from '../../../reports/render-sarif.ts';
import { complaintsAboutSarif } from '../../helpers/reports/sarif-schema.ts';

const finding: ProxyFinding = {
  half: 'response',
  contract: 'shop',
  operation: 'listOrders',
  subject: 'body /orders/*/state enum',
  message: 'state must be one of "open", "closed"',
  source: { file: 'shop.yaml', line: 7, column: 3 },
  count: 2,
  exchange: 1,
};

const reportOf = (...findings: readonly ProxyFinding[]): ProxyReport => ({
  schema: 'touchstone-proxy/1',
  target: 'http://shop.example',
  exchanges: 3,
  unanswered: 0,
  findings,
  notCompared: [{ half: 'response', contract: 'notes', operation: 'getPicture', reason: 'image/png is binary', count: 2 }],
  client: { schema: 'touchstone-client/1', verdict: 'clean', requests: 3, findings: [], exercised: [], notExercised: [] },
});

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
}

const issuesOf = (...findings: readonly ProxyFinding[]): readonly Issue[] =>
  JSON.parse(renderGitlab(reportOfProxy(reportOf(...findings)))) as readonly Issue[];

describe('a mistake that a proxy saw', () => {
  it('stands in the reports of GitLab and SARIF', () => {
    expect(issuesOf(finding)).toEqual([
      {
        description: 'state must be one of "open", "closed", in listOrders',
        check_name: 'proxy/response',
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        severity: 'critical',
        location: { path: 'shop.yaml', lines: { begin: 7 } },
      },
    ]);
    const log: unknown = JSON.parse(renderSarif(reportOfProxy(reportOf(finding))));
    expect(complaintsAboutSarif(log)).toEqual([]);
    expect(log).toMatchObject({ runs: [{ results: [{ ruleId: 'proxy/response' }] }] });
  });

  it('keeps its fingerprint for other data and at another line, and differs from every other mistake', () => {
    const printOf = (changes: Partial<ProxyFinding>): string | undefined => issuesOf({ ...finding, ...changes })[0]?.fingerprint;
    expect(printOf({ message: 'other data', source: { ...finding.source, line: 9 }, exchange: 5, count: 1 })).toBe(printOf({}));
    const others = [{ half: 'request' }, { contract: 'stock' }, { operation: null }, { subject: 'body /orders type' }] as const;
    expect(new Set([printOf({}), ...others.map(printOf)]).size).toBe(5);
  });
});
