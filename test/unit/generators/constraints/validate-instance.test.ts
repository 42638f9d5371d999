/** The validation of the generators: each keyword accepts and rejects as JSON Schema says, without inherited members and endless loops. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../../generators/constraints/validate-instance.ts';
import { Unsupported } from '../../../../generators/generation-errors.ts';
import { openSchema } from '../../../../generators/schema/located-schema.ts';

/** The instances of a list that a schema accepts. */
function accepted(schema: Schema, instances: readonly Json[]): readonly Json[] {
  const location = openSchema(schema);
  return instances.filter((instance) => isValid(location, instance));
}

function mistake(schema: Schema, instance: Json): Unsupported {
  try {
    isValid(openSchema(schema), instance);
  } catch (error) {
    if (error instanceof Unsupported) return error;
    throw error;
  }
  throw new Error('this was judged, and it cannot be');
}

/** Schemas with names that mean something to JavaScript. */
function parse(text: string): Schema {
  return JSON.parse(text) as Schema;
}

const oneOfEach: readonly Json[] = [null, true, 1, 1.5, 'a', [], {}];

describe('a keyword about values of any type', () => {
  it.each<readonly [string, Schema, readonly Json[]]>([
    ['true', true, oneOfEach],
    ['false', false, []],
    ['type', { type: 'number' }, [1, 1.5]],
    ['type integer', { type: 'integer' }, [1]],
    ['type, a list', { type: ['array', 'null'] }, [null, []]],
    ['nullable beside a type', { type: 'object', nullable: true }, [null, {}]],
    ['nullable alone', { nullable: true }, oneOfEach],
    ['const', { const: [] }, [[]]],
    ['const null', { const: null }, [null]],
    ['enum', { enum: ['a', {}, 1] }, [1, 'a', {}]],
    ['an empty enum', { enum: [] }, []],
    ['not', { not: { type: ['number', 'string'] } }, [null, true, [], {}]],
    ['allOf', { allOf: [{ type: ['number', 'string'] }, { not: { const: 1 } }] }, [1.5, 'a']],
    ['anyOf', { anyOf: [{ type: 'number' }, { type: 'integer' }, { const: 'a' }] }, [1, 1.5, 'a']],
    ['oneOf', { oneOf: [{ type: 'number' }, { type: 'integer' }, { const: 'a' }] }, [1.5, 'a']],
    ['if, then, else', parse('{ "if": { "type": "number" }, "then": { "const": 1 }, "else": { "type": "string" } }'), [1, 'a']],
    ['then and else without if', parse('{ "then": false, "else": false }'), oneOfEach],
    ['a word that is no keyword', { unknown: false, minimumm: 5 }, oneOfEach],
  ])('%s', (_, schema, expected) => {
    expect(accepted(schema, oneOfEach)).toEqual(expected);
  });
});

describe('a keyword about numbers', () => {
  const numbers: readonly Json[] = [-1, 0, 0.5, 2, 3, 2 ** 31, 'x'];

  it.each<readonly [string, Schema, readonly Json[]]>([
    ['minimum', { minimum: 2 }, [2, 3, 2 ** 31, 'x']],
    ['exclusiveMinimum', { exclusiveMinimum: 2 }, [3, 2 ** 31, 'x']],
    ['maximum', { maximum: 0 }, [-1, 0, 'x']],
    ['exclusiveMaximum', { exclusiveMaximum: 0 }, [-1, 'x']],
    ['multipleOf', { multipleOf: 1.5 }, [0, 3, 'x']],
    ['format', { format: 'int32' }, [-1, 0, 2, 3, 'x']],
  ])('%s', (_, schema, expected) => {
    expect(accepted(schema, numbers)).toEqual(expected);
  });

  it('multipleOf divides decimals, where doubles differ', () => {
    expect(accepted({ multipleOf: 0.1 }, [0.1, 0.2, 0.3, 0.35])).toEqual([0.1, 0.2, 0.3]);
    expect(accepted({ multipleOf: 1 }, [1e20, 1e21, 1e308])).toEqual([1e20, 1e21, 1e308]);
    expect(accepted({ multipleOf: 0.5 }, [1e308])).toEqual([1e308]);
  });
});

