/** Schemas of bodies in requests and responses: rule, level and witness of each edit. */

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import type { HalfOfExchange } from '../../../../../core/results/diff-result.ts';
import { judgeOf } from '../../../../helpers/schema-judge.ts';
import { conditional } from '../../../generators/conditional.ts';
import { bodyOf, compareDocuments, summaryOf } from '../small-documents.ts';

const text = { type: 'string' };
const closed = { type: 'object', properties: { a: text }, additionalProperties: false };
const open = { type: 'object', properties: { a: text } };

const minutes = { ...text, pattern: '^\\d\\d:\\d\\d$' };
const withSeconds = { ...text, pattern: '^\\d\\d:\\d\\d(:\\d\\d)?$' };

/** An edit, and its level in a request and in a response. */
const edits: readonly (readonly [string, Json, Json, string, string])[] = [
  ['a value goes', { enum: ['a', 'b'] }, { enum: ['a'] }, 'breaking', 'compatible'],
  ['a value comes', { enum: ['a'] }, { enum: ['a', 'b'] }, 'compatible', 'breaking'],
  ['several values come', { enum: ['a'] }, { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'compatible', 'breaking'],
  ['several values go', { enum: ['a', 'b', 'c'] }, { enum: ['a'] }, 'breaking', 'compatible'],
  ['values are listed', text, { enum: ['a'], ...text }, 'breaking', 'compatible'],
  ['another constant', { const: 1 }, { const: 2 }, 'breaking', 'breaking'],
  ['null comes', text, { type: ['string', 'null'] }, 'compatible', 'breaking'],
  ['integers become numbers', { type: 'integer' }, { type: 'number' }, 'compatible', 'breaking'],
  ['a minimum rises', { minimum: 1, type: 'integer' }, { minimum: 2, type: 'integer' }, 'breaking', 'compatible'],
  ['a maximum comes', { type: 'integer' }, { maximum: 9, type: 'integer' }, 'breaking', 'compatible'],
  ['a length shrinks', { ...text, maxLength: 5 }, { ...text, maxLength: 4 }, 'breaking', 'compatible'],
  ['a multiple of a multiple', { type: 'integer', multipleOf: 2 }, { type: 'integer', multipleOf: 4 }, 'breaking', 'compatible'],
  ['a pattern comes', text, { ...text, pattern: '^a+$' }, 'breaking', 'compatible'],
  ['a pattern goes', { ...text, pattern: '^a+$' }, text, 'compatible', 'risky'],
  ['a pattern of one length goes', { ...text, pattern: '^\\d{5}$' }, text, 'compatible', 'breaking'],
  ['another pattern of the same length', { ...text, pattern: '^\\d{5}$' }, { ...text, pattern: '^\\w{5}$' }, 'compatible', 'risky'],
  ['optional seconds come', minutes, withSeconds, 'compatible', 'breaking'],
  ['optional seconds go', withSeconds, minutes, 'breaking', 'compatible'],
  ['required seconds come', minutes, { ...text, pattern: '^\\d\\d:\\d\\d:\\d\\d$' }, 'breaking', 'breaking'],
  ['a pattern without a length is looser', { ...text, pattern: '^[a-z]+$' }, { ...text, pattern: '^[a-z-]+$' }, 'compatible', 'risky'],
  ['a format comes', text, { ...text, format: 'date' }, 'breaking', 'compatible'],
  ['a format of no standard comes', text, { ...text, format: 'url' }, 'risky', 'compatible'],
  ['a format of no standard goes', { ...text, format: 'phone' }, text, 'compatible', 'risky'],
  ['a format of no standard in place of a standard one', { ...text, format: 'date' }, { ...text, format: 'phone' }, 'risky', 'breaking'],
  ['a standard format in place of one of no standard', { ...text, format: 'phone' }, { ...text, format: 'date' }, 'breaking', 'risky'],
  ['a member is required', open, { ...open, required: ['a'] }, 'breaking', 'compatible'],
  ['a member is optional', { ...open, required: ['a'] }, open, 'compatible', 'breaking'],
  ['an optional member comes', open, { ...open, properties: { a: text, b: text } }, 'compatible', 'compatible'],
  ['a required member comes', open, { ...open, properties: { a: text, b: text }, required: ['b'] }, 'breaking', 'compatible'],
  ['a member comes that was forbidden', closed, { ...closed, properties: { a: text, b: text } }, 'compatible', 'breaking'],
  ['a member goes, and is forbidden', { ...closed, properties: { a: text, b: text } }, closed, 'breaking', 'risky'],
  ['a member is forbidden by its schema', open, { ...open, properties: { a: text, b: false } }, 'breaking', 'compatible'],
  ['a member is no longer forbidden by its schema', { ...open, properties: { a: text, b: false } }, open, 'compatible', 'breaking'],
  ['other members are forbidden', open, closed, 'breaking', 'compatible'],
  ['a branch of anyOf comes', { anyOf: [text] }, { anyOf: [text, { type: 'integer' }] }, 'compatible', 'breaking'],
  ['a branch of anyOf goes', { anyOf: [text, { type: 'integer' }] }, { anyOf: [text] }, 'breaking', 'compatible'],
  ['a branch of oneOf comes', { oneOf: [text] }, { oneOf: [text, { type: 'integer' }] }, 'compatible', 'breaking'],
  ['more items are listed', { prefixItems: [text], items: false }, { prefixItems: [text, text], items: false }, 'compatible', 'breaking'],
  ['fewer items', { type: 'array', maxItems: 3 }, { type: 'array', maxItems: 2 }, 'breaking', 'compatible'],
  ['items differ', { type: 'array' }, { type: 'array', uniqueItems: true }, 'breaking', 'compatible'],
  [
    'fewer items are counted',
    { contains: { type: 'number' }, minContains: 0, maxContains: 1 },
    { contains: { type: 'integer' }, minContains: 0, maxContains: 1 },
    'compatible',
    'breaking',
  ],
  ['something is excluded', {}, { not: { const: 1 } }, 'breaking', 'compatible'],
  ['what is excluded grows', { not: { type: 'integer' } }, { not: { type: 'number' } }, 'breaking', 'compatible'],
  ['a condition comes', open, { ...open, ...conditional({ required: ['a'] }, { minProperties: 2 }) }, 'breaking', 'compatible'],
];

describe.each(['request', 'response'] as const)('in a %s', (half: HalfOfExchange) => {
  test.each(edits)('%s', async (_, old, next, asRequest, asResponse) => {
    const { changes } = await compareDocuments(bodyOf(half, old), bodyOf(half, next));
    const level = half === 'request' ? asRequest : asResponse;
    expect(changes.map((change) => change.level)).toEqual([level]);
    const [change] = changes;
    expect(change?.direction).toBe(half);
    if (change?.verdict !== 'witnessed') return;
    const { request, response } = change.witness?.exchange ?? {};
    const body = (half === 'request' ? request?.body : response?.body) ?? null;
    const [allowing, refusing] = half === 'request' ? [old, next] : [next, old];
    expect([judgeOf(allowing as never)(body).length, judgeOf(refusing as never)(body).length > 0]).toEqual([0, true]);
  });
});

const witnessed = edits.filter(([, , , asRequest]) => asRequest === 'breaking');

test.each(witnessed)('a breaking change of a request has a witness: %s', async (_, old, next) => {
  const { changes } = await compareDocuments(bodyOf('request', old), bodyOf('request', next));
  expect(changes[0]).toMatchObject({ verdict: 'witnessed', witness: { refusedBy: 'new' } });
});

test('a format of no standard has no witness, since validators need not check it', async () => {
  const { changes } = await compareDocuments(bodyOf('request', text), bodyOf('request', { ...text, format: 'url' }));
  expect(changes).toMatchObject([{ level: 'risky', verdict: undefined, reason: expect.stringContaining('a server that checks it') }]);
});

test('a witness without a required member also lacks one of the same kind that another change refuses', async () => {
  const of = (b: Json, required: readonly string[]): JsonObject =>
    bodyOf('request', { type: 'object', properties: { a: text, b, c: text }, required });
  const { changes } = await compareDocuments(of({ type: 'object' }, []), of(text, ['a', 'b', 'c']));
  const change = changes.find(({ id }) => id.endsWith('became-required'));
  expect(change?.witness).toMatchObject({ exchange: { request: { body: { c: '' } } }, keyword: 'required' });
  expect(Object.keys((change?.witness?.exchange.request?.body ?? {}) as object)).toEqual(['c']);
});

describe('readOnly and writeOnly properties', () => {
  const marked = (mark: Json, required: readonly string[]): Json => ({
    type: 'object',
    properties: { a: { ...text, ...(mark as object) } },
    required,
  });

  test('are required in their half only', async () => {
    const readOnly = await compareDocuments(
      bodyOf('request', marked({ readOnly: true }, [])),
      bodyOf('request', marked({ readOnly: true }, ['a'])),
    );
    expect(readOnly.count).toMatchObject({ breaking: 0, risky: 0 });
    const writeOnly = await compareDocuments(
      bodyOf('response', marked({ writeOnly: true }, ['a'])),
      bodyOf('response', marked({ writeOnly: true }, [])),
    );
    expect(writeOnly.count).toMatchObject({ breaking: 0, risky: 0 });
  });

  test('are required in the half that carries them', async () => {
    const request = await compareDocuments(
      bodyOf('request', marked({ writeOnly: true }, [])),
      bodyOf('request', marked({ writeOnly: true }, ['a'])),
    );
    expect(request.count.breaking).toBe(1);
    const response = await compareDocuments(
      bodyOf('response', marked({ readOnly: true }, ['a'])),
      bodyOf('response', marked({ readOnly: true }, [])),
    );
    expect(response.count.breaking).toBe(1);
  });
});

describe('choices', () => {
  test('a value that matches two branches of oneOf is risky: readers try one after another', async () => {
    const old = {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: text } },
        { type: 'object', required: ['b'], properties: { b: text } },
      ],
    };
    const next = {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: text, b: text } },
        { type: 'object', required: ['b'], properties: { a: text, b: text } },
      ],
    };
    const { count } = await compareDocuments(bodyOf('response', old), bodyOf('response', next));
    expect(count.breaking).toBe(0);
  });

  test('the order of branches has no effect', async () => {
    const [one, two] = [
      { type: 'string', maxLength: 3 },
      { type: 'integer', minimum: 3 },
    ];
    expect(summaryOf(await compareDocuments(bodyOf('request', { anyOf: [one, two] }), bodyOf('request', { anyOf: [two, one] })))).toEqual(
      [],
    );
  });

  test('a type that no branch allows changes nothing', async () => {
    const branches = { anyOf: [text, { ...text, maxLength: 3 }] };
    const [strings, nullable] = [
      { ...text, ...branches },
      { type: ['string', 'null'], ...branches },
    ];
    expect(summaryOf(await compareDocuments(bodyOf('response', strings), bodyOf('response', nullable)))).toEqual([]);
    expect(summaryOf(await compareDocuments(bodyOf('response', nullable), bodyOf('response', strings)))).toEqual([]);
  });

  test('a branch that allows nothing new is compatible', async () => {
    const { count } = await compareDocuments(
      bodyOf('response', { anyOf: [text] }),
      bodyOf('response', { anyOf: [text, { ...text, maxLength: 3 }] }),
    );
    expect(count.breaking).toBe(0);
  });

  test.each([
    ['another property', { propertyName: 'type' }, 'risky'],
    ['another value', { propertyName: 'kind', mapping: { hound: '#/components/schemas/Dog', cat: '#/components/schemas/Cat' } }, 'risky'],
    ['one more value', { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog', cat: '#/components/schemas/Cat' } }, 'risky'],
    ['one value less', { propertyName: 'kind', mapping: {} }, 'compatible'],
  ])('a discriminator with %s', async (_, discriminator, level) => {
    const branches = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] };
    const rest = { components: { schemas: { Cat: { required: ['c'] }, Dog: { required: ['d'] } } } };
    const old = { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog' } };
    const comparison = await compareDocuments(
      bodyOf('response', { ...branches, discriminator: old }, rest),
      bodyOf('response', { ...branches, discriminator }, rest),
    );
    expect(summaryOf(comparison)).toEqual([`${level} discriminator-changed`]);
  });

  test.each([
    ['another branch', 'Dog', 'breaking'],
    ['its branch under another name', 'Hound', 'compatible'],
  ])('a value of a discriminator that means %s', async (_, target, level) => {
    const of = (name: string, dog: string): JsonObject => {
      const schemas = { Cat: { required: ['c'] }, [name]: { required: ['d'] } };
      const oneOf = Object.keys(schemas).map((each) => ({ $ref: `#/components/schemas/${each}` }));
      const mapping = { x: `#/components/schemas/${dog}` };
      return bodyOf('response', { oneOf, discriminator: { propertyName: 'kind', mapping } }, { components: { schemas } });
    };
    const isRenamed = target === 'Hound';
    const comparison = await compareDocuments(of('Dog', isRenamed ? 'Dog' : 'Cat'), of(isRenamed ? 'Hound' : 'Dog', target));
    expect(summaryOf(comparison)).toContain(`${level} discriminator-changed`);
  });

  describe('schemas that inherit from one with a discriminator', () => {
    const base = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      discriminator: { propertyName: 'kind' },
    };
    const heir = (rest: JsonObject): JsonObject => ({ allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object', ...rest }] });
    const of = (half: HalfOfExchange, heirs: JsonObject): JsonObject =>
      bodyOf(half, { $ref: '#/components/schemas/Pet' }, { components: { schemas: { Pet: base, ...heirs } } });
    const mapped = (cat: string): JsonObject => {
      const Pet = { ...base, discriminator: { propertyName: 'kind', mapping: { cat: `#/components/schemas/${cat}` } } };
      const Cat = heir({ properties: { age: { type: 'integer' } } });
      return of('response', { Pet, Cat, Dog: heir({ required: ['size'], properties: { size: { type: 'integer' } } }) });
    };

    test('are compared like branches', async () => {
      const [old, next] = [{ Cat: heir({}) }, { Cat: heir({ required: ['age'], properties: { age: { type: 'integer' } } }) }];
      const { changes } = await compareDocuments(of('request', old), of('request', next));
      expect(changes.map(({ level, id, witness }) => [level, id, witness?.value])).toEqual([
        ['breaking', 'request-body/required-property-added', { kind: 'Cat' }],
      ]);
    });

    test.each([
      ['a new one', { Cat: heir({}) }, { Cat: heir({}), Dog: heir({ required: ['size'] }) }, 'risky heir-added'],
      ['one less', { Cat: heir({}), Dog: heir({ required: ['size'] }) }, { Cat: heir({}) }, 'compatible heir-removed'],
    ])('in responses: %s', async (_, old, next, expected) => {
      expect(summaryOf(await compareDocuments(of('response', old), of('response', next)))).toEqual([expected]);
    });

    test('a value that means another one', async () => {
      expect(summaryOf(await compareDocuments(mapped('Cat'), mapped('Dog')))).toContain('breaking discriminator-changed');
    });
  });

  test('branches with another name are matched by the value that tells them apart', async () => {
    const branch = (value: string, rest: JsonObject): JsonObject => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: value }, ...rest },
    });
    const schemas = (cat: string, dog: JsonObject): JsonObject => {
      const components = { [cat]: branch('cat', {}), Dog: branch('dog', dog), Cow: branch('cow', {}) };
      return bodyOf(
        'request',
        { oneOf: Object.keys(components).map((name) => ({ $ref: `#/components/schemas/${name}` })) },
        { components: { schemas: components } },
      );
    };
    const comparison = await compareDocuments(
      schemas('Cat', { size: { type: 'integer', maximum: 9 } }),
      schemas('Kitten', { size: { type: 'integer', maximum: 8 } }),
    );
    expect(comparison.changes.filter(({ level }) => level === 'breaking').map(({ id }) => id)).toEqual([
      'request-body-property/maximum-decreased',
    ]);
  });

  test('an added discriminator restricts no value', async () => {
    const named = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] };
    const kind = (name: string): Json => ({ type: 'object', required: ['kind'], properties: { kind: { const: name } } });
    const rest = { components: { schemas: { Cat: kind('Cat'), Dog: kind('Dog') } } };
    const comparison = await compareDocuments(
      bodyOf('response', named, rest),
      bodyOf('response', { ...named, discriminator: { propertyName: 'kind' } }, rest),
    );
    expect(summaryOf(comparison)).toEqual(['compatible discriminator-added']);
  });
});

