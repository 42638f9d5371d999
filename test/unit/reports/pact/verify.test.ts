/** The reports of `pact verify`: what each format says, and that no text of a target or a consumer acts as markup. */

import { describe, expect, it } from 'vitest';
import type { InteractionResult, PactVerification } from '../../../../core/results/pact-verify-result.ts';
import { renderPactVerifyJson, reportOfPacts } from '../../../../reports/pact/pact-verify-report.ts';
import { renderGithub } from '../../../../reports/render-github-annotations.ts';
import { renderJunit } from '../../../../reports/render-junit.ts';
import { renderMarkdown } from '../../../../reports/render-markdown.ts';
import { renderTerminal } from '../../../../reports/render-terminal.ts';
import { complaintsAboutReport } from '../../../helpers/reports/report-schema.ts';
import { activeParts } from '../active-parts.ts';

const plain: InteractionResult = {
  consumer: 'shop',
  provider: 'things',
  contract: 'things',
  description: 'a thing',
  states: ['a thing exists'],
  place: { file: 'pacts/shop.json', line: 12, column: 5 },
  pending: false,
  verdict: 'passed',
  failures: [],
  notes: [],
  exchange: {
    request: { method: 'GET', target: '/things/1', headers: {} },
    response: { status: 200, headers: { etag: '"1"' }, body: '{}' },
  },
  curl: "curl -si 'http://127.0.0.1/things/1'",
};

/** A text with the special characters of every format. */
const hostile = '<b>&"\n::error::%0A|`@everyone`\u001b[31m]]>';

const failed: InteractionResult = {
  ...plain,
  description: `a thing ${hostile}`,
  verdict: 'failed',
  failures: [
    { kind: 'status', path: '', expected: '304', actual: '200', diagnosis: 'expected 304, got 200: the ETag was not honoured' },
    { kind: 'body', path: '$.thing.id', expected: hostile, actual: hostile },
  ],
  notes: ['the contract allows this response'],
};
const pending: InteractionResult = { ...failed, description: 'not yet', pending: true };
const { exchange: _exchange, curl: _curl, ...unsent } = plain;
const left: InteractionResult = {
  ...unsent,
  consumer: 'kiosk',
  description: 'no thing',
  verdict: 'not-exercised',
  reason: 'the target has no thing',
};

const result: PactVerification = {
  verdict: 'failed',
  exitCode: 1,
  target: 'http://127.0.0.1:4010',
  unavailable: [{ contract: 'others', reason: 'The target knows no others.' }],
  states: [
    { name: 'thing 5 does not exist', guess: 'no thing has id 5', interactions: 2, place: plain.place },
    { name: 'the moon is full', guess: undefined, interactions: 1, place: plain.place },
  ],
  interactions: [plain, failed, pending, left],
  required: 1,
  requests: 7,
  budget: 600,
  durationMs: 1234,
};

describe('a report of verified pacts', () => {
  it('says on a terminal what failed, what was left out, and how it ended', () => {
    const text = renderTerminal(reportOfPacts(result), { decorated: false, reports: ['all.json'], exitCode: 1 });
    expect(text).toContain('finding    status: expected 304, got 200: the ETag was not honoured\n    expected   304\n    actual     200\n');
    expect(text).toContain('Pending, failed\n  not yet (shop)\n');
    expect(text).toContain('Not exercised\n  no thing (kiosk): the target has no thing\n');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('"thing 5 does not exist": read as "no thing has id 5"; confirm it under states in');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('"the moon is full": unknown; give its meaning under states in');
    expect(text).toContain(
      '  shop with things   2 failed  0 not exercised  1 passed\n  kiosk with things  0 failed  1 not exercised  0 passed\n',
    );
    expect(text).toContain('7 of at most 600 requests in 1.2 s.\nWritten: all.json.\n');
    expect(text).toMatch(/Failed: 2 of 3 exercised interactions failed, and 1 of 4 was not exercised\. Exit code 1\.\n$/);
    expect(text).not.toContain('\u001b');
  });

  it('is valid as JSON', () => {
    const report = JSON.parse(renderPactVerifyJson(result)) as { readonly interactions: readonly object[] };
    expect(complaintsAboutReport('pact', report)).toEqual([]);
    expect(report).toMatchObject({ schema: 'touchstone-pact/1', count: { passed: 1, failed: 2, notExercised: 1 } });
    expect(report.interactions[3]).toMatchObject({ verdict: 'not-exercised', reason: 'the target has no thing' });
    expect(Object.keys(report.interactions[3] ?? {})).not.toContain('exchange');
    const wrong = { ...report, interactions: [{ ...report.interactions[1], failures: [] }] };
    expect(complaintsAboutReport('pact', wrong)).not.toEqual([]);
  });

  it('is a suite for each pact in JUnit, where what is pending or left out is skipped', () => {
    const text = renderJunit(reportOfPacts(result));
    expect(text).toContain('<testsuites name="touchstone pact verify" tests="4" failures="1" errors="0" time="1.234">');
    expect(text).toContain('<testsuite name="shop with things" tests="3" failures="1" errors="0" skipped="1">');
    expect(text).toContain('<testcase classname="shop.things" name="a thing (given a thing exists)"/>');
    expect(text).toContain('<skipped message="not exercised: the target has no thing"/>');
    expect(text).toContain('<skipped message="pending, failed: status: expected 304, got 200');
    for (const piece of ['<b>', ']]>', '\u001b']) expect(text).not.toContain(piece);
  });

  it('is a comment in Markdown that names nobody', () => {
    const text = renderMarkdown(reportOfPacts(result));
    expect(text).toMatch(/^## Pacts: Failed: 2 of 3 exercised interactions failed/);
    expect(text).toContain(
      '| shop with things | 2 failed | 0 not exercised | 1 passed |\n| kiosk with things | 0 failed | 1 not exercised | 0 passed |',
    );
    expect(text).toContain('finding: status: expected 304, got 200: the ETag was not honoured\n\nExpected: `304`<br>\nActual: `200`');
    expect(text).toContain('- no thing (kiosk): the target has no thing');
    for (const piece of ['<b>', '@everyone', '\u001b']) expect(activeParts(text)).not.toContain(piece);
  });

  it('is one command for each failure at GitHub, whatever the texts hold', () => {
    const lines = renderGithub(reportOfPacts(result)).trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['::error', '::error', '::warning', '::notice', '::notice']);
    expect(lines[0]).toMatch(/^::error file=pacts\/shop\.json,line=12,col=5,title=shop%3A a thing /);
    expect(lines[3]).toContain('kiosk%3A no thing was not exercised::the target has no thing');
  });
});
