/** Reviewers see each change of the public API, and users find every type, member and function explained. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../../helpers/tree.ts';
import { compile, createProgram, listEntryPoints, listExamples, listUndocumented, listUnexported, renderApi } from './public-api.ts';

const program = createProgram();
const points = listEntryPoints(program);
const reports = renderApi(points);

describe.each(points)('$name', (point) => {
  it('has the API of test/system/package/api; `npm run docs` writes it anew', async () => {
    await expect(reports.get(point.name)).toMatchFileSnapshot(`api/${point.name.replace('/', '-')}.txt`);
  });

  it('exports every type that is reachable from its exports', () => {
    expect(listUnexported(point, program)).toEqual([]);
  });

  it('documents every export and every member', () => {
    expect(listUndocumented(point)).toEqual([]);
  });

  it('shows an example of every function', () => {
    expect([...listExamples(point)].filter(([, text]) => text === '').map(([name]) => name)).toEqual([]);
  });
});

describe('the programs of users', () => {
  it('compile as the examples show', () => {
    const examples = new Map(points.flatMap((point) => [...listExamples(point)]));
    expect(examples.size).toBeGreaterThan(20);
    expect(compile(examples)).toBe('');
  });

  it('name the types of what they hold', () => {
    const text = `import type { Chaos, Contract, Journal, MockClock, MockMutant, Operation, RunningMock } from 'touchstone/mock';
export function hold(mock: RunningMock): readonly [MockClock, Chaos, Journal] {
  const contracts: readonly Contract[] = mock.contracts;
  const operations: readonly Operation[] = contracts.flatMap((contract) => contract.operations);
  const mutants: readonly MockMutant[] = mock.mutants;
  console.log(operations.length, mutants.length);
  return [mock.clock, mock.chaos, mock.journal];
}
`;
    expect(compile(new Map([['holder', text]]))).toBe('');
  });
});

it('fails for an export that is incomplete', () => {
  const file = 'incomplete.ts';
  const text = `interface Hidden { readonly depth: number }
/** A type. */
export interface Shown {
  readonly member: Hidden;
  /** A flag. */
  readonly flag: boolean;
}
/** Makes one. */
export function make(): Shown { return { member: { depth: 1 }, flag: 'yes' }; }
`;
  const incomplete = createProgram(new Map([[join(repository, file), text]]));
  const [point] = listEntryPoints(incomplete, { incomplete: file });
  if (point === undefined) throw new Error('there is no entry point');
  expect(listUnexported(point, incomplete)).toEqual(['Hidden, from Shown']);
  expect(listUndocumented(point)).toEqual(['Shown.member']);
  expect([...listExamples(point)]).toEqual([['make', '']]);
  expect(compile(new Map([['wrong', text]]))).toContain("Type 'string' is not assignable to type 'boolean'");
});
