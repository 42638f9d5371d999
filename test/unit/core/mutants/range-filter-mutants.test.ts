/** Mutants of a bound: the records that they select. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filterMutants } from '../../../../core/mutants/filter-mutants.ts';
import { loadContract } from '../../../../core/openapi/contract.ts';
import { isList } from '../../../../core/openapi/list-operation.ts';
import { contractFile } from '../../../../core/shipped-files.ts';

describe('a mutant that compares local times', () => {
  // 12:00+02:00 is 10:00 in UTC, and 11:00Z is later, although its local time is earlier.
  const records = [
    { id: 1, changed_at: '2026-03-01T12:00:00+02:00' },
    { id: 2, changed_at: '2026-03-01T11:00:00Z' },
  ];
  const bound = '2026-03-01T11:30:00+00:00';

  it.each([
    ['from', [1]],
    ['after', [1]],
    ['to', [2]],
    ['before', [2]],
  ])('selects by %s as the operator says', async (operator, ids) => {
    const source = readFileSync(contractFile('business'), 'utf8').replace(
      'updated_after: { from: /changed_at }',
      `updated_after: { ${operator}: /changed_at }`,
    );
    const contract = await loadContract('business.openapi.yaml', async () => source);
    const list = contract.operations.filter(isList).find(({ id }) => id === 'listOrders');
    if (list === undefined) throw new Error('no list');
    const mutant = filterMutants(list).find(({ kind }) => kind === 'checkpoint-by-wall-clock' || kind === 'bound-by-wall-clock');
    const accepts = mutant?.selects?.(new Map([['updated_after', bound]]), list.collection.query, records);
    expect(records.filter((record) => accepts?.(record)).map(({ id }) => id)).toEqual(ids);
  });
});
