/** Code quality reports of GitLab: the members that it reads, a fingerprint for each finding, and files from the root of the repository. */

import { describe, expect, it } from 'vitest';
import { reportOfComparison } from '../../../reports/diff/diff-report.ts';
import { renderGitlab } from '../../../reports/render-gitlab-code-quality.ts';
import type { JudgedReport } from '../../../reports/report-model.ts';
import { reportOfRun } from '../../../reports/verify/verify-report.ts';
import { changeOf, comparisonOf, kinds, mildOf } from '../../helpers/reports/sample-comparisons.ts';
import { counterexample, resultOf, violationOf } from '../../helpers/reports/sample-results.ts';
import { hugeRun, mixedRun, runs } from '../../helpers/reports/sample-runs.ts';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const read = (items: JudgedReport): readonly Issue[] => JSON.parse(renderGitlab(items)) as readonly Issue[];

const lists: readonly (readonly [string, JudgedReport])[] = [
  ...runs.map(([name, result]) => [`verify, ${name}`, reportOfRun(result)] as const),
  ...kinds.map(([name, comparison]) => [`diff, ${name}`, reportOfComparison(comparison)] as const),
];

describe('the code quality report', () => {
  it.each(lists)('has the members that GitLab needs, and no others: %s', (_, items) => {
    const issues = read(items);
    for (const issue of issues) {
      expect(Object.keys(issue)).toEqual(['description', 'check_name', 'fingerprint', 'severity', 'location']);
      expect(issue.description).not.toBe('');
      expect(issue.check_name).not.toBe('');
      expect(issue.fingerprint).toMatch(/^[0-9a-f]{32}$/);
      expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(issue.severity);
      expect(issue.location.path).not.toBe('');
      expect(issue.location.lines.begin).toBeGreaterThanOrEqual(1);
    }
  });

  it('has one entry for each cause that is not waived, at the line of the contract', () => {
    expect(read(reportOfRun(mixedRun()))).toEqual([
      {
        description: 'listNotes with tag=red gives only records that satisfy it; it gives id 4, which does not, in listNotes',
        check_name: 'filters/sound',
        fingerprint: expect.any(String),
        severity: 'critical',
        location: { path: 'notes.yaml', lines: { begin: 31 } },
      },
    ]);
  });

  it('names the server where the contract is in an installed package', () => {
    const clause = { file: '/srv/app/node_modules/touchstone/specs/wiki.openapi.yaml', line: 31, column: 1 };
    const run = resultOf({ checks: [violationOf({ counterexample: { ...counterexample, clause } })] });
    expect(read(reportOfRun(run))[0]?.location).toEqual({ path: run.target, lines: { begin: 1 } });
  });

  it('keeps the fingerprint of a cause when its data and its line change, and tells causes apart', () => {
    const printOf = (...checks: Parameters<typeof violationOf>): string | undefined =>
      read(reportOfRun(resultOf({ checks: [violationOf(...checks)] })))[0]?.fingerprint;
    expect(printOf({ message: 'other data' })).toBe(printOf());
    expect(printOf({ rule: 'order/across' })).not.toBe(printOf());
  });

  it('rates changes by their level, and leaves out words', () => {
    const comparison = comparisonOf([changeOf(), mildOf('risky'), mildOf('compatible'), mildOf('documentation')]);
    expect(read(reportOfComparison(comparison)).map(({ severity }) => severity)).toEqual(['critical', 'minor', 'info']);
  });

  it('stays bounded, however long the texts are', () => {
    expect(renderGitlab(reportOfRun(hugeRun(6, 'x'.repeat(5000)))).length).toBeLessThan(10_000);
  });
});
