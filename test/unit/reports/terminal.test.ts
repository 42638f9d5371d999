/** The summary in a terminal: its order, what fits on a screen, and that no text controls the terminal. */

import { describe, expect, it } from 'vitest';
import type { CheckResult, RunResult } from '../../../core/results/run-result.ts';
import { renderTerminal } from '../../../reports/render-terminal.ts';
import { createInk } from '../../../reports/terminal-text.ts';
import { reportOfRun } from '../../../reports/verify/verify-report.ts';
import { checkOf, counterexample, gapOf, resultOf, violationOf } from '../../helpers/reports/sample-results.ts';

const render = (
  changes: Partial<RunResult> = {},
  reports: readonly string[] = [],
  options: Partial<Parameters<typeof renderTerminal>[1]> = {},
): string =>
  renderTerminal(reportOfRun(resultOf(changes)), { decorated: false, reports, exitCode: resultOf(changes).exitCode, ...options });
const lacking = (message: string, id = 'tenancy/single', operation = 'getNote'): CheckResult =>
  checkOf({ rule: id, operation, verdict: 'not-testable', instances: 0, killed: [], message });
const inconclusive = (verdict: 'inconclusive' | 'blocked', message: string): CheckResult =>
  checkOf({ verdict, killed: [], instances: 0, message });

