/** The generated page of the mutant matrix says what a run of all rules reports. `npm run campaign -- mutant-matrix` rewrites it. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { violated } from '../../helpers/judged-servers.ts';
import { allMutants, judgeMutants, kindOf } from '../../helpers/mutants.ts';

const page = readFileSync(new URL('../../campaigns/results/mutant-matrix.md', import.meta.url), 'utf8');

/** By kind the rules that report it, each with what the page says of the places. */
const rows: ReadonlyMap<string, readonly string[]> = new Map(
  [...(page.split('\n## What a full run reports\n')[1] ?? '').matchAll(/^- `([^`]+)`: (.*)$/gm)].map(([, kind = '', list = '']) => [
    kind,
    list.split(', '),
  ]),
);

test('the page says of every kind which rules report it, the named one among them', () => {
  expect([...rows.keys()]).toEqual([...new Set(allMutants.map(kindOf))]);
  const unnamed = allMutants.filter((mutant) => rows.get(kindOf(mutant))?.some((each) => each.startsWith(`**${mutant.rule}**`)) !== true);
  expect(unnamed.map(({ id, rule }) => `${id} ${rule}`)).toEqual([]);
});

test('a run of all rules reports what the page says, and nothing else', { timeout: 60_000 }, async () => {
  const kind = 'wiki hidden-counted';
  const result = await judgeMutants(
    'wiki',
    allMutants.filter((mutant) => kindOf(mutant) === kind),
  );
  expect(violated(result).toSorted()).toEqual(
    rows
      .get(kind)
      ?.map((each) => each.replaceAll('*', ''))
      .toSorted(),
  );
});
