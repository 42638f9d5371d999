/** The comment for a pull request: its order and its length, and that nothing from a target is read as Markdown or HTML. */

import { describe, expect, it } from 'vitest';
import { findCauses } from '../../../../contracts/verify/find-causes.ts';
import { renderMarkdown } from '../../../../reports/render-markdown.ts';
import { reportOfRun } from '../../../../reports/verify/verify-report.ts';
import { hostile, huge } from '../../../helpers/reports/sample-comparisons.ts';
import { counterexample, gapOf, resultOf, violationOf } from '../../../helpers/reports/sample-results.ts';
import { hugeRun, mixedRun, oneMistake, runs } from '../../../helpers/reports/sample-runs.ts';
import { activeParts } from '../active-parts.ts';

describe('the comment', () => {
  it('names another place of a mistake, but not the same one without its mutant', () => {
    const further = [
      { fingerprint: 'same', subject: '', message: 'the same place', evidence: [], counterexample },
      { fingerprint: 'other', subject: 'filter-ignored.colour', message: 'with colour=red gives id 5', evidence: [], counterexample },
      { fingerprint: 'equal', subject: '/tag enum', message: violationOf().message, evidence: [], counterexample },
    ];
    const check = { ...violationOf({ further }), fingerprint: 'first' };
    const explains = ['first', 'same', 'other', 'equal'].map((fingerprint) => ({
      rule: check.rule,
      operation: check.operation,
      fingerprint,
    }));
    const [cause] = findCauses([check]);
    if (cause === undefined) throw new Error('a violation has a cause');
    const run = resultOf({ verdict: 'violated', exitCode: 1, checks: [check], causes: [{ ...cause, explains }] });
    const text = renderMarkdown(reportOfRun(run));
    expect(text).toContain('also in: `colour`<br>');
    expect(text).not.toContain('the same place');
  });

  it('begins with the verdict, then violations and notes', () => {
    expect(renderMarkdown(reportOfRun(mixedRun()))).toContain(`## notes: Violated: 1 of 7 checks, 1 cause

Notes 1.0 at http:&#8203;//127.0.0.1:8080/v1, seed 7

7 checks: 1 violated, 1 waived, 1 blocked, 1 inconclusive, 1 not testable, 1 not exercised, 1 holds

### Violated: 1

**filters/sound in \`listNotes\`**<br>
Every record of a filtered list satisfies every filter

Expected: listNotes with tag=red gives only records that satisfy it<br>
Actual: it gives id 4, which does not

diagnosis: The server behaves as if tag were ignored<br>
contract: \`notes.yaml:31:9\` (stated)<br>
accept as: \`2032b9-2a1073\`

<details>
<summary><code>GET /notes/4</code> → 200 OK</summary>

\`\`\`
 1 {
 2   "id": 4,
 3   "tags": [
 4     "blue"
 5   ]
 6 }
\`\`\`

\`\`\`sh
curl -si --path-as-is -H "x-key: $FULL_KEY" 'http://127.0.0.1:8080/notes?tag=red'
curl -si -H "x-key: $FULL_KEY" http://x/notes/4
\`\`\`

</details>

<details>
<summary>Affected records: 1</summary>

\`\`\`
{
  "id": 4,
  "tags": [
    "blue"
  ],
  "author": "‹personal›"
}
\`\`\`

</details>

### Notes

- The waiver of paging/unique in listNotes has expired on 2026-01-31.
`);
  });

  it('folds everything else', () => {
    expect(renderMarkdown(reportOfRun(mixedRun())).match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary><code>GET /notes/4</code> → 200 OK</summary>',
      '<summary>Affected records: 1</summary>',
      '<summary>Violated and waived: 1</summary>',
      '<summary>Blocked or inconclusive: 2</summary>',
      '<summary>Not exercised, data missing: 1</summary>',
      '<summary>Not testable, key or setting missing: 1</summary>',
      '<summary>Observed: 2</summary>',
    ]);
  });

  it('fits a screen for one mistake, with everything folded', () => {
    const text = renderMarkdown(reportOfRun(oneMistake()));
    const seen = text.replaceAll(/(<summary>.*?<\/summary>)[\s\S]*?<\/details>/g, '$1').split(/\n+/);
    expect(seen.reduce((lines, each) => lines + Math.ceil(each.length / 100), 0)).toBeLessThanOrEqual(24);
  });

  it('marks the value in question in the response', () => {
    const { counterexample } = violationOf();
    if (counterexample === undefined) throw new Error('the sample has no counterexample');
    const lines = [
      { number: 1, text: '{' },
      { number: 7, text: '"tag": "blue"', marked: true },
    ];
    const checks = [violationOf({ counterexample: { ...counterexample, best: 0, excerpts: [{ of: 9, lines }] } })];
    expect(renderMarkdown(reportOfRun(resultOf({ exitCode: 1, checks })))).toContain(
      '\n```\n 1 {\n   …\n>7 "tag": "blue"\n```\n\n```sh\ncurl',
    );
  });

  it('tells the reason of a waiver, what was lacking, and what stays open', () => {
    const text = renderMarkdown(reportOfRun(mixedRun()));
    expect(text).toContain('- order/within in `listNotes`: Known since spring (until 2026-12-31)\n');
    expect(text).toContain('- two pages: order/across in getNote');
    expect(text).toContain('- a key of another tenant: --key other=VARIABLE: doubt/not-testable in listNotes');
    expect(text).toContain('- `cap`: In which order? – open – Two pages were in it');
  });

  it('says why a target could not be judged', () => {
    const result = resultOf({ exitCode: 3, unavailable: 'Nothing listens there.', checks: [] });
    expect(renderMarkdown(reportOfRun(result))).toMatch(
      /^## notes: Blocked: the target could not be checked\n[\s\S]*\nNothing listens there\.\n\n96 of at most/,
    );
  });
});

