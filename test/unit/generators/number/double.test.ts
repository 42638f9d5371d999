/** Doubles in a row. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countDoubles, nextDown, nextUp } from '../../../../generators/number/decimal.ts';

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
