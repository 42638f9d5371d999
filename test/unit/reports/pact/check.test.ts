/** The reports of `pact check`: the same findings in each format, and no text acts as markup or controls the terminal. */

import { describe, expect, it } from 'vitest';
import type { CheckedInteraction, PactCheck, PactFinding } from '../../../../core/results/pact-check-result.ts';
import { renderPactCheckJson, reportOfCheck } from '../../../../reports/pact/pact-check-report.ts';
import { renderGithub } from '../../../../reports/render-github-annotations.ts';
import { renderJunit } from '../../../../reports/render-junit.ts';
import { renderMarkdown } from '../../../../reports/render-markdown.ts';
import { renderTerminal } from '../../../../reports/render-terminal.ts';
import { complaintsAboutReport } from '../../../helpers/reports/report-schema.ts';

const place = { file: 'pacts/a.json', line: 7, column: 3 };
const nasty = 'it says "<b>" & @someone,\n::error::x \u001b[31m';

const finding: PactFinding = {
  id: 'response/body',
  fingerprint: '1c9a07-e3b0c4',
  grade: 'not-guaranteed',
  message: `$.a may be null; ${nasty}`,
  pointer: '/interactions/0/response/body/a',
  place,
  clause: { file: 'api.yaml', line: 5, column: 1 },
  witness: { value: { a: null, b: 1 }, pointer: '/a' },
  question: { id: 'no-a', question: 'Is there an a?', source: '§1', place },
};

const impossible: PactFinding = {
  ...finding,
  id: 'request/key',
  grade: 'impossible',
  message: 'no key',
  clause: undefined,
  witness: undefined,
  question: undefined,
};

function interaction(description: string, findings: readonly PactFinding[], pending = false): CheckedInteraction {
  return {
    description,
    states: ['a thing exists'],
    request: 'GET /things',
    status: 200,
    pending,
    pointer: '/interactions/0',
    place,
    operation: 'listThings',
    expectations: 3,
    findings,
    remarks: [],
  };
}

function checkOf(interactions: readonly CheckedInteraction[]): PactCheck {
  const contract = { name: 'api', title: 'Things', version: '1.0.0', file: 'api.yaml' };
  const settled = interactions.filter((each) => !each.pending);
  const count = (grade: string): number => settled.flatMap((each) => each.findings).filter((each) => each.grade === grade).length;
  return {
    states: [{ name: 'the moon is full', guess: undefined, interactions: 1, place }],
    pacts: [
      {
        file: place.file,
        consumer: 'till',
        provider: 'things',
        contract,
        interactions,
        others: [{ description: 'an event', type: 'Asynchronous/Messages', place }],
      },
    ],
    skipped: [{ file: 'pacts/b.json', reason: 'it is not a pact' }],
    notes: ['w.yaml:2:5: the waiver of 0a0a0a-0b0b0b is unused: "holds" holds; remove it'],
    expectations: { total: 3 * interactions.length, guaranteed: 3 * interactions.length - settled.length, notCompared: 1 },
    count: {
      interactions: interactions.length,
      wrong: settled.filter((each) => each.findings.length > 0).length,
      impossible: count('impossible'),
      notGuaranteed: count('not-guaranteed'),
      pending: interactions.filter((each) => each.pending).flatMap((each) => each.findings).length,
      waived: 0,
    },
  };
}

const check = checkOf([interaction('holds', []), interaction('fails', [finding, impossible]), interaction('waits', [impossible], true)]);

