/** Each rule reports the mutants of the mock that name it, with evidence: one run for each rule. The campaign `mutants` judges each mutant by itself. */

import { expect, test } from 'vitest';
import { allMutants, diagnoses, judgeByNamedRule, kindOf, mutantsByRule } from '../../helpers/mutants.ts';

test.each([...mutantsByRule()].map(([rule, mutants]) => [rule, mutants.map(({ id }) => id).join(', '), mutants] as const))(
  '%s reports %s',
  { timeout: 60_000 },
  async (_, _ids, [first, ...others]) => {
    expect(first === undefined ? ['no mutant'] : await judgeByNamedRule([first, ...others])).toEqual([]);
  },
);

test('every diagnosis that is written down is of a kind that there is', () => {
  const kinds = new Set(allMutants.map(kindOf));
  expect([...diagnoses.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
});
