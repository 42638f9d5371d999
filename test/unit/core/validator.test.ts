/** Validators refuse what the schema refuses, and say so usefully: the branch that is meant, the value, and the line of the contract. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printPlace, SpecError } from '../../../core/errors.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject } from '../../../core/json.ts';
import { createValidators, type Violation } from '../../../core/validator.ts';
import { documentOf, type Files, positionOf } from '../../helpers/contract-text.ts';

/** What the schema `schema` of a file has against a value. */
async function judge(text: string, instance: Json, others: Files = {}): Promise<readonly Violation[]> {
  const document = await documentOf(text, others);
  const schema = document.root['schema'];
  if (!isObject(schema) && typeof schema !== 'boolean') throw new Error('the file has no schema');
  return createValidators(document).compile(schema)(instance);
}

/** The same in short: where, which keyword, and its line in the file. */
async function complaints(text: string, instance: Json, others: Files = {}): Promise<readonly string[]> {
  return (await judge(text, instance, others)).map(({ path, keyword, place }) => `${path} ${keyword} ${printPlace(place)}`);
}

describe('a violation', () => {
  const text = `schema:
  type: object
  required: [id]
  properties:
    id: { type: integer, minimum: 1 }
    tags:
      type: array
      items: { enum: [a, b] }
    items: false
  additionalProperties: false
`;

  it.each<readonly [string, JsonObject, string, string, string]>([
    ['a missing member', {}, '', 'required', 'required'],
    ['a wrong type', { id: 'x' }, '/id', 'type', 'type: integer'],
    ['a number out of bounds', { id: 0 }, '/id', 'minimum', 'minimum'],
    ['a wrong element', { id: 1, tags: ['a', 'c'] }, '/tags/1', 'enum', 'enum'],
    ['a member too many', { id: 1, more: 2 }, '', 'additionalProperties', 'additionalProperties'],
    ['a member that must not be there', { id: 1, items: [] }, '/items', 'false', 'items: false'],
  ])('for %s names the place in the value, the keyword and its line', async (_, instance, path, keyword, piece) => {
    expect(await complaints(text, instance)).toEqual([`${path} ${keyword} api.yaml:${positionOf(text, piece)}`]);
  });

  it('for elements that must not be there names the line as well', async () => {
    const tuple = 'schema:\n  prefixItems: [{ type: integer }]\n  items: false\n';
    expect((await complaints(tuple, [1, 2])).map((complaint) => complaint.replace(/^\S* \S+ /, ''))).toEqual(['api.yaml:3:3']);
    expect(await complaints(tuple, [1])).toEqual([]);
  });

  it('shows the value that was found', async () => {
    expect((await judge(text, { id: 1, tags: ['a', 'c'] })).map(({ found }) => found)).toEqual(['c']);
    expect((await judge(text, { id: 'x' })).map(({ found }) => found)).toEqual(['x']);
  });

  it('names the member that is too many', async () => {
    expect((await judge(text, { id: 1, more: 2 })).map(({ unknownKey }) => unknownKey)).toEqual(['more']);
    expect((await judge('schema: { unevaluatedProperties: false }\n', { more: 2 })).map(({ unknownKey }) => unknownKey)).toEqual(['more']);
    expect((await judge(text, {})).map(({ unknownKey }) => unknownKey)).toEqual([undefined]);
  });

  it('escapes members as pointers do', async () => {
    const [violation] = await judge('schema: { properties: { "a/b~c": { type: string } } }\n', { 'a/b~c': 5 });
    expect([violation?.path, violation?.found]).toEqual(['/a~1b~0c', 5]);
  });

  it('is told for each thing that is wrong', async () => {
    expect(await complaints(text, { id: 0, tags: ['c', 'd'] })).toHaveLength(3);
  });

  it('stands at the line of the schema that is referred to, in its own file', async () => {
    const referring = "schema:\n  properties:\n    a: { $ref: 'parts.yaml#/thing' }\n";
    expect(await complaints(referring, { a: 5 }, { 'parts.yaml': 'thing:\n  description: A thing.\n  type: string\n' })).toEqual([
      '/a type parts.yaml:3:3',
    ]);
  });
});

