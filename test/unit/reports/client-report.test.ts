/** The report of the mock on its clients in the formats for people and for programs. */

import { describe, expect, it } from 'vitest';
import type { ClientFinding, ClientReport } from '../../../core/results/client-result.ts';
import { describeClient, reportOfClient } from '../../../reports/client/client-report.ts';
import { renderJunit } from '../../../reports/render-junit.ts';
import { renderTerminal } from '../../../reports/render-terminal.ts';

const finding: ClientFinding = {
  rule: 'client/checkpoint-after-last-page',
  level: 'error',
  contract: 'api',
  operation: 'listThings',
  alsoAt: [],
  role: 'full',
  count: 1,
  message: 'since=2026-03-29T16:00:00Z comes from exchange 1, but the remaining pages of that list were not read.',
  consequence: '5 of the things were never delivered: 1, 2, 3, 4, 5.',
  advice: 'Store the new checkpoint after the last page.',
  source: { file: 'api.yaml', line: 7, column: 3 },
  exchanges: [1, 2],
  curl: "curl -si 'http://mock/things'",
};

const report: ClientReport = {
  schema: 'touchstone-client/1',
  verdict: 'error',
  requests: 2,
  findings: [finding, { ...finding, rule: 'client/page-size', level: 'advice', consequence: null, operation: null }],
  exercised: ['client/checkpoint-after-last-page', 'client/page-size', 'client/filters-kept'],
  notExercised: [
    { rule: 'client/retry-after', reason: 'No request was throttled (429).' },
    { rule: 'client/tag-quoted', reason: 'No request had If-None-Match.' },
    { rule: 'client/tag-owner', reason: 'No request had If-None-Match.' },
  ],
};

describe('a report on a client', () => {
  it.each([
    [report, '2 requests from the client: 1 error, 1 piece of advice; 3 rules not exercised'],
    [{ ...report, findings: [], notExercised: [] }, '2 requests from the client: no findings'],
    [{ ...report, requests: 0, findings: [] }, '0 requests from the client: no findings'],
  ])('has a line (%#)', (given, line) => {
    expect(describeClient(given)).toBe(line);
  });

  it('shows each mistake with its loss, the correction, the place and a command, and what was not exercised', () => {
    const text = renderTerminal(reportOfClient(report), { decorated: false, exitCode: 1 });
    for (const part of [
      finding.consequence ?? '',
      finding.advice,
      'api.yaml:7:3',
      finding.curl,
      'No request was throttled (429): client/retry-after',
      'No request had If-None-Match: client/tag-quoted, client/tag-owner',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/Exit code 1\.\n$/);
  });

  it('says each thing once, and names the command that starts a stopped mock before the request', () => {
    const text = renderTerminal(reportOfClient(report, 'touchstone mock api --port 4010'), { decorated: false, exitCode: 1 });
    expect(text.match(/2 requests from the client/g)).toHaveLength(1);
    expect(text.match(/3 rules not exercised/g)).toHaveLength(1);
    expect(text).toMatch(/touchstone mock api --port 4010\n.*curl -si/);
  });

  it('is a test for each rule: failed, passed or skipped', () => {
    const { tests, annotations } = reportOfClient(report);
    expect(tests.map(({ name, state }) => [name, state])).toEqual([
      ['client/checkpoint-after-last-page', 'failed'],
      ['client/page-size', 'failed'],
      ['client/filters-kept', 'passed'],
      ['client/retry-after', 'skipped'],
      ['client/tag-quoted', 'skipped'],
      ['client/tag-owner', 'skipped'],
    ]);
    expect(annotations.map(({ level }) => level)).toEqual(['error', 'notice']);
    expect(renderJunit(reportOfClient(report))).toContain('5 of the things were never delivered');
  });
});
