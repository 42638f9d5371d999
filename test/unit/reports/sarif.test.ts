/** The report as SARIF: what the standard requires, each check a rule, each violation a result at the contract's line. */

import { describe, expect, it } from 'vitest';
import type { CheckResult, RunResult } from '../../../core/results/run-result.ts';
import { reportOfComparison } from '../../../reports/diff/diff-report.ts';
import { renderSarif } from '../../../reports/render-sarif.ts';
import { reportOfRun } from '../../../reports/verify/verify-report.ts';
import { changeOf, comparisonOf, hostile, mildOf } from '../../helpers/reports/sample-comparisons.ts';
import { checkOf, counterexample, resultOf, violationOf } from '../../helpers/reports/sample-results.ts';
import { hostileRun, hugeRun, mixedRun, runs, waivedOf } from '../../helpers/reports/sample-runs.ts';
import { complaintsAboutSarif } from '../../helpers/reports/sarif-schema.ts';

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string; readonly help: { readonly text: string } }[] } };
  readonly results: readonly Record<string, unknown>[];
}

const parse = (result: RunResult): unknown => JSON.parse(renderSarif(reportOfRun(result)));
const runOf = (result: RunResult): Run => {
  const [run] = (parse(result) as { readonly runs: readonly Run[] }).runs;
  if (run === undefined) throw new Error('a log has a run');
  return run;
};
const uriOf = (check: CheckResult): unknown =>
  JSON.parse(JSON.stringify(runOf(resultOf({ checks: [check] })).results[0])).locations[0].physicalLocation.artifactLocation.uri;
const inFile = (file: string): CheckResult => violationOf({ counterexample: { ...counterexample, clause: { file, line: 1, column: 1 } } });

describe('the log', () => {
  it.each(runs)('is what the standard requires: %s', (_, result) => {
    expect(complaintsAboutSarif(parse(result))).toEqual([]);
  });

  it.each([['diff', reportOfComparison(comparisonOf([changeOf(), mildOf('risky')]))]] as const)(
    'is what the standard requires for every command: %s',
    (_, items) => {
      expect(complaintsAboutSarif(JSON.parse(renderSarif(items)))).toEqual([]);
    },
  );

  it('names the version of the tool', () => {
    const { tool } = runOf(mixedRun());
    const { toolVersion } = mixedRun();
    expect(tool.driver).toMatchObject({ version: toolVersion, semanticVersion: toolVersion });
    // An address that nobody owns would lead readers to whoever registers it.
    expect(tool.driver).not.toHaveProperty('informationUri');
  });

  it('is refused by the test without its essentials', () => {
    const good = parse(mixedRun()) as { readonly runs: readonly object[] };
    expect(complaintsAboutSarif({ ...good, version: '2.0.0' })).not.toEqual([]);
    expect(complaintsAboutSarif({ ...good, runs: [{ ...good.runs[0], tool: {} }] })).not.toEqual([]);
    expect(complaintsAboutSarif({ ...good, runs: [{ ...good.runs[0], results: [{ ruleId: 'a' }] }] })).not.toEqual([]);
  });

  it('has a rule for each check, with a help that tells how a server gets it wrong', () => {
    const { rules } = runOf(mixedRun()).tool.driver;
    expect(rules.map(({ id }) => id)).toEqual([
      'filters/complete',
      'filters/sound',
      'order/within',
      'order/across',
      'doubt/inconclusive',
      'doubt/blocked',
      'doubt/not-testable',
    ]);
    expect(rules[0]?.help.text.split('\n')).toEqual([
      'Every record of a filtered list satisfies every filter.',
      'Stated by notes.yaml:31:9.',
      'A server gets it wrong when:',
      '- tag were ignored',
      '- case were ignored',
      'Run touchstone explain filters/complete for more.',
    ]);
  });

  it('has a result for each violation, and suppresses what is waived', () => {
    const { results, tool } = runOf(mixedRun());
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({
      ruleId: 'filters/sound',
      level: 'error',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'notes.yaml', uriBaseId: '%SRCROOT%' }, region: { startLine: 31, startColumn: 9 } },
          logicalLocations: [{ fullyQualifiedName: 'listNotes' }],
        },
      ],
      partialFingerprints: { 'finding/v1': '2032b9-2a1073' },
    });
    expect(results[0]).not.toHaveProperty('suppressions');
    expect(results[1]).toMatchObject({
      suppressions: [{ kind: 'external', status: 'accepted', justification: 'Known since spring (until 2026-12-31)' }],
    });
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[Number(ruleIndex)]?.id).toBe(ruleId);
  });

  it('names files by references that lead into a checkout, or to the machine', () => {
    expect(uriOf(inFile('specs/my api%.yaml'))).toBe('specs/my%20api%25.yaml');
    expect(uriOf(inFile('/srv/api.yaml'))).toBe('file:///srv/api.yaml');
    expect(uriOf(inFile('C:\\api\\api.yaml'))).toBe('file:///C:/api/api.yaml');
    expect(uriOf(inFile('node_modules/touchstone/specs/wiki.openapi.yaml'))).toBe(resultOf({}).target);
  });

  it('has no character that a viewer acts on, and the same bytes each time', () => {
    const text = JSON.stringify(parse(hostileRun()));
    expect(text.replaceAll('\\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(text).toContain(JSON.stringify(hostile.slice(0, 30)).slice(1, -1));
    expect(renderSarif(reportOfRun(mixedRun()))).toBe(renderSarif(reportOfRun(mixedRun())));
  });

  it('gives two causes of one rule results of their own', () => {
    const { results } = runOf(
      resultOf({ checks: [violationOf(), violationOf({ operation: 'other', subject: 'colour' }), waivedOf(), checkOf()] }),
    );
    expect(new Set(results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints))).size).toBe(3);
  });

  it('stays bounded, however long a walk is', () => {
    expect(renderSarif(reportOfRun({ ...hugeRun(1, 'x'.repeat(5000)), notes: [] })).length).toBeLessThan(130_000);
  });
});
