/** Joined reports: of several runs, every part stands in its section, named by its contract, with links that work. */

import { describe, expect, it } from 'vitest';
import { joinReports } from '../../../reports/join-report-models.ts';
import { renderGithub } from '../../../reports/render-github-annotations.ts';
import { renderGitlab } from '../../../reports/render-gitlab-code-quality.ts';
import { renderHtml } from '../../../reports/render-html.ts';
import { renderMarkdown } from '../../../reports/render-markdown.ts';
import { renderSarif } from '../../../reports/render-sarif.ts';
import { renderTerminal } from '../../../reports/render-terminal.ts';
import { renderHar } from '../../../reports/verify/render-har.ts';
import { reportOfRun, reportsOfRuns } from '../../../reports/verify/verify-report.ts';
import { resultOf, violationOf } from '../../helpers/reports/sample-results.ts';
import { mixedRun } from '../../helpers/reports/sample-runs.ts';
import { complaintsAboutSarif } from '../../helpers/reports/sarif-schema.ts';
import { elementsOf, readMarkup } from '../../helpers/reports/strict-markup.ts';

const menus = { ...mixedRun(), contract: { name: 'menus', title: 'Menus', version: '2.0' } };
const runs = [mixedRun(), menus, { ...menus, target: 'http://b' }] as const;
const joined = joinReports(reportsOfRuns(runs));

describe('the report of several runs', () => {
  it('is that of the run, if there is only one', () => {
    expect(joinReports(reportsOfRuns([mixedRun()]))).toEqual(reportOfRun(mixedRun()));
  });

  it('names each run by its contract, and by its target where two have the same', () => {
    expect(joined.subject).toBe('notes, menus at http://127.0.0.1:8080/v1, menus at http://b');
    expect(joined.verdict.match(/Violated: (notes|menus at \S+), 1 of 7 checks, 1 cause/g)).toHaveLength(3);
    const text = renderTerminal(joined, { decorated: false, exitCode: 1 });
    expect(text).toMatch(
      /\nViolated\nnotes\n {2}filters\/sound in listNotes[\s\S]*\nmenus at http:\/\/127[\s\S]*\nmenus at http:\/\/b\n {2}filters\/sound/,
    );
  });

  it('is a page with one table of checks, whose links and ids are unique', () => {
    const page = readMarkup(renderHtml(joined));
    const ids = [...renderHtml(joined).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
    const links = elementsOf(page, 'a').map(({ attributes }) => attributes['href']?.slice(1));
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    expect(elementsOf(page, 'table').filter(({ attributes }) => attributes['class'] === 'found')).toHaveLength(1);
    expect(elementsOf(page, 'select').map(({ attributes }) => attributes['data-label'])).toEqual(['contract', 'operation', 'rules']);
  });

  it('is a comment with all of them', () => {
    expect(renderMarkdown(joined).match(/^\*\*filters\/sound in/gm)).toHaveLength(3);
  });

  it('is a log with a run for each contract', () => {
    const log = JSON.parse(renderSarif(...runs.map((run) => reportOfRun(run)))) as { readonly runs: readonly unknown[] };
    expect(complaintsAboutSarif(log)).toEqual([]);
    expect(log.runs).toHaveLength(3);
  });

  it('has the findings of all in one list', () => {
    expect(JSON.parse(renderGitlab(...runs.slice(0, 2).map((run) => reportOfRun(run))))).toHaveLength(2);
    const { log } = JSON.parse(renderHar(...runs)) as { readonly log: { readonly pages: readonly { readonly id: string }[] } };
    const ids = log.pages.map(({ id }) => id);
    expect(ids).toContain('notes 2032b9-2a1073');
    expect(new Set(ids).size).toBe(6);
  });

  it('has ten annotations at most, and the end of each run', () => {
    const checks = Array.from({ length: 20 }, (_, index) => violationOf({ operation: `o${index}`, subject: `s${index}` }));
    const many = [resultOf({ exitCode: 1, checks }), resultOf({ contract: menus.contract, exitCode: 1, checks })];
    const lines = renderGithub(...many.map((run) => reportOfRun(run)))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.filter((line) => line.startsWith('::notice'))).toHaveLength(2);
    expect(lines.at(-3)).toContain('title=33 more');
  });
});