describe('schemas with the same meaning', () => {
  test.each([
    ['a schema and its only part', { ...text, maxLength: 3 }, { allOf: [{ ...text, maxLength: 3 }] }],
    ['a constant and a list of one', { const: 'a' }, { enum: ['a'] }],
    ['integers above 4 and from 5 on', { type: 'integer', exclusiveMinimum: 4 }, { type: 'integer', minimum: 5 }],
    ['the same bound said twice', { type: 'integer', minimum: 5 }, { type: 'integer', minimum: 5, allOf: [{ minimum: 2 }] }],
  ])('%s', async (_, old, next) => {
    for (const half of ['request', 'response'] as const) {
      const { count } = await compareDocuments(bodyOf(half, old), bodyOf(half, next));
      expect(count).toMatchObject({ breaking: 0, risky: 0 });
    }
  });
});

test.each([
  ['the character set that everybody expects', 'text/plain', 'text/plain; charset=utf-8', [], []],
  ['another character set', 'text/plain', 'text/plain; charset=latin1', ['breaking media-type-changed'], ['breaking media-type-changed']],
  ['one type of a range', '*/*', 'application/json', ['breaking media-type-changed'], ['compatible media-type-changed']],
  ['a range in place of a type', 'text/plain', 'text/*', ['compatible media-type-changed'], ['breaking media-type-changed']],
])('a media type that states %s', async (_, old, next, inRequest, inResponse) => {
  const as = (half: HalfOfExchange, type: string): JsonObject =>
    JSON.parse(JSON.stringify(bodyOf(half, text)).replace('application/json', type)) as JsonObject;
  expect(summaryOf(await compareDocuments(as('request', old), as('request', next)))).toEqual(inRequest);
  expect(summaryOf(await compareDocuments(as('response', old), as('response', next)))).toEqual(inResponse);
});

