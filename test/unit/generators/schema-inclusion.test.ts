/** Inclusion of schemas: proofs, counterexamples and undecided cases. */

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { createDocument } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { createInclusions, type Separation } from '../../../generators/schema-inclusion.ts';
import { judgeOf } from '../../helpers/schema-judge.ts';
import { conditional } from './conditional.ts';

/** True when every instance of some schemas is an instance of another. The schemas stand in a document, so references lead to its root. */
function separate(allowed: Schema | readonly Schema[], refused: Schema, definitions: JsonObject = {}): Separation {
  const root: JsonObject = { openapi: '3.1.0', ...definitions };
  const list = Array.isArray(allowed) ? (allowed as readonly Schema[]) : [allowed as Schema];
  return createInclusions(createDocument('pair.json', new Map([['pair.json', root]]))).separate(list, refused);
}

const pairs: readonly (readonly [string, Schema, Schema])[] = [
  ['a schema in itself', { type: 'string', minLength: 2 }, { type: 'string', minLength: 2 }],
  ['anything in everything', { type: 'object' }, true],
  ['nothing in anything', false, { type: 'string' }],
  ['nothing, said in another way', { type: 'string', minLength: 3, maxLength: 2 }, false],
  ['integers in numbers', { type: 'integer' }, { type: 'number' }],
  ['narrower bounds in wider ones', { type: 'integer', minimum: 3, maximum: 5 }, { minimum: 2, maximum: 6 }],
  ['integers above 4 in those from 5 on', { type: 'integer', exclusiveMinimum: 4 }, { minimum: 5 }],
  ['multiples of six in those of three', { type: 'integer', multipleOf: 6 }, { multipleOf: 3 }],
  ['a value in a list', { const: 'a' }, { enum: ['a', 'b'] }],
  ['a value in a pattern', { const: 'aa' }, { pattern: '^a+$' }],
  ['a pattern in a length', { type: 'string', pattern: '^[ab]{2,3}$' }, { minLength: 2, maxLength: 3 }],
  ['branches in a type', { anyOf: [{ const: 1 }, { const: 2 }] }, { type: 'integer' }],
  ['a type in its branches', { type: 'boolean' }, { anyOf: [{ const: true }, { const: false }] }],
  ['required members in fewer', { type: 'object', required: ['a', 'b'] }, { required: ['a'] }],
  ['narrower members in wider ones', { properties: { a: { const: 1 } } }, { properties: { a: { type: ['integer'] } } }],
  ['a closed object in an open one', { properties: { a: true }, additionalProperties: false }, { properties: { b: { const: 1 } } }],
  ['narrower items in wider ones', { items: { const: 1 } }, { items: { type: 'integer' } }],
  ['one branch that excludes the other', { oneOf: [{ type: 'string' }, { type: 'null' }] }, { type: ['string', 'null'] }],
  ['what is excluded on both sides', { not: { type: 'number' } }, { not: { type: 'integer' } }],
];

test.each(pairs)('is proved: %s', (_, sub, sup) => {
  expect(separate(sub, sup)).toEqual({ kind: 'none' });
});

const others: readonly (readonly [string, Schema, Schema])[] = [
  ['everything in a type', true, { type: 'string' }],
  ['numbers in integers', { type: 'number' }, { type: 'integer' }],
  ['wider bounds in narrower ones', { type: 'integer', minimum: 2 }, { minimum: 3 }],
  ['multiples of three in those of six', { type: 'integer', multipleOf: 3 }, { multipleOf: 6 }],
  ['a list in one of its values', { enum: ['a', 'b'] }, { const: 'a' }],
  ['a length in a pattern', { type: 'string', minLength: 2 }, { pattern: '^a' }],
  ['a pattern in another', { type: 'string', pattern: '^[a-c]+$' }, { pattern: '^[ab]+$' }],
  ['an open object in a closed one', { type: 'object' }, { properties: { a: true }, additionalProperties: false }],
  ['a member that may be absent', { type: 'object', properties: { a: true } }, { required: ['a'] }],
  ['a longer list in a shorter one', { type: 'array', maxItems: 4 }, { maxItems: 3 }],
  ['equal items in different ones', { type: 'array', items: { const: 1 } }, { uniqueItems: true }],
  ['two branches that match at once', { type: 'integer' }, { oneOf: [{ type: 'integer' }, { minimum: 100 }] }],
  ['members that a condition excludes', { type: 'object', required: ['a'] }, conditional({ required: ['a'] }, { required: ['b'] })],
  ['a format that is asserted', { type: 'string' }, { format: 'date' }],
];

