/** The report in HTML: well-formed whatever a target sends, with nothing to load, complete without its script, and bounded. */

import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { renderHtml } from '../../../../reports/render-html.ts';
import { reportOfRun } from '../../../../reports/verify/verify-report.ts';
import { hostile } from '../../../helpers/reports/sample-comparisons.ts';
import { gapOf, resultOf, violationOf } from '../../../helpers/reports/sample-results.ts';
import { hugeRun, mixedRun, runs } from '../../../helpers/reports/sample-runs.ts';
import { type Element, elementsOf, readMarkup } from '../../../helpers/reports/strict-markup.ts';
import { expectOwnPartsOnly } from '../page-policy.ts';

const read = (result: RunResult): Element => readMarkup(renderHtml(reportOfRun(result)));
const everything = (element: Element): readonly Element[] => [element, ...element.children.flatMap(everything)];
const byId = (root: Element, id: string): Element | undefined => everything(root).find(({ attributes }) => attributes['id'] === id);
const headings = (root: Element): readonly string[] => elementsOf(root, 'h2').map(({ text }) => text);

describe('the page', () => {
  it.each(runs)('is well-formed, complete, without a way out, and its links lead somewhere: %s', (_, result) => {
    const text = renderHtml(reportOfRun(result));
    const root = readMarkup(text);
    const all = everything(root);
    for (const name of ['main', 'header', 'nav', 'footer', 'h1']) expect(elementsOf(root, name)).toHaveLength(1);
    const rows = elementsOf(root, 'table').filter(({ attributes }) => attributes['class'] === 'found');
    expect(rows.flatMap((table) => elementsOf(table, 'tbody').flatMap((body) => elementsOf(body, 'tr')))).toHaveLength(
      result.checks.length,
    );
    expect(elementsOf(root, 'article')).toHaveLength(result.causes.length);
    expect(elementsOf(root, 'script')).toHaveLength(1);
    for (const name of ['img', 'link', 'iframe', 'object', 'form', 'base']) expect(elementsOf(root, name)).toEqual([]);
    for (const { attributes } of elementsOf(root, 'a')) expect(attributes['href']).toMatch(/^#[a-z0-9-]+$/);
    expect(text).not.toMatch(/<[^>]*\s(src|srcset|style|on\w+)=/);
    const names = all.flatMap(({ attributes }) => attributes['id'] ?? []);
    expect(new Set(names).size).toBe(names.length);
    const used = all.flatMap(({ name, attributes }) => [
      ...(attributes['href'] === undefined ? [] : [attributes['href'].slice(1)]),
      ...(attributes['aria-labelledby'] === undefined ? [] : [attributes['aria-labelledby']]),
      ...(name === 'button' && attributes['value'] !== undefined ? [attributes['value']] : []),
    ]);
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('allows nothing but its own style and script', () => {
    expectOwnPartsOnly(read(mixedRun()));
  });

  it('leaves no step of headings out', () => {
    const depths = everything(read(mixedRun())).flatMap(({ name }) => (/^h\d$/.test(name) ? [Number(name[1])] : []));
    for (const [index, depth] of depths.entries()) expect(depth).toBeLessThanOrEqual((depths[index - 1] ?? 0) + 1);
  });

  it('hides what needs a script until there is one, and names what scrolls', () => {
    const root = read(mixedRun());
    for (const { attributes } of elementsOf(root, 'button').filter(({ attributes: { class: kind } }) => kind === 'copy')) {
      expect(attributes['hidden']).toBe('');
      expect(attributes['aria-label']).toMatch(/^Copy the command for request \d of filters\/sound in listNotes$|order\/within/);
    }
    expect(byId(root, 'tools')?.attributes['hidden']).toBe('');
    for (const { attributes } of elementsOf(root, 'pre'))
      expect([attributes['tabindex'], attributes['aria-label'] !== '']).toEqual(['0', true]);
  });

  it('is the same each time', () => {
    expect(renderHtml(reportOfRun(mixedRun()))).toBe(renderHtml(reportOfRun(mixedRun())));
  });
});

describe('what the page tells', () => {
  it('is the verdict first, then what is urgent', () => {
    const root = read(mixedRun());
    expect(elementsOf(root, 'h1')[0]?.text).toBe('Notes 1.0 at http://127.0.0.1:8080/v1, seed 7');
    expect(elementsOf(root, 'strong')[0]?.text).toBe('Violated: 1 of 7 checks, 1 cause.');
    expect(headings(root)).toEqual([
      'Violated (1)',
      'Overview',
      'Notes',
      'Violated and waived (1)',
      'Blocked or inconclusive (2)',
      'Not exercised, data missing (1)',
      'Not testable, key or setting missing (1)',
      'Checks',
      'Observed (2)',
      'The run',
    ]);
    expect(headings(read(resultOf()))).toEqual(['Overview', 'Checks', 'The run']);
  });

  it('is, of a violation, what was expected beside what came, and the exchanges with their commands', () => {
    const [article] = elementsOf(read(mixedRun()), 'article');
    const figures = (article === undefined ? [] : elementsOf(article, 'figure')).map(({ text }) => text.trim());
    expect(figures.slice(0, 2)).toEqual([
      'ExpectedlistNotes with tag=red gives only records that satisfy it',
      'Actualit gives id 4, which does not',
    ]);
    expect(figures[2]).toBe('Request\n\nGET /notes?tag=red\naccept: application/json\nx-key: $FULL_KEY');
    expect(figures[3]).toContain(
      '200 OK\ncontent-type: application/json\nvary: Accept\nvary: Origin\n\n{\n  "data": [\n    {\n      "id": 4\n    }\n  ]\n}',
    );
    expect(article?.text).toContain('diagnosisThe server behaves as if tag were ignored');
    expect(article?.text).toContain('contractnotes.yaml:31:9 (stated)');
    expect(article?.text).toContain(`curl -si --path-as-is -H "x-key: $FULL_KEY" 'http://127.0.0.1:8080/notes?tag=red'`);
  });

  it('is, of what is waived, the reason', () => {
    expect(elementsOf(read(mixedRun()), 'article')[1]?.text).toContain('waivedKnown since spring (until 2026-12-31)');
  });

  it('is, of evidence, what was killed, what stayed open and what it would take', () => {
    const [row] = elementsOf(read(mixedRun()), 'tr').filter(({ attributes }) => attributes['class'] === 'row-holds');
    expect(row?.text).toContain('3 observations, 1 mutant killed, 1 left open');
    expect(row?.text).toContain('tag were ignored');
    expect(row?.text).toContain('case were ignored: needs two records of one name');
  });

  it('is, in the overview, the gravest verdict of each group in a word too', () => {
    const matrix = elementsOf(read(mixedRun()), 'table')[0];
    const cells = matrix === undefined ? [] : elementsOf(matrix, 'td').map(({ text }) => text);
    expect(cells).toEqual(['1/2 violated', '0/1 waived', '0/3 blocked', '', '0/1 not exercised', '']);
  });

  it('is, in the overview, a link from each violated cell to its cause', () => {
    const matrix = elementsOf(read(mixedRun()), 'table')[0];
    const links = matrix === undefined ? [] : elementsOf(matrix, 'a').map(({ text, attributes }) => [text, attributes['href']]);
    expect(links).toEqual([
      ['1/2 violated', '#cause-2032b9-2a1073'],
      ['0/1 waived', '#cause-6f105b-2a1073'],
    ]);
  });

  it('is the number of checks of each state, as a bar', () => {
    const [bar] = elementsOf(read(mixedRun()), 'svg');
    expect(bar?.attributes['aria-label']).toBe('1 violated, 1 waived, 1 blocked, 1 inconclusive, 1 not testable, 1 not exercised, 1 holds');
    expect(bar?.children.map(({ attributes }) => attributes['width'])).toEqual(Array.from({ length: 7 }, () => '14.3%'));
  });

  it('is when, how and of which commit the run was, and how to check a cause again', () => {
    const line = 'touchstone verify notes --target staging --key full=FULL_KEY --report html=a.html';
    const textOf = (command: string): string => elementsOf(read({ ...mixedRun(), command, commit: '0123456789' }), 'body')[0]?.text ?? '';
    expect(textOf(line)).toContain('Commit0123456789\nStarted2026-07-01 09:30:00 UTC, for 2.8 s\nRequests96 of at most 400, seed 7');
    expect(textOf(line)).toContain(`Exit code1, by touchstone 0.1.0\nCommand${line}`);
    expect(textOf(line)).toContain('touchstone verify notes --target staging --key full=FULL_KEY --only filters/sound\n');
    expect(textOf(`${line} --report json=run.json`)).toContain(
      'touchstone replay run.json filters/sound --operation listNotes --target staging --key full=FULL_KEY',
    );
    expect(textOf(`${line} --only filters/sound`)).not.toContain('Check it again');
  });

  it('is why a target could not be judged', () => {
    const root = read(resultOf({ exitCode: 3, unavailable: 'Nothing listens there.', checks: [] }));
    expect(elementsOf(root, 'header')[0]?.text).toContain('Nothing listens there.');
  });
});

describe('the size of the page', () => {
  it.each([
    [150, 'short', 'x'],
    [50, 'hostile', hostile],
    [30, 'huge and escaped', '"'.repeat(10_000)],
    [150, 'huge in bytes', '漢'.repeat(1000)],
  ])('is below a megabyte with %i checks whose texts are %s', (checks, _, text) => {
    const page = renderHtml(reportOfRun(hugeRun(checks, text)));
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
    expect(() => readMarkup(page)).not.toThrow();
  });

  it('keeps every check of 300, and every cause, if only in brief', () => {
    const checks = Array.from({ length: 300 }, (_, index) =>
      index % 3 === 0
        ? violationOf({ operation: `operation${index}`, subject: `tag ${index}` })
        : gapOf('order/across', `operation${index}`, 'two pages'),
    );
    const root = read(resultOf({ exitCode: 1, checks: checks }));
    const [violated] = elementsOf(root, 'section').filter(({ attributes }) => attributes['id'] === 'violated');
    const lines = violated === undefined ? [] : elementsOf(violated, 'li');
    expect(elementsOf(root, 'article').length + lines.length).toBe(100);
    expect(elementsOf(root, 'tr').filter(({ attributes }) => attributes['class']?.startsWith('row-'))).toHaveLength(300);
  });

  it('says how much there is no room for', () => {
    const text = renderHtml(reportOfRun(hugeRun(110, 'x'.repeat(3000))));
    expect(text).toMatch(/\d+ more (rows )?are not shown/);
  });
});
