/** Shrinking finds the smallest instance that shows a planted bug, and the result is readable. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { problemsOfShrinking } from './instance-properties.ts';

const parcel: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4,6}$' },
    state: { enum: ['packed', 'sent', 'lost', 'received'] },
    sender: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, maxLength: 40 }, email: { type: 'string', format: 'email' } },
      required: ['name'],
    },
    weight: { type: 'number', minimum: 0 },
    note: { type: ['string', 'null'], maxLength: 20 },
    sent_at: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'code', 'state', 'weight', 'sent_at'],
  additionalProperties: false,
};
const shipment: Schema = {
  type: 'object',
  properties: { parcels: { type: 'array', items: { $ref: '#/$defs/parcel' }, maxItems: 20 }, next: { type: ['string', 'null'] } },
  required: ['parcels', 'next'],
  $defs: { parcel },
};
const tree: Schema = {
  $ref: '#/$defs/conjunction',
  $defs: {
    conjunction: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/conjunction' } } },
      required: ['name', 'children'],
    },
  },
};
const coded: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1, maximum: 100 },
    code: { type: ['string', 'null'], maxLength: 8 },
    tags: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 6 }, maxItems: 4 },
  },
  required: ['id', 'tags'],
  additionalProperties: false,
};

const smallest = { id: 1, code: 'AA-0000', state: 'packed', weight: 0, sent_at: '2000-01-01T00:00:00Z' };
const parcelsOf = (value: Json): readonly JsonObject[] => (value as { readonly parcels: readonly JsonObject[] }).parcels;
const depthOf = (value: Json): number =>
  isObject(value) ? 1 + Math.max(0, ...(value['children'] as readonly Json[]).map((child) => depthOf(child))) : 0;

/** The end of shrinking, from several seeds, for a bug that these instances show. */
function counterexamples(schema: Schema, shows: (value: Json) => boolean): readonly Json[] {
  const found = [1, 2, 3].map((seed) =>
    fc.check(
      fc.property(arbitraryFor(schema), (value) => !shows(value)),
      { seed, numRuns: 2000 },
    ),
  );
  return found.map(({ counterexample }) => counterexample?.[0] ?? 'the bug was not found');
}

const bugs: readonly (readonly [title: string, schema: Schema, shows: (value: Json) => boolean, end: Json])[] = [
  ['everything', shipment, () => true, { parcels: [], next: null }],
  [
    'one state',
    shipment,
    (v) => parcelsOf(v).some((each) => each['state'] === 'lost'),
    { parcels: [{ ...smallest, state: 'lost' }], next: null },
  ],
  [
    'a sum',
    shipment,
    (v) => parcelsOf(v).some((each) => Number(each['weight']) > 1000),
    { parcels: [{ ...smallest, weight: 1001 }], next: null },
  ],
  ['a length', shipment, (v) => parcelsOf(v).length >= 3, { parcels: [smallest, smallest, smallest], next: null }],
  [
    'an optional member',
    shipment,
    (v) => parcelsOf(v).some((each) => 'sender' in each),
    { parcels: [{ ...smallest, sender: { name: 'a' } }], next: null },
  ],
  [
    'a member in a member',
    shipment,
    (v) => parcelsOf(v).some(({ sender }) => isObject(sender) && 'email' in sender),
    { parcels: [{ ...smallest, sender: { name: 'a', email: 'a@a.a' } }], next: null },
  ],
  ['a long text', coded, (v) => isObject(v) && typeof v['code'] === 'string' && v['code'].length >= 3, { id: 1, code: 'aaa', tags: [] }],
  ['a deep tree', tree, (v) => depthOf(v) >= 3, { name: '', children: [{ name: '', children: [{ name: '', children: [] }] }] }],
];

describe('a bug ends at the smallest instance that shows it', () => {
  it.each(bugs)('%s', (_title, schema, shows, end) => {
    const found = counterexamples(schema, shows);
    const keysInOrder = (value: Json): string => JSON.stringify(value);
    expect(found.map(keysInOrder)).toEqual(found.map(() => keysInOrder(orderedLike(end, found[0] ?? end))));
    expect(found[0]).toEqual(end);
  });
});

describe('a invalid example', () => {
  const titled: readonly (readonly [string, Schema])[] = [
    ['parcels', shipment],
    ['a tree', tree],
    ['codes', coded],
  ];

  it.each(titled)('shrinks to a small instance with the fault that was found: %s', (_title, schema) => {
    for (const keyword of ['type', 'required']) {
      const { counterexample } = fc.check(
        fc.property(invalidExampleFor(schema), (example) => example.keyword !== keyword),
        { seed: 1, numRuns: 2000 },
      );
      expect(JSON.stringify(counterexample?.[0].value).length).toBeLessThan(130);
    }
  });
});

/** The same value with its members in the order of another: of two spellings of one value the reader expects the order of the schema. */
function orderedLike(value: Json, model: Json): Json {
  if (Array.isArray(value)) return value.map((each, index) => orderedLike(each, (model as readonly Json[])[index] ?? each));
  if (!isObject(value) || !isObject(model)) return value;
  const names = [...Object.keys(model), ...Object.keys(value)].filter((name, index, all) => all.indexOf(name) === index && name in value);
  return Object.fromEntries(names.map((name) => [name, orderedLike(value[name] ?? null, model[name] ?? null)]));
}

it('comes to no instance twice where domains overlap', () => {
  const overlapping: Schema = { minimum: -1, oneOf: [{ maxItems: 3 }, { type: 'string', exclusiveMaximum: -1 }, { format: 'int32' }] };
  expect(problemsOfShrinking(arbitraryFor(overlapping), () => [], { seed: 2, count: 20 })).toEqual([]);
});
