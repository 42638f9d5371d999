/** Looking into a schema finds what is said about a place, whichever way it is said, and how the values there compare. */

import { describe, expect, it } from 'vitest';
import type { Document } from '../../../core/document.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { allowsNull, certainSchemas, comparisonKind, flatten, gather, type Schema, schemasAt, typesOf } from '../../../core/schema.ts';
import { documentOf } from '../../helpers/contract-text.ts';

const others =
  "named: { type: integer, minimum: 1 }\nthing: { type: object, properties: { at: { $ref: '#/instant' } } }\ninstant: { type: string, format: date-time }\n";

async function schemaOf(text: string): Promise<readonly [Document, Schema]> {
  const document = await documentOf(`schema: ${text}\n${others}`);
  const schema: Json | undefined = document.root['schema'];
  if (!isObject(schema) && typeof schema !== 'boolean') throw new Error(`${text} is no schema`);
  return [document, schema];
}

async function found(text: string, pointer: string): Promise<readonly Schema[]> {
  return schemasAt(...(await schemaOf(text)), pointer);
}

describe('the schemas at a place', () => {
  it.each([
    ['properties', '{ properties: { a: { const: 1 } } }', '/a'],
    ['items', '{ properties: { a: { items: { const: 1 } } } }', '/a/0'],
    ['allOf', '{ allOf: [{ properties: { a: { const: 1 } } }] }', '/a'],
    ['anyOf', '{ anyOf: [{ type: "null" }, { properties: { a: { const: 1 } } }] }', '/a'],
    ['oneOf', '{ oneOf: [{ type: "null" }, { properties: { a: { const: 1 } } }] }', '/a'],
    ['then', '{ if: { required: [b] }, then: { properties: { a: { const: 1 } } } }', '/a'],
    ['else', '{ if: { required: [b] }, else: { properties: { a: { const: 1 } } } }', '/a'],
    ['additionalProperties', '{ additionalProperties: { const: 1 } }', '/a'],
    ['patternProperties', '{ patternProperties: { ^a: { const: 1 } } }', '/ab'],
    ['prefixItems', '{ prefixItems: [{}, { const: 1 }], items: false }', '/1'],
    ['dependentSchemas', '{ dependentSchemas: { b: { properties: { a: { const: 1 } } } } }', '/a'],
  ])('are found through %s', async (_, text, pointer) => {
    expect(await found(text, pointer)).toContainEqual({ const: 1 });
  });

  it('are found through references, and hold what these name', async () => {
    expect(await found("{ $ref: '#/thing' }", '/at')).toEqual([{ $ref: '#/instant' }, { type: 'string', format: 'date-time' }]);
  });

  it('are the schema itself at the root', async () => {
    expect(await found('{ type: object }', '')).toEqual([{ type: 'object' }]);
  });

  it.each([
    ['{ type: object }', '/a'],
    ['{ properties: { a: {} } }', '/b'],
    ['{ properties: { a: {} } }', '/a/b'],
    ['{ items: {} }', '/a'],
    ['{ properties: { a: {} } }', '/toString'],
    ['{ patternProperties: { ^a: {} } }', '/ba'],
    ['true', '/a'],
  ])('are none where %s says nothing about %s', async (text, pointer) => {
    expect(await found(text, pointer)).toEqual([]);
  });

  it('are told apart: a named property is not what the others are', async () => {
    expect(await found('{ properties: { a: { const: 1 } }, additionalProperties: { const: 2 } }', '/a')).toEqual([{ const: 1 }]);
    expect(await found('{ prefixItems: [{ const: 1 }], items: { const: 2 } }', '/0')).toEqual([{ const: 1 }]);
    expect(await found('{ prefixItems: [{ const: 1 }], items: { const: 2 } }', '/1')).toEqual([{ const: 2 }]);
  });

  it('are found in a tree that contains itself', async () => {
    const document = await documentOf("tree: { properties: { left: { $ref: '#/tree' }, name: { type: string } } }\n");
    const tree = document.root['tree'];
    expect(isObject(tree) && schemasAt(document, tree, '/left/left/name')).toEqual([{ type: 'string' }]);
  });
});

