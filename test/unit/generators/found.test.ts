/** Regression tests: minimal schemas that once showed a bug of the generators. Most were found at random. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../generators/constraints/validate-instance.ts';
import { Unsatisfiable } from '../../../generators/generation-errors.ts';
import { type InvalidExample, invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { openSchema } from '../../../generators/schema/located-schema.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import type { SchemaJudge } from '../../helpers/schema-judge.ts';
import { conditional } from './conditional.ts';
import { draw } from './drawing.ts';
import { type Problems, problemsOfInstances, problemsOfRepetition, problemsOfShrinking } from './instance-properties.ts';

const self: Schema = { $ref: '#' };

/** Each with what went wrong. */
const found: readonly (readonly [mistake: string, schema: Schema])[] = [
  ['shrank to itself', { anyOf: [{}, true] }],
  ['shrank to itself', { not: { not: { maxItems: 3 }, type: 'array' } }],
  ['shrank to itself', { patternProperties: { '^a': { minProperties: 1, anyOf: [{ anyOf: [{}, {}] }] } } }],
  ['shrank in a circle', { enum: ['b', 0], ...conditional({ multipleOf: 1, pattern: '^a' }, true) }],
  ['shrank in a circle', { enum: ['a', 1], anyOf: [{ minLength: 3 }, true, true] }],
  ['shrank in a circle', { type: ['number', 'null'], anyOf: [{}, { enum: [[]] }, {}] }],
  ['shrank in a circle', conditional({ anyOf: [{ enum: [{}] }, {}, {}] }, { type: 'number', nullable: true, additionalProperties: {} })],
  ['kept invented names', { type: 'object', minProperties: 2 }],
  ['found no invalid example', { additionalProperties: false, propertyNames: false }],
  ['found no invalid example', { if: { const: {} }, unevaluatedProperties: false }],
  ['drew what is excluded', { not: { anyOf: [{ prefixItems: [{}] }, {}], unevaluatedItems: false } }],
  ['drew what is excluded', { type: 'object', not: { const: {} } }],
  ['drew what is excluded', { type: 'array', not: { const: [] } }],
  ['drew what is excluded', { type: 'array', maxItems: 1, items: { enum: [1] }, not: { const: [1] } }],
  ['drew what is excluded', { oneOf: [true, { enum: [[]] }] }],
  ['drew what is excluded', conditional({ enum: [{}] }, false)],
  [
    'drew too many members',
    conditional({ additionalProperties: false }, true, { allOf: [{ maxProperties: 1 }], dependentSchemas: { b: {} } }),
  ],
  ['never returned', { items: { prefixItems: [{}, self], contains: true, maxContains: 1 } }],
  ['never returned', { contains: { const: null }, minContains: 2, prefixItems: [{ $ref: '#', uniqueItems: true }] }],
  ['never returned', { unevaluatedItems: { prefixItems: [{}, self], allOf: [{ uniqueItems: true }] } }],
  ['took everything to be refused', { anyOf: [{}, { items: { pattern: 'b$' } }] }],
  ['took everything to be refused', { anyOf: [{}, { prefixItems: [{ required: ['b'] }] }] }],
  ['took everything to be refused', { anyOf: [{ unevaluatedItems: { minimum: 1.5 } }, true] }],
  ['took everything to be refused', conditional({ prefixItems: [{ type: 'null' }] }, true)],
  ['gave up on empty arrays', { oneOf: [{ contains: {} }, conditional({ maxItems: 2 }, true)] }],
  ['gave up on arrays that cannot be', { contains: { minItems: 0 }, maxContains: 1, minItems: 3 }],
  [
    'took a name that is listed twice for two',
    { oneOf: [{ oneOf: [{}, { minProperties: 3 }] }, { dependentRequired: { ab: ['ab', 'c'] } }] },
  ],
  ['nested without end', { type: 'object', properties: { a: { $ref: '#', minProperties: 3 } } }],
  ['nested without end', { prefixItems: [{ type: 'array' }], contains: self }],
  ['nested without end', { contains: { anyOf: [{ not: { multipleOf: 0.01, maxItems: 1 }, $ref: '#' }], unevaluatedItems: false } }],
  [
    'could be drawn and not shrunk',
    {
      anyOf: [
        { items: { maxLength: 0, propertyNames: {} } },
        { propertyNames: {} },
        {
          oneOf: [
            {
              minimum: 2,
              anyOf: [{ type: 'object' }, { pattern: 'b$', type: 'number' }, { maximum: 2, const: null, type: 'string' }],
              unevaluatedItems: false,
            },
            { type: ['null'], exclusiveMaximum: 3 },
            { required: ['b', 'a'] },
          ],
          unevaluatedProperties: false,
        },
      ],
      unevaluatedItems: false,
      required: ['b', 'ab'],
    },
  ],
  ['never broke what is said twice', { allOf: [{ minimum: 3 }, { minimum: 3 }], type: 'integer' }],
  ['never broke what is said twice', { allOf: [{ additionalProperties: false }], unevaluatedProperties: false }],
  [
    'could not tell what is wrong',
    {
      allOf: [{ not: { minProperties: 2 } }],
      oneOf: [{ additionalProperties: { type: 'boolean' } }, { properties: { c: { type: 'integer' } }, required: ['b'] }],
    },
  ],
];

describe('a schema that once', () => {
  it.each(found.map(([mistake, schema]) => [mistake, JSON.stringify(schema), schema] as const))('%s: %s', (_mistake, _title, schema) => {
    // ajv deviates from the standard on some of these, so our validation decides; it is tested by itself.
    const location = openSchema(schema);
    const judge: SchemaJudge = (instance) => (isValid(location, instance) ? [] : [{ path: '', keyword: 'unknown' }]);
    expect(problemsOfInstances(() => arbitraryFor(schema), judge, { seed: 7, count: 6 })).toEqual([]);
    const isWrong = ({ value }: InvalidExample): Problems => (judge(value).length > 0 ? [] : [`${JSON.stringify(value)} is valid`]);
    const invalidExamples = openInvalidExamples(schema);
    if (invalidExamples === undefined) return;
    expect(draw(invalidExamples, { seed: 7, count: 6 }).flatMap(isWrong)).toEqual([]);
    expect(problemsOfShrinking(invalidExamples, isWrong, { seed: 7, count: 2 })).toEqual([]);
    expect(problemsOfRepetition(() => invalidExampleFor(schema), { seed: 7, count: 2 }, invalidExamples)).toEqual([]);
  });
});

/** The invalid examples of a schema. If it reports that there are none, no simple value may be invalid. */
function openInvalidExamples(schema: Schema): ReturnType<typeof invalidExampleFor> | undefined {
  try {
    return invalidExampleFor(schema);
  } catch (error) {
    if (!(error instanceof Unsatisfiable)) throw error;
    const values: readonly Json[] = [null, true, 0, 1.5, '', 'ab', [], [1], ['a', null], {}, { a: 1 }, { a: 'b', b: [] }];
    const location = openSchema(schema);
    expect(values.filter((value) => !isValid(location, value))).toEqual([]);
    return undefined;
  }
}
