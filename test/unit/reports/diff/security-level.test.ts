/** The level `security` in every format: first, and as severe as the format allows. */

import { describe, expect, test } from 'vitest';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { renderChangelog } from '../../../../reports/diff/changelog.ts';
import { renderDiffJson } from '../../../../reports/diff/diff-json.ts';
import { reportOfComparison } from '../../../../reports/diff/diff-report.ts';
import { renderGithub } from '../../../../reports/render-github-annotations.ts';
import { renderGitlab } from '../../../../reports/render-gitlab-code-quality.ts';
import { renderHtml } from '../../../../reports/render-html.ts';
import { renderJunit } from '../../../../reports/render-junit.ts';
import { renderMarkdown } from '../../../../reports/render-markdown.ts';
import { renderSarif } from '../../../../reports/render-sarif.ts';
import { renderTerminal } from '../../../../reports/render-terminal.ts';
import { changeOf, comparisonOf } from '../../../helpers/reports/sample-comparisons.ts';

const leak = changeOf({ level: 'security', id: 'visibility/widened', text: 'hidden records are now visible', witness: undefined });
// A breaking change stands first in the comparison, so the order is the report's own.
const comparison: ContractComparison = comparisonOf([changeOf({ text: 'another finding' }), leak]);
const report = reportOfComparison(comparison);

describe('a leak stands before what breaks', () => {
  test.each([
    ['terminal', renderTerminal(report, { decorated: false })],
    ['markdown', renderMarkdown(report)],
    ['html', renderHtml(report)],
    ['junit', renderJunit(report)],
    ['github', renderGithub(report)],
    ['changelog', renderChangelog(comparison)],
  ])('%s', (_, text) => {
    const [first, second] = [/hidden records are now visible/i, /another finding/i].map((sentence) => text.search(sentence));
    expect(first).toBeGreaterThan(-1);
    expect(second).toBeGreaterThan(first ?? 0);
    expect(text).toMatch(/security/i);
  });
});

test('its severity is the highest of each format', () => {
  expect(renderGithub(report)).toMatch(/^::error [^\n]*title=security/);
  expect(renderGitlab(report)).toMatch(/"severity": ?"blocker"/);
  expect(renderSarif(report)).toMatch(/"level": ?"error"/);
  expect(renderJunit(report)).toMatch(/<failure[^>]*hidden records/i);
  expect(JSON.parse(renderDiffJson(comparison))).toMatchObject({ count: { security: 1, breaking: 1 } });
});