describe('a property that one half of the exchange loses', () => {
  const marking = (mark: JsonObject, required: readonly string[]): JsonObject => ({
    type: 'object',
    required,
    properties: { a: { type: 'string', ...mark } },
  });

  test.each<readonly ['request' | 'response', JsonObject, readonly string[], string]>([
    ['response', { writeOnly: true }, ['a'], 'breaking property-write-only-added'],
    ['response', { writeOnly: true }, [], 'risky property-write-only-added'],
    ['request', { writeOnly: true }, ['a'], 'compatible property-write-only-added'],
    ['request', { readOnly: true }, ['a'], 'risky property-read-only-added'],
    ['response', { readOnly: true }, ['a'], 'compatible property-read-only-added'],
  ])('%s %j %j: %s', async (half, mark, required, expected) => {
    expect(summaryOf(await compareDocuments(bodyOf(half, marking({}, required)), bodyOf(half, marking(mark, required))))).toEqual([
      expected,
    ]);
  });

  test('may break clients that do not send it, once requests have it', async () => {
    const [old, next] = [marking({ readOnly: true }, ['a']), marking({}, ['a'])].map((schema) => bodyOf('request', schema));
    expect(summaryOf(await compareDocuments(old ?? {}, next ?? {}))).toEqual(['risky property-read-only-removed']);
  });
});
