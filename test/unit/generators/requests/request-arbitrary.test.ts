/** Valid requests: the parameters that are sent together, their order, and the keys. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../core/errors.ts';
import { resolveContract } from '../../../../core/openapi/contract.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { readRequest } from '../../../../core/parameters/read-request.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { asReceived, type GeneratedRequest } from '../../../../generators/requests/generated-request.ts';
import { requestFor } from '../../../../generators/requests/request-arbitrary.ts';
import type { RequestOptions } from '../../../../generators/requests/request-parts.ts';
import { operationOf } from '../../../helpers/contracts/contract-text.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { operationIn, segmentsOf, shrunk } from '../../../helpers/generated.ts';
import { fixture } from '../../../helpers/judged-mock.ts';

function some(operation: Operation, options: RequestOptions = {}, numRuns = 120): readonly GeneratedRequest[] {
  return fc.sample(requestFor(operation, options), { seed: 7, numRuns });
}

const range = `parameters:
  - { name: low, in: query, schema: { type: integer } }
  - { name: high, in: query, schema: { type: integer } }
  - { name: top, in: query, schema: { type: integer } }
x-parameter-rules: [{ ordered: [low, high, top] }]`;

const choice = `parameters:
  - { name: id, in: query, schema: { type: integer, minimum: 1 } }
  - { name: code, in: query, schema: { type: string, minLength: 1 } }
  - { name: tag, in: query, schema: { type: string } }
x-parameter-rules: [{ exactly-one-of: [id, code] }]`;

const contracts = await Promise.all(
  ['business', 'wiki', fixture('library'), fixture('parcels'), fixture('plain')].map(async (file) =>
    resolveContract(await openContract(contractFile(file))),
  ),
);

describe.each(contracts.flatMap(({ operations }) => operations))('requests to $id', (operation) => {
  it('are read back as they are meant', () => {
    fc.assert(
      fc.property(requestFor(operation, { keys: () => 'secret' }), (request) => {
        const { values, sent, problems } = readRequest(operation, asReceived(request), segmentsOf(operation, request));
        expect(problems).toEqual([]);
        expect([...sent].sort()).toEqual([...request.values.keys()].sort());
        for (const [key, value] of request.values) expect(values.get(key)).toEqual(value);
        expect(request.lacksKey).toBe(false);
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

describe('optional parameters', () => {
  it('come and go, from none of them to all', async () => {
    const operation = await operationOf(
      `parameters: [${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `{ name: ${name}, in: query, schema: { type: boolean } }`).join(', ')}]`,
    );
    const counts = new Set(some(operation).map(({ values }) => values.size));
    expect([...counts].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('that no style can write are left out, and required ones are refused by name', async () => {
    const nested = (required: boolean): string =>
      `parameters: [{ name: a, required: ${required}, in: query, schema: { type: array, items: { type: array } } }]`;
    expect(some(await operationOf(nested(false))).every(({ target }) => target === '/x')).toBe(true);
    const operation = await operationOf(nested(true));
    expect(() => requestFor(operation)).toThrow(/api\.yaml:.* no instance exists/);
  });

  it('get values from the whole schema, also where branches differ', async () => {
    const operation = await operationOf(
      'parameters: [{ name: a, required: true, in: query, schema: { anyOf: [{ type: integer, minimum: 5 }, { type: integer, maximum: 2 }] } }]',
    );
    const values = some(operation).map((request) => Number(request.values.get('a')));
    expect(values.some((value) => value >= 5) && values.some((value) => value <= 2)).toBe(true);
    expect(values.every((value) => value >= 5 || value <= 2)).toBe(true);
  });
});

describe('rules about several parameters', () => {
  it('let exactly one of some be sent, each of them now and then', async () => {
    const requests = some(await operationOf(choice));
    expect(requests.every(({ values }) => values.has('id') !== values.has('code'))).toBe(true);
    expect(new Set(requests.map(({ values }) => `${values.has('id')} ${values.has('tag')}`)).size).toBe(4);
  });

  it('keep parameters in order, ends that meet included', async () => {
    const requests = some(await operationOf(range));
    const ends = requests.map(({ values }) => ['low', 'high', 'top'].flatMap((name) => values.get(name) ?? []).map(Number));
    expect(ends.every((each) => each.every((value, index) => index === 0 || Number(each[index - 1]) <= value))).toBe(true);
    expect(ends.some(([first, second]) => first !== undefined && first === second)).toBe(true);
    expect(ends.some((each) => each.length === 3 && Number(each[0]) < Number(each[2]))).toBe(true);
  });

  it('count the default of a parameter that is not sent', async () => {
    const operation = await operationOf(`parameters:
  - { name: low, in: query, schema: { type: integer, minimum: 0, maximum: 10, default: 5 } }
  - { name: high, in: query, schema: { type: integer, minimum: 0, maximum: 10 } }
x-parameter-rules: [{ ordered: [low, high] }]`);
    const alone = some(operation).filter(({ values }) => !values.has('low') && values.has('high'));
    expect(alone.length).toBeGreaterThan(10);
    expect(alone.every(({ values }) => Number(values.get('high')) >= 5)).toBe(true);
  });

  it('that leave nothing to send are reported', async () => {
    const operation = await operationOf(`parameters:
  - { name: a, in: query, required: true, schema: { type: integer } }
  - { name: b, in: query, required: true, schema: { type: integer } }
x-parameter-rules: [{ exactly-one-of: [a, b] }]`);
    expect(() => requestFor(operation)).toThrow('/paths/~1x/get: no instance exists, because its parameter rules leave no set');
  });
});

describe('known values', () => {
  it('come up often, and invented ones still do', async () => {
    const requests = some(await operationOf(choice), { known: { id: [7], code: ['seven'] } });
    const known = requests.filter(({ values }) => values.get('id') === 7 || values.get('code') === 'seven');
    expect(known.length).toBeGreaterThan(requests.length / 2);
    expect(known.length).toBeLessThan(requests.length);
  });

  it('that are not of the parameter are reported', async () => {
    const operation = await operationOf(choice);
    expect(() => requestFor(operation, { known: { id: [0] } })).toThrow(UsageError);
    expect(() => requestFor(operation, { known: { id: [0] } })).toThrow(
      'the known value 0 of the parameter id of get /x is not accepted: it must be >= 1; correct it',
    );
    expect(() => requestFor(operation, { known: { id: [[1]], other: [1] } })).toThrow('cannot be written in its style');
  });

  it('are the only cursors, and those come without the filters that must not change', () => {
    const operation = operationIn(contracts[0] ?? { operations: [] }, 'listOrders');
    expect(some(operation).every(({ values }) => !values.has('cursor'))).toBe(true);
    const requests = some(operation, { known: { cursor: ['abc'] } }).filter(({ values }) => values.has('cursor'));
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.every(({ values }) => values.get('cursor') === 'abc')).toBe(true);
    expect(new Set(requests.flatMap(({ values }) => [...values.keys()]))).toEqual(new Set(['limit', 'cursor']));
  });

  it('stand in lists of entity tags, weak and strong, or `*` stands for all', async () => {
    const operation = await operationOf('parameters: [{ name: If-None-Match, in: header, schema: { type: string } }]');
    const fields = some(operation, { known: { 'If-None-Match': ['"known"'] } }).flatMap(({ values }) => values.get('If-None-Match') ?? []);
    expect(fields.every((field) => /^(\*|(W\/)?"[a-z0-9-]*"(, ?(W\/)?"[a-z0-9-]*")*)$/.test(String(field)))).toBe(true);
    for (const form of [/^\*$/, /^"known"$/, /"known", ?/, /W\//]) expect(fields.some((field) => form.test(String(field)))).toBe(true);
  });
});

describe('paths', () => {
  it('are not mistaken for those of other operations, nor taken for folders', async () => {
    const rest = '  /x/latest:\n    get: { responses: {} }\n';
    const operation = await operationOf(
      'parameters: [{ name: id, in: path, required: true, schema: { enum: [latest, "", ".", "..", "a/b"] } }]',
      '/x/{id}',
      rest,
    );
    expect(new Set(some(operation).flatMap(({ values }) => values.get('id') ?? []))).toEqual(new Set(['a/b']));
  });
});

describe('shrinking', () => {
  it.each<readonly [string, string, string, (request: GeneratedRequest) => boolean]>([
    ['anything', range, '/x', () => true],
    ['anything with a choice', choice, '/x?id=1', () => true],
    ['a text', choice, '/x?code=a', ({ values }) => values.has('code')],
    ['a number that is too large', range, '/x?high=4', ({ values }) => Number(values.get('high')) > 3],
    ['a range', range, '/x?low=0&high=0', ({ values }) => values.has('low') && values.has('high')],
  ])('of %s ends at the required parameters, small values and plain spelling', async (_what, lines, target, isFailure) => {
    expect(shrunk(requestFor(await operationOf(lines)), isFailure).value.target).toBe(target);
  });
});
