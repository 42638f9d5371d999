/** Results as a test runner shows them, and names of the tests. */

import { describe, expect, it } from 'vitest';
import { judgeSuiteTest, listSuiteTests } from '../../../../contracts/vitest/checks-as-tests.ts';
import { loadUncheckedContract } from '../../../../core/openapi/contract.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { checkOf, gapOf, violationOf } from '../../../helpers/reports/sample-results.ts';

describe('the names of checks', () => {
  it('depend only on the contract and the patterns, and are unique', async () => {
    const contract = await loadUncheckedContract(contractFile('wiki'));
    const [all, again, some] = [
      listSuiteTests(contract),
      listSuiteTests(contract),
      listSuiteTests(contract, { only: ['pages/*'], skip: ['pages/total'] }),
    ];
    expect(all.map(({ name }) => name)).toEqual(again.map(({ name }) => name));
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all).toContainEqual({ name: 'details/agree in getEntry', rule: 'details/agree', operation: 'getEntry' });
    expect(some.map(({ rule }) => rule)).toEqual(
      all.map(({ rule }) => rule).filter((rule) => rule.startsWith('pages/') && rule !== 'pages/total'),
    );
    expect(() => listSuiteTests(contract, { only: ['pagse/total'] })).toThrow('did you mean pages/total?');
  });
});

describe('a result', () => {
  it('that holds passes', () => {
    expect(judgeSuiteTest(checkOf())).toEqual({ kind: 'passed', message: '' });
  });

  it('that is violated fails with the counterexample: expected and actual value, clause, command line', () => {
    const { kind, message } = judgeSuiteTest(violationOf());
    const shown = violationOf().counterexample;
    expect(kind).toBe('failed');
    for (const text of [shown?.expected, shown?.actual, shown?.clause.file, ...(shown?.curl ?? [])])
      expect(message).toContain(text ?? 'no text');
    expect(message).toMatch(/^Violated: .+\nexpected {2}.+\nactual {4}.+\ndiagnosis .+\ncontract {2}.+:\d+:\d+.*\ntry {7}curl /);
  });

  it('that is violated and waived is skipped with the reason', () => {
    expect(judgeSuiteTest({ ...violationOf(), waiver: { reason: 'known as BUG-7' } })).toEqual({
      kind: 'skipped',
      message: 'waived: known as BUG-7',
    });
  });

  it('without evidence is skipped with the missing data, and a blocked one fails', () => {
    expect(judgeSuiteTest(gapOf('filters/union', 'listNotes', 'two values'))).toEqual({
      kind: 'skipped',
      message: 'not-exercised: The data lacks two values',
    });
    const other = (verdict: 'not-testable' | 'inconclusive' | 'blocked'): string =>
      judgeSuiteTest(checkOf({ verdict, message: 'a reason' })).kind;
    expect([other('not-testable'), other('inconclusive'), other('blocked')]).toEqual(['skipped', 'skipped', 'failed']);
  });
});
