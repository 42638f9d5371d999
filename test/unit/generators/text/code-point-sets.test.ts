/** Operations on sets of code points agree with operations on their members. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CodePoints,
  contains,
  countPoints,
  intersect,
  invert,
  pointAt,
  pointsOf,
  rangesOf,
  subtract,
  unite,
} from '../../../../generators/text/code-point-sets.ts';

const point = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0xd7ff, 0xd800, 0xffff, 0x10000, 0x10ffff));
const set: fc.Arbitrary<CodePoints> = fc
  .array(fc.tuple(point, point), { maxLength: 5 })
  .map((pairs) => unite(...pairs.map(([left, right]) => [Math.min(left, right), Math.max(left, right)])));

describe('a set of code points', () => {
  it('holds in a union what either holds, in an intersection what both hold, and in an inversion the rest', () => {
    fc.assert(
      fc.property(set, set, point, (left, right, member) => {
        const [inLeft, inRight] = [contains(left, member), contains(right, member)];
        expect(contains(unite(left, right), member)).toBe(inLeft || inRight);
        expect(contains(intersect(left, right), member)).toBe(inLeft && inRight);
        expect(contains(subtract(left, right), member)).toBe(inLeft && !inRight);
        expect(contains(invert(left), member)).toBe(!inLeft);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('is written in one way only: sorted ranges that neither overlap nor touch', () => {
    fc.assert(
      fc.property(set, set, (left, right) => {
        for (const result of [unite(left, right), intersect(left, right), invert(left)]) {
          expect(result).toEqual(unite(...rangesOf(result).toReversed()));
          expect(result.every((bound, index) => index === 0 || bound >= (result[index - 1] ?? 0) + (index % 2 === 0 ? 2 : 0))).toBe(true);
        }
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('counts its members and finds each by its position', () => {
    const letters = pointsOf('zebra');
    expect(countPoints(letters)).toBe(5);
    expect([0, 1, 2, 3, 4].map((index) => String.fromCodePoint(pointAt(letters, index))).join('')).toBe('aberz');
    expect(() => pointAt(letters, 5)).toThrow('has none at 5');
  });
});
