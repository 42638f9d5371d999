/** The comment for a pull request: what stands where, that it fits, and that no text of the files is read as Markdown or HTML. */

import { describe, expect, it } from 'vitest';
import { changeLevels } from '../../../../core/results/contract-change.ts';
import { renderChangelog } from '../../../../reports/diff/changelog.ts';
import { reportOfComparison } from '../../../../reports/diff/diff-report.ts';
import { renderMarkdown } from '../../../../reports/markdown.ts';
import {
  changeOf,
  comparisonOf,
  hostile,
  hostileChange,
  hostileComparison,
  huge,
  kinds,
  manyChanges,
  mildOf,
} from '../../../helpers/reports/sample-comparisons.ts';
import { activeParts } from '../active-parts.ts';

const all = comparisonOf(changeLevels.slice(1).map((level) => (level === 'breaking' ? changeOf() : mildOf(level))));

describe('the comment', () => {
  it('begins with the verdict, counts, and shows what breaks with its witness', () => {
    const text = renderMarkdown(reportOfComparison(all));
    expect(text.split('\n')[0]).toBe('## Contract comparison: 1 breaking change, 1 risky, 1 compatible, 1 documentation');
    expect(text).toContain(`### Breaking: 1

#### GET /things

**response-body/enum-value-added  \`response 200, items[].state\`**

The value "archived" was added to the enum.

Before: \`old.yaml:40:9\`, after: \`new.yaml:41:9\`

\`\`\`diff
  [
    "open",
    "closed",
+   "archived"
  ]
\`\`\`

breaks: clients and generated code: A client that knows only the old values meets one that it does not know.<br>
verdict: witnessed: one contract allows the exchange, the other refuses it

\`\`\`
curl -si -g -H 'accept: application/json' "$BASE_URL"'/things?limit=2'
HTTP 200
content-type: application/json
{"items":[{"id":1,"state":"open"},{"id":2,"state":"archived"}]}
# The old contract refuses /items/1/state = "archived" because of enum: must be one of "open", "closed" (old.yaml:40:9). The new contract allows it.
\`\`\`

accept as: \`response-body/enum-value-added\`, fingerprint \`0123456789ab\`
`);
  });

  it('folds everything else', () => {
    const text = renderMarkdown(reportOfComparison(all));
    expect(text.match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary>Risky: 1</summary>',
      '<summary>Compatible: 1</summary>',
      '<summary>Documentation: 1</summary>',
    ]);
  });

  it('ends with the section for the changelog', () => {
    expect(renderMarkdown(reportOfComparison(all))).toMatch(/### Changelog\n\n```\n## Unreleased\n[\s\S]*\n```\n/);
    expect(renderMarkdown(reportOfComparison(all))).toContain(renderChangelog(all));
  });

  it('tells what was accepted, and notes', () => {
    const accepted = [{ change: changeOf(), reason: 'Nobody reads it', expires: '2026-12-31' }];
    const text = renderMarkdown(reportOfComparison(comparisonOf([], { accepted, notes: ['An acceptance fits nothing.'] })));
    expect(text).toContain(
      '- `response-body/enum-value-added` at GET /things, response 200, items\\[\\].state: Nobody reads it (breaking, until 2026-12-31)',
    );
    expect(text).toContain('### Notes\n\n- An acceptance fits nothing.');
  });
});

describe('texts of the files', () => {
  it.each(kinds)('are never read as Markdown or HTML: %s', (_, comparison) => {
    for (const text of [renderMarkdown(reportOfComparison(comparison)), renderChangelog(comparison)]) {
      const active = activeParts(text);
      expect(active.match(/<(?!\/?details>|\/?summary>|br>)/g)).toBeNull();
      // Nobody is mentioned, no other thread is, and nothing is a link.
      expect(active).not.toMatch(/@(?!&#8203;)|(?<!&)#\d|:\/\/|\]\(|`|~~/);
    }
  });

  it.each(kinds)('keep tables and folds whole: %s', (_, comparison) => {
    const text = renderMarkdown(reportOfComparison(comparison));
    const active = activeParts(text);
    expect(active.match(/<details>/g)?.length).toBe(active.match(/<\/details>/g)?.length);
    const rows = active.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
    for (const row of rows) expect([2, 4]).toContain(row.match(/\|/g)?.length === 3 ? 2 : (row.match(/\|/g)?.length ?? 0) - 1);
  });

  it('are still there to be read', () => {
    const text = renderMarkdown(
      reportOfComparison(comparisonOf([changeOf({ text: 'a_b _z_ *c* <d> @e https://f.example |g| #1', witness: undefined })])),
    );
    expect(text).toContain('a_b \\_z\\_ \\*c\\* &lt;d> @&#8203;e https:&#8203;//f.example \\|g\\| #&#8203;1.');
  });

  it('cannot close the block that they stand in', () => {
    const text = renderMarkdown(reportOfComparison(comparisonOf([changeOf({ after: { ...changeOf().after, value: '```\n<b>' } })])));
    expect(text).toContain('````diff\n');
  });

  it.each(['- item', '+ item', '1. item', '1) item', '# heading', '---', '===', '> quote'])('begin no block: %s', (text) => {
    const lines = renderMarkdown(reportOfComparison(comparisonOf([changeOf({ text })]))).split('\n');
    expect(lines).not.toContain(`${text}.`);
    expect(lines.some((line) => line.replaceAll('\\', '') === `${text}.`)).toBe(true);
  });
});

describe('the size of a comment', () => {
  const limit = 65_536;

  it.each(kinds)('is what GitHub takes: %s', (_, comparison) => {
    expect(renderMarkdown(reportOfComparison(comparison)).length).toBeLessThan(limit);
  });

  it.each([
    ['hostile', hostile],
    ['huge', huge],
    ['huge in Markdown', '@'.repeat(10_000)],
  ])('is what GitHub takes, however many changes there are: %s', (_, text) => {
    const changes = Array.from({ length: 100 }, (_, index) => hostileChange(changeLevels[1 + (index % 4)] ?? 'breaking', text));
    const accepted = changes.map((change) => ({ change, reason: text, expires: undefined }));
    const others = hostileComparison(text);
    const rendered = renderMarkdown(
      reportOfComparison({
        ...comparisonOf(changes),
        old: others.old,
        new: others.new,
        accepted,
        notes: [text, ...Array(50).fill(text)],
      }),
    );
    expect(rendered.length).toBeLessThan(limit);
  });

  it('says how many changes it has no room for', () => {
    const text = renderMarkdown(reportOfComparison(comparisonOf(Array.from({ length: 200 }, () => changeOf()))));
    const shown = text.match(/(?:\*\*|- )response-body/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(text).toContain(`… and ${200 - shown} more: the HTML and JSON reports have them.`);
    expect(renderMarkdown(reportOfComparison(comparisonOf(manyChanges().slice(0, 20))))).not.toContain(' more: the report');
  });
});
