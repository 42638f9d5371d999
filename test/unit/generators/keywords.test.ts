/** Every keyword, alone or with related ones: instances have all properties, and each keyword is violated. */

import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { judgeOf } from '../../helpers/schema-judge.ts';
import { conditional } from './conditional.ts';
import { draw } from './drawing.ts';
import { problemsOfInstances, typesAmong } from './instance-properties.ts';
import { precisionOf, problemsOfInvalidExamples } from './invalid-example-properties.ts';

const all = 'null boolean number string array object';
const others = (type: string): string => all.replace(type, '').replace(/ +/g, ' ').trim();

/** A schema, the types of its instances, and the keywords that its invalid examples violate. */
type Row = readonly [schema: Schema, types: string, broken: string];

const rows: readonly Row[] = [
  [true, all, ''],
  [{}, all, ''],
  [{ type: 'null' }, 'null', 'type'],
  [{ type: 'boolean' }, 'boolean', 'type'],
  [{ type: 'integer' }, 'number', 'type'],
  [{ type: 'number' }, 'number', 'type'],
  [{ type: 'string' }, 'string', 'type'],
  [{ type: 'array' }, 'array', 'type'],
  [{ type: 'object' }, 'object', 'type'],
  [{ type: ['integer', 'null'] }, 'null number', 'type'],
  [{ type: ['integer', 'number'] }, 'number', 'type'],
  [{ type: ['string', 'array', 'boolean'] }, 'boolean string array', 'type'],
  [{ type: 'integer', nullable: true }, 'null number', 'type'],
  [{ const: null }, 'null', 'const'],
  [{ const: false }, 'boolean', 'const'],
  [{ const: 0 }, 'number', 'const'],
  [{ const: [{ a: [1] }] }, 'array', 'const'],
  [{ const: { a: { b: null } } }, 'object', 'const'],
  [{ enum: [1, 'a', null, [], {}] }, 'null number string array object', 'enum'],
  [{ enum: [1, 2, 3], type: 'integer', minimum: 2 }, 'number', 'enum minimum'],
  [{ minimum: 3 }, all, 'minimum'],
  [{ maximum: -3.5 }, all, 'maximum'],
  [{ exclusiveMinimum: 3, type: 'integer' }, 'number', 'exclusiveMinimum type'],
  [{ exclusiveMaximum: 0.5, type: 'number' }, 'number', 'exclusiveMaximum type'],
  [{ type: 'number', minimum: 1, maximum: 1 }, 'number', 'minimum maximum type'],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'number', 'exclusiveMinimum exclusiveMaximum type'],
  [{ multipleOf: 7 }, all, 'multipleOf'],
  [{ type: 'number', multipleOf: 0.01, minimum: 0, maximum: 1 }, 'number', 'multipleOf minimum maximum type'],
  [{ type: 'number', multipleOf: 1.5 }, 'number', 'multipleOf type'],
  [{ minLength: 2 }, all, 'minLength'],
  [{ type: 'string', maxLength: 2 }, 'string', 'maxLength type'],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'string', 'minLength maxLength type'],
  [{ type: 'string', pattern: '^[A-Z]{2}-\\d{3,5}$' }, 'string', 'pattern type'],
  [{ pattern: 'b' }, all, 'pattern'],
  [{ type: 'string', format: 'date' }, 'string', 'format type'],
  [{ type: 'integer', format: 'int32' }, 'number', 'format type'],
  [{ type: 'number', format: 'int64' }, 'number', 'format type'],
  [{ type: 'number', format: 'double' }, 'number', 'type'],
  [{ type: 'number', not: { format: 'int32' } }, 'number', 'not'],
  [{ type: 'string', format: 'of-nobody' }, 'string', 'type'],
  [{ minItems: 2 }, all, 'minItems'],
  [{ type: 'array', maxItems: 2 }, 'array', 'maxItems type'],
  [{ type: 'array', items: { type: 'integer' }, uniqueItems: true }, 'array', 'uniqueItems type'],
  [{ type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] }, 'array', 'type'],
  [{ type: 'array', prefixItems: [{ type: 'integer' }], items: false }, 'array', 'type false'],
  [{ type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3 }, 'array', 'type minItems maxItems'],
  [{ type: 'array', contains: { const: 1 } }, 'array', 'contains type'],
  [{ type: 'array', contains: { const: 1 }, minContains: 2, maxContains: 3 }, 'array', 'minContains maxContains type'],
  [{ type: 'array', contains: { const: 1 }, minContains: 0 }, 'array', 'type'],
  [{ type: 'array', prefixItems: [true], unevaluatedItems: { type: 'string' } }, 'array', 'type'],
  [{ type: 'array', prefixItems: [true], unevaluatedItems: false }, 'array', 'unevaluatedItems type'],
  [{ type: 'object', properties: { a: { type: 'integer' }, b: true } }, 'object', 'type'],
  [{ type: 'object', required: ['a', 'b'] }, 'object', 'required type'],
  [{ type: 'object', properties: { a: false } }, 'object', 'false type'],
  [{ type: 'object', patternProperties: { '^x-': { type: 'string' } } }, 'object', 'type'],
  [{ type: 'object', properties: { a: true }, additionalProperties: false }, 'object', 'additionalProperties type'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'object', 'type'],
  [{ type: 'object', propertyNames: { pattern: '^[a-c]+$' } }, 'object', 'propertyNames type'],
  [{ type: 'object', minProperties: 2 }, 'object', 'minProperties type'],
  [{ type: 'object', maxProperties: 1, additionalProperties: true }, 'object', 'maxProperties type'],
  [{ type: 'object', properties: { a: true, b: true }, dependentRequired: { a: ['b'] } }, 'object', 'dependentRequired type'],
  [{ type: 'object', properties: { a: true }, dependentSchemas: { a: { required: ['b'] } } }, 'object', 'required type'],
  [{ type: 'object', allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, 'object', 'unevaluatedProperties type'],
  [{ allOf: [{ minimum: 2 }, { type: 'integer' }] }, 'number', 'minimum type'],
  [{ anyOf: [{ type: 'integer' }, { type: 'string', minLength: 2 }] }, 'number string', 'anyOf minLength type'],
  [{ oneOf: [{ type: 'integer' }, { minimum: 2 }] }, all, 'oneOf minimum type'],
  [{ not: { type: ['string', 'object'] } }, 'null boolean number array', 'not'],
  [{ not: { type: 'string' } }, others('string'), 'not'],
  [conditional({ type: 'string' }, { minLength: 2 }, { not: { type: 'object' } }), others('object'), 'minLength not'],
  [{ $ref: '#/$defs/a', $defs: { a: { type: 'integer', minimum: 1 } } }, 'number', 'type minimum'],
];