describe('a keyword about strings', () => {
  const texts: readonly Json[] = ['', 'a', 'ab', '😀😀', '2024-02-30', '2024-02-29', 7];

  it.each<readonly [string, Schema, readonly Json[]]>([
    ['minLength', { minLength: 2 }, ['ab', '😀😀', '2024-02-30', '2024-02-29', 7]],
    ['minLength, by code points', { minLength: 3, maxLength: 4 }, [7]],
    ['maxLength', { maxLength: 2 }, ['', 'a', 'ab', '😀😀', 7]],
    ['pattern', { pattern: 'b$' }, ['ab', 7]],
    ['pattern, by code points', { pattern: '^..$' }, ['ab', '😀😀', 7]],
    ['pattern of the older mode', { pattern: '^2024\\-02' }, ['2024-02-30', '2024-02-29', 7]],
    ['format', { format: 'date' }, ['2024-02-29', 7]],
    ['an unknown format', { format: 'unheard-of' }, texts],
  ])('%s', (_, schema, expected) => {
    expect(accepted(schema, texts)).toEqual(expected);
  });
});

describe('a keyword about arrays', () => {
  const lists: readonly Json[] = [[], [1], [1, 'a'], ['a', 1], [1, 1], [{ a: 1 }, { a: 1 }], 'x'];

  it.each<readonly [string, Schema, readonly Json[]]>([
    ['minItems', { minItems: 2 }, [[1, 'a'], ['a', 1], [1, 1], [{ a: 1 }, { a: 1 }], 'x']],
    ['maxItems', { maxItems: 1 }, [[], [1], 'x']],
    ['uniqueItems', { uniqueItems: true }, [[], [1], [1, 'a'], ['a', 1], 'x']],
    ['items', { items: { type: 'number' } }, [[], [1], [1, 1], 'x']],
    ['prefixItems', { prefixItems: [{ type: 'number' }, { type: 'string' }] }, [[], [1], [1, 'a'], 'x']],
    ['items after prefixItems', { prefixItems: [true], items: { type: 'string' } }, [[], [1], [1, 'a'], 'x']],
    ['contains', { contains: { type: 'string' } }, [[1, 'a'], ['a', 1], 'x']],
    ['minContains', { contains: { const: 1 }, minContains: 2 }, [[1, 1], 'x']],
    ['minContains 0', { contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[], [1], [1, 'a'], ['a', 1], lists[5] ?? null, 'x']],
    ['maxContains without contains', { maxContains: 0, minContains: 7 }, lists],
    ['unevaluatedItems', { prefixItems: [{ const: 1 }], unevaluatedItems: { type: 'string' } }, [[], [1], [1, 'a'], 'x']],
    ['unevaluatedItems after contains', { contains: { const: 1 }, unevaluatedItems: false }, [[1], [1, 1], 'x']],
    ['unevaluatedItems after a branch that fails', { anyOf: [{ prefixItems: [false] }, true], unevaluatedItems: false }, [[], 'x']],
  ])('%s', (_, schema, expected) => {
    expect(accepted(schema, lists)).toEqual(expected);
  });
});

describe('a keyword about objects', () => {
  const objects: readonly Json[] = [{}, { a: 1 }, { a: 'x' }, { b: 1 }, { a: 1, b: 1 }, 'x'];
  const branches = { anyOf: [{ properties: { a: { const: 1 } }, required: ['a'] }, { required: ['b'] }] };

  it.each<readonly [string, Schema, readonly Json[]]>([
    ['required', { required: ['a'] }, [{ a: 1 }, { a: 'x' }, { a: 1, b: 1 }, 'x']],
    ['minProperties', { minProperties: 2 }, [{ a: 1, b: 1 }, 'x']],
    ['maxProperties', { maxProperties: 0 }, [{}, 'x']],
    ['properties', { properties: { a: { type: 'string' } } }, [{}, { a: 'x' }, { b: 1 }, 'x']],
    ['patternProperties', { patternProperties: { '^[ab]$': { type: 'string' } } }, [{}, { a: 'x' }, 'x']],
    ['additionalProperties', { properties: { a: true }, additionalProperties: false }, [{}, { a: 1 }, { a: 'x' }, 'x']],
    [
      'additionalProperties after patterns',
      { patternProperties: { a: true }, additionalProperties: { const: 2 } },
      [{}, { a: 1 }, { a: 'x' }, 'x'],
    ],
    ['propertyNames', { propertyNames: { const: 'b' } }, [{}, { b: 1 }, 'x']],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { b: 1 }, { a: 1, b: 1 }, 'x']],
    ['dependentSchemas', { dependentSchemas: { a: { properties: { a: { type: 'string' } } } } }, [{}, { a: 'x' }, { b: 1 }, 'x']],
    ['unevaluatedProperties', { ...branches, unevaluatedProperties: false }, [{ a: 1 }, 'x']],
    [
      'unevaluatedProperties after all branches that hold',
      { anyOf: [true, { properties: { a: true } }], unevaluatedProperties: false },
      [{}, { a: 1 }, { a: 'x' }, 'x'],
    ],
    [
      'unevaluatedProperties after dependentSchemas',
      { dependentSchemas: { a: { properties: { a: true } } }, unevaluatedProperties: false },
      [{}, { a: 1 }, { a: 'x' }, 'x'],
    ],
    ['unevaluatedProperties, not after not', { not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, [{}, 'x']],
    ['unevaluatedProperties inside and outside', { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, objects],
  ])('%s', (_, schema, expected) => {
    expect(accepted(schema, objects)).toEqual(expected);
  });

  it('counts own members only, whatever their names', () => {
    const own = JSON.parse('{"__proto__": 1, "toString": 2, "constructor": 3}') as Json;
    const names = ['__proto__', 'toString', 'constructor'];
    expect(accepted({ required: names }, [{}, own])).toEqual([own]);
    expect(accepted(parse('{ "properties": { "__proto__": { "type": "string" } } }'), [{}, own])).toEqual([{}]);
    expect(accepted({ properties: { toString: false } }, [{}, own])).toEqual([{}]);
    expect(accepted({ dependentRequired: { constructor: ['a'] } }, [{}, own])).toEqual([{}]);
    expect(accepted({ propertyNames: { enum: names } }, [{}, own])).toEqual([{}, own]);
  });
});

