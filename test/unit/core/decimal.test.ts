/** Decimal arithmetic is exact, and neighbouring doubles are found. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilQuotient, floorQuotient, isMultipleOf, leastCommonMultiple, placesOf, toDecimal, toNumber } from '../../../core/decimal.ts';
import { countDoubles, nextDown, nextUp } from '../../../generators/number/doubles.ts';

const quarters = fc.integer({ min: -1000, max: 1000 }).map((quarter) => quarter / 4);

describe('a decimal', () => {
  it.each<readonly [number, bigint, number]>([
    [0, 0n, 0],
    [-0, 0n, 0],
    [12.5, 125n, 1],
    [-0.01, -1n, 2],
    [100, 100n, 0],
    [1e21, 10n ** 21n, 0],
    [1.5e-7, 15n, 8],
    [-1.5e300, -15n * 10n ** 299n, 0],
    [5e-324, 5n, 324],
  ])('is what %d prints as', (value, digits, scale) => {
    expect(toDecimal(value)).toEqual({ digits, scale });
    expect(placesOf(value)).toBe(scale);
  });

  it('turns back into the number that it came from', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => Number(toNumber(toDecimal(value))) === value),
      { seed: 1, numRuns: 500 },
    );
  });

  it('is a multiple where doubles see none', () => {
    expect([isMultipleOf(toDecimal(0.3), toDecimal(0.1)), 0.3 % 0.1 === 0]).toEqual([true, false]);
    expect([isMultipleOf(toDecimal(0.35), toDecimal(0.1)), isMultipleOf(toDecimal(-12.5), toDecimal(2.5))]).toEqual([false, true]);
    expect([isMultipleOf(toDecimal(1e308), toDecimal(1e-8)), isMultipleOf(toDecimal(0), toDecimal(7))]).toEqual([true, true]);
  });

  it.each<readonly [number, number, number]>([
    [4, 6, 12],
    [0.1, 0.25, 0.5],
    [0.3, 0.2, 0.6],
    [1e-8, 1, 1],
    [1.5, 2.5, 7.5],
  ])('has a least common multiple with another: of %d and %d it is %d', (one, other, expected) => {
    expect(toNumber(leastCommonMultiple(toDecimal(one), toDecimal(other)))).toBe(expected);
  });

  it('is divided with the quotient rounded down or up, below 0 too', () => {
    fc.assert(
      fc.property(quarters, fc.constantFrom(0.25, 0.5, 2, 8), (value, divisor) => {
        expect(Number(floorQuotient(toDecimal(value), toDecimal(divisor)))).toBe(Math.floor(value / divisor) + 0);
        expect(Number(ceilQuotient(toDecimal(value), toDecimal(divisor)))).toBe(Math.ceil(value / divisor) + 0);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

it('the neighbours of a double are the next ones', () => {
  expect([nextUp(0), nextUp(-5e-324), nextDown(0), nextUp(1), nextDown(1)]).toEqual([5e-324, 0, -5e-324, 1 + 2 ** -52, 1 - 2 ** -53]);
  expect([nextUp(2 ** 53), nextDown(-(2 ** 53)), nextUp(Number.MAX_VALUE)]).toEqual([2 ** 53 + 2, -(2 ** 53) - 2, Infinity]);
});

it('nothing stands between neighbours, and each is the neighbour of the other', () => {
  const property = fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
    const above = nextUp(value);
    expect(above).toBeGreaterThan(value);
    expect([value, above]).toContain((value / 2 + above / 2) as number);
    expect(nextDown(above)).toBe(value + 0);
  });
  fc.assert(property, { seed: 1, numRuns: 500 });
});

it('doubles are counted with both ends, 0 and -0 as one', () => {
  expect([countDoubles(1, 1), countDoubles(-0, 0), countDoubles(-5e-324, 5e-324), countDoubles(2 ** 53, 2 ** 53 + 20)]).toEqual([
    1, 1, 3, 11,
  ]);
  expect(countDoubles(0, 1)).toBe(Infinity);
});
