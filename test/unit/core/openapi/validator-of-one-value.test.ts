/** A validator for one value says what the validator for all values says, and does not compile what the value cannot reach. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../../../core/openapi/schema-violation.ts';
import { createValidators } from '../../../../core/openapi/validator.ts';
import { documentOf } from '../../../helpers/contracts/contract-text.ts';

const event = (kind: string, more: string): string =>
  `{ type: object, required: [kind], properties: { kind: { const: ${kind} }, ${more} }, additionalProperties: false }`;

/** Schemas by name; keywords that look at the names of members stand beside `properties`. */
const schemas: Readonly<Record<string, string>> = {
  additionalProperties: '{ properties: { a: { type: integer }, b: { type: string } }, additionalProperties: { type: boolean } }',
  'no additional properties': '{ properties: { a: { type: integer }, b: false }, additionalProperties: false }',
  unevaluatedProperties:
    '{ allOf: [{ properties: { a: { type: integer }, b: {} } }], properties: { c: {} }, unevaluatedProperties: false }',
  'unevaluatedProperties below a condition':
    '{ if: { properties: { a: { const: 1 } }, required: [a] }, then: { properties: { b: { type: string } } }, properties: { a: {} }, unevaluatedProperties: false }',
  dependentSchemas: '{ properties: { a: {} }, dependentSchemas: { a: { required: [b], properties: { b: { type: integer } } } } }',
  propertyNames: '{ properties: { a: {}, b: {} }, propertyNames: { pattern: "^[ab]$" } }',
  patternProperties:
    '{ properties: { a: { type: integer } }, patternProperties: { "^[bc]": { type: integer } }, additionalProperties: false }',
  'a negated property': '{ not: { properties: { a: { type: integer } }, required: [a] } }',
  'a count of matching branches': '{ oneOf: [{ properties: { a: { type: integer } } }, { properties: { b: { type: integer } } }] }',
  'a property called properties':
    '{ properties: { properties: { properties: { a: { type: integer } } } }, additionalProperties: { type: boolean } }',
  ['__proto__']: '{ properties: { __proto__: { type: integer } }, additionalProperties: false }',
  'a union told apart by a member': `{ oneOf: [${event('x', 'a: { type: integer }')}, ${event('y', 'b: { type: integer }')}] }`,
  'a union with null': `{ anyOf: [${event('x', 'a: { type: integer }')}, ${event('y', 'b: {}')}, { type: 'null' }] }`,
  'a union by numbers': `{ oneOf: [${event('1', 'a: { type: integer }')}, ${event('2', 'b: {}')}] }`,
  'a reference to itself': '{ properties: { a: { type: integer }, b: { $ref: "#/schema" } }, additionalProperties: false }',
};

const values: readonly Json[] = [
  ...[null, 5, 'x', [], {}, { a: 1 }, { a: 'x' }, { b: 1 }, { b: 'x' }, { a: 1, b: 1 }, { a: 1, b: 'x' }, { c: 1 }, { a: 1, c: true }],
  ...[{ a: 2, b: 'x' }, { b: { a: 'x' } }, { b: { b: { a: 1 } } }, { properties: { a: 'x' } }, { properties: { a: 1 }, a: 1 }],
  ...[
    { kind: 'x' },
    { kind: 'x', a: 1 },
    { kind: 'x', b: 1 },
    { kind: 'y', b: 1 },
    { kind: 'y', b: 'x' },
    { kind: 'z' },
    { kind: 1 },
    { kind: 2, a: 1 },
  ],
  JSON.parse('{ "__proto__": 1 }'),
  JSON.parse('{ "__proto__": "x" }'),
];

describe('a validator for one value finds what any validator finds', () => {
  it.each(Object.keys(schemas))('with %s', async (name) => {
    const document = await documentOf(`schema: ${schemas[name]}\n`);
    const schema = rawOf(document).root['schema'] as Schema;
    const summary = (violations: readonly SchemaViolation[]) =>
      violations.map(({ path, keyword, message, place }) => ({ path, keyword, message, place }));
    const validate = createValidators(document).compile(schema);
    const found = values.map((value) => summary(validate(value)));
    expect(values.map((only) => summary(createValidators(document, { only }).compile(schema)(only)))).toEqual(found);
    expect(new Set(found.map((violations) => violations.length > 0)).size).toBe(2);
  });
});

it.each(['{ properties: { a: {}, b: { pattern: "(" } } }', `{ oneOf: [${event('x', 'a: {}')}, ${event('y', 'b: { pattern: "(" }')}] }`])(
  'does not compile what the value cannot reach in %s',
  async (text) => {
    const document = await documentOf(`schema: ${text}\n`);
    const schema = rawOf(document).root['schema'] as Schema;
    expect(createValidators(document, { only: { kind: 'x', a: 1 } }).compile(schema)({ kind: 'x', a: 1 })).toEqual([]);
    expect(() => createValidators(document).compile(schema)({ kind: 'x', a: 1 })).toThrow('pattern');
  },
);
