/** Each keyword of an older dialect is converted to draft 2020-12, only in the dialects that have it. */

import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { upgradeSchemas } from '../../../core/openapi/upgrade-schemas.ts';
import { valueAt } from '../../../core/pointer.ts';
import { documentOf } from '../../helpers/contracts/contract-text.ts';

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

/** The schema A and others after they were rewritten in a file of a dialect. */
async function rewritten(name: Name, schema: Json, others: JsonObject = {}): Promise<Json | undefined> {
  const schemas = { A: schema, B: { type: 'string' }, ...others };
  const document = await documentOf(JSON.stringify({ ...heads[name], components: { schemas } }));
  const modern = valueAt(upgradeSchemas(document).root, '/components/schemas') as JsonObject;
  return Object.keys(others).length === 0 ? modern['A'] : [modern['A'] ?? null, ...Object.keys(others).map((key) => modern[key] ?? null)];
}

/** A schema that becomes another in some dialects, and stays as it is in all others. */
type Case = readonly [title: string, dialects: readonly Name[], before: JsonObject, after: JsonObject];

const every = names;
const withBooleanBounds: readonly Name[] = ['OpenAPI 3.0', 'draft-04'];
const oldDrafts: readonly Name[] = ['draft-04', 'draft-06', 'draft-07'];
const withItemLists: readonly Name[] = [...oldDrafts, '2019-09'];
const withLoneReferences: readonly Name[] = ['OpenAPI 3.0', ...oldDrafts];
const b = '#/components/schemas/B';

const text = { type: 'string' };
const definitions = { $ref: '#/components/schemas/A/definitions/C', definitions: { C: text }, $defs: { D: {} } };
const bounds = { minimum: 1, maximum: 2 };

const cases: readonly Case[] = [
  ['nullable beside a type', every, { ...text, nullable: true }, { type: ['string', 'null'] }],
  ['nullable beside several types', every, { type: ['string', 'integer'], nullable: true }, { type: ['string', 'integer', 'null'] }],
  ['nullable beside a null type', every, { type: ['string', 'null'], nullable: true }, { type: ['string', 'null'] }],
  ['nullable beside listed values', every, { ...text, nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
  ['nullable beside a listed null', every, { enum: [null, 'a'], ...text, nullable: true }, { enum: [null, 'a'], type: ['string', 'null'] }],
  [
    'nullable without a type',
    every,
    { nullable: true, enum: ['a'], allOf: [{ $ref: b }], title: 'x' },
    {
      title: 'x',
      anyOf: [{ allOf: [{ $ref: b }], enum: ['a'] }, { type: 'null' }],
    },
  ],
  ['nullable that is false', every, { ...text, nullable: false }, text],
  ['an exclusive minimum', withBooleanBounds, { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  ['an exclusive maximum', withBooleanBounds, { exclusiveMaximum: true, maximum: 0 }, { exclusiveMaximum: 0 }],
  ['bounds that are not exclusive', withBooleanBounds, { ...bounds, exclusiveMinimum: false, exclusiveMaximum: false }, bounds],
  ['exclusiveness of no bound', withBooleanBounds, { exclusiveMinimum: true, maximum: 2 }, { maximum: 2 }],
  ['what stands beside a reference', withLoneReferences, { description: 'x', $ref: b, minLength: 5 }, { $ref: b }],
  ['definitions beside a reference', withLoneReferences, { ...definitions, title: 'x' }, definitions],
  ['a list of items', withItemLists, { items: [text, {}] }, { prefixItems: [text, {}] }],
  ['items and those after', withItemLists, { items: [text], additionalItems: { not: {} } }, { prefixItems: [text], items: { not: {} } }],
  ['no items after a list', withItemLists, { additionalItems: false, items: [true] }, { items: false, prefixItems: [true] }],
  ['an empty list of items', withItemLists, { items: [], additionalItems: false }, { items: false }],
  ['items after none', withItemLists, { items: text, additionalItems: false }, { items: text }],
  ['items after nothing', withItemLists, { additionalItems: text }, {}],
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

describe('in each dialect', () => {
  const around = (schema: JsonObject): JsonObject => ({ anyOf: [{ properties: { nullable: { additionalProperties: schema } } }] });

  it.each(cases)('%s, at the top and deep inside', async (_, dialects, before, after) => {
    // References into definitions name them from the root, so that one stays outside.
    const isOutside = typeof before['$ref'] === 'string' && before['$ref'] !== b;
    for (const name of names) {
      const expected = dialects.includes(name) ? after : before;
      const found = await rewritten(name, before, isOutside ? {} : { Deep: around(before) });
      expect(found, name).toEqual(isOutside ? expected : [expected, around(expected)]);
    }
  });
});

describe('what is no keyword', () => {
  const looksOld = { ...text, nullable: true, items: [{}], dependencies: {}, $ref: 'x', exclusiveMinimum: true, id: 'y' };

  it('is left alone: data, and extensions of others', async () => {
    const data = {
      default: looksOld,
      const: looksOld,
      enum: [looksOld, [looksOld]],
      example: looksOld,
      examples: [looksOld],
      'x-other': looksOld,
    };
    for (const name of names) expect(await rewritten(name, data)).toEqual(data);
  });

  it.each<readonly [string, JsonObject]>([
    ['properties with such names', { properties: Object.fromEntries(Object.keys(looksOld).map((key) => [key, text])) }],
    ['nullable with a text', { ...text, nullable: 'true' }],
    ['an exclusive bound that is a number', { minimum: 1, exclusiveMinimum: 2 }],
    ['the type of a file', { type: 'file' }],
    ['formats of 3.0', { ...text, format: 'binary' }],
    ['a keyword of no dialect', { discriminator: { propertyName: 'a' }, xml: { name: 'b' } }],
    ['an identifier that is no text', { id: 5, $id: true }],
    ['dependencies that are no object', { dependencies: ['a'] }],
  ])('nor a value that no dialect knows: %s', async (_, schema) => {
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
