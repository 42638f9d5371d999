/** Schemas without instances are refused with the place and the contradicting constraints. */

import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { Unsatisfiable } from '../../../generators/generation-errors.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { judgeOf } from '../../helpers/schema-judge.ts';
import { conditional } from './conditional.ts';
import { draw } from './drawing.ts';
import { probes } from './random-schema.ts';

const object = { type: 'object' } as const;
const array = { type: 'array' } as const;

const impossible: readonly Schema[] = [
  false,
  { not: {} },
  { not: true },
  { allOf: [true, false] },
  { anyOf: [false, false] },
  {
    anyOf: [
      { type: 'string', minLength: 2, maxLength: 1 },
      { type: 'integer', minimum: 2, maximum: 1 },
    ],
  },
  { oneOf: [true, true] },
  { oneOf: [{}, { title: 'also everything' }] },
  { oneOf: [false, false] },
  { $ref: '#/$defs/none', $defs: { none: false } },
  { type: 'string', enum: [1, null] },
  { type: 'integer', const: 1.5 },
  { const: 1, enum: [2, 3] },
  { const: 'abc', pattern: '^b' },
  { const: [1, 2, 3], maxItems: 2 },
  { const: { a: 1 }, required: ['b'] },
  { enum: [{ a: 'x' }], properties: { a: { type: 'integer' } } },
  { allOf: [{ type: 'string' }, { type: 'integer' }] },
  { type: 'integer', not: { type: 'number' } },
  { type: 'boolean', not: { enum: [true, false] } },
  { type: 'null', not: { const: null } },
  { type: 'integer', minimum: 3, maximum: 2 },
  { type: 'number', exclusiveMinimum: 1, maximum: 1 },
  { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  { type: 'integer', minimum: 0.5, maximum: 0.9 },
  { type: 'integer', multipleOf: 10, minimum: 1, maximum: 9 },
  { type: 'integer', multipleOf: 6, not: { multipleOf: 3 } },
  { type: 'number', format: 'int32', minimum: 2147483647.5 },
  { type: 'number', format: 'int64', not: { format: 'int64' } },
  { type: 'integer', maximum: 2 ** 53, minimum: 0, not: { format: 'int64' } },
  { type: 'number', not: { format: 'double' } },
  { type: 'string', minLength: 3, maxLength: 2 },
  { type: 'string', pattern: '^a{3}$', maxLength: 2 },
  { type: 'string', allOf: [{ pattern: '^a' }, { pattern: '^b' }] },
  { type: 'string', pattern: '^a$', not: { const: 'a' } },
  { type: 'string', format: 'date', maxLength: 9 },
  { type: 'string', format: 'date', not: { format: 'date' } },
  { ...array, minItems: 2, maxItems: 1 },
  { ...array, minItems: 1, items: false },
  { ...array, minItems: 2, prefixItems: [true], items: false },
  { ...array, minItems: 3, uniqueItems: true, items: { enum: ['a', 'b'] } },
  { ...array, minItems: 3, uniqueItems: true, items: { type: 'boolean' } },
  { ...array, contains: { type: 'string' }, items: { type: 'integer' } },
  { ...array, contains: { const: 1 }, minContains: 2, maxContains: 1 },
  { ...array, contains: { const: 1 }, minContains: 3, maxItems: 2 },
  { ...array, contains: { const: 1 }, minContains: 2, uniqueItems: true },
  { ...array, maxItems: 0, contains: true },
  { ...array, allOf: [{ minItems: 1 }], unevaluatedItems: false },
  { ...object, minProperties: 2, maxProperties: 1 },
  { ...object, required: ['a', 'b'], maxProperties: 1 },
  { ...object, required: ['a'], properties: { a: false } },
  { ...object, required: ['a'], additionalProperties: false },
  { ...object, required: ['a'], propertyNames: { minLength: 2 } },
  { ...object, required: ['a'], properties: { a: { type: 'string' } }, patternProperties: { '^a': { type: 'integer' } } },
  { ...object, minProperties: 1, additionalProperties: false },
  { ...object, minProperties: 1, propertyNames: false },
  { ...object, minProperties: 2, properties: { a: true }, additionalProperties: false },
  { ...object, minProperties: 3, propertyNames: { enum: ['a', 'b'] } },
  { ...object, required: ['a'], dependentRequired: { a: ['b'] }, properties: { b: false } },
  { ...object, required: ['a'], dependentSchemas: { a: false } },
  { ...object, allOf: [{ required: ['a'] }], unevaluatedProperties: false },
  {
    ...object,
    required: ['a', 'b'],
    allOf: [
      { properties: { a: true }, additionalProperties: false },
      { properties: { b: true }, additionalProperties: false },
    ],
  },
  {
    ...object,
    required: ['a'],
    properties: { a: { ...object, required: ['b'], properties: { b: { ...array, minItems: 1, items: { not: {} } } } } },
  },
  conditional(true, false),
  { type: 'string', ...conditional({ minLength: 2 }, { maxLength: 1 }, { minLength: 3 }) },
];

/** The reported path, and words of the reason. */
const reasons: readonly (readonly [schema: Schema, path: string, why: RegExp])[] = [
  [false, '#', /false/],
  [{ type: 'string', enum: [1, null] }, '#', /type.*enum/],
  [{ type: 'string', pattern: '^a{3}$', maxLength: 2 }, '#', /\^a\{3\}\$.*2/],
  [{ type: 'integer', multipleOf: 10, minimum: 1, maximum: 9 }, '#', /10/],
  [{ $ref: '#/$defs/none', $defs: { none: { type: 'integer', minimum: 3, maximum: 2 } } }, '#', /./],
  [
    { properties: { a: { type: 'string', minLength: 3, maxLength: 2 } }, required: ['a'], type: 'object' },
    '#/properties/a',
    /minLength.*maxLength/,
  ],
];

describe('a schema without an instance', () => {
  it.each(impossible.map((schema) => [JSON.stringify(schema), schema] as const))('is refused: %s', (_title, schema) => {
    const judge = judgeOf(schema);
    expect(probes.filter((probe) => judge(probe).length === 0)).toEqual([]);
    expect(() => arbitraryFor(schema)).toThrow(Unsatisfiable);
  });

  it.each(impossible.map((schema) => [JSON.stringify(schema), schema] as const))(
    'has invalid examples all the same: %s',
    (_title, schema) => {
      const judge = judgeOf(schema);
      const invalidExamples = draw(invalidExampleFor(schema), { seed: 1, count: 20 });
      expect(invalidExamples.filter(({ value }) => judge(value).length === 0)).toEqual([]);
    },
  );

  it.each(reasons.map((row) => [JSON.stringify(row[0]), ...row] as const))('tells why: %s', (_title, schema, path, why) => {
    const error = refusalOf(schema);
    expect(error).toBeInstanceOf(Unsatisfiable);
    expect([error.path, error.why]).toEqual([path, expect.stringMatching(why)]);
    expect(error.message).toBe(`${path}: no instance exists, because ${error.why}`);
  });

  it('may have an empty list of values, which ajv does not compile', () => {
    expect(() => arbitraryFor({ enum: [] })).toThrow(Unsatisfiable);
    expect(draw(invalidExampleFor({ enum: [] }), { seed: 1, count: 20 })).toHaveLength(20);
  });

  it('is left out where other instances exist', () => {
    const none: Schema = { type: 'string', minLength: 2, maxLength: 1 };
    expect(draw(arbitraryFor({ anyOf: [none, { const: 1 }] }), { seed: 1, count: 20 }).every((value) => value === 1)).toBe(true);
    expect(draw(arbitraryFor({ type: 'array', items: none }), { seed: 1, count: 20 })).toEqual(Array.from({ length: 20 }, () => []));
    expect(
      draw(arbitraryFor({ type: 'object', properties: { a: none, b: { const: 1 } }, required: ['b'] }), { seed: 1, count: 20 }),
    ).toEqual(Array.from({ length: 20 }, () => ({ b: 1 })));
  });
});

function refusalOf(schema: Schema): Unsatisfiable {
  try {
    arbitraryFor(schema);
  } catch (error) {
    if (error instanceof Unsatisfiable) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(schema)} is not refused`);
}
