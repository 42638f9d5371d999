/** The report in HTML: one page, well-formed whatever the files hold, readable without its script, and with nothing to load. */

import { describe, expect, it } from 'vitest';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { changeLevels } from '../../../../core/results/diff-result.ts';
import { reportOfComparison } from '../../../../reports/diff/diff-report.ts';
import { renderHtml } from '../../../../reports/render-html.ts';
import { changeOf, comparisonOf, kinds, manyChanges, mildOf } from '../../../helpers/reports/sample-comparisons.ts';
import { type Element, elementsOf, readMarkup } from '../../../helpers/reports/strict-markup.ts';
import { expectOwnPartsOnly } from '../page-policy.ts';

const read = (comparison: ContractComparison): Element => readMarkup(renderHtml(reportOfComparison(comparison)));
const all = comparisonOf(changeLevels.slice(1).map((level) => (level === 'breaking' ? changeOf() : mildOf(level))));

describe('the page', () => {
  it.each(kinds)('is well-formed: %s', (_, comparison) => {
    const root = read(comparison);
    expect(elementsOf(root, 'main')).toHaveLength(1);
    expect(elementsOf(root, 'h1')).toHaveLength(1);
    expect(elementsOf(root, 'article')).toHaveLength(comparison.changes.length);
  });

  it.each(kinds)('holds only the one script and no way out: %s', (_, comparison) => {
    const root = read(comparison);
    expect(elementsOf(root, 'script')).toHaveLength(1);
    for (const name of ['img', 'link', 'iframe', 'object', 'form', 'base']) expect(elementsOf(root, name)).toEqual([]);
    for (const { attributes } of elementsOf(root, 'a')) expect(attributes['href']).toMatch(/^#[a-z]+$/);
    expect(renderHtml(reportOfComparison(comparison))).not.toMatch(/<[^>]*\s(src|srcset|style|on\w+)=/);
  });

  it('allows nothing but its own style and script', () => {
    expectOwnPartsOnly(read(all));
  });

  it('has a script that can be read', () => {
    const [script] = elementsOf(read(all), 'script');
    expect(() => new Function(script?.text ?? 'no script')).not.toThrow();
  });

  it('has names that are used once, and links and labels that lead to one', () => {
    const root = read(comparisonOf(manyChanges(), { notes: ['A note'] }));
    const everything = (element: Element): readonly Element[] => [element, ...element.children.flatMap(everything)];
    const names = everything(root).flatMap(({ attributes }) => attributes['id'] ?? []);
    expect(new Set(names).size).toBe(names.length);
    const used = everything(root).flatMap(({ attributes }) => [
      ...(attributes['href'] === undefined ? [] : [attributes['href'].slice(1)]),
      ...(attributes['aria-labelledby'] === undefined ? [] : [attributes['aria-labelledby']]),
    ]);
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('tells the levels by headings, the most severe first, and leaves no step of headings out', () => {
    const root = read(all);
    expect(elementsOf(root, 'h2').map(({ text }) => text)).toEqual(['Breaking (1)', 'Risky (1)', 'Compatible (1)', 'Documentation (1)']);
    const walk = (element: Element): readonly number[] => [
      ...(/^h\d$/.test(element.name) ? [Number(element.name[1])] : []),
      ...element.children.flatMap(walk),
    ];
    const depths = walk(root);
    for (const [index, depth] of depths.entries()) expect(depth).toBeLessThanOrEqual((depths[index - 1] ?? 0) + 1);
  });

  it('can be used by the keyboard: what scrolls takes the focus and has a name', () => {
    for (const { attributes } of elementsOf(read(all), 'pre')) {
      expect(attributes['tabindex']).toBe('0');
      expect(attributes['aria-label']).toMatch(/: [a-z-]+\/[a-z-]+/);
    }
  });
});

describe('a change on the page', () => {
  it('has both sides line by line beside each other, with the part that changed', () => {
    const side = (value: string) => ({ value: { limit: value, other: 1 }, place: { file: 'a.yaml', line: 1, column: 1 } });
    const root = read(comparisonOf([changeOf({ before: side('at most 20'), after: side('at most 50'), witness: undefined })]));
    const [before, after] = elementsOf(root, 'pre');
    expect(before?.text.trim().split('\n')).toEqual(['{', '-   "limit": "at most 20",', '    "other": 1', '  }']);
    expect(after?.text.trim().split('\n')).toEqual(['{', '+   "limit": "at most 50",', '    "other": 1', '  }']);
    expect(
      elementsOf(root, 'del')
        .flatMap((line) => elementsOf(line, 'mark'))
        .map(({ text }) => text),
    ).toEqual(['2']);
    expect(
      elementsOf(root, 'ins')
        .flatMap((line) => elementsOf(line, 'mark'))
        .map(({ text }) => text),
    ).toEqual(['5']);
  });

  it('keeps lines beside each other where the first one is new', () => {
    const root = read(
      comparisonOf([changeOf({ before: { ...changeOf().before, value: 1 }, after: { ...changeOf().after, value: { a: 1 } } })]),
    );
    const raw = renderHtml(reportOfComparison(comparisonOf([changeOf({ witness: undefined })])));
    // A parser of HTML drops the first line break of a pre, so one is there to be dropped.
    for (const [, first] of raw.matchAll(/<pre[^>]*>(.)/gs)) expect(first).toBe('\n');
    const [before, after] = elementsOf(root, 'pre');
    expect(before?.text.split('\n')).toHaveLength(after?.text.split('\n').length ?? 0);
  });

  it('says where there is nothing', () => {
    const figures = elementsOf(read(comparisonOf([mildOf('risky')])), 'figure');
    expect(figures[0]?.text).toBe('Before: old.yaml:12:5Nothing.');
  });

  it('is open with its witness when it breaks, and folded when it does not', () => {
    const articleOf = (comparison: ContractComparison): Element | undefined => elementsOf(read(comparison), 'article')[0];
    const breaking = articleOf(comparisonOf([changeOf()]));
    expect(breaking?.text).toContain('The old contract rejects /items/1/state = "archived" because of enum');
    expect(breaking === undefined ? undefined : elementsOf(breaking, 'details')).toEqual([]);
    const [risky] = elementsOf(read(comparisonOf([changeOf({ level: 'risky' })])), 'section');
    expect(risky === undefined ? undefined : elementsOf(risky, 'summary').map(({ text }) => text)).toEqual(['Show 1 item']);
  });

  it('lists every operation that it reaches', () => {
    const operations = Array.from({ length: 14 }, (_, index) => `GET /things/${index}`);
    const root = read(comparisonOf([changeOf({ operations })]));
    expect(elementsOf(root, 'summary')[0]?.text).toBe('Affects 14 operations');
    const [main] = elementsOf(root, 'main');
    expect(main === undefined ? [] : elementsOf(main, 'li').map(({ text }) => text)).toEqual(operations);
  });

  it('is reported as accepted with the reason, and not among the others', () => {
    const root = read(comparisonOf([], { accepted: [{ change: changeOf(), reason: 'Nobody reads it', expires: '2026-12-31' }] }));
    expect(elementsOf(root, 'article')).toEqual([]);
    expect(elementsOf(root, 'main')[0]?.text).toContain('Nobody reads it (breaking, until 2026-12-31)');
  });
});