describe('what a target sends', () => {
  it.each(runs)('is never read as Markdown or HTML: %s', (_, result) => {
    const active = activeParts(renderMarkdown(reportOfRun(result)));
    expect(active.match(/<(?!\/?details>|\/?summary>|br>)/g)).toBeNull();
    // Nobody is mentioned, no other thread is, and nothing is a link.
    expect(active).not.toMatch(/@(?!&#8203;)|(?<!&)#\d|:\/\/|\]\(|`|~~/);
  });

  it.each(runs)('keeps tables and folds whole: %s', (_, result) => {
    const active = activeParts(renderMarkdown(reportOfRun(result)));
    expect(active.match(/<details>/g)?.length).toBe(active.match(/<\/details>/g)?.length);
    const tables = active.split('\n\n').filter((block) => block.startsWith('| '));
    for (const table of tables)
      expect(
        new Set(
          table
            .trim()
            .split('\n')
            .map((row) => row.split('|').length),
        ).size,
      ).toBe(1);
  });
});

describe('the size of a comment', () => {
  it.each([
    ['short', 'x'],
    ['hostile', hostile],
    ['huge', huge],
    ['huge in Markdown', '@'.repeat(10_000)],
  ])('is what GitHub takes, however much there is to tell: %s', (_, text) => {
    expect(renderMarkdown(reportOfRun(hugeRun(300, text))).length).toBeLessThan(65_536);
  });

  it('says how many there is no room for', () => {
    const checks = Array.from({ length: 200 }, (_, index) => violationOf({ operation: `operation${index}`, subject: `tag ${index}` }));
    const text = renderMarkdown(reportOfRun(resultOf({ exitCode: 1, checks: checks })));
    const shown = text.match(/^(?:\*\*|- )filters/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(text).toContain(`… and ${200 - shown} more: the HTML and JSON reports have them.`);
    expect(renderMarkdown(reportOfRun(resultOf({ checks: [gapOf('a/b', 'c', 'd')] })))).not.toContain(' more: the report');
  });
});
