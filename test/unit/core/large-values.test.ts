/** Values of strangers are judged in a time in proportion to their size, however much is wrong with them. */

import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../core/contract.ts';
import { nearest } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { findBodyProblem } from '../../../core/request-body.ts';
import { findRepeated } from '../../../core/unique-items.ts';
import { fixture } from '../../helpers/mock.ts';

const { operations } = await loadContract(fixture('letters'));
const [operation] = operations;
if (operation === undefined) throw new Error('the contract has its operation');
const validateAnswer = operation.responses.get('200')?.content.get('application/json')?.validate;

function workedMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function problemOf(body: string): string | undefined {
  return operation === undefined
    ? undefined
    : findBodyProblem(operation, { method: 'POST', target: '/letters', headers: { 'content-type': 'application/json' }, body });
}

describe('uniqueItems', () => {
  it.each<readonly [title: string, list: readonly Json[], found: readonly number[] | undefined]>([
    ['nothing', [], undefined],
    ['a text and a number', ['1', 1, true, 'true', null, 'null'], undefined],
    ['two texts', ['a', 'b', 'a'], [0, 2]],
    ['zeros', [0, 1, -0], [0, 2]],
    ['objects in another order', [{ a: 1, b: [2] }, 3, { b: [2], a: 1 }], [0, 2]],
    ['an object and its text', [{ a: 1 }, '{"a":1}', [1], '[1]'], undefined],
  ])('of %s', (_title, list, found) => {
    expect(findRepeated(list)).toEqual(found);
  });

  it('is told with both indexes, and with its line', () => {
    expect(validateAnswer?.({ labels: [{ a: 1 }, 2, { a: 1 }] })).toMatchObject([
      {
        path: '/labels',
        keyword: 'uniqueItems',
        message: 'must NOT have duplicate items (items ## 0 and 2 are identical)',
        place: { line: 23 },
      },
    ]);
  });
});

describe('in time', () => {
  it('many different objects', () => {
    expect(workedMs(() => validateAnswer?.({ labels: Array.from({ length: 50_000 }, (_, index) => ({ index })) }))).toBeLessThan(2000);
  });

  it('many wrong items, a thousand of which are told', () => {
    let count = 0;
    const worked = workedMs(() => {
      count = validateAnswer?.({ pages: Array<string>(20_000).fill('a!') }).length ?? 0;
    });
    expect(count).toBe(1000);
    expect(worked).toBeLessThan(2000);
  });

  it('a word that is far too long for a suggestion', () => {
    expect(workedMs(() => nearest('a'.repeat(500_000), ['latency', 'reset', 'slow', 'off']))).toBeLessThan(50);
  });
});

describe('a body', () => {
  it('is refused by the first mistake', () => {
    expect(problemOf('{"price":"1","labels":[1,1]}')).toMatch(/^The body at \/(price|labels) must/);
  });

  it('is refused when a pattern takes too long for it', () => {
    expect(problemOf(JSON.stringify({ code: `${'a'.repeat(40)}!` }))).toContain('takes too long for a text of 41 characters');
  });
});
