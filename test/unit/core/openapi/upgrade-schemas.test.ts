/** A document in an older dialect validates as in its own draft after conversion, with unchanged line numbers. */

import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLocation } from '../../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../../../core/openapi/schema-violation.ts';
import { upgradeSchemas } from '../../../../core/openapi/upgrade-schemas.ts';
import { createValidators } from '../../../../core/openapi/validator.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { documentOf, type Files, positionOf } from '../../../helpers/contracts/contract-text.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft201909 = 'https://json-schema.org/draft/2019-09/schema';

async function modernOf(text: string, others: Files = {}): Promise<Document> {
  return upgradeSchemas(await documentOf(text, others));
}

function schemaAt(document: Document, pointer: string): Schema {
  const value = valueAt(rawOf(document).root, pointer);
  if (typeof value === 'boolean' || isObject(value)) return value;
  throw new Error(`there is no schema at ${pointer}`);
}

function judge(document: Document, name: string, instance: Json): readonly SchemaViolation[] {
  return createValidators(document).compile(schemaAt(document, `/components/schemas/${name}`))(instance);
}

describe('a document', () => {
  it('that needs nothing is returned as it is', async () => {
    const document = await documentOf(
      `openapi: 3.1.0\ncomponents: { schemas: { A: { type: [string, 'null'], items: { $ref: '#/x' } } } }\nx: {}\n`,
    );
    expect(upgradeSchemas(document)).toBe(document);
  });

  it('keeps every object in which nothing changes, is not touched, and its dialect stays written', async () => {
    const [A, B] = [{ items: [{ nullable: true, type: 'string', enum: ['a'] }] }, { not: {} }];
    const text = JSON.stringify({ openapi: '3.1.0', jsonSchemaDialect: draft07, paths: { '/x': {} }, components: { schemas: { A, B } } });
    const document = await documentOf(text);
    const modern = upgradeSchemas(document);
    expect(JSON.stringify(rawOf(document).root)).toBe(text);
    expect([modern.root === rawOf(document).root, modern.root['jsonSchemaDialect']]).toEqual([false, draft07]);
    for (const pointer of ['/paths', '/components/schemas/B'])
      expect(valueAt(rawOf(modern).root, pointer)).toBe(valueAt(rawOf(document).root, pointer));
  });

  it.each(['openapi: 3.0.0', `openapi: 3.1.0\njsonSchemaDialect: ${draft07}`, `openapi: 3.1.0\njsonSchemaDialect: ${draft201909}`])(
    'is modern after once: %s',
    async (head) => {
      const modern = await modernOf(
        `${head}\ncomponents:\n  schemas:\n    A: { $schema: '${draft07}', $id: 'x#y', $ref: '#/components/schemas/B/items/0', description: x }\n    B: { items: [{ type: string, nullable: true, enum: [a] }], additionalItems: {}, dependencies: { a: [b] }, minimum: 1, exclusiveMinimum: true }\n    C: { $recursiveAnchor: true, not: { $recursiveRef: '#' } }\n`,
      );
      expect(upgradeSchemas(modern)).toBe(modern);
    },
  );

  it('may hold one schema in several places, which is rewritten once, and data that looks the same, which is not', async () => {
    const modern = await modernOf(
      'openapi: 3.0.0\ncomponents:\n  schemas:\n    A: &a { type: string, nullable: true }\n    B: { properties: { x: *a }, default: *a }\n',
    );
    const [a, b] = [schemaAt(modern, '/components/schemas/A'), schemaAt(modern, '/components/schemas/B')];
    expect(b).toEqual({ properties: { x: { type: ['string', 'null'] } }, default: { type: 'string', nullable: true } });
    expect(valueAt(b, '/properties/x')).toBe(a);
  });

  it('may share schemas as often as they like', async () => {
    const lines = Array.from({ length: 15 }, (_, at) => `    s${at + 1}: &s${at + 1} { anyOf: [*s${at}, *s${at}] }\n`);
    const first = 'openapi: 3.0.0\ncomponents:\n  schemas:\n    s0: &s0 { type: string, nullable: true }\n';
    const modern = await modernOf(`${first}${lines.join('')}`);
    expect(valueAt(rawOf(modern).root, `/components/schemas/s15${'/anyOf/1'.repeat(15)}`)).toEqual({ type: ['string', 'null'] });
  });
});