describe('a choice between branches', () => {
  const nullable = `schema:
  properties:
    a:
      anyOf:
        - type: object
          required: [b]
          properties: { b: { type: integer } }
        - type: 'null'
`;

  it('with null reports what is wrong with the object, and not that it is no null', async () => {
    expect(await complaints(nullable, { a: {} })).toEqual([`/a required api.yaml:${positionOf(nullable, 'required')}`]);
    expect(await complaints(nullable, { a: { b: 'x' } })).toEqual([`/a/b type api.yaml:${positionOf(nullable, 'type: integer')}`]);
    expect(await complaints(nullable.replace('anyOf', 'oneOf'), { a: {} })).toEqual([
      `/a required api.yaml:${positionOf(nullable.replace('anyOf', 'oneOf'), 'required')}`,
    ]);
  });

  it('with null says the same of an object that is referred to', async () => {
    const text = "schema: { anyOf: [{ $ref: '#/thing' }, { type: 'null' }] }\nthing:\n  type: object\n  required: [b]\n";
    expect(await complaints(text, {})).toEqual([' required api.yaml:4:3']);
    expect(await complaints(text, null)).toEqual([]);
  });

  it('that no branch comes near is one violation', async () => {
    expect(await complaints(nullable, { a: 5 })).toEqual([`/a anyOf api.yaml:${positionOf(nullable, 'anyOf')}`]);
  });

  it('hides nothing that is wrong elsewhere', async () => {
    const text = "schema: { properties: { ab: { type: integer }, a: { anyOf: [{ type: object }, { type: 'null' }] } } }\n";
    const found = await judge(text, { ab: 'x', a: 'y' });
    expect(found.map(({ path }) => path).sort()).toEqual(['/a', '/ab']);
  });

  it('that is too many at once is told also when something else is wrong', async () => {
    const text = 'schema: { allOf: [{ required: [z] }, { oneOf: [{}, {}] }] }\n';
    expect((await judge(text, {})).map(({ keyword }) => keyword).sort()).toEqual(['oneOf', 'required']);
  });

  it('does not add that the condition of an if failed', async () => {
    const text = 'schema: { if: { required: [a] }, then: { required: [b] } }\n';
    expect((await judge(text, { a: 1 })).map(({ keyword }) => keyword)).toEqual(['required']);
  });
});

describe('a value', () => {
  it.each<readonly [string, Json]>([
    ['schema: true\n', 5],
    ['schema: {}\n', null],
    ['schema: { format: unheard-of }\n', 'x'],
    ['schema: { type: integer }\n', 5.0],
    ['schema: { example: 5, x-note: 1, readOnly: true }\n', 'x'],
    ["schema: { $ref: '#/tree' }\ntree: { properties: { child: { $ref: '#/tree' } } }\n", { child: { child: {} } }],
    ['schema: { const: { $ref: nowhere.yaml } }\n', { $ref: 'nowhere.yaml' }],
    ['schema: { properties: { $ref: { type: string } } }\n', { $ref: 'x' }],
  ])('is accepted by %s', async (text, instance) => {
    expect(await judge(text, instance)).toEqual([]);
  });

  it.each<readonly [string, Json]>([
    ['schema: false\n', 5],
    ['schema: { type: integer }\n', 5.5],
    ['schema: { type: string, format: date-time }\n', '2026-02-30T00:00:00Z'],
    ["schema: { $ref: '#/tree' }\ntree: { type: object, properties: { child: { $ref: '#/tree' } } }\n", { child: { child: 5 } }],
    ["schema: { $ref: '#/thing', maximum: 5 }\nthing: { type: integer }\n", 6],
    ['schema: { required: [toString] }\n', {}],
    ['schema: { items: false }\n', [1]],
    ['schema: { const: { $ref: nowhere.yaml } }\n', {}],
    [
      "schema: { properties: { a: { $ref: '#/t' }, b: { $ref: '#/t/properties/c' } } }\nt: { $id: 'https://e.example/t', properties: { c: { $id: 'https://e.example/c', type: integer } } }\n",
      { b: 'x' },
    ],
  ])('is refused by %s', async (text, instance) => {
    expect(await judge(text, instance)).not.toEqual([]);
  });

  it('may be null beside a type that is nullable, as files from OpenAPI 3.0 mean it; alone the word says nothing', async () => {
    const judged = async (text: string, instances: readonly Json[]): Promise<readonly boolean[]> =>
      Promise.all(instances.map(async (instance) => (await judge(`schema: ${text}\n`, instance)).length === 0));
    expect(await judged('{ type: string, nullable: true }', [null, 'a', 5])).toEqual([true, true, false]);
    expect(await judged('{ nullable: true }', [null, 'a', 5])).toEqual([true, true, true]);
    expect(await judged('{ properties: { nullable: { type: string } } }', [{ nullable: 'a' }, { nullable: 5 }])).toEqual([true, false]);
  });

  it('is judged alike by a validator that was asked for twice', async () => {
    const document = await documentOf('schema: { type: integer }\n');
    const validators = createValidators(document);
    const schema = document.root['schema'] as JsonObject;
    expect(validators.compile(schema)).toBe(validators.compile(schema));
  });
});

