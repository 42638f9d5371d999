/** Validators report useful violations: of the intended branch, with the value and the line of the contract. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLocation, SpecError } from '../../../../core/errors.ts';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { isObject } from '../../../../core/json.ts';
import { listSetAside, loadContract } from '../../../../core/openapi/contract.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import type { SchemaViolation } from '../../../../core/openapi/schema-violation.ts';
import { createValidators } from '../../../../core/openapi/validator.ts';
import { documentOf, type Files, positionOf } from '../../../helpers/contracts/contract-text.ts';

/** Violations of a value against the schema `schema` of a file. */
async function judge(text: string, instance: Json, others: Files = {}): Promise<readonly SchemaViolation[]> {
  const document = await documentOf(text, others);
  const schema = rawOf(document).root['schema'];
  if (!isObject(schema) && typeof schema !== 'boolean') throw new Error('the file has no schema');
  return createValidators(document).compile(schema)(instance);
}

/** The same in short: where, which keyword, and its line in the file. */
async function complaints(text: string, instance: Json, others: Files = {}): Promise<readonly string[]> {
  return (await judge(text, instance, others)).map(({ path, keyword, place }) => `${path} ${keyword} ${formatLocation(place)}`);
}

it.each([
  ['{ contains: { type: integer }, unevaluatedItems: { type: boolean } }', [1, true], [1, 'x']],
  ['{ allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 } }], unevaluatedItems: false }', [2, 3, 6], [2, 3, 7]],
  ['{ prefixItems: [{ type: string }], contains: { type: integer }, unevaluatedItems: false }', ['x', 1], ['x', 1, 'y']],
])('items that contains accepts are evaluated in %s', async (schema, valid, invalid) => {
  expect(await judge(`schema: ${schema}`, valid)).toEqual([]);
  expect((await judge(`schema: ${schema}`, invalid)).length).toBeGreaterThan(0);
});