describe('the summary of a run', () => {
  it('says what was judged, what was found, and what the exit code means', () => {
    expect(render()).toBe(`
Notes 1.0 at http://127.0.0.1:8080/v1, seed 7
1 check: 1 holds

96 of at most 400 requests in 2.8 s.
Holds: 1 of 1 check holds, and no violation was found. Exit code 0.
`);
  });

  it('shows a violation with what it takes to see it again', () => {
    expect(render({ verdict: 'violated', exitCode: 1, checks: [checkOf({ rule: 'order/within' }), violationOf()] })).toBe(`
Notes 1.0 at http://127.0.0.1:8080/v1, seed 7
2 checks: 1 violated, 1 holds

Violated
  filters/sound in listNotes  Every record of a filtered list satisfies every filter
    expected   listNotes with tag=red gives only records that satisfy it
    actual     it gives id 4, which does not
    diagnosis  The server behaves as if tag were ignored
    contract   notes.yaml:31:9 (stated)
    accept as  2032b9-2a1073
    try        curl -si -H "x-key: $FULL_KEY" http://x/notes/4

96 of at most 400 requests in 2.8 s. More with --verbose.
Violated: 1 of 2 checks, 1 cause. Exit code 1.
`);
  });

  it('ends no line with a space', () => {
    expect(createInk(false, 10).wrap('one two  three', '  ')).toEqual(['  one two', '  three']);
  });

  it('shows the request that shows it best, and the likely mistake in the server', () => {
    const text = render({ exitCode: 1, checks: [violationOf({ hint: 'Bind the tag.', counterexample: { ...counterexample, best: 0 } })] });
    expect(text).toContain('    diagnosis  The server behaves as if tag were ignored. Bind the tag.\n    contract');
    expect(text).toContain(`    try        ${counterexample.curl[0]}\n\n`);
  });

  it('shows every request with the lines of its response, if that is asked for', () => {
    const excerpts = [
      {
        of: 9,
        lines: [
          { number: 1, text: '{' },
          { number: 7, text: '"tag": "blue"', marked: true },
        ],
      },
    ];
    const checks = [violationOf({ counterexample: { ...counterexample, excerpts } })];
    expect(render({ exitCode: 1, checks }, [], { verbose: true })).toContain(`
    try        ${counterexample.curl[0]}
                 200 OK
                  1 {
                    …
                 >7 "tag": "blue"
               ${counterexample.curl[1]}
`);
  });

  it.each([80, 120])('fits one violation on a screen of 24 lines and %d columns', (columns) => {
    const sentence = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ');
    const detail = {
      diagnosis: sentence.slice(0, 120),
      hint: sentence.slice(0, 120),
      counterexample: { ...counterexample, expected: sentence },
    };
    const others = [inconclusive('inconclusive', 'The data changed'), gapOf('order/across', 'listNotes', 'two pages'), lacking('a key')];
    const lines = render({ exitCode: 1, checks: [violationOf(detail), ...others] }, [], { columns })
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it('names the status of a response that is not 200, as a comment of the command', () => {
    const [exchange] = counterexample.exchanges;
    const exchanges = exchange === undefined ? [] : [{ ...exchange, response: { ...exchange.response, status: 422 } }];
    const checks = [violationOf({ counterexample: { ...counterexample, exchanges, curl: ['curl http://x'] } })];
    expect(render({ exitCode: 1, checks })).toContain('    try        curl http://x # 422 Unprocessable Entity\n');
  });

  it('shows the first of several causes in full, and as many others as the screen has rows for', () => {
    const checks = Array.from({ length: 6 }, (_, index) => violationOf({ rule: `filters/rule${index}`, fingerprint: `f${index}` }));
    const shown = (rows: number): string => render({ exitCode: 1, checks }, [], { columns: 80, rows });
    const [small, tall] = [shown(24), shown(60)];
    expect(small.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
    expect(small.match(/^ {4}expected/gm)).toHaveLength(1);
    expect(small.match(/^ {2}filters\/rule[1-5] in listNotes {2}Every record/gm)).toHaveLength(3);
    expect(small).toContain('and 2 more: see --report json=FILE');
    expect(small).toContain('More with --verbose.');
    expect(tall.match(/^ {4}expected/gm)).toHaveLength(3);
  });

  it('names the document that requires it, when the contract is not the one', () => {
    expect(render({ exitCode: 1, checks: [violationOf({ source: 'RFC 9110 §13.1.2' })] })).toContain(
      'notes.yaml:31:9, from RFC 9110 §13.1.2 (stated)\n',
    );
  });

  it('breaks long sentences between words, and never a command line', () => {
    const expected = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
    const curl = [`curl 'http://127.0.0.1/notes?${'x'.repeat(300)}'`];
    const lines = render({ exitCode: 1, checks: [violationOf({ counterexample: { ...counterexample, expected, curl } })] }).split('\n');
    const wide = lines.filter((line) => line.length > 100);
    expect(wide).toEqual([`    try        ${curl[0]}`]);
    const start = lines.findIndex((line) => line.startsWith('    expected'));
    expect(lines[start + 1]).toMatch(/^ {15}word\d/);
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toContain(expected);
  });

  it('puts violations first, then doubts, then gaps', () => {
    const changes: Partial<RunResult> = {
      exitCode: 1,
      checks: [
        gapOf('order/across', 'listNotes', 'two pages'),
        lacking('a key of another tenant: --key other=VARIABLE'),
        inconclusive('inconclusive', 'The data changed: id 4 came back'),
        inconclusive('blocked', 'listNotes is not available (503)'),
        violationOf(),
      ],
    };
    const text = render(changes, [], { verbose: true });
    expect(render(changes)).not.toContain('Not exercised, data missing');
    expect(render(changes)).toContain('in 2.8 s. More with --verbose.\n');
    expect(text).not.toContain('More with');
    const at = [
      '5 checks: 1 violated, 1 blocked, 1 inconclusive, 1 not testable, 1 not exercised',
      'Violated\n',
      'Blocked or inconclusive',
      'Not exercised',
      'Not testable',
      '96 of',
    ];
    const places = at.map((each) => text.indexOf(each));
    expect(places).not.toContain(-1);
    expect(places.toSorted((left, right) => left - right)).toEqual(places);
    expect(text).toContain('  filters/sound in listNotes: blocked: listNotes is not available (503)\n');
    expect(text).toContain('  a key of another tenant: --key other=VARIABLE: tenancy/single in getNote\n');
  });

  it('says more about twenty violations than about the others', () => {
    const rules = Array.from({ length: 23 }, (_, index) => violationOf({ rule: `filters/rule${index}` }));
    const text = render({ exitCode: 1, checks: rules });
    expect(text.match(/contract /g)).toHaveLength(20);
    for (const { rule: id } of rules) expect(text).toContain(id);
    const short = text.split('\n').find((line) => line.includes('rule22'));
    expect(short).toMatch(/^ {2}filters\/rule22 in listNotes: listNotes with tag=red/);
    expect(short?.length).toBeLessThanOrEqual(100);
  });
});

describe('what was lacking', () => {
  it('is a list of things, that which decides most at its head', () => {
    const rules = [
      gapOf('order/across', 'listNotes', 'two pages'),
      gapOf('sync/inclusive', 'listNotes', 'a record of a known change', 'two pages'),
      gapOf('sync/inclusive', 'listTags', 'two pages'),
    ];
    expect(render({ exitCode: 4, checks: rules })).toContain(`Not exercised, data missing
  two pages: order/across in listNotes, sync/inclusive in 2 operations
  a record of a known change: sync/inclusive in listNotes
`);
  });

  it('is what the run says when no mutant names it', () => {
    const rule = checkOf({
      verdict: 'not-exercised',
      killed: [],
      message: 'the budget of 9 requests is too small for this; raise --budget.',
    });
    expect(render({ exitCode: 4, checks: [rule] })).toContain(
      '  the budget of 9 requests is too small for this; raise --budget: filters/sound in listNotes\n',
    );
  });

  it('has six lines at most, and says where the rest is', () => {
    const rules = Array.from({ length: 9 }, (_, index) => gapOf('order/across', `list${index}`, `thing ${index}`));
    const listed = (text: string): readonly string[] => /data missing\n((?: {2}.*\n)+)/.exec(text)?.[1]?.trimEnd().split('\n') ?? [];
    expect(listed(render({ checks: rules.slice(0, 6) }))).toHaveLength(6);
    expect(listed(render({ checks: rules }))).toHaveLength(6);
    expect(listed(render({ checks: rules })).at(-1)).toBe('  and 4 more: see --report json=FILE');
    expect(listed(render({ checks: rules }, ['out/r.json'])).at(-1)).toBe('  and 4 more: see out/r.json');
  });

  it('has lines for the data and for the keys', () => {
    const data = Array.from({ length: 9 }, (_, index) => gapOf('order/across', `list${index}`, `thing ${index}`));
    const keys = Array.from({ length: 9 }, (_, index) => lacking(`key ${index}: --key role=VARIABLE`));
    const linesOf = (rules: readonly CheckResult[]): readonly number[] =>
      ['data missing', 'Not testable, key or setting missing'].map((title) => {
        const [, lines = ''] = new RegExp(`${title}\n((?: {2}.*\n)+)`).exec(render({ checks: rules })) ?? [];
        return lines.split('\n').length - 1;
      });
    expect(linesOf([...data, ...keys])).toEqual([6, 6]);
    expect(linesOf([...data, ...keys.slice(0, 1)])).toEqual([6, 1]);
    expect(linesOf([...data.slice(0, 3), ...keys])).toEqual([3, 6]);
    expect(linesOf(keys)).toEqual([0, 6]);
  });

  it('counts the rules that hold with a mutant left open', () => {
    const open = [{ id: 'a', title: 'b', missing: 'c' }];
    expect(render({ checks: [checkOf({ alive: open }), checkOf()] })).toContain('2 checks: 2 hold (1 with mutants left open)\n');
  });
});

describe('the other lines', () => {
  it('tell what was observed, and count what stays open', () => {
    const observation = { id: 'order', question: 'In which order?', source: '§4', answers: ['by-title', 'by-key'], evidence: '' };
    const observations = [observation, { ...observation, id: 'cap', answers: [] }, { ...observation, id: 'case', answers: [] }];
    expect(render({ observations })).toContain('Observed\n  order: by-title or by-key; 2 questions in the contract stay open\n');
    expect(render({ observations: [observation] })).toContain('  order: by-title or by-key\n');
  });

  it('tell as many answers as fit, and where the others are', () => {
    const observations = Array.from({ length: 40 }, (_, index) => ({
      id: `question-${index}`,
      question: '',
      source: '',
      answers: ['yes'],
      evidence: '',
    }));
    const text = render({ observations: [...observations, { id: 'open', question: '', source: '', answers: [], evidence: '' }] }, [
      'r.json',
    ]);
    const [, lines = ''] = /Observed\n((?: {2}.*\n)+)/.exec(text) ?? [];
    expect(lines.trimEnd().split('\n')).toHaveLength(3);
    const [, more] = /; (\d+) more answers; 1 question in the contract stays open$/.exec(lines.trimEnd().replaceAll(/\n */g, ' ')) ?? [];
    expect(lines.match(/question-/g)).toHaveLength(40 - Number(more));
  });

  it('name the reports that were written, and the time in minutes when it was long', () => {
    expect(render({ durationMs: 83_400 }, ['a.json', 'b.json'])).toContain(
      '96 of at most 400 requests in 1 min 23 s.\nWritten: a.json, b.json.\n',
    );
  });

  it.each([
    [3, { unavailable: 'Nothing listens there.', rules: [] }, 'Blocked: the target could not be checked. Exit code 3.'],
    [3, { rules: [inconclusive('blocked', 'x')] }, 'Blocked: a part of the target could not be checked. Exit code 3.'],
    [
      4,
      { checks: [checkOf(), ...Array.from({ length: 10 }, (_, index) => gapOf(`a/${index}`, 'c', 'd'))] },
      'Too little evidence: no violation was found, but only 1 of 11 checks had a result. Exit code 4.',
    ],
    [4, { checks: [checkOf()], cutShort: 'budget' }, 'Too little evidence: no violation was found, but the budget was spent. Exit code 4.'],
    [4, { checks: [gapOf('a/b', 'c', 'd')] }, 'Too little evidence: no violation was found, but no check had a result. Exit code 4.'],
    [130, {}, 'Interrupted: the results so far are reported. Exit code 130.'],
  ] as const)('end with the verdict for %s', (exitCode, changes, last) => {
    expect(
      render({ exitCode, ...changes })
        .trimEnd()
        .split('\n')
        .at(-1),
    ).toBe(last);
  });

  it('tell why a target is not available, in a paragraph', () => {
    const unavailable = `The target answers GET /notes with a web page (200) instead of JSON. ${'Nothing was judged. '.repeat(8)}`.trim();
    const text = render({ exitCode: 3, verdict: 'blocked', unavailable, checks: [] });
    expect(text).not.toMatch(/\d checks?\b/);
    expect(text.replaceAll('\n', ' ')).toContain(unavailable);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe('violations that are waived', () => {
  it('are counted apart, told with their reasons, and hold the verdict no longer', () => {
    const waived = [
      violationOf({ waiver: { reason: 'ticket 7', expires: '2026-12-31' } }),
      violationOf({ rule: 'filters/union', waiver: { reason: `a ${'long '.repeat(30)}story` } }),
    ];
    const text = render({ checks: [checkOf(), ...waived] });
    expect(text).toContain('\n3 checks: 2 waived, 1 holds\n');
    expect(text).toContain(
      '\nViolated and waived\n  filters/sound in listNotes: ticket 7 (until 2026-12-31)\n  filters/union in listNotes: a long ',
    );
    expect(text).toContain('Holds: 1 of 3 checks holds, and all violations are waived (2). Exit code 0.\n');
    expect(text).not.toContain('curl');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('do not hide those that are not', () => {
    const text = render({
      exitCode: 1,
      verdict: 'violated',
      checks: [violationOf({ rule: 'a/b' }), violationOf({ waiver: { reason: 'x' } })],
    });
    expect(text).toContain('2 checks: 1 violated, 1 waived');
    expect(text).toContain('Violated: 1 of 2 checks, 1 cause.');
  });
});

describe('notes', () => {
  it('stand before the verdict, broken at words, the first of many, and nothing in them acts on the terminal', () => {
    const notes = [`\u001b[2J${' word'.repeat(40)}`, ...Array.from({ length: 8 }, (_, index) => `note ${index}`)];
    const text = render({ exitCode: 4, checks: [checkOf()], notes });
    expect(text).toMatch(/\n\nNotes\n {2}\\u001b\[2J word.*\n {4}word/);
    expect(text).toContain('  note 4\n  and 3 more: the JSON report has them\n\n96 of at most');
    expect(text).toContain('Too little evidence: no violation was found, but required checks have no result. Exit code 4.\n');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe('a screen', () => {
  it('holds the summary when nothing is wrong', () => {
    const rules = [
      ...Array.from({ length: 90 }, () => checkOf()),
      ...Array.from({ length: 30 }, (_, index) => gapOf('order/across', `list${index}`, `two records of the same ${index}`)),
      ...['other', 'expired', 'without:a', 'without:b', 'without:c'].map((role) => lacking(`another key: --key ${role}=VARIABLE`)),
    ];
    const observations = Array.from({ length: 25 }, (_, index) => ({
      id: `question-${index}`,
      question: '',
      source: '',
      answers: ['yes'],
      evidence: '',
    }));
    const lines = render({ checks: rules, observations }).split('\n');
    expect(lines.length).toBeLessThanOrEqual(27);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });
});