describe('a schema that cannot be compiled', () => {
  it.each([
    ['an unknown type', 'schema: { type: strng }\n'],
    ['a bound that is no number', "schema: { minimum: '5' }\n"],
    ['a broken pattern', "schema: { pattern: '(' }\n"],
    ['a reference to what is no schema', "schema: { $ref: '#/text' }\ntext: hello\n"],
    ['a reference to nothing', "schema: { $ref: '#/nothing' }\n"],
    ['a circle of references', "schema: { $ref: '#/b' }\nb: { $ref: '#/schema' }\n"],
  ])('because of %s is an error, and lets nothing pass', async (_, text) => {
    await expect(judge(text, {})).rejects.toThrow(SpecError);
    await expect(judge(text, {})).rejects.toThrow(/^api\.yaml:1:\d+: /);
  });
});

describe('tidied violations', () => {
  const leaf = fc.constantFrom<Json>(
    { type: 'object' },
    { type: 'null' },
    { type: 'string' },
    { required: ['a'] },
    { const: 1 },
    {},
    { $ref: '#/named' },
  );
  const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ properties: fc.record({ a: tie('schema'), ab: tie('schema') }, { requiredKeys: [] }) }),
    ),
  }));
  const members: readonly Json[] = [null, 1, 'x', {}, { a: 1 }, { a: null, ab: 'x' }];
  const instances: readonly Json[] = [...members, ...members.flatMap((a) => [{ a }, { a, ab: null }, { ab: a, a: 'x' }])];
  const named = { type: 'object', required: ['ab'] };

  it('are none exactly when there are none before tidying', async () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(named, 'named:');
    const plain = (value: Json): object => JSON.parse(JSON.stringify(value).replaceAll('#/named', 'named:')) as object;
    // One document holds many schemas, since a new compiler for each would cost most of the time.
    await fc.assert(
      fc.asyncProperty(fc.array(schema, { minLength: 40, maxLength: 40 }), async (schemas) => {
        const document = await documentOf(JSON.stringify({ schemas: schemas.map((value) => ({ allOf: [value] })), named }));
        const validators = createValidators(document);
        for (const [index, holder] of (document.root['schemas'] as readonly JsonObject[]).entries()) {
          const [tidied, isValid] = [validators.compile(holder), ajv.compile(plain(schemas[index] ?? true))];
          expect(instances.filter((instance) => (tidied(instance).length === 0) !== isValid(instance))).toEqual([]);
        }
      }),
      { seed: 1, numRuns: 3 },
    );
  });
});