test.each(others)('is shown by a value that ajv confirms: %s', (_, sub, sup) => {
  const separation = separate(sub, sup);
  expect(separation.kind).toBe('found');
  if (separation.kind !== 'found') return;
  expect([judgeOf(sub)(separation.value).length, judgeOf(sup)(separation.value).length > 0]).toEqual([0, true]);
});

test('what is found is small', () => {
  expect(separate({ type: 'integer' }, { minimum: 5 })).toEqual({ kind: 'found', value: 0 });
  expect(separate({ type: 'string' }, { maxLength: 3 })).toMatchObject({ kind: 'found', value: expect.stringMatching(/^.{4}$/) });
});

test('several schemas allow what all of them allow', () => {
  expect(separate([{ type: 'integer' }, { minimum: 5 }], { minimum: 4 })).toEqual({ kind: 'none' });
  expect(separate([{ type: 'integer' }, { minimum: 5 }], { minimum: 6 })).toEqual({ kind: 'found', value: 5 });
});

describe('what is left open', () => {
  test('numbers that a double cannot tell from their neighbours', () => {
    expect(separate({ const: 9_007_199_254_740_992 }, { enum: [9_007_199_254_740_992, 1] })).toMatchObject({ kind: 'open' });
  });

  test('patterns that generators do not make texts of', () => {
    expect(separate({ type: 'string', pattern: '^(a)\\1$' }, { type: 'integer' })).not.toMatchObject({ kind: 'none' });
  });

  test('says why', () => {
    expect(separate({ const: 9_007_199_254_740_992 }, { enum: [9_007_199_254_740_992, 1] })).toMatchObject({
      why: expect.stringMatching(/\w{3}/),
    });
  });
});

test('schemas whose choices combine in a million ways are compared within the limit of work', () => {
  const choices = (from: number): JsonObject => ({
    anyOf: Array.from({ length: 40 }, (_, index) => ({
      required: [`a${from + index}`, 'kind'],
      properties: { [`a${from + index}`]: { type: 'integer', minimum: index }, kind: { enum: ['x', 'y', index] } },
    })),
  });
  const many = (from: number): JsonObject => ({
    anyOf: Array.from({ length: 20 }, (_, index) => ({
      allOf: [choices(from + index), choices(from + index + 40), { properties: { [`b${index}`]: false } }],
    })),
  });
  const inclusions = createInclusions(createDocument('pair.json', new Map([['pair.json', { openapi: '3.1.0' }]])));
  expect(inclusions.separate([{ type: 'object' }, many(0)], many(1), 20_000).kind).not.toBe('none');
  expect(inclusions.pairsCompared()).toBeLessThan(25_000);
});

describe('the work of a search', () => {
  const branches = (name: string): Schema => ({
    anyOf: Array.from({ length: 12 }, (_, index) => ({
      properties: { [`${name}${index}`]: { type: 'integer' } },
      required: [`${name}${index}`],
    })),
  });
  const inclusions = createInclusions(createDocument('pair.json', new Map([['pair.json', { openapi: '3.1.0' }]])));

  test('ends at the limit that the caller states, and counts', () => {
    expect(inclusions.separate([branches('a'), branches('b')], branches('c'), 50)).toMatchObject({ kind: 'open' });
    const firstWork = inclusions.pairsCompared();
    expect(firstWork).toBeGreaterThan(50);
    expect(inclusions.separate([branches('d')], { type: 'string' }).kind).toBe('found');
    expect(inclusions.pairsCompared()).toBeGreaterThan(firstWork);
  });
});
