/** Recursive schemas: some instances nest, and generation always ends. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../generators/constraints/validate-instance.ts';
import { Unsatisfiable } from '../../../generators/generation-errors.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { openSchema } from '../../../generators/schema/located-schema.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { judgeOf, type SchemaJudge } from '../../helpers/schema-judge.ts';
import { draw } from './drawing.ts';
import { problemsOfInstances } from './instance-properties.ts';
import { problemsOfInvalidExamples } from './invalid-example-properties.ts';

const drawing = { seed: 8, count: 50 };
const self: Schema = { $ref: '#' };
const nullable: Schema = { anyOf: [{ type: 'null' }, self] };

function conjunction(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  more: Readonly<Record<string, Json>> = {},
): Schema {
  return { type: 'object', properties, required, ...more };
}

/** Each with the depth that its instances come to at least once in a hundred. */
const endless: readonly (readonly [title: string, schema: Schema, depth: number])[] = [
  ['a list of links', conjunction({ value: { type: 'integer' }, next: nullable }, ['value', 'next']), 4],
  ['an optional member', conjunction({ next: self }, []), 3],
  ['a tree', conjunction({ name: { type: 'string' }, children: { type: 'array', items: self } }, ['name', 'children']), 4],
  ['a tree with two to three children', { type: 'array', items: { anyOf: [{ type: 'null' }, self] }, minItems: 2, maxItems: 3 }, 3],
  ['arrays of arrays', { type: 'array', items: self }, 4],
  ['maps of maps', { type: 'object', additionalProperties: self }, 3],
  [
    'each the other',
    {
      $ref: '#/$defs/one',
      $defs: {
        one: conjunction({ two: { $ref: '#/$defs/two' } }, []),
        two: { type: 'array', items: { $ref: '#/$defs/one' }, maxItems: 2 },
      },
    },
    3,
  ],
  ['a choice of itself', { oneOf: [{ type: 'integer' }, { type: 'array', items: self, minItems: 1 }] }, 3],
  ['itself through allOf', conjunction({ a: { allOf: [self, { required: ['b'] }] }, b: { type: 'boolean' } }, []), 3],
  ['itself through a prefix', { type: ['array', 'null'], prefixItems: [{ type: 'string' }, self], items: false, minItems: 2 }, 3],
  ['itself in what it contains', { type: ['array', 'integer'], contains: self, maxItems: 3 }, 3],
  ['itself by name', { type: 'object', patternProperties: { '^a': self }, additionalProperties: false, minProperties: 0 }, 3],
];

/** Nothing satisfies these: each instance would need another one inside. */
const bottomless: readonly (readonly [title: string, schema: Schema])[] = [
  ['a member that must be there', conjunction({ a: self }, ['a'])],
  ['an item that must be there', { type: 'array', items: self, minItems: 1 }],
  ['an item that is contained', { type: 'array', contains: self }],
  ['members of any name', { type: 'object', additionalProperties: self, minProperties: 1 }],
  [
    'a circle of two',
    {
      $ref: '#/$defs/one',
      $defs: {
        one: conjunction({ two: { $ref: '#/$defs/two' } }, ['two']),
        two: { type: 'array', prefixItems: [{ $ref: '#/$defs/one' }], minItems: 1 },
      },
    },
  ],
  ['every branch of a choice', { anyOf: [conjunction({ a: self }, ['a']), { type: 'array', items: self, minItems: 2 }] }],
];

describe('a schema that contains itself', () => {
  it.each(endless)('has instances that end: %s', (_title, schema, depth) => {
    expect(problemsOfInstances(() => arbitraryFor(schema), judgeOf(schema), drawing)).toEqual([]);
    const depths = draw(arbitraryFor(schema), drawing).map(depthOf);
    expect(Math.max(...depths)).toBeGreaterThanOrEqual(depth);
    expect(Math.max(...depths)).toBeLessThan(40);
  });

  it.each(endless)('has invalid examples: %s', (_title, schema) => {
    expect(problemsOfInvalidExamples(() => invalidExampleFor(schema), judgeOf(schema), { ...drawing, count: 30 })).toEqual([]);
  });

  it.each(bottomless)('without an end has no instance: %s', (_title, schema) => {
    expect(() => arbitraryFor(schema)).toThrow(Unsatisfiable);
    // Everything is wrong for it, so something wrong is found.
    const judge = judgeOf(schema);
    expect(draw(invalidExampleFor(schema), { seed: 1, count: 20 }).every(({ value }) => judge(value).length > 0)).toBe(true);
  });

  it('in a dynamic scope has instances that end', () => {
    const schema: Schema = {
      $id: 'https://a.example/closed',
      $dynamicAnchor: 'conjunction',
      $ref: 'open',
      unevaluatedProperties: false,
      $defs: {
        open: {
          $id: 'open',
          $dynamicAnchor: 'conjunction',
          type: 'object',
          properties: { data: { type: 'integer' }, children: { type: 'array', items: { $dynamicRef: '#conjunction' } } },
        },
      },
    };
    const location = openSchema(schema);
    const judge: SchemaJudge = (instance) => (isValid(location, instance) ? [] : [{ path: '', keyword: 'unknown' }]);
    expect(problemsOfInstances(() => arbitraryFor(schema), judge, drawing)).toEqual([]);
    expect(problemsOfInvalidExamples(() => invalidExampleFor(schema), judge, drawing)).toEqual([]);
    expect(Math.max(...draw(arbitraryFor(schema), drawing).map(depthOf))).toBeGreaterThan(3);
  });

  it('at the same place says nothing more', () => {
    const schema: Schema = { type: 'integer', allOf: [self], minimum: 3 };
    const values = draw(arbitraryFor(schema), drawing);
    expect(values.every((value) => Number.isInteger(value) && Number(value) >= 3)).toBe(true);
  });
});

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((part) => depthOf(part as Json)));
}