describe('places', () => {
  const text = `openapi: 3.1.0
jsonSchemaDialect: ${draft07}
components:
  schemas:
    A:
      properties:
        pair:
          items:
            - { type: string, nullable: true }
            - minimum: 5
          additionalItems: false
      dependencies:
        pair: [other]
        other: { maxProperties: 1 }
    B: { enum: [a], type: integer, nullable: true }
`;

  it.each([
    ['a list of items', '/A/properties/pair', 'prefixItems', 'items:'],
    ['items after a list', '/A/properties/pair', 'items', 'additionalItems'],
    ['a schema of a list', '/A/properties/pair/prefixItems', 1, 'minimum'],
    ['a keyword inside', '/A/properties/pair/prefixItems/0', 'type', 'type: string'],
    ['required members', '/A', 'dependentRequired', 'dependencies'],
    ['each of them', '/A/dependentRequired', 'pair', 'pair: [other]'],
    ['dependent schemas', '/A/dependentSchemas', 'other', 'other: {'],
    ['a wider list of values', '/B/enum', 0, 'a], type'],
    ['a value that was added to it', '/B/enum', 1, '[a], type'],
    ['a wider type', '/B', 'type', 'type: integer'],
  ])('of %s are those that are written', async (_, pointer, key, piece) => {
    const modern = await modernOf(text);
    const holder = valueAt(rawOf(modern).root, `/components/schemas${pointer}`);
    if (typeof holder !== 'object' || holder === null) throw new Error(`there is nothing at ${pointer}`);
    expect(formatLocation(modern.place(holder, key))).toBe(`api.yaml:${positionOf(text, piece)}`);
  });

  it('of what refuses an instance are those that are written', async () => {
    const modern = await modernOf(text);
    const lines = (instance: Json): readonly string[] =>
      judge(modern, 'A', instance).map(({ keyword, place }) => `${keyword} ${place.line}:${place.column}`);
    expect(lines({ pair: [5, 1, 2], other: 1 })).toEqual(['type 9:17', 'minimum 10:15', 'false 11:11', 'maxProperties 14:18']);
    expect(lines({ pair: [null, 5] })).toEqual(['dependentRequired 12:7']);
  });
});