describe('a multiple', () => {
  it.each<[divisor: number, multiples: readonly number[], others: readonly number[]]>([
    [0.01, [19.99, 143.48, 0.07, 0, -2.3, 1e15, 1e21], [19.995, 0.001, 1e-9]],
    [0.1, [0.3, 1.1, 4503599627370498], [0.35]],
    [1.5, [4.5, -3], [4]],
    [3, [9, -3, 9007199254740990], [10, 2.5]],
    [1e-8, [0.00000001, 12345678], [1e-9]],
  ])('of %d is one in decimals', async (divisor, multiples, others) => {
    const validate = createValidators(await documentOf('{}')).compile({ multipleOf: divisor });
    expect([...multiples, ...others].filter((value) => validate(value).length === 0)).toEqual(multiples);
    expect(validate(others[0] ?? null)).toMatchObject([{ keyword: 'multipleOf', message: `must be multiple of ${divisor}` }]);
  });
});

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

  it.each<readonly [string, Json, readonly (readonly [path: string, found: Json, unknownKey?: string])[]]>([
    [text, { id: 1, tags: ['a', 'c'] }, [['/tags/1', 'c']]],
    [text, { id: 'x' }, [['/id', 'x']]],
    [text, { id: 1, more: 2 }, [['', { id: 1, more: 2 }, 'more']]],
    ['schema: { unevaluatedProperties: false }\n', { more: 2 }, [['', { more: 2 }, 'more']]],
    ['schema: { properties: { "a/b~c": { type: string } } }\n', { 'a/b~c': 5 }, [['/a~1b~0c', 5]]],
    [
      text,
      { id: 0, tags: ['c', 'd'] },
      [
        ['/id', 0],
        ['/tags/0', 'c'],
        ['/tags/1', 'd'],
      ],
    ],
  ])('shows for each wrong value of %j where it is, the value, and the member that is too many: %j', async (schema, instance, expected) => {
    const violations = (await judge(schema, instance)).map(({ path, found, unknownKey }) => [path, found, unknownKey]);
    expect(violations).toEqual(expected.map(([path, found, unknownKey]) => [path, found, unknownKey]));
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

  it.each(['anyOf', 'oneOf'])('with null reports what is wrong with the object, and not that it is no null: %s', async (keyword) => {
    const schema = nullable.replace('anyOf', keyword);
    expect(await complaints(schema, { a: {} })).toEqual([`/a required api.yaml:${positionOf(schema, 'required')}`]);
    expect(await complaints(schema, { a: { b: 'x' } })).toEqual([`/a/b type api.yaml:${positionOf(schema, 'type: integer')}`]);
    expect(await complaints(schema, { a: 5 })).toEqual([`/a ${keyword} api.yaml:${positionOf(schema, keyword)}`]);
  });

  it('with null says the same of an object that is referred to', async () => {
    const text = "schema: { anyOf: [{ $ref: '#/thing' }, { type: 'null' }] }\nthing:\n  type: object\n  required: [b]\n";
    expect(await complaints(text, {})).toEqual([' required api.yaml:4:3']);
    expect(await complaints(text, null)).toEqual([]);
  });

  it('finds the branch of an error behind several references', async () => {
    const text = `schema:
  anyOf:
    - { allOf: [{ $ref: '#/base' }], required: [data], properties: { data: { $ref: '#/detail' } } }
    - { allOf: [{ $ref: '#/base' }, { $ref: '#/detail' }] }
base: { type: object, properties: { ok: { const: true } } }
detail: { allOf: [{ $ref: '#/common' }], required: [lines] }
common: { required: [status], properties: { status: { enum: [open, done] } } }
`;
    const found = async (instance: JsonObject): Promise<readonly string[]> =>
      (await judge(text, instance)).map(({ path, keyword }) => `${path} ${keyword}`);
    expect(await found({ status: 'lost', lines: [] })).toEqual(['/status enum']);
    expect(await found({ data: { status: 'lost', lines: [] } })).toEqual(['/data/status enum']);
  });

  it.each<readonly [string, string, JsonObject, readonly string[]]>([
    [
      'hides nothing that is wrong elsewhere',
      "{ properties: { ab: { type: integer }, a: { anyOf: [{ type: object }, { type: 'null' }] } } }",
      { ab: 'x', a: 'y' },
      ['/a anyOf', '/ab type'],
    ],
    ['that is too many at once is reported also then', '{ allOf: [{ required: [z] }, { oneOf: [{}, {}] }] }', {}, [' oneOf', ' required']],
    ['does not add that an if failed', '{ if: { required: [a] }, then: { required: [b] } }', { a: 1 }, [' required']],
  ])('%s', async (_, schema, instance, expected) => {
    const found = (await judge(`schema: ${schema}\n`, instance)).map(({ path, keyword }) => `${path} ${keyword}`);
    expect(found.sort()).toEqual(expected);
  });
});