describe('what holds without condition', () => {
  it('is the schema with what it refers to and all of allOf', async () => {
    const [document, schema] = await schemaOf("{ allOf: [{ $ref: '#/named' }], anyOf: [{ maximum: 5 }] }");
    expect(certainSchemas(document, schema)).toHaveLength(3);
  });

  it('is gathered into one object, in which the outer keyword speaks', async () => {
    const [document, schema] = await schemaOf("{ default: 5, minimum: 3, allOf: [{ $ref: '#/named' }, { maximum: 9 }] }");
    expect(flatten(document, schema)).toEqual({ type: 'integer', default: 5, minimum: 3, maximum: 9 });
  });

  it('is nothing for true', async () => {
    const [document, schema] = await schemaOf('true');
    expect(flatten(document, schema)).toEqual({});
  });
});

describe('what decides how text is read', () => {
  it.each<readonly [string, Json]>([
    ["{ anyOf: [{ type: integer, maximum: 9 }, { type: 'null' }] }", { type: ['integer'], maximum: 9 }],
    ['{ oneOf: [{ const: a }, { const: b }] }', { enum: ['a', 'b'] }],
    ["{ anyOf: [{ enum: [a, b] }, { const: c }, { type: 'null' }] }", { enum: ['a', 'b', 'c'] }],
    ['{ anyOf: [{ type: string, enum: [a] }, { type: string }] }', { type: ['string', 'string'] }],
    ["{ default: 5, anyOf: [{ $ref: '#/named' }] }", { type: ['integer'], minimum: 1, default: 5 }],
    ['{ type: string, anyOf: [{ minLength: 1 }, { pattern: a }] }', { type: 'string', minLength: 1, pattern: 'a' }],
    ["{ $ref: '#/named' }", { type: 'integer', minimum: 1 }],
  ])('in %s is gathered from every branch but null', async (text, keywords) => {
    const { anyOf: _any, oneOf: _one, ...rest } = gather(...(await schemaOf(text)));
    expect(rest).toEqual(keywords);
  });
});

describe('null', () => {
  it.each([
    ['{}', true],
    ['true', true],
    ['false', false],
    ['{ type: "null" }', true],
    ['{ type: [string, "null"] }', true],
    ['{ type: string }', false],
    ['{ type: string, nullable: true }', true],
    ['{ const: null }', true],
    ['{ const: 0 }', false],
    ['{ enum: [a, null] }', true],
    ['{ type: [string, "null"], enum: [a] }', false],
    ["{ $ref: '#/thing' }", false],
    ["{ anyOf: [{ $ref: '#/thing' }, { type: 'null' }] }", true],
    ["{ anyOf: [{ $ref: '#/thing' }, { type: string }] }", false],
    ["{ oneOf: [{ type: 'null' }, { $ref: '#/thing' }] }", true],
    ["{ allOf: [{ type: 'null' }, { $ref: '#/thing' }] }", false],
    ["{ type: [object, 'null'], allOf: [{ type: object }] }", false],
  ])('beside %s is allowed: %s', async (text, allowed) => {
    expect(allowsNull(...(await schemaOf(text)))).toBe(allowed);
  });
});

describe('values', () => {
  it.each([
    ["{ $ref: '#/instant' }", 'instant'],
    ["{ type: [string, 'null'], format: date-time }", 'instant'],
    ["{ $ref: '#/named' }", 'number'],
    ['{ type: number }', 'number'],
    ["{ type: [integer, 'null'] }", 'number'],
    ['{ type: string, format: date }', 'text'],
    ['{ type: string, format: date-time-local }', 'text'],
    ['{ type: string }', 'text'],
    ['{ type: boolean }', 'text'],
    ['{}', 'text'],
  ])('of %s compare as %s', async (text, kind) => {
    expect(comparisonKind(await found(`{ properties: { a: ${text} } }`, '/a'))).toBe(kind);
  });

  it('have types that are always a list', () => {
    expect([typesOf({ type: 'string' }), typesOf({ type: ['a', 'null'] }), typesOf({}), typesOf({ type: 5 })]).toEqual([
      ['string'],
      ['a', 'null'],
      [],
      [],
    ]);
  });
});
