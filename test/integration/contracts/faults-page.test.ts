/** docs/faults.md says what the catalogue has, and what a run of all laws reports. `node test/night/faults.mjs` writes it anew. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allFaults, judgeFault, kindOf } from '../../helpers/faults.ts';

const page = readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8');
const [catalogue = '', matrix = ''] = page.split('\n## What a full run reports\n');

describe('the page', () => {
  test('lists every fault below the law that it names', () => {
    const sections = catalogue.split(/^### /m).slice(1);
    const listed = sections.flatMap((section) => {
      const [law = ''] = section.split('\n', 1);
      return [...section.matchAll(/^- `([^`]+)` \((\w+)\): (.*)$/gm)].map(([, id, contract, title]) => ({ id, contract, law, title }));
    });
    const known = allFaults.map(({ id, contract, law, title }) => ({ id, contract, law, title }));
    const sorted = (faults: readonly object[]): readonly string[] => faults.map((fault) => JSON.stringify(fault)).toSorted();
    expect(sorted(listed)).toEqual(sorted(known));
  });

  test('says of every kind which laws report it, the named one among them', () => {
    expect([...rows.keys()].toSorted()).toEqual([...new Set(allFaults.map(kindOf))].toSorted());
    const unnamed = allFaults.filter((fault) => rows.get(kindOf(fault))?.get(fault.law) === undefined);
    expect(unnamed.map(({ id, law }) => `${id} ${law}`)).toEqual([]);
  });
});

/** By kind the laws that report it, and whether they do so at every place where it can be made. */
const rows: ReadonlyMap<string, ReadonlyMap<string, { readonly everywhere: boolean }>> = new Map(
  [...matrix.matchAll(/^- `([^`]+)`: (.*)$/gm)].map(([, kind = '', list = '']) => [
    kind,
    new Map(
      list.split(', ').map((entry) => {
        const [, law = ''] = /^\**([a-z/-]+)/.exec(entry) ?? [];
        return [law, { everywhere: !entry.includes(' of ') }];
      }),
    ),
  ]),
);

/** Kinds from all parts of the catalogue; most are of the contract that takes the fewest requests. */
const sample = [
  'wiki failure-html',
  'wiki filter-ignored',
  'wiki page-overlap',
  'wiki total-off-by-one',
  'wiki hidden-counted',
  'wiki listed-record-absent',
  'wiki search-ignored',
  'wiki identifier-beginning',
  'wiki key-demanded',
  'business tag-constant',
  'business missing-key-accepted',
];

describe('a run of all laws reports what the page says, and nothing else', () => {
  test('the sample is of kinds that exist', () => {
    const kinds = new Set(allFaults.map(kindOf));
    expect(sample.filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  const firsts = sample.flatMap((kind) => allFaults.find((fault) => kindOf(fault) === kind) ?? []);
  test.each(firsts.map((fault) => [kindOf(fault), fault] as const))('%s', { timeout: 90_000 }, async (kind, fault) => {
    const row = rows.get(kind) ?? new Map<string, { readonly everywhere: boolean }>();
    const result = await judgeFault(fault);
    const reported = [...new Set(result.laws.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id))];
    expect(reported.filter((law) => !row.has(law))).toEqual([]);
    expect([...row].filter(([law, { everywhere }]) => everywhere && !reported.includes(law)).map(([law]) => law)).toEqual([]);
    expect(reported).toContain(fault.law);
  });
});
