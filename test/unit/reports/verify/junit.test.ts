/** JUnit XML: well-formed whatever a target sends, one case for each check at each operation, and no failed run looks passed. */

import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { renderJunit } from '../../../../reports/render-junit.ts';
import { reportOfRun } from '../../../../reports/verify/verify-report.ts';
import { nameOfRun } from '../../../../reports/verify/verify-sentences.ts';
import { complaintsAboutJunit } from '../../../helpers/reports/junit-schema.ts';
import { checkOf, counterexample, resultOf } from '../../../helpers/reports/sample-results.ts';
import { hostileRun, hugeRun, mixedRun, runs } from '../../../helpers/reports/sample-runs.ts';
import { type Element, elementsOf, readMarkup } from '../../../helpers/reports/strict-markup.ts';

const read = (result: RunResult): Element => readMarkup(renderJunit(reportOfRun(result)));
const casesOf = (result: RunResult): readonly Element[] => elementsOf(read(result), 'testcase');

describe('the report as XML of JUnit', () => {
  it.each(runs)('is well-formed and counts what it holds: %s', (_, result) => {
    const root = read(result);
    const [all] = elementsOf(root, 'testsuites');
    const suites = elementsOf(root, 'testsuite');
    for (const suite of [...(all === undefined ? [] : [all]), ...suites]) {
      expect(suite.attributes).toMatchObject({
        tests: String(elementsOf(suite, 'testcase').length),
        failures: String(elementsOf(suite, 'failure').length),
        errors: String(elementsOf(suite, 'error').length),
      });
    }
    for (const suite of suites) expect(suite.attributes['skipped']).toBe(String(elementsOf(suite, 'skipped').length));
    const broken = result.exitCode === 0 || result.exitCode === 1 ? 0 : 1;
    expect(elementsOf(root, 'testcase')).toHaveLength(result.checks.length + broken);
    expect(elementsOf(root, 'error')).toHaveLength(broken);
  });

  it('follows the schema', async () => {
    expect(await complaintsAboutJunit(...runs.map(([, result]) => renderJunit(reportOfRun(result))))).toEqual([]);
  });

  it('has the suites of several runs, each named by its contract, or by its target where contracts are the same', async () => {
    const runs = [mixedRun(), { ...mixedRun(), target: 'http://b' }];
    const text = renderJunit(...runs.map((run) => reportOfRun(run, nameOfRun(run, runs))));
    expect(await complaintsAboutJunit(text)).toEqual([]);
    const names = elementsOf(readMarkup(text), 'testsuite').map(({ attributes }) => attributes['name']);
    expect(new Set(names).size).toBe(4);
    expect(names.at(-1)).toBe('notes at http://b: getNote');
  });

  it('has the time of each case and of its suite', async () => {
    const text = renderJunit(
      reportOfRun(
        resultOf({
          checks: [checkOf({ durationMs: 1234 }), checkOf({ rule: 'order/within', durationMs: 6 }), checkOf({ operation: 'getNote' })],
        }),
      ),
    );
    const root = readMarkup(text);
    expect(elementsOf(root, 'testcase').map(({ attributes }) => attributes['time'])).toEqual(['1.234', '0.006', undefined]);
    expect(elementsOf(root, 'testsuite').map(({ attributes }) => attributes['time'])).toEqual(['1.240', undefined]);
    expect(await complaintsAboutJunit(text)).toEqual([]);
  });

  it('is refused with a member of another dialect', async () => {
    const text = renderJunit(reportOfRun(mixedRun()));
    expect(await complaintsAboutJunit(text.replace('<testsuite ', '<testsuite assertions="3" '))).toEqual([
      expect.stringContaining("'assertions'"),
    ]);
  });

  it('names a suite by its operation and a case by its check', () => {
    const suites = elementsOf(read(mixedRun()), 'testsuite').map(({ attributes }) => attributes['name']);
    expect(suites).toEqual(['notes: listNotes', 'notes: getNote']);
    expect(casesOf(mixedRun())[1]?.attributes).toEqual({
      classname: 'listNotes',
      name: 'filters/sound',
    });
  });

  it('fails a violation with the counterexample', () => {
    const [failure] = elementsOf(read(mixedRun()), 'failure');
    expect(failure?.attributes).toEqual({
      message: 'listNotes with tag=red gives only records that satisfy it; it gives id 4, which does not',
      type: 'filters/sound',
    });
    expect(failure?.text.split('\n')).toEqual([
      'Every record of a filtered list satisfies every filter',
      'expected: listNotes with tag=red gives only records that satisfy it',
      'actual: it gives id 4, which does not',
      'diagnosis: The server behaves as if tag were ignored',
      'contract: notes.yaml:31:9 (stated)',
      'accept as: 2032b9-2a1073',
      `curl -si --path-as-is -H "x-key: $FULL_KEY" 'http://127.0.0.1:8080/notes?tag=red'`,
      '200 OK',
      '{"data":[{"id":4}]}',
      'curl -si -H "x-key: $FULL_KEY" http://x/notes/4',
      '200 OK',
      '{"id":4,"tags":["blue"]}',
      'Affected records: 1:',
      ...JSON.stringify(counterexample.records[0], undefined, 2).split('\n'),
    ]);
  });

  it('skips what is waived or could not be shown, with the reason', () => {
    const skipped = casesOf(mixedRun()).flatMap((each) =>
      elementsOf(each, 'skipped').map(({ attributes }) => [each.attributes['name'], attributes['message']]),
    );
    expect(skipped).toEqual([
      ['order/within', 'waived: Known since spring (until 2026-12-31)'],
      ['doubt/inconclusive', 'inconclusive: The data changed: id 4 came back'],
      ['doubt/blocked', 'blocked: getNote is not available (503)'],
      ['doubt/not-testable', 'not testable: a key of another tenant: --key other=VARIABLE'],
      ['order/across', 'not exercised: The data lacks two pages'],
    ]);
  });

  it('has an error for a run that could not judge, with the reason', () => {
    const result = resultOf({ verdict: 'blocked', exitCode: 3, unavailable: 'Nothing listens there.', checks: [] });
    const [error] = elementsOf(read(result), 'error');
    expect(error?.attributes).toEqual({ message: 'Blocked: the target could not be checked', type: 'exit code 3' });
    expect(error?.text).toBe('Nothing listens there.');
  });

  it('writes what XML cannot hold as escapes, and keeps the rest of a text', () => {
    const [failure] = elementsOf(read(hostileRun()), 'failure');
    expect(failure?.text).toContain('\\u001b[2J\\u0007\\u0000\\u009b\\u202e\\u2028\\ud800 \\u{fffe}\\u000d\\u000asecond line');
    expect(failure?.text).toContain(']]><!-- -->');
  });

  it('stays bounded, however long a walk is', () => {
    expect(renderJunit(reportOfRun({ ...hugeRun(1, 'x'.repeat(5000)), notes: [] })).length).toBeLessThan(70_000);
  });
});
