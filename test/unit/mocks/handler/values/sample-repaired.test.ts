import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../../core/json.ts';
import { createDocument } from '../../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../../core/openapi/schema-facts.ts';
import { createValidators } from '../../../../../core/openapi/validator.ts';
import { sampleRepaired } from '../../../../../mocks/handler/values/sample-repaired.ts';

const text = {
  'one of few': { type: 'string', not: { const: 'string' } },
  'with two patterns': { allOf: [{ type: 'string', pattern: '^a' }, { pattern: 'z$' }, { minLength: 5 }] },
  'long address': { type: 'string', format: 'email', minLength: 30 },
  'long host': { type: 'string', format: 'hostname', minLength: 40 },
  'long Base64': { type: 'string', format: 'byte', minLength: 9 },
  'address of one company': { type: 'string', format: 'email', pattern: '@corp\\.com$' },
  'not short': { type: 'string', not: { maxLength: 10 } },
};
const number = {
  'between two near bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
  'not of a list': { type: 'integer', not: { enum: [0, 1] } },
  odd: { type: 'integer', minimum: 0, not: { multipleOf: 2 } },
  'of one of two kinds': {
    oneOf: [
      { type: 'integer', multipleOf: 2 },
      { type: 'integer', multipleOf: 3 },
    ],
  },
  'no integer': { oneOf: [{ type: 'integer' }, { type: 'number' }] },
};
const array = {
  'of different listed values': { type: 'array', uniqueItems: true, minItems: 2, items: { enum: ['a', 'b'] } },
  'of different booleans': { type: 'array', uniqueItems: true, minItems: 2, items: { type: 'boolean' } },
  'of different uuids': { type: 'array', uniqueItems: true, minItems: 2, items: { type: 'string', format: 'uuid' } },
  'of different dates': { type: 'array', uniqueItems: true, minItems: 2, items: { type: 'string', format: 'date' } },
  'of different letters': { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'string', pattern: '^[A-C]$' } },
  'with a value twice': { type: 'array', items: { type: 'string' }, contains: { const: 'x' }, minContains: 2 },
};
const object = {
  'without one of two members': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    not: { required: ['a', 'b'] },
  },
  'with one of two members': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'with named members': {
    type: 'object',
    minProperties: 2,
    propertyNames: { enum: ['en', 'de', 'fr'] },
    additionalProperties: { type: 'string' },
  },
  'with a pattern of names': {
    type: 'object',
    minProperties: 1,
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: false,
  },
  'closed beside others': {
    allOf: [
      { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
      { properties: { z: { type: 'string' } } },
    ],
  },
  'with a dependent schema': {
    type: 'object',
    required: ['c'],
    properties: { c: { type: 'string' } },
    dependentSchemas: { c: { required: ['d'], properties: { d: { type: 'integer', minimum: 7 } } } },
  },
};

const pages = { required: ['pages'], properties: { pages: { type: 'integer' } } };
const condition = Object.fromEntries([
  ['if', { properties: { kind: { const: 'p' } } }],
  ['then', pages],
]);

async function sampleOf(
  schema: Schema,
  seed?: number,
): Promise<{ readonly value: Json | undefined; readonly mistakes: readonly string[] }> {
  const document = createDocument('schemas.yaml', new Map([['schemas.yaml', { components: { schemas: { S: schema } } }]]));
  const judge = createValidators(document).compile(schema);
  const { value } = await sampleRepaired(schema, judge, { document, nowMs: 0 }, seed);
  return { value, mistakes: value === undefined ? ['none'] : judge(value).map(({ message }) => message) };
}

describe.each(Object.entries({ text, number, array, object }))('%s', (_, schemas) => {
  test.each(Object.entries(schemas))('%s', async (_name, schema) => {
    for (const seed of [undefined, 1]) expect((await sampleOf(schema, seed)).mistakes).toEqual([]);
  });
});

test('only what breaks the schema is generated; the rest stays readable', async () => {
  const schema = {
    type: 'object',
    required: ['id', 'email', 'detail', 'codes'],
    properties: {
      id: { type: 'string', example: 'b-1' },
      email: { type: 'string' },
      detail: {
        type: 'object',
        required: ['kind', 'city'],
        properties: { kind: { enum: ['p', 'q'] }, city: { type: 'string' } },
        ...condition,
      },
      codes: { type: 'array', uniqueItems: true, minItems: 2, items: { enum: ['EUR', 'USD', 'GBP'] } },
    },
  };
  expect((await sampleOf(schema)).value).toEqual({
    id: 'b-1',
    email: 'ada.lovelace@example.com',
    detail: { kind: 'p', city: 'Berlin', pages: 0 },
    codes: ['EUR', 'USD'],
  });
});