describe('references', () => {
  it('stay as they are', async () => {
    const modern = await modernOf(
      "openapi: 3.0.0\ncomponents: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { type: string, nullable: true } } }\n",
    );
    expect(schemaAt(modern, '/components/schemas/A')).toEqual({ $ref: '#/components/schemas/B' });
    expect([judge(modern, 'A', null), judge(modern, 'A', 5).length]).toEqual([[], 1]);
  });

  it.each([
    ['#/components/schemas/old/items/1', '#/components/schemas/old/prefixItems/1'],
    ['#/components/schemas/old/additionalItems', '#/components/schemas/old/items'],
    ['#/components/schemas/old/dependencies/a~1b%20%7B', '#/components/schemas/old/dependentSchemas/a~1b%20%7B'],
    ['#/components/schemas/old/properties/items', '#/components/schemas/old/properties/items'],
    ['#/components/schemas/new/items', '#/components/schemas/new/items'],
    ['whole.json#/items/0/items', 'whole.json#/prefixItems/0/items'],
  ])('into keywords that have another name now are corrected: %s', async (before, after) => {
    const old = {
      $schema: draft07,
      items: [{ items: { type: 'string' } }, { type: 'string' }],
      additionalItems: { type: 'string' },
      dependencies: { 'a/b {': { type: 'string' } },
      properties: { items: { type: 'string' } },
    };
    const schemas = { old, new: { items: { type: 'string' } }, A: { $ref: before }, B: { $ref: 'whole.json' } };
    const files = { 'whole.json': JSON.stringify(old) };
    const modern = await modernOf(JSON.stringify({ openapi: '3.1.0', components: { schemas } }), files);
    expect(schemaAt(modern, '/components/schemas/A')).toEqual({ $ref: after });
    expect(judge(modern, 'A', 5).map(({ keyword }) => keyword)).toEqual(['type']);
    expect(judge(modern, 'A', 'text')).toEqual([]);
  });

  it('lead to other files, which are rewritten as well', async () => {
    const files = { 'b.yaml': 'B: { type: integer, minimum: 1, exclusiveMinimum: true }\nplain: { type: string, nullable: true }\n' };
    const modern = await modernOf("openapi: 3.0.3\ncomponents: { schemas: { A: { $ref: 'b.yaml#/B', minimum: 5 } } }\n", files);
    expect(rawOf(modern).files.get('b.yaml')).toEqual({ B: { type: 'integer', exclusiveMinimum: 1 }, plain: { type: ['string', 'null'] } });
    const [violation] = judge(modern, 'A', 1);
    expect(violation && formatLocation(violation.place)).toBe('b.yaml:1:33');
    expect(judge(modern, 'A', 2)).toEqual([]);
  });
});

const plain = { noNullPrototype: true } as const;

/** Schemas of the keywords that changed, nested; references lead to the schema `b` of the definitions. */
const anySchema = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(true, false, {}, { type: 'string' }, { type: 'integer' }, { minItems: 2 }, { $ref: '#/definitions/b' }),
    fc.record(
      {
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
        additionalItems: tie('schema'),
        dependencies: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(tie('schema'), fc.constantFrom<Json>(['a'], ['b', 'a'])), plain),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), plain),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        $ref: fc.constant('#/definitions/b'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
})).schema;

const anyInstance = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>('text', 5, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), plain),
  ),
})).value;

describe('a schema judges as in its own draft', () => {
  const own = { strict: false, logger: false, validateSchema: false } as const;
  const definitions = { b: { type: 'array' } };

  it.each([
    ['draft-07', draft07, new Ajv({ ...own, ignoreKeywordsWithRef: true })],
    ['2019-09', draft201909, new Ajv2019(own)],
  ])('%s', async (_name, uri, ajv) => {
    const instances = fc.array(anyInstance, { minLength: 10, maxLength: 15 });
    // One document holds many schemas, since a new compiler for each would cost most of the time.
    const property = fc.asyncProperty(fc.array(anySchema, { minLength: 20, maxLength: 20 }), instances, async (inners, values) => {
      // Below the root, so that a reference does not hide the definitions.
      const schemas = inners.map((inner) => ({ definitions, anyOf: [inner] }));
      const modern = await modernOf(embed(schemas, uri));
      const validators = createValidators(modern);
      for (const [at, schema] of schemas.entries()) {
        const theirs = ajv.compile({ $schema: uri, ...schema });
        const ours = validators.compile(schemaAt(modern, `/components/schemas/A${at}`));
        for (const value of values) expect([value, ours(value).length === 0]).toEqual([value, theirs(value)]);
      }
    });
    await fc.assert(property, { seed: 1, numRuns: 1 });
  });
});

/** A contract with these schemas, whose references lead from the root of the file. */
function embed(schemas: readonly JsonObject[], uri: string): string {
  const members = schemas.map(
    (schema, at) => `"A${at}": ${JSON.stringify(schema).replaceAll('#/definitions/', `#/components/schemas/A${at}/definitions/`)}`,
  );
  return `{"openapi": "3.1.0", "jsonSchemaDialect": "${uri}", "components": {"schemas": {${members.join()}}}}`;
}
