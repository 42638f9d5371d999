/** The report of an exam: the table of its scenarios, their mistakes, and the tests for programs. */

import { describe, expect, it } from 'vitest';
import type { ClientComparison, ClientFinding } from '../../../core/results/client-result.ts';
import type { ExamReport, ExamScenarioResult } from '../../../core/results/exam-result.ts';
import { reportOfExam } from '../../../reports/client/exam-report.ts';
import { renderTerminal } from '../../../reports/render-terminal.ts';

const finding: ClientFinding = {
  rule: 'client/records-complete',
  level: 'error',
  contract: 'api',
  operation: 'listThings',
  alsoAt: [],
  role: 'full',
  count: 1,
  message: '5 of the things are missing: 1, 2, 3, 4, 5.',
  consequence: null,
  advice: 'Store each record.',
  source: { file: 'api.yaml', line: 7, column: 3 },
  exchanges: [2],
  curl: "curl -si 'http://mock/things'",
};

const records: ClientComparison = {
  schema: 'touchstone-client-comparison/1',
  verdict: 'different',
  contract: 'api',
  collection: 'things',
  role: 'full',
  instant: '2026-03-29T17:00:00Z',
  source: 'delivered',
  stored: 225,
  expected: 230,
  correct: 225,
  differences: [],
};

const passed: ExamScenarioResult = {
  id: 'pages',
  title: 'three pages',
  state: 'passed',
  reason: null,
  records: [],
  findings: [],
  repeated: [],
  requests: [],
  exitCodes: [0, 0],
  output: '',
};

const report: ExamReport = {
  schema: 'touchstone-exam/1',
  contracts: ['api'],
  seed: 3,
  verdict: 'failed',
  scenarios: [
    passed,
    {
      ...passed,
      id: 'unavailable',
      title: '503',
      state: 'failed',
      records: [records],
      findings: [finding],
      requests: [{ number: 2, method: 'GET', target: `/things?cursor=${'x'.repeat(60)}`, status: 200 }],
    },
    {
      ...passed,
      id: 'throttled',
      title: '429',
      state: 'failed',
      reason: 'The last run failed.',
      exitCodes: [0, 7],
      output: 'stack\nlast line',
    },
    {
      ...passed,
      id: 'same-second',
      title: 'a second',
      state: 'repeated',
      reason: 'The last run failed.',
      repeated: ['exit-code'],
      exitCodes: [0, 7],
    },
    { ...passed, id: 'unknown-values', title: 'a state', state: 'not-exercised', reason: 'No list was read.' },
  ],
};

describe('a report of an exam', () => {
  it('has a table of the scenarios, and the mistakes of those that failed', () => {
    const text = renderTerminal(reportOfExam(report), { decorated: false, exitCode: 1 });
    for (const part of [
      'The client did not send the records',
      'passed         pages           ',
      'failed         unavailable     225 of 230 things  503',
      'same-second                        exit-code, as above',
      'not exercised  unknown-values  ',
      'a state: No list was read.',
      'requests   2: 200 GET /things?cursor=xxx',
      'error exit-code  exit codes 0 and 7',
      'last line',
      '5 scenarios: 2 failed, 1 failed for a reason already shown, 1 not exercised, 1 passed. Exit code 1.',
    ])
      expect(text).toContain(part);
    for (const part of ['x'.repeat(60), 'a second', 'exchanges']) expect(text).not.toContain(part);
    expect(text.match(/error exit-code/g)).toHaveLength(1);
  });

  it('does not ask for records that the client named', () => {
    const scenarios = report.scenarios.map((each) => ({
      ...each,
      records: each.records.map((shown) => ({ ...shown, source: 'posted' as const })),
    }));
    expect(reportOfExam({ ...report, scenarios }).lead).toEqual([]);
  });

  it('is a test for each scenario, and an annotation for each mistake that no earlier one has', () => {
    const { tests, annotations } = reportOfExam(report);
    expect(tests.map(({ state, message }) => [state, message])).toEqual([
      ['passed', ''],
      ['failed', finding.message],
      ['failed', 'The last run failed.'],
      ['skipped', 'The last run failed.'],
      ['skipped', 'No list was read.'],
    ]);
    expect(annotations.map(({ level, title }) => [level, title])).toEqual([
      ['error', finding.rule],
      ['error', 'throttled'],
    ]);
  });
});
