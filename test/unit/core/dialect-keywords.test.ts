/** Each older keyword becomes what draft 2020-12 says instead, in the dialects that have it and in no other. */

import { describe, expect, it } from 'vitest';
import { modernise } from '../../../core/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import { documentOf } from '../../helpers/contract-text.ts';

const modernUri = 'https://json-schema.org/draft/2020-12/schema';

/** The first lines of a file in each dialect. */
const heads = {
  'OpenAPI 3.0': { openapi: '3.0.3' },
  'draft-04': { openapi: '3.1.0', jsonSchemaDialect: 'http://json-schema.org/draft-04/schema#' },
  'draft-06': { openapi: '3.1.0', jsonSchemaDialect: 'http://json-schema.org/draft-06/schema#' },
  'draft-07': { openapi: '3.1.0', jsonSchemaDialect: 'https://json-schema.org/draft-07/schema' },
  '2019-09': { openapi: '3.1.1', jsonSchemaDialect: 'https://json-schema.org/draft/2019-09/schema' },
  '2020-12': { openapi: '3.1.0', jsonSchemaDialect: modernUri },
  'OpenAPI 3.1': { openapi: '3.1.0', jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' },
  'no dialect': { openapi: '3.2.0' },
} as const;

type Name = keyof typeof heads;

const names = Object.keys(heads) as readonly Name[];

/** What the schema A becomes in a file of a dialect. */
async function rewritten(name: Name, schema: Json): Promise<Json | undefined> {
  const document = await documentOf(JSON.stringify({ ...heads[name], components: { schemas: { A: schema, B: { type: 'string' } } } }));
  return valueAt(modernise(document).root, '/components/schemas/A');
}

/** A schema that becomes another in some dialects, and stays as it is in all others. */
type Case = readonly [title: string, dialects: readonly Name[], before: JsonObject, after: JsonObject];

const every = names;
const withBooleanBounds: readonly Name[] = ['OpenAPI 3.0', 'draft-04'];
const oldDrafts: readonly Name[] = ['draft-04', 'draft-06', 'draft-07'];
const withItemLists: readonly Name[] = [...oldDrafts, '2019-09'];
const withLoneReferences: readonly Name[] = ['OpenAPI 3.0', ...oldDrafts];
const b = '#/components/schemas/B';

const cases: readonly Case[] = [
  ['nullable beside a type', every, { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['nullable beside several types', every, { type: ['string', 'integer'], nullable: true }, { type: ['string', 'integer', 'null'] }],
  ['nullable beside a null type', every, { type: ['string', 'null'], nullable: true }, { type: ['string', 'null'] }],
  [
    'nullable beside listed values',
    every,
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'nullable beside a listed null',
    every,
    { enum: [null, 'a'], type: 'string', nullable: true },
    { enum: [null, 'a'], type: ['string', 'null'] },
  ],
  ['nullable without a type', every, { nullable: true, enum: ['a'], allOf: [{ $ref: b }] }, { enum: ['a'], allOf: [{ $ref: b }] }],
  ['nullable that is false', every, { type: 'string', nullable: false }, { type: 'string' }],
  ['an exclusive minimum', withBooleanBounds, { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  ['an exclusive maximum', withBooleanBounds, { exclusiveMaximum: true, maximum: 0 }, { exclusiveMaximum: 0 }],
  [
    'bounds that are not exclusive',
    withBooleanBounds,
    { minimum: 1, maximum: 2, exclusiveMinimum: false, exclusiveMaximum: false },
    { minimum: 1, maximum: 2 },
  ],
  ['exclusiveness of no bound', withBooleanBounds, { exclusiveMinimum: true, maximum: 2 }, { maximum: 2 }],
  ['what stands beside a reference', withLoneReferences, { description: 'x', $ref: b, minLength: 5 }, { $ref: b }],
  [
    'definitions beside a reference',
    withLoneReferences,
    { $ref: '#/components/schemas/A/definitions/C', definitions: { C: { type: 'string' } }, $defs: { D: {} }, title: 'x' },
    { $ref: '#/components/schemas/A/definitions/C', definitions: { C: { type: 'string' } }, $defs: { D: {} } },
  ],
  ['a list of items', withItemLists, { items: [{ type: 'string' }, {}] }, { prefixItems: [{ type: 'string' }, {}] }],
  [
    'a list of items and those after',
    withItemLists,
    { items: [{ type: 'string' }], additionalItems: { type: 'null' } },
    { prefixItems: [{ type: 'string' }], items: { type: 'null' } },
  ],
  ['no items after a list', withItemLists, { additionalItems: false, items: [true] }, { items: false, prefixItems: [true] }],
  ['an empty list of items', withItemLists, { items: [], additionalItems: false }, { items: false }],
  ['items after none', withItemLists, { items: { type: 'string' }, additionalItems: false }, { items: { type: 'string' } }],
  ['items after nothing', withItemLists, { additionalItems: { type: 'string' } }, {}],
  [
    'dependencies of both kinds',
    oldDrafts,
    { dependencies: { a: ['b'], default: { required: ['c'] }, d: false } },
    { dependentRequired: { a: ['b'] }, dependentSchemas: { default: { required: ['c'] }, d: false } },
  ],
  ['dependencies of names', oldDrafts, { dependencies: { a: ['b'], c: [] } }, { dependentRequired: { a: ['b'], c: [] } }],
  ['no dependencies', oldDrafts, { dependencies: {} }, {}],
  ['an identifier', ['draft-04'], { id: 'http://a.example/b' }, { $id: 'http://a.example/b' }],
  ['an identifier with an empty fragment', ['draft-04'], { id: 'http://a.example/b#' }, { $id: 'http://a.example/b' }],
  ['an identifier that is an anchor', ['draft-06', 'draft-07'], { $id: '#here' }, { $anchor: 'here' }],
  ['an identifier with an anchor', ['draft-06', 'draft-07'], { $id: 'c.json#here' }, { $id: 'c.json', $anchor: 'here' }],
  [
    'a reference to the root as it was extended',
    ['2019-09'],
    { $recursiveAnchor: true, properties: { a: { $recursiveRef: '#' } } },
    { $dynamicAnchor: 'recursive', properties: { a: { $dynamicRef: '#recursive' } } },
  ],
  ['one without an anchor', ['2019-09'], { $recursiveAnchor: false, not: { $recursiveRef: '#' } }, { not: { $dynamicRef: '#' } }],
];

describe.each(names)('in %s', (name) => {
  it.each(cases)('%s', async (_, dialects, before, after) => {
    expect(await rewritten(name, before)).toEqual(dialects.includes(name) ? after : before);
  });

  it.each(cases)('%s, deep inside', async (_, dialects, before, after) => {
    const around = (schema: JsonObject): JsonObject => ({ anyOf: [{ properties: { nullable: { additionalProperties: schema } } }] });
    // References into definitions name them from the root, so that one stays outside.
    if (typeof before['$ref'] === 'string' && before['$ref'] !== b) return;
    expect(await rewritten(name, around(before))).toEqual(around(dialects.includes(name) ? after : before));
  });
});

describe('what is no keyword', () => {
  const looksOld = { type: 'string', nullable: true, items: [{}], dependencies: {}, $ref: 'x', exclusiveMinimum: true, id: 'y' };

  it.each<readonly [string, JsonObject]>([
    ['a default', { default: looksOld }],
    ['a constant', { const: looksOld }],
    ['a listed value', { enum: [looksOld, [looksOld]] }],
    ['an example', { example: looksOld }],
    ['examples', { examples: [looksOld] }],
    ['an extension', { 'x-other': looksOld }],
  ])('is left alone: %s', async (_, schema) => {
    for (const name of names) expect(await rewritten(name, schema)).toEqual(schema);
  });

  it('is a property with the name of one', async () => {
    const properties = Object.fromEntries(Object.keys(looksOld).map((key) => [key, { type: 'string' }]));
    for (const name of names) expect(await rewritten(name, { properties })).toEqual({ properties });
  });

  it.each<readonly [string, JsonObject]>([
    ['nullable with a text', { type: 'string', nullable: 'true' }],
    ['an exclusive bound that is a number', { minimum: 1, exclusiveMinimum: 2 }],
    ['the type of a file', { type: 'file' }],
    ['formats of 3.0', { type: 'string', format: 'binary' }],
    ['a keyword of no dialect', { discriminator: { propertyName: 'a' }, xml: { name: 'b' } }],
    ['an identifier that is no text', { id: 5, $id: true }],
    ['dependencies that are no object', { dependencies: ['a'] }],
  ])('or a value that no dialect knows: %s', async (_, schema) => {
    for (const name of names) expect(await rewritten(name, schema)).toEqual(schema);
  });
});

describe('a schema that names its dialect', () => {
  const tuple = { items: [{}], $ref: b };

  it.each([
    ['draft-07 by http', 'http://json-schema.org/draft-07/schema#', { $schema: modernUri, $ref: b }],
    ['draft-04 by https', 'https://json-schema.org/draft-04/schema', { $schema: modernUri, $ref: b }],
    ['2019-09', 'https://json-schema.org/draft/2019-09/schema', { $schema: modernUri, prefixItems: [{}], $ref: b }],
    ['2020-12', modernUri, { $schema: modernUri, ...tuple }],
    ['one that nobody knows', 'https://example.com/mine', { $schema: 'https://example.com/mine', ...tuple }],
    ['a draft that never was', 'http://json-schema.org/draft-99/schema#', { $schema: 'http://json-schema.org/draft-99/schema#', ...tuple }],
  ])('is read in it: %s', async (_, uri, after) => {
    expect(await rewritten('OpenAPI 3.1', { $schema: uri, ...tuple })).toEqual(after);
  });

  it('says so for what is inside, until another is named', async () => {
    const schema = (uri: string, inner: Json): JsonObject => ({ $schema: uri, items: [{}], not: inner });
    const found = await rewritten('no dialect', {
      items: [{ $schema: 'http://json-schema.org/draft-07/schema#', items: [{}], not: schema(modernUri, { items: [{}] }) }],
    });
    expect(found).toEqual({ items: [{ $schema: modernUri, prefixItems: [{}], not: schema(modernUri, { items: [{}] }) }] });
  });

  it('may do so in OpenAPI 3.0 as well', async () => {
    const found = await rewritten('OpenAPI 3.0', { not: { $schema: modernUri, minimum: 1, exclusiveMinimum: 2, $ref: b, title: 'x' } });
    expect(isObject(found) && found['not']).toEqual({ $schema: modernUri, minimum: 1, exclusiveMinimum: 2, $ref: b, title: 'x' });
  });
});
