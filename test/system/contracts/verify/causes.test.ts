/** Causes of whole runs: one mistake is one cause, named by the rule of the mutant; two are two. The campaign `causes` judges the larger API too. */

import { expect, it } from 'vitest';
import { judgeMock } from '../../../helpers/judged-servers.ts';
import { allMutants, judgeMutants } from '../../../helpers/mutants.ts';

/** The rules that name the causes of a run against a mock with these mutants. */
async function causesOf(contract: string, ...ids: readonly string[]): Promise<readonly string[]> {
  const mutants = allMutants.filter((mutant) => mutant.contract === contract && ids.includes(mutant.id));
  expect(mutants).toHaveLength(ids.length);
  const { causes, checks } = await judgeMutants(contract, mutants);
  const violated = checks.filter(({ verdict }) => verdict === 'violated').map(({ rule, operation }) => `${rule} ${operation}`);
  // Every violated check is explained.
  expect(new Set(causes.flatMap(({ explains }) => explains.map(({ rule, operation }) => `${rule} ${operation}`)))).toEqual(
    new Set(violated),
  );
  return causes.map(({ rule }) => rule);
}

it.each([
  ['a gap between pages', 'page-gap:listEntries', 'pages/partition'],
  ['a field that decides which records are right', 'field-of-unknown-value:listEntries.type', 'response/schema'],
  ['the same wrong answer', 'identifier-hostile-error:getEntry.slug', 'details/hostile'],
])('one mistake is one cause: %s', { timeout: 120_000 }, async (_, id, rule) => {
  expect(await causesOf('wiki', id)).toEqual([rule]);
});

it('ids and order of causes stay when seed, size and clock change', { timeout: 120_000 }, async () => {
  const mutants = ['filter-ignored:listEntries.type', 'field-missing:getEntry.updated_at'];
  const changes = [{}, { seed: 12, sizes: { entries: 60 }, clock: '2027-02-03T04:05:06Z' }];
  const seen: string[] = [];
  for (const [index, change] of changes.entries()) {
    const { causes } = await judgeMock('wiki', { mutants, ...change }, { seed: index });
    seen.push(causes.map(({ id, rule }) => `${rule} ${id}`).join(', '));
  }
  expect(new Set(seen)).toEqual(new Set([seen[0]]));
  expect(seen[0]).toMatch(/^filters\/sound \S+, response\/schema \S+$/);
});
