/** Causes of whole runs: one mistake of the mock is one cause, named by the rule of the mutant; two mistakes are two. */

import { expect, it } from 'vitest';
import { judgeMock, judgeSecond } from '../../../helpers/judged-servers.ts';
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
  ['a mutant that predicts other wrong selections', 'checkpoint-ignored:listOrders.updated_after', 'sync/sound'],
  ['an edge of pages', 'edge-skipped:listOrders', 'paging/complete'],
  ['a filter that later pages forget', 'filter-lost:listOrders.status', 'paging/filters-kept'],
  ['a field that decides which records are right', 'field-of-unknown-value:listOrders.channel', 'response/schema'],
  ['the same wrong answer', 'scope-lacking-absent:business', 'keys/scopes'],
  ['the same header of several answers', 'key-echoed-in-header:business', 'response/no-key'],
])('one mistake is one cause: %s', { timeout: 60_000 }, async (_, id, rule) => {
  expect(await causesOf('business', id)).toEqual([rule]);
});

it('one mistake is one cause: a cursor that only later pages lack', { timeout: 60_000 }, async () => {
  const { causes } = await judgeSecond({ api: 'business', defects: ['next-cursor-missing'] });
  expect(causes.map(({ rule }) => rule)).toEqual(['paging/next-cursor']);
});

it('two mistakes are two causes', { timeout: 60_000 }, async () => {
  expect(await causesOf('business', 'filter-first-only:listOrders.status', 'tag-missing:getMenu')).toEqual([
    'filters/union',
    'conditional/tag',
  ]);
});

it('ids and order of causes stay when seed, size and clock change', { timeout: 120_000 }, async () => {
  const mutants = ['filter-ignored:listEntries.type', 'field-missing:getEntry.updated_at'];
  const changes = [{}, { seed: 11 }, { seed: 12, sizes: { entries: 60 } }, { clock: '2027-02-03T04:05:06Z' }];
  const seen: string[] = [];
  for (const [index, change] of changes.entries()) {
    const { causes } = await judgeMock('wiki', { mutants, ...change }, { seed: index });
    seen.push(causes.map(({ id, rule }) => `${rule} ${id}`).join(', '));
  }
  expect(new Set(seen)).toEqual(new Set([seen[0]]));
  expect(seen[0]).toMatch(/^filters\/sound \S+, response\/schema \S+$/);
});