describe('a value', () => {
  const tree = "{ $ref: '#/tree' }\ntree: { type: object, properties: { child: { $ref: '#/tree' } } }";
  const inner = 't: { $id: "https://e.example/t", properties: { c: { $id: "https://e.example/c", type: integer } } }';

  it.each<readonly [schema: string, accepted: readonly Json[], refused: readonly Json[]]>([
    ['true', [5], []],
    ['false', [], [5]],
    ['{}', [null], []],
    ['{ format: unheard-of }', ['x'], []],
    ['{ type: string, format: date-time }', [], ['2026-02-30T00:00:00Z']],
    ['{ type: integer }', [5.0], [5.5]],
    ['{ example: 5, x-note: 1, readOnly: true }', ['x'], []],
    [tree, [{ child: { child: {} } }], [{ child: { child: 5 } }]],
    ["{ $ref: '#/thing', maximum: 5 }\nthing: { type: integer }", [5], [6]],
    ['{ required: [toString] }', [], [{}]],
    ['{ items: false }', [[]], [[1]]],
    ['{ const: { $ref: nowhere.yaml } }', [{ $ref: 'nowhere.yaml' }], [{}]],
    ['{ properties: { $ref: { type: string } } }', [{ $ref: 'x' }], [{ $ref: 5 }]],
    [`{ properties: { a: { $ref: '#/t' }, b: { $ref: '#/t/properties/c' } } }\n${inner}`, [{ b: 5 }], [{ b: 'x' }]],
    // `nullable` is a word of OpenAPI 3.0; alone it says nothing.
    ['{ type: string, nullable: true }', [null, 'a'], [5]],
    ['{ nullable: true }', [null, 'a', 5], []],
    ['{ properties: { nullable: { type: string } } }', [{ nullable: 'a' }], [{ nullable: 5 }]],
  ])('is judged by %s: %j are accepted and %j refused', async (schema, accepted, refused) => {
    for (const value of accepted) expect(await judge(`schema: ${schema}\n`, value)).toEqual([]);
    for (const value of refused) expect(await judge(`schema: ${schema}\n`, value)).not.toEqual([]);
  });

  it('is judged alike by a validator that was asked for twice', async () => {
    const document = await documentOf('schema: { type: integer }\n');
    const validators = createValidators(document);
    const schema = rawOf(document).root['schema'] as JsonObject;
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
      fc.asyncProperty(fc.array(schema, { minLength: 60, maxLength: 60 }), async (schemas) => {
        const document = await documentOf(JSON.stringify({ schemas: schemas.map((value) => ({ allOf: [value] })), named }));
        const validators = createValidators(document);
        for (const [index, holder] of (rawOf(document).root['schemas'] as readonly JsonObject[]).entries()) {
          const [tidied, isValid] = [validators.compile(holder), ajv.compile(plain(schemas[index] ?? true))];
          expect(instances.filter((instance) => (tidied(instance).length === 0) !== isValid(instance))).toEqual([]);
        }
      }),
      { seed: 1, numRuns: 1 },
    );
  });
});
it('takes no $id in an example for an identifier', async () => {
  const example = 'type: integer, example: { $id: a }, examples: [{ $id: a }]';
  expect(await judge(`schema: { properties: { a: { ${example} }, b: { ${example} } } }`, { a: 1 })).toEqual([]);
});

describe('a schema that cannot be compiled, in a contract', () => {
  it.each([
    [
      'when the contract is loaded',
      '{ allOf: [{ $ref: "#/components/schemas/A" }] }',
      true,
      /^10 #\/components\/schemas\/A leads back to itself/,
    ],
    [
      'when it is first used',
      '{ if: { $ref: "#/components/schemas/A" }, then: { minLength: 1 } }',
      false,
      /^10 this schema cannot be compiled.*refer to each other/,
    ],
  ])('is set aside with its place %s, and the rest is judged', async (_, schema, isKnown, expected) => {
    const contract = await loadContract(
      'api.yaml',
      async () => `openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /a:
    get: { responses: { '200': { description: A., content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } }
  /b:
    get: { responses: { '200': { description: B., content: { application/json: { schema: { type: integer } } } } } }
components:
  schemas:
    A: ${schema}
`,
    );
    const [a, b] = contract.operations.map(({ responses }) => responses.get('200')?.content.get('application/json')?.validate('x').length);
    expect([a, b]).toEqual([0, 1]);
    expect(contract.setAside).toHaveLength(isKnown ? 1 : 0);
    expect(listSetAside(contract).map(({ place, message }) => `${place.line} ${message}`)).toEqual([expect.stringMatching(expected)]);
  });
});

describe('a member called __proto__', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['{ properties: { __proto__: { type: integer } }, additionalProperties: false }', '{"__proto__":1}', []],
    ['{ properties: { __proto__: { type: integer } }, additionalProperties: false }', '{"__proto__":"x"}', ['/__proto__ must be integer']],
    ['{ properties: { __proto__: { type: integer } }, unevaluatedProperties: false }', '{"__proto__":1}', []],
    [
      '{ properties: { a: {} }, additionalProperties: false }',
      '{"__proto__":1}',
      [' must not have __proto__; remove it or correct its name'],
    ],
    ['{ required: [__proto__] }', '{}', [" must have required property '__proto__'"]],
  ])('is judged by %s: %s', async (schema, text, expected) => {
    const violations = await judge(`schema: ${schema}\n`, JSON.parse(text) as Json);
    expect(violations.map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
  });
});
