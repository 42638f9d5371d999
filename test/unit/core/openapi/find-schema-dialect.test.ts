/** Schemas are converted in all places of OpenAPI and JSON Schema, each by its dialect; data is not. */

import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import { parseYaml } from '../../../../core/openapi/loading/yaml.ts';
import { upgradeSchemas } from '../../../../core/openapi/upgrade-schemas.ts';
import { documentOf, type Files } from '../../../helpers/contracts/contract-text.ts';

/** Copies a value; every object with a title gets the keywords too. */
function withKeywords(value: Json, keywords: JsonObject): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => withKeywords(each, keywords));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withKeywords(member, keywords)] as const);
  return { ...Object.fromEntries(members), ...('title' in value ? keywords : {}) };
}

/** The titles of the objects that lost a keyword when their document was converted, sorted. */
async function convertedIn(root: JsonObject, others: Files, keywords: JsonObject): Promise<readonly string[]> {
  const read = (text: string): Json => (text.startsWith('{') ? (JSON.parse(text) as Json) : (parseYaml('file.yaml', text) as Json));
  const files = Object.fromEntries(
    Object.entries(others).map(([file, text]) => [file, JSON.stringify(withKeywords(read(text), keywords))]),
  );
  const document = await documentOf(JSON.stringify(withKeywords(root, keywords)), files);
  const titles = [...upgradeSchemas(document).files.values()].flatMap((each) => listTitles(each, Object.keys(keywords)));
  return [...new Set(titles)].sort();
}

function listTitles(value: Json, keywords: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const isConverted = isObject(value) && 'title' in value && keywords.some((keyword) => !(keyword in value));
  return [...(isConverted ? [String(value['title'])] : []), ...Object.values(value).flatMap((each: Json) => listTitles(each, keywords))];
}

/** The titles of the schemas that are found, sorted. */
function titlesIn(rest: JsonObject, others: Files = {}): Promise<readonly string[]> {
  return convertedIn({ openapi: '3.1.0', ...rest }, others, { nullable: true });
}

const a = { title: 'a' };
const content = { 'application/json': { schema: a } };
const pathItem = { post: { requestBody: { content } } };
const outer = (members: JsonObject): JsonObject => ({ components: { schemas: { outer: { title: 'outer', ...members } } } });
const inPath = (item: JsonObject): JsonObject => ({ paths: { '/x': item } });
const inOperation = (operation: JsonObject): JsonObject => inPath({ get: operation });

describe('a schema is found', () => {
  it.each<readonly [string, JsonObject]>([
    ['of a parameter', inOperation({ parameters: [{ name: 'p', in: 'query', schema: a }] })],
    ['of the content of a parameter', inPath({ parameters: [{ name: 'p', in: 'query', content }] })],
    ['of a response', inOperation({ responses: { default: { content } } })],
    ['of a header of a part', inOperation({ requestBody: { content: { 'a/b': { encoding: { p: { headers: { h: { schema: a } } } } } } } })],
    ['of a callback', inOperation({ callbacks: { onEvent: { '{$request.body#/url}': pathItem } } })],
    ['of a webhook', { webhooks: { default: pathItem } }],
    ['of another method', inPath({ additionalOperations: { LINK: { responses: { 200: { content } } } } })],
    ['among the components', { components: { schemas: { default: a } } }],
    ['of a common parameter', { components: { parameters: { value: { schema: a } } } }],
  ])('%s', async (_, rest) => {
    expect(await titlesIn(rest)).toEqual(['a']);
  });

  it.each(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'])(
    'under %s, by any name',
    async (key) => {
      expect(await titlesIn(outer({ [key]: { value: a, 'x-b': { title: 'b' }, enum: true } }))).toEqual(['a', 'b', 'outer']);
    },
  );

  it.each(['allOf', 'items', 'not', 'contentSchema'])('under %s, alone and in a list', async (key) => {
    expect(await titlesIn(outer({ [key]: a }))).toEqual(['a', 'outer']);
    expect(await titlesIn(outer({ [key]: [false, a] }))).toEqual(['a', 'outer']);
  });

  it.each<readonly [string, readonly string[], JsonObject]>([
    ['an example', ['outer'], outer({ example: { properties: { x: a } }, enum: [a], const: a, default: a, examples: [a] })],
    ['an extension', ['outer'], outer({ 'x-of-other': { schema: a } })],
    ['a named example', [], { components: { examples: { x: { value: { schema: a } } } } }],
    ['an extension beside callbacks', [], inOperation({ callbacks: { onEvent: { 'x-note': pathItem } } })],
  ])('but not in %s', async (_, titles, rest) => {
    expect(await titlesIn(rest)).toEqual(titles);
  });
});

