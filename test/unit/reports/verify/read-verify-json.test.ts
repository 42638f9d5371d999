/** JSON reports are read back to the same result, or refused with the place of the mistake. */

import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { readJsonReport, renderJson } from '../../../../reports/verify/verify-json.ts';
import { complaintsAbout } from '../../../helpers/reports/report-schema.ts';
import { checkOf, gapOf, resultOf, violationOf } from '../../../helpers/reports/sample-results.ts';
import { mixedRun } from '../../../helpers/reports/sample-runs.ts';

describe('a report', () => {
  test.each<readonly [string, RunResult]>([
    ['that holds', resultOf()],
    [
      'with everything',
      resultOf({
        verdict: 'violated',
        exitCode: 1,
        cutShort: 'budget',
        notes: ['a note'],
        checks: [
          violationOf(),
          violationOf({ rule: 'filters/union', waiver: { reason: 'known', expires: '2026-12-31' } }),
          violationOf({ rule: 'filters/values', waiver: { reason: 'known' } }),
          gapOf('pages/echo', 'listNotes', 'two pages'),
          checkOf(),
        ],
        observations: [{ id: 'q', question: 'What?', source: '1', answers: ['a'], evidence: 'seen' }],
      }),
    ],
    ['of nothing', resultOf({ verdict: 'blocked', exitCode: 3, unavailable: 'Nothing listens', checks: [] })],
  ])('%s comes back as it was, and is valid', async (_, result) => {
    const text = renderJson(result);
    expect(complaintsAbout(JSON.parse(text))).toEqual([]);
    expect(await readJsonReport('r.json', text)).toEqual([result]);
  });

  test('of several runs has the exit code of the worst, and all come back', async () => {
    const runs = [resultOf({ checks: [checkOf({ durationMs: 12 })] }), mixedRun()];
    const text = renderJson(...runs);
    expect(complaintsAbout(JSON.parse(text))).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ schema: 'touchstone-verify/4', exitCode: 1, runs: [{ exitCode: 0 }, { exitCode: 1 }] });
    expect(await readJsonReport('r.json', text)).toEqual(runs);
    await expect(readJsonReport('r.json', '{"schema":"touchstone-verify/4","exitCode":0,"runs":[]}')).rejects.toThrow('r.json:1:');
  });

  test.each([
    ['{}', 'r.json:1:1: this is not a report of touchstone verify, or it is from another version; write one with --report json=FILE'],
    ['{', 'r.json:1:'],
    ['[]', 'r.json:1:1'],
    [renderJson(resultOf()).replace('"holds"', '"hold"'), 'r.json:6:7: runs.0.verdict must be one of "violated"'],
    [renderJson(resultOf()).replace('"instances": 3', '"instances": -3'), 'runs.0.checks.0.instances must be >= 1; found -3'],
    [renderJson(resultOf()).replace('"seed": 7,', ''), "runs.0 must have required property 'seed'"],
  ])('that is none is refused at its line: %#', async (text, message) => {
    await expect(readJsonReport('r.json', text)).rejects.toThrow(message);
  });

  test('waives nothing but violations', () => {
    expect(complaintsAbout(JSON.parse(renderJson(resultOf({ checks: [checkOf({ waiver: { reason: 'x' } })] }))))).not.toEqual([]);
  });
});
