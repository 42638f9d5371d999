/** Hints speak of the contract in its own words. */

import { describe, expect, it } from 'vitest';
import { hintFor, hints } from '../../../../core/mutants/violation-hints.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const business = await openContract(contractFile('business'));
const operationOf = ({ operations }: Contract, id: string): Operation => {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};
const list = operationOf(business, 'listOrders');
const single = operationOf(business, 'getOrder');

describe('a hint', () => {
  it.each([
    ['paging/ties', 'tie-skipped', 'The cursor probably compares changed_at alone; compare (changed_at, id).'],
    ['filters/sound', 'filter-ignored.status', /^The condition for status never/],
    ['filters/conjunction', 'filters-either.status+channel', /^The conditions are joined with OR/],
    ['order/within', '/data/orders order', 'Compare ORDER BY with the documented order: changed_at, id.'],
  ] as const)('of %s for %s names what the contract names', (rule, subject, hint) => {
    expect(hintFor(rule, subject, list)).toMatch(hint);
  });

  it('is absent where neither the mutant nor the rule has one', () => {
    expect(hintFor('response/schema', '/data/orders/*/status enum', list)).toBeUndefined();
    expect(hintFor('response/schema', 'toString', list)).toBeUndefined();
  });

  it.each([list, single].map((operation) => [operation.id, operation] as const))(
    'can be written for every mutant at %s',
    (_, operation) => {
      const texts = Object.keys(hints).flatMap((kind) => hintFor('response/schema', kind, operation) ?? []);
      expect(texts.length).toBeGreaterThan(100);
      for (const hint of texts) expect(hint).toMatch(/^[^{}]+\.$/);
    },
  );
});
