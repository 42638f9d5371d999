/** The JSON report matches its published schema for every kind of result, and the schema refuses what is no report. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { renderJson } from '../../../../reports/verify/verify-json.ts';
import { complaintsAbout, complaintsAboutLater } from '../../../helpers/reports/report-schema.ts';
import { checkOf, gapOf, resultOf, violationOf } from '../../../helpers/reports/sample-results.ts';

const parse = (result: RunResult): JsonObject => JSON.parse(renderJson(result)) as JsonObject;
const runIn = (report: JsonObject): JsonObject => (report['runs'] as readonly JsonObject[])[0] ?? {};
const reportOf = (run: JsonObject): JsonObject => ({ schema: 'touchstone-verify/4', exitCode: 0, runs: [run] });

const observation = { id: 'order', question: 'In which order?', source: '§4', answers: ['by-title'], evidence: 'Two pages were in it' };

const { diagnosis: _, ...undiagnosed } = violationOf();

const kinds: readonly (readonly [string, RunResult])[] = [
  ['nothing found', resultOf()],
  ['violations', resultOf({ verdict: 'violated', exitCode: 1, checks: [violationOf(), checkOf()] })],
  ['a violation that no mutant explains', resultOf({ verdict: 'violated', exitCode: 1, checks: [undiagnosed] })],
  ['gaps', resultOf({ verdict: 'not-exercised', exitCode: 4, checks: [gapOf('order/across', 'listNotes', 'two pages')] })],
  [
    'keys that lack, data that moved, and what was not available',
    resultOf({
      verdict: 'blocked',
      exitCode: 3,
      checks: (['not-testable', 'inconclusive', 'blocked'] as const).map((verdict) =>
        checkOf({ verdict, instances: 0, killed: [], message: 'Why' }),
      ),
    }),
  ],
  ['an unavailable target', resultOf({ verdict: 'blocked', exitCode: 3, unavailable: 'Nothing listens there.', checks: [] })],
  ['a command line in CI', resultOf({ command: 'touchstone verify notes', commit: '0123456789abcdef' })],
  ['an interrupted run', resultOf({ verdict: 'inconclusive', exitCode: 130, requests: 0 })],
  ['observations', resultOf({ observations: [observation, { ...observation, answers: [], evidence: '' }] })],
];

describe('the report in JSON', () => {
  it.each(kinds)('of %s is valid', (_, result) => {
    expect(complaintsAbout(parse(result))).toEqual([]);
  });

  it('holds everything of the result, as it is', () => {
    const result = resultOf({ verdict: 'violated', exitCode: 1, checks: [violationOf(), checkOf()], observations: [observation] });
    expect(parse(result)).toEqual({ schema: 'touchstone-verify/4', exitCode: 1, runs: [result] });
    expect(Object.keys(runIn(parse(result)))).not.toContain('unavailable');
  });

  it('ends with a line break and is the same each time', () => {
    expect(renderJson(resultOf())).toMatch(/\}\n$/);
    expect(renderJson(resultOf())).toBe(renderJson(resultOf()));
  });
});

describe('the schema of the report', () => {
  const report = parse(resultOf({ verdict: 'violated', exitCode: 1, checks: [violationOf(), checkOf()], observations: [observation] }));
  const good = runIn(report);
  const [violation = {}, held = {}] = good['checks'] as readonly JsonObject[];
  const withCheck = (check: Json): JsonObject => ({ ...good, checks: [check] });
  const wrong: readonly (readonly [string, JsonObject])[] = [
    ['another exit code', { ...good, exitCode: 2 }],
    ['a verdict that is none', { ...good, verdict: 'passed' }],
    ['half a request', { ...good, requests: 1.5 }],
    ['an empty reason', { ...good, unavailable: '' }],
    ['a check without a group', withCheck({ ...held, rule: 'sound' })],
    [
      'a violation without a counterexample',
      withCheck(Object.fromEntries(Object.entries(violation).filter(([name]) => name !== 'counterexample'))),
    ],
    ['a check that holds and has a counterexample', withCheck({ ...violation, verdict: 'holds', message: '' })],
    ['a check that holds without having killed anything', withCheck({ ...held, killed: [] })],
    ['a check that holds and says why it does not', withCheck({ ...held, message: 'Why' })],
    ['a check that was not exercised, and nothing on why', withCheck({ ...held, verdict: 'not-exercised' })],
    ['an alive mutant without what is missing', withCheck({ ...held, alive: [{ id: 'a', title: 'b' }] })],
    [
      'a counterexample without a command line',
      withCheck({ ...violation, counterexample: { ...(violation['counterexample'] as JsonObject), curl: [] } }),
    ],
    ['an observation that answers with a word alone', { ...good, observations: [{ ...observation, answers: 'by-title' }] }],
  ];

  it.each(wrong)('refuses %s', (_, run) => {
    expect(complaintsAbout(reportOf(run))).not.toEqual([]);
  });

  it('refuses another version, and requires every member of a report', () => {
    expect(complaintsAbout({ ...report, schema: 'touchstone-verify/1' })).not.toEqual([]);
    for (const key of Object.keys(report))
      expect(complaintsAbout(Object.fromEntries(Object.entries(report).filter(([name]) => name !== key))), key).not.toEqual([]);
  });

  it.each(Object.keys(good))('requires %s of a run', (key) => {
    expect(complaintsAbout(reportOf(Object.fromEntries(Object.entries(good).filter(([name]) => name !== key))))).not.toEqual([]);
  });

  it.each(Object.keys(violation).filter((name) => name !== 'fingerprint' && name !== 'diagnosis'))('requires %s of a check', (key) => {
    expect(
      complaintsAbout(reportOf(withCheck(Object.fromEntries(Object.entries(violation).filter(([name]) => name !== key))))),
    ).not.toEqual([]);
  });

  it.each([
    ['of a run', { ...good, surplus: 1 }],
    ['of a check', withCheck({ ...violation, surplus: 1 })],
    ['of a mutant', withCheck({ ...held, killed: [{ id: 'a', title: 'b', surplus: 1 }] })],
    ['of a counterexample', withCheck({ ...violation, counterexample: { ...(violation['counterexample'] as JsonObject), surplus: 1 } })],
  ])('lists every member that a report has: a test finds a surplus one %s', (_, run) => {
    expect(complaintsAbout(reportOf(run))).toContainEqual(expect.stringContaining('"surplus"'));
  });

  it('takes fields that a later version adds', () => {
    expect(
      complaintsAboutLater('verify', { ...reportOf({ ...good, waived: 3, checks: [{ ...violation, group: 'filters' }] }), more: 1 }),
    ).toEqual([]);
  });
});
