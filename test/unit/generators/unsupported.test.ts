/** Schemas that cannot be generated from are refused with the place, the keyword and the reason. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { Unsupported } from '../../../generators/generation-errors.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { documentOf } from '../../helpers/contracts/contract-text.ts';

const malformed: readonly (readonly [keyword: string, value: Json])[] = [
  ['type', 'text'],
  ['type', 3],
  ['type', ['string', 'text']],
  ['enum', 'a'],
  ['minimum', '3'],
  ['maximum', null],
  ['exclusiveMinimum', true],
  ['exclusiveMaximum', false],
  ['multipleOf', '2'],
  ['multipleOf', 0],
  ['multipleOf', -2],
  ['minLength', -1],
  ['maxLength', 1.5],
  ['pattern', 3],
  ['pattern', '('],
  ['pattern', '[z-a]'],
  ['format', 3],
  ['minItems', '1'],
  ['maxItems', -1],
  ['uniqueItems', 'yes'],
  ['items', [{ type: 'string' }]],
  ['items', 3],
  ['prefixItems', { type: 'string' }],
  ['prefixItems', [3]],
  ['contains', 'a'],
  ['required', 'a'],
  ['required', [1]],
  ['required', true],
  ['properties', ['a']],
  ['properties', { a: 1 }],
  ['patternProperties', { '(': true }],
  ['patternProperties', 3],
  ['additionalProperties', 'no'],
  ['propertyNames', []],
  ['minProperties', null],
  ['maxProperties', '1'],
  ['dependentRequired', ['a']],
  ['dependentRequired', { a: 'b' }],
  ['dependentSchemas', { a: 'b' }],
  ['allOf', { type: 'string' }],
  ['anyOf', [1]],
  ['oneOf', 'a'],
  ['not', 1],
  ['if', 1],
  ['unevaluatedProperties', 'no'],
  ['unevaluatedItems', 0],
  ['$ref', 3],
  ['$ref', '#/$defs/missing'],
  ['$ref', '#missing'],
  ['$ref', 'https://a.example/missing'],
  ['$dynamicRef', '#missing'],
];

const titled = malformed.map(([keyword, value]) => [`${keyword}: ${JSON.stringify(value)}`, keyword, value] as const);

describe('a malformed keyword', () => {
  it.each(titled)('is refused by its place and name: %s', (_title, keyword, value) => {
    // Neither its position nor other possible instances matter.
    const schema: Schema = { type: 'object', properties: { a: { type: 'array', items: { [keyword]: value } } }, required: ['a'] };
    for (const make of [() => arbitraryFor(schema), () => invalidExampleFor(schema)]) {
      const error = refusalOf(make);
      expect(error.path).toMatch(/^#\/properties\/a\/items(\/|$)/);
      expect(error.keyword).toBe(keyword);
      expect(error.message).toBe(`${error.path}: cannot generate from ${keyword}: ${error.message.split(`from ${keyword}: `)[1]}`);
    }
  });

  it.each([
    ['$ref', '#/$defs/missing', /cannot be resolved.*remotes/],
    ['type', 'text', /text.*(integer|string)/],
    ['multipleOf', 0, /0/],
    ['pattern', '(', /\(/],
    ['minLength', -1, /-1.*integer/],
    ['required', 'a', /"a".*list/],
  ] as const)('is reported with its value and the way out: %s %s', (keyword, value, message) => {
    expect(refusalOf(() => arbitraryFor({ [keyword]: value })).message).toMatch(message);
  });

  it('of a contract file is reported with its line', async () => {
    const document = await documentOf(
      'openapi: 3.1.0\ncomponents:\n  schemas:\n    A: { type: object, required: [a], properties: { a: { minimum: low } } }\n',
    );
    const schema = (rawOf(document).root['components'] as { readonly schemas: Readonly<Record<string, Schema>> }).schemas['A'] ?? false;
    expect(refusalOf(() => arbitraryFor(schema, { document })).path).toMatch(/^api\.yaml:4:/);
  });
});

describe('a pattern beyond generation', () => {
  it('is refused where it is the only way', () => {
    // No five characters precede the start of a string, so the pattern is readable and matches nothing.
    const schema: Schema = { type: 'string', pattern: '^(?<=.{5})[a-z]{3}$' };
    expect(refusalOf(() => arbitraryFor(schema))).toMatchObject({ path: '#', keyword: 'pattern' });
  });
});

function refusalOf(make: () => unknown): Unsupported {
  try {
    make();
  } catch (error) {
    if (error instanceof Unsupported) return error;
    throw error;
  }
  throw new Error('it is not refused');
}

describe('what is no schema', () => {
  it.each([[null], ['text'], [[]], [5], [undefined]])('is refused: %j', (given) => {
    // TypeScript keeps these out; a program in JavaScript may pass them all the same.
    const schema = given as unknown as Schema;
    for (const make of [arbitraryFor, invalidExampleFor])
      expect(() => make(schema)).toThrow(/is not a schema: give an object or a boolean/);
  });
});
