/** Rewritten schemas with the same meaning: other keywords make up for a lost one, if that is proved. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../core/json.ts';
import { bodyOf, compareDocuments, summaryOf } from '../small-documents.ts';

const rewritten: readonly (readonly [what: string, old: JsonObject, next: JsonObject])[] = [
  [
    'a list of types for anyOf',
    { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
    { type: ['string', 'null'], minLength: 1 },
  ],
  ['a bound of the other kind', { type: 'integer', exclusiveMinimum: 4 }, { type: 'integer', minimum: 5 }],
  ['a length for an exclusion', { type: 'string', not: { maxLength: 0 } }, { type: 'string', minLength: 1 }],
  ['one multiple for two', { type: 'integer', allOf: [{ multipleOf: 2 }, { multipleOf: 4 }] }, { type: 'integer', multipleOf: 4 }],
  ['a list of values for a bound', { type: 'number', enum: [0, 1], minimum: 1 }, { type: 'number', enum: [1] }],
];

test.each(rewritten)('%s is compatible in both directions and in both halves', async (_, old, next) => {
  for (const half of ['request', 'response'] as const)
    for (const [before, after] of [
      [old, next],
      [next, old],
    ] as const) {
      const { changes } = await compareDocuments(bodyOf(half, before), bodyOf(half, after));
      expect(changes.filter(({ level }) => level === 'breaking').map(({ text }) => text)).toEqual([]);
    }
});

test('where no rule speaks, both directions are searched, and the result tells what came of it', async () => {
  // Both allow 1 and 2 alone. No keyword of the one stands in the other, but for `not`, which says nothing that a rule could read.
  const old = { type: 'integer', not: { not: { enum: [1, 2] } } };
  const next = { type: 'integer', not: { not: { enum: [2, 1] } } };
  const same = await compareDocuments(bodyOf('response', old), bodyOf('response', next));
  expect(same.changes.filter(({ level }) => level !== 'documentation')).toEqual([]);
  expect(same.searched.leftOut).toEqual([]);
  expect(same.notes).toHaveLength(same.searched.undecided.length);
});

test('schemas that differ in words alone, or in the names of what they refer to, are not searched', async () => {
  const described = (text: string): JsonObject => ({
    type: 'object',
    description: text,
    properties: { state: { title: text, type: 'string' } },
  });
  const { searched, notes } = await compareDocuments(bodyOf('response', described('Old.')), bodyOf('response', described('New.')));
  expect(searched).toEqual({ undecided: [], leftOut: [] });
  expect(notes).toEqual([]);
});

test('two branches that became one wider branch break nothing', async () => {
  const listOf = (items: JsonObject): JsonObject => ({ type: 'object', properties: { labels: { type: 'array', minItems: 1, items } } });
  const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const suggested = { ...named, properties: { ...named.properties, rationale: { type: 'string' } } };
  const old = { oneOf: [listOf({ type: 'string' }), listOf(named), { type: 'string' }] };
  const next = { oneOf: [listOf({ oneOf: [{ type: 'string' }, suggested] }), { type: 'string' }] };
  const { changes } = await compareDocuments(bodyOf('request', old), bodyOf('request', next));
  expect(changes.filter(({ level }) => level === 'breaking').map(({ text }) => text)).toEqual([]);
});

test('what only seems to be said otherwise still breaks, with a witness', async () => {
  const old = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  const { changes } = await compareDocuments(bodyOf('request', old), bodyOf('request', { type: ['string', 'null'], minLength: 1 }));
  const breaking = changes.filter(({ level }) => level === 'breaking');
  expect(breaking.length).toBeGreaterThan(0);
  expect(breaking.some(({ witness }) => witness?.value === '')).toBe(true);
});

test('a branch that goes is meant to go, whatever the others allow', async () => {
  const named = (names: readonly string[]): JsonObject => ({ anyOf: names.map((title) => ({ title, type: 'string' })) });
  const { changes } = await compareDocuments(bodyOf('request', named(['A', 'B'])), bodyOf('request', named(['A'])));
  expect(changes.map(({ level, verdict }) => [level, verdict])).toEqual([['breaking', 'unwitnessed']]);
});

const thing = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
const past = { deprecated: true, 'x-sunset': '2026-11-20' };

test.each<[what: string, old: JsonObject, next: JsonObject, request: readonly string[], response: readonly string[]]>([
  [
    'a schema or null',
    { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
    { $ref: '#/components/schemas/Thing' },
    ['breaking became-not-nullable'],
    ['compatible became-not-nullable'],
  ],
  [
    'one of two types',
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    { type: 'string' },
    ['breaking type-changed'],
    ['compatible type-changed'],
  ],
  ['a list of values or null', { anyOf: [{ enum: ['a'] }, { type: 'null' }] }, { enum: ['a', null] }, [], []],
  ['a single branch', { anyOf: [thing] }, thing, [], []],
  ['null', { type: 'null' }, { enum: [null] }, [], []],
  [
    'a bound that is exclusive now',
    { type: 'number', minimum: 0 },
    { type: 'number', exclusiveMinimum: 0 },
    ['breaking exclusive-minimum-increased'],
    ['compatible exclusive-minimum-increased'],
  ],
  [
    'a property that was announced to go',
    { ...thing, properties: { x: { type: 'string', ...past } } },
    { type: 'object' },
    ['compatible required-property-removed'],
    ['compatible required-property-removed'],
  ],
])('%s is one edit', async (_, old, next, request, response) => {
  const rest = { components: { schemas: { Thing: thing } } };
  const inHalf = async (half: 'request' | 'response'): Promise<readonly string[]> =>
    summaryOf(await compareDocuments(bodyOf(half, old, rest), bodyOf(half, next, rest)));
  expect([await inHalf('request'), await inHalf('response')]).toEqual([request, response]);
});

test('the name of a component is the value of a discriminator without a mapping', async () => {
  const animals = (cat: string, mapping?: JsonObject): JsonObject => {
    const discriminator = { propertyName: 'kind', ...(mapping === undefined ? {} : { mapping }) };
    const animal = (member: string): JsonObject => ({
      type: 'object',
      properties: { kind: { type: 'string' }, [member]: { type: 'string' } },
    });
    const schema = { oneOf: [cat, 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` })), discriminator };
    return bodyOf('response', schema, { components: { schemas: { [cat]: animal('purr'), Dog: animal('bark') } } });
  };
  const renamed = await compareDocuments(animals('Cat'), animals('Feline'));
  expect(summaryOf(renamed)).toEqual(['breaking discriminator-value-changed', 'documentation component-renamed']);
  const mapped = await compareDocuments(animals('Cat'), animals('Feline', { Cat: '#/components/schemas/Feline' }));
  expect(mapped.count.breaking + mapped.count.risky).toBe(0);
});