const titled = rows.map(([schema, types, broken]) => [JSON.stringify(schema), schema, types, broken] as const);
const drawing = { seed: 3, count: 25 };
const sorted = (words: Iterable<string>): readonly string[] => [...words].filter((word) => word !== '').sort();

describe('valid instances', () => {
  it.each(titled)('%s', (_title, schema, types) => {
    expect(problemsOfInstances(() => arbitraryFor(schema), judgeOf(schema), drawing)).toEqual([]);
    expect(sorted(typesAmong(draw(arbitraryFor(schema), drawing)))).toEqual(sorted(types.split(' ')));
  });
});

describe('invalid examples', () => {
  it.each(titled.filter(([, , , broken]) => broken !== ''))('%s', (_title, schema, _types, broken) => {
    const judge = judgeOf(schema);
    expect(problemsOfInvalidExamples(() => invalidExampleFor(schema), judge, drawing)).toEqual([]);
    const invalidExamples = draw(invalidExampleFor(schema), drawing);
    expect(sorted(new Set(invalidExamples.map(({ keyword }) => keyword)))).toEqual(sorted(broken.split(' ')));
    expect(precisionOf(invalidExamples, judge).single).toBeGreaterThan(0.95);
  });

  it('of a schema that accepts everything do not exist', () => {
    for (const schema of [true, {}, { title: 'anything' }, { minLength: 0 }, { format: 'of-nobody' }])
      expect(() => invalidExampleFor(schema)).toThrow('every instance is valid');
  });
});
