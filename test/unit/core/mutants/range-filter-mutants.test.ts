/** Mutants of a bound: the records that they select. */

import { describe, expect, it } from 'vitest';
import { filterMutants } from '../../../../core/mutants/filter-mutants.ts';
import { isList } from '../../../../core/openapi/list-operation.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';
import { notesText } from '../../../helpers/contracts/notes-contract.ts';

describe('a mutant that compares local times', () => {
  // 12:00+02:00 is 10:00 in UTC, and 11:00Z is later, although its local time is earlier.
  const records = [
    { id: 1, at: '2026-03-01T12:00:00+02:00' },
    { id: 2, at: '2026-03-01T11:00:00Z' },
  ];
  const bound = '2026-03-01T11:30:00+00:00';

  it.each([
    ['from', [1]],
    ['after', [1]],
    ['to', [2]],
    ['before', [2]],
  ])('selects by %s as the operator says', async (operator, ids) => {
    const { operations } = await loadText(notesText.replace('since: { from: /at }', `since: { ${operator}: /at }`));
    const [list] = operations.filter(isList);
    if (list === undefined) throw new Error('no list');
    const mutant = filterMutants(list).find(({ kind }) => kind === 'checkpoint-by-wall-clock' || kind === 'bound-by-wall-clock');
    const accepts = mutant?.selects?.(new Map([['since', bound]]), list.collection.query, records);
    expect(records.filter((record) => accepts?.(record)).map(({ id }) => id)).toEqual(ids);
  });
});
