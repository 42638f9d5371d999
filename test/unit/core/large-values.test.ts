/** Values of unknown clients are validated in time proportional to their size, even if they have many violations. */

import { describe, expect, it } from 'vitest';
import { requireFewValues } from '../../../contracts/verify/target/decode-body.ts';
import { nearest } from '../../../core/did-you-mean.ts';
import { SpecError } from '../../../core/errors.ts';
import { judgeRequestBody } from '../../../core/http/check-request-body.ts';
import type { Json } from '../../../core/json.ts';
import { loadContract } from '../../../core/openapi/contract.ts';
import { readTextFile, readTextFileSync } from '../../../core/read-text-file.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { fixture } from '../../helpers/judged-mock.ts';

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
    : judgeRequestBody(operation, { method: 'POST', target: '/letters', headers: { 'content-type': 'application/json' }, body }).problem;
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
    const message = `must not have duplicate items (items ${found?.[0]} and ${found?.[1]} are equal)`;
    expect(validateAnswer?.({ labels: list }).map((each) => each.message)).toEqual(found === undefined ? [] : [message]);
  });

  it('is reported with both indexes, and with its line', () => {
    expect(validateAnswer?.({ labels: [{ a: 1 }, 2, { a: 1 }] })).toMatchObject([
      {
        path: '/labels',
        keyword: 'uniqueItems',
        message: 'must not have duplicate items (items 0 and 2 are equal)',
        place: { line: 23 },
      },
    ]);
  });
});

describe('in time', () => {
  it('many different objects', () => {
    expect(workedMs(() => validateAnswer?.({ labels: Array.from({ length: 50_000 }, (_, index) => ({ index })) }))).toBeLessThan(2000);
  });

  it('many wrong items, a thousand of which are reported', () => {
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

describe('an answer', () => {
  it.each([
    ['of 100,000 values', `[${'0,'.repeat(99_998)}0]`, true],
    ['of 100,001 values', `[${'0,'.repeat(99_999)}0]`, false],
    ['of one text with many commas', JSON.stringify({ a: ',[{"\\'.repeat(200_000) }), true],
    ['that is no JSON', ','.repeat(200_000), true],
  ])('%s', (_title, body, isRead) => {
    const read = (): void => requireFewValues(body, 'http://target');
    if (isRead) expect(read).not.toThrow();
    else expect(read).toThrow('has more than 100000 values');
  });
});

describe('a contract', () => {
  const shipped = contractFile('business');
  const load = (from: string | RegExp, to: string): Promise<unknown> =>
    loadContract(shipped, async (file) => (await readTextFile(file)).replace(from, to), { strict: true });

  it('with a choice of another type is refused at its line', async () => {
    const text = await readTextFile(shipped);
    const choice = /orders-order:[\s\S]*?choices:\s*\S+:/.exec(text)?.[0] ?? '';
    await expect(load(choice, `${choice} 5 #`)).rejects.toThrow(SpecError);
  });

  it.each([
    ['{}', 'type: {} is invalid'],
    ['[text]', 'type: ["text"] is invalid'],
  ])('with the type %s is refused in words', async (type, message) => {
    await expect(load(/type: string/, `type: ${type}`)).rejects.toThrow(message);
  });
});

describe('a file that is no regular one', () => {
  it('is refused, whoever reads it', async () => {
    await expect(readTextFile('/dev/zero')).rejects.toThrow('a pipe or a device');
    expect(() => readTextFileSync('/dev/zero')).toThrow('a pipe or a device');
    expect(() => readTextFileSync('/')).toThrow('EISDIR');
  });
});

describe('a body', () => {
  it('is refused by the first mistake', () => {
    expect(problemOf('{"price":"1","labels":[1,1]}')).toMatch(/^The body at \/(price|labels) must/);
  });

  it('is refused when a pattern takes too long for it', () => {
    expect(problemOf(JSON.stringify({ code: `${'a'.repeat(40)}!` }))).toContain('takes too long for a string of 41 characters');
  });
});
