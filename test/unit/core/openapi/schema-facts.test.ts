/** The schemas at a place are found, with their types, comparisons and constants, and the line that prevents compilation. */

import { describe, expect, it } from 'vitest';
import { formatLocation } from '../../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { createDocument, rawOf } from '../../../../core/openapi/raw-document.ts';
import {
  allowsNull,
  certainSchemas,
  comparisonKind,
  constantsOf,
  mergedBranchKeywords,
  mergedKeywords,
  type Schema,
  schemasAt,
  typesOf,
} from '../../../../core/openapi/schema-facts.ts';
import { createValidators } from '../../../../core/openapi/validator.ts';
import { documentOf, type Files, mistakeOf } from '../../../helpers/contracts/contract-text.ts';

const others = `named: { type: integer, minimum: 1 }
thing: { type: object, properties: { at: { $ref: '#/instant' } } }
instant: { type: string, format: date-time }
tree: { properties: { left: { $ref: '#/tree' }, name: { type: string } } }
`;

async function schemaOf(text: string): Promise<readonly [Document, Schema]> {
  const document = await documentOf(`schema: ${text}\n${others}`);
  const schema: Json | undefined = rawOf(document).root['schema'];
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

  it.each<readonly [string, string, readonly Schema[]]>([
    ["{ $ref: '#/thing' }", '/at', [{ $ref: '#/instant' }, { type: 'string', format: 'date-time' }]],
    ['{ type: object }', '', [{ type: 'object' }]],
    ["{ $ref: '#/tree' }", '/left/left/name', [{ type: 'string' }]],
    ['{ properties: { a: { const: 1 } }, additionalProperties: { const: 2 } }', '/a', [{ const: 1 }]],
    ['{ prefixItems: [{ const: 1 }], items: { const: 2 } }', '/0', [{ const: 1 }]],
    ['{ prefixItems: [{ const: 1 }], items: { const: 2 } }', '/1', [{ const: 2 }]],
  ])('of %s at %s are exactly %j', async (text, pointer, schemas) => {
    expect(await found(text, pointer)).toEqual(schemas);
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
});

describe('what holds without condition', () => {
  it('is the schema with what it refers to and all of allOf', async () => {
    expect(certainSchemas(...(await schemaOf("{ allOf: [{ $ref: '#/named' }], anyOf: [{ maximum: 5 }] }")))).toHaveLength(3);
  });

  it('is gathered into one object, in which the outer keyword speaks, and is nothing for true', async () => {
    const schema = await schemaOf("{ default: 5, minimum: 3, allOf: [{ $ref: '#/named' }, { maximum: 9 }] }");
    expect(mergedKeywords(...schema)).toEqual({ type: 'integer', default: 5, minimum: 3, maximum: 9 });
    expect(mergedKeywords(...(await schemaOf('true')))).toEqual({});
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
    const { anyOf: _any, oneOf: _one, ...rest } = mergedBranchKeywords(...(await schemaOf(text)));
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
    const types = ['string', ['a', 'null'], undefined, 5].map((type) => typesOf(type === undefined ? {} : { type }));
    expect(types).toEqual([['string'], ['a', 'null'], [], []]);
  });
});

/** Reported positions of errors in the schema `schema` of a file. */
async function faultOf(text: string, others: Files = {}): Promise<string> {
  const document = await documentOf(text, others);
  const compile = async (): Promise<unknown> => createValidators(document).compile(rawOf(document).root['schema'] as JsonObject)({});
  return formatLocation((await mistakeOf(compile())).place);
}

describe('the fault of a schema', () => {
  it.each([
    ['at the top', 'schema:\n  type: strng\n', 'api.yaml:2:3'],
    ['beside what is right', 'schema:\n  minimum: 1\n  maximum: "2"\n', 'api.yaml:3:3'],
    ['in a property', 'schema:\n  properties:\n    a: { type: string }\n    b: { pattern: "(" }\n', 'api.yaml:4:10'],
    ['in a branch', 'schema:\n  anyOf:\n    - type: string\n    - items: { type: strng }\n', 'api.yaml:4:16'],
    ['in what is referred to', "schema: { $ref: '#/a' }\na:\n  properties:\n    b: { $ref: '#/c' }\nc:\n  type: strng\n", 'api.yaml:6:3'],
    [
      'in a schema that contains itself',
      "schema: { $ref: '#/a' }\na:\n  properties:\n    b: { $ref: '#/a' }\n    c: { type: strng }\n",
      'api.yaml:5:10',
    ],
  ])('%s is reported there', async (_, text, place) => {
    expect(await faultOf(text)).toBe(place);
  });

  it('in another file is reported in that file', async () => {
    expect(await faultOf("schema: { items: { $ref: 'b.yaml#/a' } }\n", { 'b.yaml': '# b\na: { minLength: x }\n' })).toBe('b.yaml:2:6');
  });

  it('is not looked for in data', async () => {
    expect(await faultOf('schema:\n  const: { type: strng }\n  enum: [{ type: strng }]\n  x-more: { type: strng }\n  type: strng\n')).toBe(
      'api.yaml:5:3',
    );
  });

  it('that no keyword shows is reported at the whole schema', async () => {
    expect(await faultOf("schema:\n  properties:\n    a:\n      type: object\n      patternProperties: { '(': true }\n")).toBe(
      'api.yaml:2:3',
    );
  });
});

function documentWith(schemas: JsonObject): Document {
  return createDocument('api.yaml', new Map([['api.yaml', { components: { schemas } }]]));
}

describe('the constants of a schema', () => {
  it('are found at any depth, and through references', () => {
    const document = documentWith({
      Success: { properties: { ok: { const: true }, meta: { properties: { version: { const: 'v1' } } } } },
    });
    const schema = {
      allOf: [{ $ref: '#/components/schemas/Success' }],
      properties: { meta: { properties: { page: { type: 'integer' } } } },
    };
    expect(constantsOf(document, schema)).toEqual({ ok: true, meta: { version: 'v1' } });
  });

  it('are undefined if the schema fixes no value', () => {
    expect(
      constantsOf(documentWith({}), { properties: { a: { enum: ['x'] }, b: { default: 'y' }, c: { type: 'string' } } }),
    ).toBeUndefined();
    expect(constantsOf(documentWith({}), true)).toBeUndefined();
  });

  it('may be null or false', () => {
    expect(constantsOf(documentWith({}), { properties: { a: { const: null }, b: { const: false } } })).toEqual({ a: null, b: false });
  });

  it('do not include excluded members', () => {
    expect(constantsOf(documentWith({}), { properties: { ok: { const: true, allOf: [false] }, gone: false, kept: { const: 1 } } })).toEqual(
      {
        kept: 1,
      },
    );
  });

  it('are not taken from a choice or a condition', () => {
    expect(
      constantsOf(documentWith({}), { anyOf: [{ properties: { a: { const: 1 } } }], if: false, else: { properties: { b: { const: 2 } } } }),
    ).toBeUndefined();
  });

  it('end in a recursive schema', () => {
    const document = documentWith({ Node: { properties: { kind: { const: 'node' }, next: { $ref: '#/components/schemas/Node' } } } });
    expect(constantsOf(document, { $ref: '#/components/schemas/Node' })).toEqual({ kind: 'node' });
  });
});