describe('a schema that is referred to is found', () => {
  const toShared = (reference: string): JsonObject =>
    inOperation({ responses: { 200: { content: { 'a/b': { schema: { title: 'outer', $ref: reference } } } } } });

  it.each<readonly [string, string, JsonObject]>([['in an extension', '#/x-models/a', { 'x-models': { a } }]])(
    '%s',
    async (_, reference, rest) => {
      expect(await titlesIn({ ...toShared(reference), ...rest })).toEqual(['a', 'outer']);
    },
  );

  it('in another file, and from there in a third', async () => {
    const files = {
      'b.yaml': "inner: { title: b, items: { title: c, $ref: 'sub/c.json' } }\nunused: { title: unused }\n",
      'sub/c.json': '{ "title": "d", "properties": { "e": { "title": "e" } }, "not": { "title": "f", "$ref": "../b.yaml#/inner" } }',
    };
    expect(await titlesIn(toShared('b.yaml#/inner'), files)).toEqual(['b', 'c', 'd', 'e', 'f', 'outer', 'unused']);
  });

  it('in the parameters, responses and paths that other files hold', async () => {
    const parts = `path: { get: { parameters: [{ $ref: "#/parameter" }], responses: { 200: { $ref: "#/response" } } } }
parameter: { name: p, in: query, schema: { title: p } }
response: { content: { a/b: { schema: { title: r } } } }
`;
    expect(await titlesIn(inPath({ $ref: 'parts.yaml#/path' }), { 'parts.yaml': parts })).toEqual(['p', 'r']);
  });

  it('once, however many circles lead to it', async () => {
    const schemas = {
      x: { title: 'x', anyOf: [{ title: 'y', $ref: '#/components/schemas/x' }] },
      z: { title: 'z', $ref: '#/components/schemas/z' },
    };
    expect(await titlesIn({ components: { schemas } })).toEqual(['x', 'y', 'z']);
  });
});

describe('the dialect of a schema', () => {
  const draft07 = 'http://json-schema.org/draft-07/schema#';

  /** The titles of the schemas that are not in draft 2020-12. */
  function oldIn(root: JsonObject, others: Files = {}): Promise<readonly string[]> {
    return convertedIn(root, others, { additionalItems: true, exclusiveMinimum: false });
  }

  const referring = (reference: string, rest: JsonObject = {}): JsonObject => ({
    openapi: '3.1.0',
    ...rest,
    components: { schemas: { outer: { title: 'outer', anyOf: [{ title: 'link', $ref: reference }] } } },
  });

  it('is told by what stands around it in its file, not by who refers to it', async () => {
    const files = { 'b.yaml': `$schema: ${draft07}\ntitle: b\ndefinitions: { c: { title: c, not: { title: d } } }\n` };
    expect(await oldIn(referring('b.yaml#/definitions/c'), files)).toEqual(['b', 'c', 'd']);
  });

  it('is that of the entry file in a file that does not tell', async () => {
    const root = { ...referring('b.json#/x'), jsonSchemaDialect: draft07 };
    expect(await oldIn(root, { 'b.json': '{ "x": { "title": "b" } }' })).toEqual(['b', 'outer']);
  });

  it('is that of the other file where it is an OpenAPI file of its own', async () => {
    const other = { openapi: '3.0.0', components: { schemas: { b: { title: 'b' } } } };
    expect(await oldIn(referring('b.json#/components/schemas/b'), { 'b.json': JSON.stringify(other) })).toEqual(['b']);
    const both = referring('b.json#/components/schemas/b', { jsonSchemaDialect: draft07 });
    expect(await oldIn(both, { 'b.json': JSON.stringify({ ...other, openapi: '3.1.0' }) })).toEqual(['outer']);
  });

  it('is not told by a $schema of the whole OpenAPI file, which editors read', async () => {
    expect(await oldIn(referring('#/components/schemas/outer', { $schema: draft07 }))).toEqual([]);
  });

  it('is not told by a version that is no text, or by a dialect that nobody knows', async () => {
    expect(await oldIn({ openapi: 3, ...inPath({ parameters: [{ schema: { title: 'a' } }] }) })).toEqual([]);
    expect(await oldIn(referring('#/components/schemas/outer', { jsonSchemaDialect: 'urn:example:dialect' }))).toEqual([]);
  });

  it.each([
    ['http://json-schema.org/draft-07/schema', true],
    ['https://spec.openapis.org/oas/3.1/dialect/base', true],
    ['https://spec.openapis.org/oas/3.2/dialect/2025-09-17', true],
    ['https://spec.openapis.org/oas/3.0/schema/2024-10-18', false],
    ['http://json-schema.org/schema#', false],
    ['http://json-schema.org.example/draft-07/schema#', false],
  ])('named %s in a file of OpenAPI 3.0 is known or not', async (uri, isKnown) => {
    const bounds = { minimum: 1, exclusiveMinimum: true };
    expect(await convertedIn({ openapi: '3.0.3', ...outer({ $schema: uri }) }, {}, bounds)).toEqual(isKnown ? [] : ['outer']);
  });
});

it.each<readonly [Json]>([[null], [true], [5], ['text'], [[]], [[[1]]], [[null]]])(
  '%j where a schema should stand is passed over',
  async (value) => {
    const parameters: Json = [{ schema: value, content: value }, value];
    expect(await titlesIn({ paths: { '/x': { get: { parameters, responses: value }, post: value } }, components: value })).toEqual([]);
  },
);
