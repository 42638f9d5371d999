/** JUnit XML: well-formed whatever the files hold, and each change is a test case with a name of its own. */

import { describe, expect, it } from 'vitest';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { changeLevels } from '../../../../core/results/diff-result.ts';
import { reportOfComparison } from '../../../../reports/diff/diff-report.ts';
import { renderJunit } from '../../../../reports/render-junit.ts';
import { complaintsAboutJunit } from '../../../helpers/reports/junit-schema.ts';
import { changeOf, comparisonOf, hostile, hostileComparison, kinds, mildOf } from '../../../helpers/reports/sample-comparisons.ts';
import { type Element, elementsOf, readMarkup } from '../../../helpers/reports/strict-markup.ts';

const read = (comparison: ContractComparison): Element => readMarkup(renderJunit(reportOfComparison(comparison)));
const casesOf = (comparison: ContractComparison): readonly Element[] => elementsOf(read(comparison), 'testcase');

describe('the report as XML of JUnit', () => {
  it.each(kinds)('is well-formed and counts what it holds: %s', (_, comparison) => {
    const root = read(comparison);
    for (const name of ['testsuites', 'testsuite']) {
      expect(elementsOf(root, name)[0]?.attributes).toMatchObject({
        tests: String(elementsOf(root, 'testcase').length),
        failures: String(elementsOf(root, 'failure').length),
      });
    }
    expect(elementsOf(root, 'testsuite')[0]?.attributes['skipped']).toBe(String(elementsOf(root, 'skipped').length));
    expect(elementsOf(root, 'testcase')).toHaveLength(comparison.changes.length + comparison.accepted.length);
    expect(elementsOf(root, 'failure')).toHaveLength(comparison.count.security + comparison.count.breaking);
  });

  it('follows the schema', async () => {
    const texts = kinds.map(([, comparison]) => renderJunit(reportOfComparison(comparison)));
    expect(await complaintsAboutJunit(...texts)).toEqual([]);
  });

  it('names a case by its operation, its rule and its place', () => {
    const change = changeOf({ operation: undefined, operations: [], location: '', id: 'contract/server-removed' });
    const names = casesOf(comparisonOf([changeOf(), change])).map(({ attributes }) => [attributes['classname'], attributes['name']]);
    expect(names).toEqual([
      ['GET /things', 'response-body/enum-value-added response 200, items[].state'],
      ['contract', 'contract/server-removed'],
    ]);
  });

  it('tells cases of one name apart by their fingerprints', () => {
    const changes = [
      changeOf({ fingerprint: 'aaaaaaaaaaaa' }),
      changeOf({ fingerprint: 'bbbbbbbbbbbb' }),
      changeOf({ location: 'elsewhere' }),
    ];
    expect(casesOf(comparisonOf(changes)).map(({ attributes }) => attributes['name'])).toEqual([
      'response-body/enum-value-added response 200, items[].state (aaaaaaaaaaaa)',
      'response-body/enum-value-added response 200, items[].state (bbbbbbbbbbbb)',
      'response-body/enum-value-added elsewhere',
    ]);
  });

  it('fails what breaks, with the witness, and passes the rest', () => {
    const cases = casesOf(comparisonOf(changeLevels.slice(1).map((level) => (level === 'breaking' ? changeOf() : mildOf(level)))));
    expect(cases.map((each) => elementsOf(each, 'failure').length)).toEqual([1, 0, 0, 0]);
    const [failure] = cases.flatMap((each) => elementsOf(each, 'failure'));
    expect(failure?.attributes).toEqual({ message: 'The value "archived" was added to the enum.', type: 'response-body/enum-value-added' });
    expect(failure?.text).toContain(`curl -si -H 'accept: application/json' "$BASE_URL/things?limit=2"\nHTTP 200\n`);
    expect(failure?.text).toContain('The old contract rejects /items/1/state = "archived" because of enum');
  });

  it('skips what was accepted, with the reason', () => {
    const accepted = [{ change: changeOf(), reason: 'Nobody "reads" it', expires: '2026-12-31' }];
    const [skipped] = casesOf(comparisonOf([], { accepted })).flatMap((each) => elementsOf(each, 'skipped'));
    expect(skipped?.attributes).toEqual({ message: 'accepted: Nobody "reads" it (until 2026-12-31)' });
  });

  it('writes what XML cannot hold as escapes, and keeps the rest of a text', () => {
    const [failure] = elementsOf(read(hostileComparison()), 'failure');
    expect(failure?.attributes['message']).toContain(
      '\\u001b[2J\\u0007\\u0000\\u009b\\u202e\\u2028\\ud800 \\u{fffe}\\u000d\\u000asecond line',
    );
    expect(failure?.attributes['message']).toContain(hostile.slice(0, 40));
    expect(failure?.attributes['message']).toContain('😀');
  });

  it('keeps the name of the suite from version to version', () => {
    const suite = elementsOf(read(comparisonOf()), 'testsuite')[0];
    expect(suite?.attributes['name']).toBe('Things');
  });
});
