/** Tests that each kind of fault of the mock is reported by the law that it names, with evidence, and with the diagnosis where it is written here. */

import { expect, test } from 'vitest';
import { allFaults, faultsOfGroups, judgeFault, kindOf, lacksOf, sendersFor, violationsOf } from '../../helpers/faults.ts';

/** What a law says of a fault, behind “It behaves as if”. */
const diagnoses: ReadonlyMap<string, string> = new Map([
  ['business missing-key-accepted', 'a request without a key were enough'],
  ['business empty-key-accepted', 'an empty key were enough'],
  ['business unknown-key-accepted', 'a key that was never issued were enough'],
  ['business expired-key-accepted', 'an expired key were enough'],
  ['business carrier-ignored', 'a key in the header X-SERVICE-API-Key were not read'],
  ['business scope-unchecked', 'a key without the scope identity were enough'],
  ['business unchanged-before-key', 'a current tag were enough with no key'],
  ['business foreign-record-shown', "everybody's records could be read by id"],
  ['business foreign-record-told', 'a record of another tenant were answered otherwise than one that does not exist'],
  ['business foreign-record-unchanged', 'the tag of a foreign record were enough'],
  ['business foreign-records-listed', 'the list were of all tenants'],
  ['business foreign-records-filtered', 'filters widened the list to all tenants'],
  ['business foreign-cursor-accepted', 'a cursor opened the list of the one that it was made for'],
  ['business tag-missing', 'successes had no tag'],
  ['business unchanged-never', 'If-None-Match were not read'],
  ['business unchanged-other-tag', 'a 304 showed another tag than the current one'],
  ['business unchanged-always', 'every conditional read were answered with 304'],
  ['business tag-constant', 'all records had one tag'],
  ['business tag-by-version', 'the tag were made of the moment of the last change alone'],
  ['business tag-per-answer', 'each answer had a tag of its own'],
  ['business absent-as-unchanged', 'a record that does not exist had not changed'],
  ['business invalid-as-unchanged', 'a tag were looked at before the request'],
]);

/** Tests the first place of each kind of fault that names a law of these groups. */
export function testMockFaults(...groups: readonly string[]): void {
  test.each(faultsOfGroups(...groups).map((fault) => ({ ...fault, fault })))(
    '$contract $id breaks $law',
    { timeout: 60_000 },
    async ({ fault }) => {
      const result = await judgeFault(fault, [fault.law, ...sendersFor(fault)]);
      const violations = violationsOf(result, fault.law);
      expect(violations.length, result.unavailable ?? JSON.stringify(result.laws.map(({ id, message }) => [id, message]))).toBeGreaterThan(
        0,
      );
      expect(violations.flatMap(lacksOf)).toEqual([]);
      const diagnosis = diagnoses.get(kindOf(fault));
      if (diagnosis !== undefined) expect(violations[0]?.diagnosis).toBe(`It behaves as if ${diagnosis}`);
      expect(result.exitCode).toBe(1);
    },
  );
}

/** The diagnoses of kinds that are no kinds of faults. */
export function strayDiagnoses(): readonly string[] {
  const kinds = new Set(allFaults.map(kindOf));
  return [...diagnoses.keys()].filter((kind) => !kinds.has(kind));
}
