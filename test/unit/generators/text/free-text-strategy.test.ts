/** Free texts are mostly readable, and sometimes contain characters that programs handle wrongly. */

import { describe, expect, it } from 'vitest';
import { drawMany, lengthOf, sourceFor } from './text-drawing.ts';

describe('free text', () => {
  it('keeps to its lengths, which count code points', () => {
    for (const [minLength, maxLength] of [
      [0, 0],
      [1, 1],
      [0, 3],
      [5, 5],
      [2, 50],
      [30, 2_000],
      [1_500, 1_600],
    ] as const) {
      const lengths = [...drawMany(sourceFor({ minLength, maxLength }), 300), ...drawMany(sourceFor({ minLength, maxLength }), 100, 2)].map(
        lengthOf,
      );
      expect(Math.min(...lengths)).toBe(minLength);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(maxLength);
      if (maxLength <= 1_000) expect(Math.max(...lengths)).toBe(maxLength);
    }
  });

  it('is seldom very long, and only where that is allowed', () => {
    expect(drawMany(sourceFor({ maxLength: 5_000 }), 2_000, 2).filter((text) => text.length === 5_000).length).toBeGreaterThan(0);
    expect(drawMany(sourceFor({}), 300).filter((text) => text.length > 50)).toEqual([]);
  });

  it('is never too short, even where it must be very long', () => {
    expect(drawMany(sourceFor({ minLength: 10_001 }), 400, 1).filter((text) => text.length < 10_001)).toEqual([]);
  });

  it('consists of letters mostly', () => {
    const drawn = drawMany(sourceFor({ minLength: 1 }), 1_000);
    expect(drawn.filter((text) => /^[a-z]+$/.test(text)).length).toBeGreaterThan(600);
    expect(drawn.filter((text) => /^[A-Z]\w* \w*$/.test(text)).length).toBeGreaterThan(50);
  });

  it.each([
    ['quotes', /"/],
    ['control characters', /(?![\t\n\r])\p{Cc}/u],
    ['letters of other scripts', /[א-ת]|[ا-ي]|[一-鿿]/],
    ['combining marks', /\p{M}/u],
    ['emoji', /[\u{1f600}-\u{1f64f}]/u],
    ['what looks like another type', /^(?:null|0|true)/],
    ['an empty text', /^$/],
  ])('now and then holds %s', (_, what) => {
    expect(drawMany(sourceFor({}), 3_000).some((text) => what.test(text))).toBe(true);
  });

  it('keeps away from single texts', () => {
    const excluded = new Set('abcdefghijklmnopqrstuvwxyz');
    const source = sourceFor({ minLength: 1, maxLength: 1, excluded });
    expect(drawMany(source, 200).filter((text) => excluded.has(text))).toEqual([]);
    expect(source.accepts('a')).toBe(false);
    expect(source.accepts(source.simplest)).toBe(true);
  });
});
