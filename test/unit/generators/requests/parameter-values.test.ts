/** Filtered arbitraries end, and shrink to accepted values only. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exhausted } from '../../../../generators/generation-errors.ts';
import { boundedFilter, hasAccepted } from '../../../../generators/requests/bounded-filter.ts';
import { shrunk } from '../../../helpers/generated.ts';

const isOther = (value: number): boolean => value !== 21;

describe('a boundedFilter', () => {
  it('lets only what accepts through, and shrinks to what accepts', () => {
    const others = boundedFilter(fc.nat(50), isOther, 'another number');
    expect(fc.sample(others, { seed: 1, numRuns: 500 }).every(isOther)).toBe(true);
    expect(shrunk(others, (value) => value > 20).value).toBe(22);
  });

  it('gives up after a while, and says what it was looking for', () => {
    const never = boundedFilter(fc.nat(), () => false, 'a number that is none');
    expect(() => fc.sample(never, 1)).toThrow(Exhausted);
    expect(() => fc.sample(never, 1)).toThrow('a number that is none was not found in 1000 attempts');
  });

  it('tells beforehand whether it is worth to look', () => {
    expect(hasAccepted(fc.nat(10), (value) => value === 7)).toBe(true);
    expect(hasAccepted(fc.nat(10), (value) => value === 11)).toBe(false);
  });
});
