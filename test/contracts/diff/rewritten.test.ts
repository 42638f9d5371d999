/** Schemas that say the same in other words: what one keyword loses, another may make up for, where that is proved. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { bodyOf, compareDocuments } from './told.ts';

const rewritten: readonly (readonly [what: string, old: JsonObject, next: JsonObject])[] = [
  [
    'a list of types for anyOf',
    { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
    { type: ['string', 'null'], minLength: 1 },
  ],
  ['a bound of the other kind', { type: 'integer', exclusiveMinimum: 4 }, { type: 'integer', minimum: 5 }],
  ['a length for an exclusion', { type: 'string', not: { maxLength: 0 } }, { type: 'string', minLength: 1 }],
  ['a list of values for a bound', { type: 'number', enum: [0, 1], minimum: 1 }, { type: 'number', enum: [1] }],
];

test.each(rewritten)('%s breaks nothing, either way and in either half', async (_, old, next) => {
  for (const half of ['request', 'response'] as const)
    for (const [before, after] of [
      [old, next],
      [next, old],
    ] as const) {
      const { changes } = await compareDocuments(bodyOf(half, before), bodyOf(half, after));
      expect(changes.filter(({ level }) => level === 'breaking').map(({ text }) => text)).toEqual([]);
    }
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
