/** Values are equal as JSON Schema defines it, and canonical texts agree. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { canonicalText, equal } from '../../../core/json-equality.ts';

const member = JSON.parse('{"__proto__": 1}') as Json;

describe('equality', () => {
  it.each<readonly [string, Json, Json, boolean]>([
    ['ignores the order of members', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['minds the order of elements', [1, 2], [2, 1], false],
    ['tells 1 from true', 1, true, false],
    ['tells 0 from false', [0], [false], false],
    ['tells 1 from "1"', { a: 1 }, { a: '1' }, false],
    ['tells null from an object', null, {}, false],
    ['tells an empty array from an empty object', [], {}, false],
    ['takes 0 for -0', { a: 0 }, { a: -0 }, true],
    ['counts members', { a: 1 }, { a: 1, b: 1 }, false],
    ['does not take inherited members for own ones', { toString: 1 }, { valueOf: 1 }, false],
    ['sees a member named __proto__', member, {}, false],
    ['compares members named __proto__', member, JSON.parse('{"__proto__": 2}') as Json, false],
    ['does not normalise text', 'é', 'e\u0301', false],
    ['is not fooled by separators in names', { 'a,b': 1 }, { a: 1, b: 1 }, false],
  ])('%s', (_, left, right, expected) => {
    expect([equal(left, right), equal(right, left), canonicalText(left) === canonicalText(right)]).toEqual([expected, expected, expected]);
  });

  const values = fc.jsonValue({ depthSize: 'small' }) as fc.Arbitrary<Json>;

  it('holds between a value and its copy with members the other way round', () => {
    fc.assert(
      fc.property(values, (value) => equal(value, reverse(value)) && canonicalText(value) === canonicalText(reverse(value))),
      { seed: 1, numRuns: 300 },
    );
  });

  it('and the canonical text agree on any two values', () => {
    const close = fc.oneof(fc.constantFrom<Json>(0, 1, '', '1', true, null), fc.array(fc.constantFrom<Json>(0, false, '0', null)), values);
    fc.assert(
      fc.property(close, close, (left, right) => equal(left, right) === (canonicalText(left) === canonicalText(right))),
      { seed: 1, numRuns: 1000 },
    );
  });
});

function reverse(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => reverse(each));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, each]): [string, Json] => [name, reverse(each as Json)]));
}
