/** The schema guarantees the expected body: every instance satisfies its rules. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { createDocument } from '../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { arbitraryFor } from '../../../../generators/schema-arbitrary.ts';
import { deriveExpectedBody as expectBody } from '../../../../mocks/pact/expected-body.ts';
import { notesText } from '../../../helpers/contracts/notes-contract.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { type BodyRules, mismatches } from './matching.ts';

const root: JsonObject = {
  components: {
    schemas: {
      Node: { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, next: { $ref: '#/components/schemas/Node' } } },
    },
  },
};
const document = createDocument('api.yaml', new Map([['api.yaml', root]]));

function expectationOf(
  schema: Schema,
  body: Json,
): { readonly example: Json; readonly rules: Readonly<Record<string, string>> } | undefined {
  const found = expectBody(document, schema, body);
  if (found === undefined) return undefined;
  const shown = found.rules.map(([path, { combine, matchers }]) => {
    const words = matchers.map(({ match, regex, min }) => [match, regex ?? min].filter((each) => each !== undefined).join(' '));
    return [path, words.join(combine === 'OR' ? ' or ' : ' and ')] as const;
  });
  return { example: found.example, rules: Object.fromEntries(shown) };
}

const object = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  required,
  properties,
});

describe('the expected body', () => {
  it.each<[string, Schema, Json, Json, Readonly<Record<string, string>>]>([
    ['a text', { type: 'string' }, 'a', 'a', { $: 'type' }],
    ['a whole number', { type: 'integer' }, 3, 3, { $: 'integer' }],
    ['a number', { type: 'number' }, 3, 3, { $: 'number' }],
    ['a truth', { type: 'boolean' }, true, true, { $: 'type' }],
    ['the only value', { const: 'v1' }, 'v1', 'v1', { $: 'equality' }],
    ['one of some texts', { enum: ['a.b', 'c'] }, 'c', 'c', { $: 'regex ^(a\\.b|c)$' }],
    ['one of some numbers', { enum: [1, 2] }, 2, 2, { $: 'integer' }],
    ['a text of a pattern', { type: 'string', pattern: '^\\d+$' }, '12', '12', { $: 'regex ^\\d+$' }],
    [
      'a text of two patterns',
      { allOf: [{ pattern: '^a' }, { pattern: 'b$' }], type: 'string' },
      'ab',
      'ab',
      { $: 'regex ^a(.|\\n)* and regex (.|\\n)*b$' },
    ],
    ['a text of alternatives', { type: 'string', pattern: '^a|b$' }, 'ab', 'ab', { $: 'regex (.|\\n)*(^a|b$)(.|\\n)*' }],
    ['a class that is smaller in Pact', { type: 'string', pattern: '^\\W' }, 'é', 'é', { $: 'type' }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], minItems: 2 }, [1, 'a'], [], { $: 'type 0' }],
    ['a pattern that only JavaScript reads', { type: 'string', pattern: '^(?=a)' }, 'ab', 'ab', { $: 'type' }],
    ['a bracket in brackets', { type: 'string', pattern: '^[[a]' }, 'ab', 'ab', { $: 'type' }],
    ['a slash that is escaped', { type: 'string', pattern: '^a\\/b$' }, 'a/b', 'a/b', { $: 'regex ^a/b$' }],
    [
      'an instant',
      { type: 'string', format: 'date-time' },
      '2026-03-29T02:30:00Z',
      '2026-03-29T02:30:00Z',
      { $: 'regex ^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$' },
    ],
    ['a number or null', { type: ['integer', 'null'] }, null, null, { $: 'integer or null' }],
    ['a text or null', { type: ['string', 'null'] }, 'a', 'a', { $: 'type or null' }],
    ['a text or a number', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'a', 'a', { $: 'type or integer' }],
    ['an object', object({ a: { type: 'integer' }, b: true }, ['a']), { a: 1, b: 2 }, { a: 1 }, { '$.a': 'integer' }],
    ['an object of which nothing is said', { type: 'object' }, { a: 1 }, {}, { $: 'type' }],
    [
      'members with odd names',
      object({ 'a-b': { type: 'integer' }, "c'": { type: 'integer' } }),
      { 'a-b': 1, "c'": 2 },
      { 'a-b': 1 },
      { "$['a-b']": 'integer' },
    ],
    ['a member of any type', object({ a: {}, b: { type: 'integer' } }), { a: 1, b: 2 }, { b: 2 }, { '$.b': 'integer' }],
    [
      'a list',
      { type: 'array', items: object({ a: { type: 'integer' } }) },
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }],
      { $: 'type 0', '$[*].a': 'integer' },
    ],
    [
      'a list that is never empty',
      { type: 'array', minItems: 2, items: { type: 'integer' } },
      [1, 2],
      [1],
      { $: 'type 1', '$[*]': 'integer' },
    ],
    ['a list of anything', { type: 'array' }, [1, 'a'], [], { $: 'type 0' }],
    ['an empty list', { type: 'array', items: { type: 'integer' } }, [], [], { $: 'type 0' }],
    [
      'what all branches have',
      { type: 'object', anyOf: [object({ a: { type: 'integer' }, b: true }), object({ a: { enum: [1, 2] } })] },
      { a: 1, b: 1 },
      { a: 1 },
      { '$.a': 'integer' },
    ],
    [
      'what only one branch has',
      { type: 'object', oneOf: [object({ a: { type: 'integer' } }), object({ b: true })] },
      { a: 1 },
      {},
      { $: 'type' },
    ],
    [
      'conditions',
      { type: 'object', if: object({ a: true }), ...Object.fromEntries([['then', object({ b: { type: 'integer' } })]]) },
      { a: 1, b: 2 },
      {},
      { $: 'type' },
    ],
    ['what refers to itself', { $ref: '#/components/schemas/Node' }, { id: 1, next: { id: 2 } }, { id: 1 }, { '$.id': 'integer' }],
  ])('%s', (_name, schema, body, example, rules) => {
    expect(expectationOf(schema, body)).toEqual({ example, rules });
  });

  it.each<[string, Schema, Json]>([
    ['a value of any type', {}, 1],
    ['a null where a text may stand', { type: ['string', 'null'] }, null],
    [
      'an object or null, which Pact cannot accept',
      { type: ['object', 'null'], required: ['a'], properties: { a: { const: 1 } } },
      { a: 1 },
    ],
    ['a list or null, which Pact cannot accept', { type: ['array', 'null'], items: { type: 'integer' } }, [1]],
    ['an object or a text', { type: ['object', 'string'] }, {}],
    ['another type than is said', { type: 'string' }, 1],
    ['a value that is not listed', { enum: ['a', 'b'] }, 'c'],
    ['a text that breaks its pattern', { type: 'string', pattern: '^a' }, 'b'],
  ])('nothing of %s', (_name, schema, body) => {
    expect(expectationOf(schema, body)).toBeUndefined();
  });

  it('has additional facts: lists with records, values, and present members', () => {
    const schema = object({
      list: { type: 'array', items: { type: 'object', required: ['state'], properties: { state: { enum: ['a', 'b'] } } } },
      page: object({ more: { type: 'boolean' }, next: { type: ['string', 'null'] } }, ['more']),
    });
    const body = { list: [{ state: 'a' }], page: { more: true, next: 'x' } };
    const found = expectBody(document, schema, body, {
      minItems: new Map([['/list', 1]]),
      values: new Map<string, Json>([
        ['/list/*/state', 'a'],
        ['/page/more', true],
      ]),
      present: new Map([['/page/next', { type: 'string' }]]),
    });
    expect(found?.example).toEqual(body);
    expect(Object.fromEntries(found?.rules.map(([path, { matchers }]) => [path, matchers]) ?? [])).toEqual({
      '$.list': [{ match: 'type', min: 1 }],
      '$.list[*].state': [{ match: 'equality' }],
      '$.page.more': [{ match: 'equality' }],
      '$.page.next': [{ match: 'type' }],
    });
  });
});

const contracts = [
  ['business', await openContract(contractFile('business'))],
  ['wiki', await openContract(contractFile('wiki'))],
  ['notes', await openContract('api.yaml', notesText)],
] as const;

const answers = contracts.flatMap(([name, contract]) =>
  contract.operations.flatMap((operation) =>
    [...operation.responses.values()].flatMap(({ status, content }) =>
      [...content.values()].map(({ schema }) => ({ name: `${name} ${operation.id} ${status}`, schema, document: operation.document })),
    ),
  ),
);

describe('an expectation from one answer', () => {
  it.each(answers)('$name: holds for all other answers that the contract allows', ({ schema, document: own }) => {
    const bodies = arbitraryFor(schema, { document: own });
    fc.assert(
      fc.property(bodies, bodies, (body, other) => {
        const found = expectBody(own, schema, body);
        if (found === undefined) return;
        const rules: BodyRules = Object.fromEntries(found.rules);
        expect(mismatches(found.example, body, rules)).toEqual([]);
        expect(mismatches(found.example, other, rules)).toEqual([]);
      }),
      { seed: 7, numRuns: 4 },
    );
  });
});