describe('the terminal', () => {
  const text = renderTerminal(reportOfCheck(check), { decorated: false, reports: ['report.json'], exitCode: 1 });

  it('tells of each finding with both lines, the question and the witness', () => {
    expect(text.replaceAll('\n', ' ')).toContain(
      '3 interactions of 1 pact, 1 with findings: 1 impossible, 1 not guaranteed; 1 finding in pending interactions',
    );
    expect(text).toContain('till → things (Things 1.0.0)');
    expect(text).toContain('    pact       pacts/a.json:7:3\n    contract   api.yaml:5:1\n');
    expect(text).toContain('    question   no-a (§1): Is there an a?\n    allowed    {"a":null,"…":"1 more"}\n');
    expect(text).toContain('waits, given "a thing exists", pending  GET /things → 200');
    expect(text).toContain('an event: not checked (Asynchronous/Messages)');
    expect(text).toContain('pacts/b.json: it is not a pact');
    expect(text).toContain('Written: report.json.');
    expect(text).not.toContain('\u001b');
  });

  it('is short when nothing was found', () => {
    const good = renderTerminal(reportOfCheck(checkOf([interaction('holds', [])])), { decorated: false, exitCode: 0 });
    expect(good).toContain('1 interaction of 1 pact: the contract guarantees every expectation');
    expect(good).toContain('Empty texts and integers of more than 64 bits count only where a contract lists them.');
    expect(good).not.toContain('GET /things');
  });

  it('shows so many findings and counts the rest', () => {
    const many = Array.from({ length: 130 }, (_, index) => interaction(`no. ${index}`, [{ ...finding }]));
    expect(renderTerminal(reportOfCheck(checkOf(many)), { decorated: false })).toContain('and 10 more: see --report json=FILE');
  });

  it('has colours when they are wanted', () => {
    expect(renderTerminal(reportOfCheck(check), { decorated: true, exitCode: 1 })).toContain('\u001b[31m');
  });
});

describe('JSON', () => {
  it('follows its published schema', () => {
    expect(complaintsAboutReport('pact-check', JSON.parse(renderPactCheckJson(check)))).toEqual([]);
    expect(JSON.parse(renderPactCheckJson(check))).toMatchObject({ schema: 'touchstone-pact-check/1', holds: false, count: check.count });
  });

  it('holds every field of a finding', () => {
    const { pacts } = JSON.parse(renderPactCheckJson(check)) as { pacts: { interactions: { findings: object[] }[] }[] };
    expect(pacts[0]?.interactions[1]?.findings[0]).toEqual(finding);
    expect(Object.keys(pacts[0]?.interactions[1]?.findings[1] ?? {})).toEqual([
      'id',
      'fingerprint',
      'grade',
      'message',
      'pointer',
      'place',
    ]);
  });
});

describe('JUnit', () => {
  const text = renderJunit(reportOfCheck(check));

  it('has one case for each interaction', () => {
    expect(text).toContain('<testsuite name="till with things" tests="3" failures="1" errors="0" skipped="1">');
    expect(text.match(/<testcase /g)).toHaveLength(3);
    expect(text).toContain('name="fails (given a thing exists)"');
    expect(text).toContain('<skipped message="no key"/>');
    expect(text).not.toContain('<b>');
    expect(text).not.toContain('\u001b');
  });
});

describe('Markdown', () => {
  const text = renderMarkdown(reportOfCheck(check));

  it('tells of each interaction with findings', () => {
    expect(text).toContain('## Pacts: 3 interactions of 1 pact');
    expect(text).toContain(
      '| till → things (Things 1.0.0) | <code>pacts/a.json against api.yaml</code> | 1 of 3 interactions hold | 2 impossible | 1 not guaranteed |',
    );
    expect(text).toContain('**fails, given "a thing exists"**');
    expect(text).toContain('**waits, given "a thing exists", pending**');
    expect(text).not.toContain('**holds');
    expect(text).toContain('pact: `pacts/a.json:7:3`<br>\ncontract: `api.yaml:5:1`');
    expect(text).not.toContain('<b>');
    expect(text).not.toMatch(/ @someone/);
  });
});

describe('GitHub', () => {
  const lines = renderGithub(reportOfCheck(check)).trimEnd().split('\n');

  it('notes each finding at its line, errors first', () => {
    expect(lines.map((line) => line.split(/[ :]+/)[1])).toEqual(['error', 'warning', 'notice', 'notice', 'notice']);
    expect(lines[0]).toMatch(/^::error file=pacts\/a\.json,line=7,col=3,title=till%3A fails::finding: impossible: no key/);
    expect(lines.some((line) => line.startsWith('::error::'))).toBe(false);
  });
});
