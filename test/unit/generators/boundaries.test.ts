/** A thousand draws reach every boundary: each limit, optional members present and absent, and all kinds of texts. */

import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { invalidArbitraryFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { judgeOf } from '../../helpers/schema-judge.ts';
import { draw } from './drawing.ts';
import { problemsOfValidity } from './instance-properties.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1, maximum: 500 },
    state: { enum: ['draft', 'open', 'closed', 'void'] },
    code: { type: ['string', 'null'], maxLength: 7 },
    mode: { enum: ['now', 'later', null] },
    place: {
      oneOf: [
        { type: 'null' },
        {
          type: 'object',
          properties: { label: { type: 'string', minLength: 1, maxLength: 5 }, floor: { type: ['integer', 'null'] } },
          required: ['label'],
          additionalProperties: false,
        },
      ],
    },
    tags: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 6 }, maxItems: 4 },
    share: { type: 'number', minimum: 0, maximum: 1 },
    note: { type: 'string', maxLength: 10 },
    flag: { type: 'boolean' },
    at: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'state', 'tags'],
  additionalProperties: false,
};

const values = draw(arbitraryFor(schema), { seed: 21, count: 1000 }) as readonly JsonObject[];
const lengthOf = (text: unknown): number => (typeof text === 'string' ? [...text].length : -1);
const tagsOf = (value: JsonObject): readonly Json[] => value['tags'] as readonly Json[];
const placeOf = (value: JsonObject): JsonObject => (value['place'] ?? {}) as JsonObject;
const some = (value: Json | undefined, test: (number: number) => boolean): boolean => typeof value === 'number' && test(value);
const textsOf = (value: JsonObject): readonly string[] =>
  [value['code'], value['note'], placeOf(value)['label'], ...tagsOf(value)].filter((each) => typeof each === 'string');

const boundaries: Readonly<Record<string, (value: JsonObject) => boolean>> = {
  'the least number': ({ id }) => id === 1,
  'the greatest number': ({ id }) => id === 500,
  'a number next to the least': ({ id }) => id === 2,
  'a number next to the greatest': ({ id }) => id === 499,
  'the least fraction': ({ share }) => share === 0,
  'the greatest fraction': ({ share }) => share === 1,
  'a fraction in between': ({ share }) => some(share, (number) => number > 0 && number < 1),
  'an empty string': ({ note }) => note === '',
  'a text of the greatest length': ({ note }) => lengthOf(note) === 10,
  'a text of the least length': (value) => tagsOf(value).some((tag) => lengthOf(tag) === 1),
  'an item of the greatest length': (value) => tagsOf(value).some((tag) => lengthOf(tag) === 6),
  'a nullable text that is empty': ({ code }) => code === '',
  'a nullable text of the greatest length': ({ code }) => lengthOf(code) === 7,
  'a nullable text that is null': ({ code }) => code === null,
  'a nullable text that is absent': (value) => !('code' in value),
  'a listed null': ({ mode }) => mode === null,
  'a choice that is null': ({ place }) => place === null,
  'a choice that is an object with only what it needs': ({ place }) => place !== null && Object.keys(place ?? {}).join() === 'label',
  'a choice that is an object with everything': (value) => Object.keys(placeOf(value)).length === 2,
  'a nullable number in a choice that is null': (value) => placeOf(value)['floor'] === null,
  'a nullable number that is negative': (value) => some(placeOf(value)['floor'], (number) => number < 0),
  'a large number': (value) => some(placeOf(value)['floor'], (number) => Math.abs(number) > 2 ** 31),
  'the empty array': (value) => tagsOf(value).length === 0,
  'an array of the greatest length': (value) => tagsOf(value).length === 4,
  'equal items': (value) => new Set(tagsOf(value)).size < tagsOf(value).length,
  'only what is required': (value) => Object.keys(value).length === 3,
  everything: (value) => Object.keys(value).length === 10,
  'one optional member': (value) => Object.keys(value).length === 4,
  'all but one': (value) => Object.keys(value).length === 9,
  true: ({ flag }) => flag === true,
  false: ({ flag }) => flag === false,
  'text beyond ASCII': (value) => textsOf(value).some((text) => /[^\0-\x7f]/.test(text)),
  'text beyond the basic plane': (value) => textsOf(value).some((text) => /[\u{10000}-\u{10ffff}]/u.test(text)),
  'a quotation mark': (value) => textsOf(value).some((text) => text.includes('"')),
  'a blank': (value) => textsOf(value).some((text) => text.includes(' ')),
  'a leap day': ({ at }) => typeof at === 'string' && at.includes('-02-29'),
  'an offset': ({ at }) => typeof at === 'string' && /[+-]\d{2}:\d{2}$/.test(at),
  'a fraction of a second': ({ at }) => typeof at === 'string' && at.includes('.'),
};

describe('a thousand draws', () => {
  it.each(Object.entries(boundaries))('meet %s', (_title, isMet) => {
    expect(values.some(isMet)).toBe(true);
  });

  it.each(['draft', 'open', 'closed', 'void'])('meet the listed value %s often', (state) => {
    expect(values.filter((value) => value['state'] === state).length).toBeGreaterThan(100);
  });

  it('are valid, and hardly two are the same', () => {
    expect(problemsOfValidity(arbitraryFor(schema), judgeOf(schema), { seed: 22, count: 1000 })).toEqual([]);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(950);
    expect(new Set(values.map(shapeOf)).size).toBeGreaterThan(350);
  });

  it('keep the members in the order of the schema', () => {
    const order = Object.keys((schema as { readonly properties: JsonObject }).properties);
    for (const value of values) expect(Object.keys(value)).toEqual(order.filter((name) => name in value));
  });
});

/** The structure of a value without its scalars. */
function shapeOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}:${shapeOf(member)}`)
    .join()}}`;
}

describe('an object with one member more than allowed', () => {
  const most = (maxProperties: number): number => {
    const drawn = draw(invalidArbitraryFor({ type: 'object', maxProperties }), { seed: 1, count: 5 });
    return Math.max(0, ...drawn.filter(isObject).map((value) => Object.keys(value).length));
  };

  it('is made of many members', () => {
    expect(most(150)).toBe(151);
  });

  it('is not made of more than 2,000', () => {
    expect(most(50_000)).toBe(0);
  });
});
