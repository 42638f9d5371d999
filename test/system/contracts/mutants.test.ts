/** Rules report mutants of the mock that name them, with evidence. The campaign `mutants`, which `.ci/run` runs, judges every mutant. */

import { expect, test } from 'vitest';
import { allMutants, diagnoses, judgeByNamedRule, kindOf, mutantsOfRules } from '../../helpers/mutants.ts';

test.each(mutantsOfRules().map((mutant) => [mutant.rule, mutant.id, mutant] as const))(
  '%s reports %s',
  { timeout: 60_000 },
  async (_rule, _id, mutant) => {
    expect(await judgeByNamedRule(mutant)).toEqual([]);
  },
);

test('every diagnosis that is written down is of a kind that there is', () => {
  const kinds = new Set(allMutants.map(kindOf));
  expect([...diagnoses.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
});