describe('a schema that leads back to itself at the same instance', () => {
  it.each<readonly [string, Schema, Json, boolean]>([
    ['alone', { $ref: '#' }, 1, true],
    ['beside other keywords', { $ref: '#', type: 'string' }, 1, false],
    [
      'through several schemas',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }, { minimum: 5 }] } }, $ref: '#/$defs/a' },
      4,
      false,
    ],
    ['by way of names', { propertyNames: { $ref: '#' }, maxLength: 2 }, { abc: 1 }, false],
    ['at every level of a deep instance', { $ref: '#', properties: { a: { $ref: '#' } }, required: [] }, nested(60), true],
  ])('%s adds no constraint', (_, schema, instance, expected) => {
    expect(isValid(openSchema(schema), instance)).toBe(expected);
  });

  it('forgets the instance when validation throws', () => {
    const location = openSchema({ allOf: [{ minimum: 'x' }] });
    expect(() => isValid(location, 5)).toThrow(Unsupported);
    expect(() => isValid(location, 5)).toThrow(Unsupported);
  });
});

function nested(depth: number): Json {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

describe('a malformed keyword', () => {
  it.each<readonly [string, Schema, string]>([
    ['maximum', { maximum: '3' }, '"3" is not a number'],
    ['exclusiveMinimum', { exclusiveMinimum: true }, 'true is not a number'],
    ['multipleOf', { multipleOf: 0 }, '0 is not greater than 0'],
    ['minLength', { minLength: -1 }, '-1 is not a non-negative integer'],
    ['maxItems', { maxItems: 1.5 }, '1.5 is not a non-negative integer'],
    ['minContains', { minContains: '1' }, '"1" is not a number'],
    ['pattern', { pattern: '(' }, 'is not a regular expression'],
    ['pattern', { pattern: 5 }, '5 is not a string'],
    ['patternProperties', { patternProperties: { '[': true } }, 'is not a regular expression'],
    ['format', { format: null }, 'null is not a string'],
    ['uniqueItems', { uniqueItems: 'yes' }, '"yes" is not a boolean'],
    ['type', { type: 'text' }, '"text" is none of null, boolean, integer, number, string, array, object'],
    ['type', { type: [] }, 'its list is empty'],
    ['nullable', { type: ['null', 'string'], nullable: false }, 'null is among the types'],
    ['enum', { enum: 'a' }, '"a" is not a list'],
    ['required', { required: true }, 'true is not a list of names'],
    ['dependentRequired', { dependentRequired: { a: 'b' } }, '"b" is not a list of names'],
    ['items', { items: [true] }, 'is not a schema'],
    ['properties', { properties: [] }, 'its value must be an object of schemas'],
    ['allOf', { allOf: true }, 'its value must be a list of schemas'],
    ['not', { not: 'a' }, 'is not a schema'],
    ['$ref', { $ref: 5 }, 'its value must be a string'],
    ['$ref', { $ref: '#/$defs/none' }, 'cannot be resolved'],
  ])('%s of %j is told by its name and reason, whatever the instance', (keyword, schema, why) => {
    for (const instance of oneOfEach) expect(mistake(schema, instance)).toMatchObject({ keyword, path: '#' });
    expect(mistake(schema, null).message).toContain(why);
  });

  it('is reported with its path', () => {
    expect(mistake({ properties: { 'a/b': { items: { minimum: 'x' } } } }, { 'a/b': [1] }).path).toBe('#/properties/a~1b/items');
    expect(mistake({ $defs: { far: { $id: 'urn:far', not: { minItems: {} } } }, $ref: 'urn:far' }, []).path).toContain('/not');
  });
});
