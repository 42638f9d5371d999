/** The comment for a pull request: its order and its length, and that no text of the files is read as Markdown or HTML. */

import { describe, expect, it } from 'vitest';
import type { SourceLocation } from '../../../../core/errors.ts';
import { changeLevels } from '../../../../core/results/diff-result.ts';
import { renderChangelog } from '../../../../reports/diff/changelog.ts';
import { commentOfComparison } from '../../../../reports/diff/diff-comment.ts';
import { renderMarkdown } from '../../../../reports/render-markdown.ts';
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
  it('begins with the verdict, counts and the version, and shows what breaks with its details folded', () => {
    const text = renderMarkdown(commentOfComparison(all));
    expect(text.split('\n')[0]).toBe('## Contract comparison: 1 breaking change, 1 risky, 1 compatible, 1 documentation');
    expect(text).toContain(`
Things 1.2.0 → 1.3.0

1 breaking change: bump info.version to at least 2.0.0.

### Security and breaking: 1

**The value "archived" was added to the enum.**

at: \`GET /things\`, \`response 200, items[].state\`, \`new.yaml:41:9\`<br>
breaks: clients and generated code: A client that knows only the old values meets one that it does not know.

<details>
<summary>Details</summary>

Before: \`old.yaml:40:9\`, after: \`new.yaml:41:9\`

\`\`\`diff
  [
    "open",
    "closed",
+   "archived"
  ]
\`\`\`

\`\`\`
curl -si -H 'accept: application/json' "$BASE_URL/things?limit=2"
HTTP 200
content-type: application/json
{"items":[{"id":1,"state":"open"},{"id":2,"state":"archived"}]}
\`\`\`

The old contract rejects /items/1/state = "archived" because of enum: must be one of "open", "closed" (old.yaml:40:9). The new contract allows it.

accept in .touchstone-accepted.yaml: \`- { id: response-body/enum-value-added, fingerprint: '0123456789ab', reason: '' }\`

</details>
`);
  });

  it('links to the changed line, and names the consumers that break', () => {
    const change = changeOf({ consumers: [{ consumer: 'till', interactions: 41, broken: ['an order', 'all orders'] }] });
    const linkTo = ({ file, line }: SourceLocation): string => `https://git.example/blob/abc/${file}#L${line}`;
    const text = renderMarkdown(commentOfComparison(comparisonOf([change]), { linkTo }));
    expect(text).toContain('[`new.yaml:41:9`](https://git.example/blob/abc/new.yaml#L41)');
    expect(text).toContain('consumers: breaks till: 2 of 41 interactions, first: an order');
  });

  it('shows a screen of breaking changes, and folds the others', () => {
    const changes = Array.from({ length: 12 }, (_, index) => changeOf({ text: `Change ${index}` }));
    const fold = /<details>(?:(?!<\/?details>)[\s\S])*<\/details>/g;
    const whole = renderMarkdown(commentOfComparison(comparisonOf(changes)));
    // The second pass removes folds that hold others.
    const visible = whole.replaceAll(fold, '').replaceAll(fold, '');
    expect(visible.match(/Change \d+/g)).toEqual(['Change 0', 'Change 1', 'Change 2', 'Change 3', 'Change 4']);
    expect(visible.split('\n').filter((line) => line !== '').length).toBeLessThan(30);
  });

  it('folds everything else', () => {
    const text = renderMarkdown(commentOfComparison(all, { changelog: [all] }));
    expect(text.match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary>Details</summary>',
      '<summary>Risky: 1</summary>',
      '<summary>Compatible: 1</summary>',
      '<summary>Documentation: 1</summary>',
      '<summary>Changelog</summary>',
    ]);
  });

  it('ends with one section for the changelog of all contracts', () => {
    const other = comparisonOf([mildOf('risky')]);
    const text = renderMarkdown(commentOfComparison(all, { changelog: [all, other] }));
    expect(text).toMatch(/<summary>Changelog<\/summary>\n\n```\n## Unreleased\n[\s\S]*\n```\n\n<\/details>\n$/);
    expect(text).toContain(renderChangelog(all, other));
    expect(text.match(/## Unreleased/g)).toHaveLength(1);
    expect(renderMarkdown(commentOfComparison(all))).not.toContain('Unreleased');
  });

  it('tells what was accepted, and notes', () => {
    const accepted = [{ change: changeOf(), reason: 'Nobody reads it', expires: '2026-12-31' }];
    const text = renderMarkdown(commentOfComparison(comparisonOf([], { accepted, notes: ['An acceptance fits nothing.'] })));
    expect(text).toContain(
      '- `response-body/enum-value-added` at GET /things, response 200, items\\[\\].state: Nobody reads it (breaking, until 2026-12-31)',
    );
    expect(text).toContain('<summary>Notes</summary>\n\n- An acceptance fits nothing.');
  });
});

describe('texts of the files', () => {
  it.each(kinds)('are never read as Markdown or HTML: %s', (_, comparison) => {
    for (const text of [renderMarkdown(commentOfComparison(comparison)), renderChangelog(comparison)]) {
      const active = activeParts(text);
      expect(active.match(/<(?!\/?details>|\/?summary>|br>)/g)).toBeNull();
      // Nobody is mentioned, no other thread is, and nothing is a link.
      expect(active).not.toMatch(/@(?!&#8203;)|(?<!&)#\d|:\/\/|\]\(|`|~~/);
    }
  });

  it.each(kinds)('keep tables and folds whole: %s', (_, comparison) => {
    const text = renderMarkdown(commentOfComparison(comparison));
    const active = activeParts(text);
    expect(active.match(/<details>/g)?.length).toBe(active.match(/<\/details>/g)?.length);
    const rows = active.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
    for (const row of rows) expect([2, 4]).toContain(row.match(/\|/g)?.length === 3 ? 2 : (row.match(/\|/g)?.length ?? 0) - 1);
  });

  it('are still there to be read', () => {
    const text = renderMarkdown(
      commentOfComparison(comparisonOf([changeOf({ text: 'a_b _z_ *c* <d> @e https://f.example |g| #1', witness: undefined })])),
    );
    expect(text).toContain('a_b \\_z\\_ \\*c\\* &lt;d> @&#8203;e https:&#8203;//f.example \\|g\\| #&#8203;1.');
  });

  it('cannot close the block that they stand in', () => {
    const text = renderMarkdown(commentOfComparison(comparisonOf([changeOf({ after: { ...changeOf().after, value: '```\n<b>' } })])));
    expect(text).toContain('````diff\n');
  });

  it.each(['- item', '+ item', '1. item', '1) item', '# heading', '---', '===', '> quote'])('begin no block: %s', (text) => {
    const lines = renderMarkdown(commentOfComparison(comparisonOf([changeOf({ text })]))).split('\n');
    expect(lines).not.toContain(`${text}.`);
    expect(lines.some((line) => line.replaceAll('\\', '') === `**${text}.**`)).toBe(true);
  });
});

describe('the size of a comment', () => {
  const limit = 65_536;

  it.each(kinds)('is what GitHub takes: %s', (_, comparison) => {
    expect(renderMarkdown(commentOfComparison(comparison)).length).toBeLessThan(limit);
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
      commentOfComparison({
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
    const text = renderMarkdown(commentOfComparison(comparisonOf(Array.from({ length: 200 }, () => changeOf()))));
    const shown = text.match(/^(?:\*\*|- )The value "archived"/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(text).toContain(`… and ${200 - shown} more: the HTML and JSON reports have them.`);
    expect(renderMarkdown(commentOfComparison(comparisonOf(manyChanges().slice(0, 20))))).not.toContain(' more: the report');
  });
});
