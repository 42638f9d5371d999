/** Unions whose branches a member tells apart are recognised, judged by the branch of the value, drawn, and compared. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import { taggedUnionOf } from '../../../../core/openapi/tagged-union.ts';
import { createValidators } from '../../../../core/openapi/validator.ts';
import { arbitraryFor } from '../../../../generators/schema-arbitrary.ts';
import { createInclusions } from '../../../../generators/schema-inclusion.ts';
import { documentOf } from '../../../helpers/contracts/contract-text.ts';

const pets = `
components:
  schemas:
    Cat: { type: object, required: [kind, lives], properties: { kind: { type: string }, lives: { type: integer } } }
    Dog: { type: object, required: [kind, bark], properties: { kind: { type: string }, bark: { type: boolean } } }
`;
const refs = "[{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]";
const own = (kind: string, member: string): string =>
  `{ type: object, required: [kind, ${member}], properties: { kind: ${kind}, ${member}: { type: integer } } }`;

async function open(schema: string) {
  const document = await documentOf(`schema: ${schema}\n${pets}`);
  const value = rawOf(document).root['schema'];
  if (!isObject(value)) throw new Error('no schema');
  return { document, schema: value };
}

async function valuesOf(schema: string): Promise<Json | undefined> {
  const opened = await open(schema);
  return taggedUnionOf(opened.document, opened.schema)?.cases.map(({ values }) => values);
}

describe('a union is told apart by', () => {
  it.each([
    ['a constant', `{ oneOf: [${own('{ const: a }', 'x')}, ${own('{ const: b }', 'y')}] }`, [['a'], ['b']]],
    ['listed values', `{ anyOf: [${own('{ enum: [a, b] }', 'x')}, ${own('{ enum: [c] }', 'y')}] }`, [['a', 'b'], ['c']]],
    ['a constant, beside null', `{ oneOf: [{ type: 'null' }, ${own('{ const: a }', 'x')}, ${own('{ const: b }', 'y')}] }`, [['a'], ['b']]],
    ['the names of components', `{ oneOf: ${refs}, discriminator: { propertyName: kind } }`, [['Cat'], ['Dog']]],
    [
      'a mapping to names and pointers',
      `{ oneOf: ${refs}, discriminator: { propertyName: kind, mapping: { cat: Cat, kitten: '#/components/schemas/Cat', dog: Dog } } }`,
      [['cat', 'kitten'], ['dog']],
    ],
  ])('%s', async (_, schema, values) => {
    expect(await valuesOf(schema)).toEqual(values);
  });

  it.each([
    ['a value of two branches', `{ oneOf: [${own('{ enum: [a, b] }', 'x')}, ${own('{ const: b }', 'y')}] }`],
    [
      'an optional member',
      '{ oneOf: [{ type: object, properties: { k: { const: 1 } } }, { type: object, properties: { k: { const: 2 } } }] }',
    ],
    [
      'branches that accept texts',
      '{ anyOf: [{ required: [k], properties: { k: { const: 1 } } }, { required: [k], properties: { k: { const: 2 } } }] }',
    ],
    ['any text', `{ oneOf: ${refs} }`],
  ])('nothing, with %s', async (_, schema) => {
    expect(await valuesOf(schema)).toBeUndefined();
  });
});

const mapped = `{ oneOf: ${refs}, discriminator: { propertyName: kind, mapping: { cat: Cat, dog: Dog } } }`;

it.each<[value: Json, violations: readonly string[]]>([
  [{ kind: 'cat', lives: 9 }, []],
  // Both schemas accept it.
  [{ kind: 'cat', lives: 9, bark: true }, []],
  [{ kind: 'cat', bark: true }, [' must have required property \'lives\', because kind is "cat"']],
  [{ kind: 'dog', bark: 'loud' }, ['/bark must be boolean']],
  [{ kind: 'cow' }, ['/kind must be one of "cat", "dog"']],
  [{}, [" must have required property 'kind'"]],
  ['cat', [' must be object']],
])('%j is judged by its branch', async (value, violations) => {
  const { document, schema } = await open(mapped);
  const found = createValidators(document).compile(schema)(value);
  expect(found.map(({ path, message }) => `${path} ${message}`)).toEqual(violations);
  expect(found.every(({ place }) => place.line > 0 && place.file === 'api.yaml')).toBe(true);
});

it('values are drawn of every branch, and are valid', async () => {
  const { document, schema } = await open(mapped);
  const drawn = fc.sample(arbitraryFor(schema, { document }), { seed: 1, numRuns: 40 }) as readonly JsonObject[];
  expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(['cat', 'dog']));
  const validate = createValidators(document).compile(schema);
  expect(drawn.flatMap((value) => validate(value))).toEqual([]);
});

describe('a union of many branches', () => {
  const branches = Array.from({ length: 24 }, (_, index) => ({
    type: 'object',
    required: ['k', 'a'],
    properties: { k: { const: index }, a: { type: 'string', maxLength: index }, b: { type: 'integer' }, c: { type: 'boolean' } },
  }));

  it('is included in itself, and not in a part of itself', async () => {
    const inclusions = createInclusions(await documentOf('{}'));
    expect(inclusions.separate([{ oneOf: branches }], { oneOf: [...branches] })).toEqual({ kind: 'none' });
    expect(inclusions.separate([{ oneOf: branches }], { oneOf: branches.slice(1) })).toEqual({ kind: 'found', value: { k: 0, a: '' } });
  });
});

it('a choice of constants, each with its description, tells all of them', async () => {
  const { document, schema } = await open('{ oneOf: [{ title: A, const: 1 }, { title: B, const: 10 }, { enum: [11, 12] }] }');
  const found = createValidators(document).compile(schema)(2);
  expect(found.map(({ keyword, message }) => [keyword, message])).toEqual([['oneOf', 'must be one of 1, 10, 11, 12']]);
});
