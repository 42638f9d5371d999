/** Values that the cache keeps and drops. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentCache } from '../../../core/recent-cache.ts';

describe('a recently used value', () => {
  it('is dropped for new values after those used less recently', () => {
    const recent = new RecentCache<string, number>(4);
    for (const [place, key] of ['a', 'b', 'c'].entries()) recent.set(key, place);
    recent.get('a');
    recent.set('d', 3);
    expect(['a', 'b', 'c', 'd'].map((key) => recent.has(key))).toEqual([true, false, true, true]);
  });

  it('is removed by delete and clear, with its size', () => {
    const recent = new RecentCache<string, string>(10, (text) => text.length);
    recent.set('a', 'xxxxx');
    recent.delete('a');
    recent.set('b', 'yyyyy');
    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 'yyyyy']);
    recent.clear();
    expect(recent.get('b')).toBeUndefined();
  });

  it('is not kept if it is larger than half of the cache, and still replaces the old value of its key', () => {
    const recent = new RecentCache<string, string>(10, (text) => text.length);
    recent.set('a', 'short');
    recent.set('a', 'longer');
    expect(recent.get('a')).toBeUndefined();
  });

  it('is kept if it is one of those used last that fit half of the cache', () => {
    // All values of a key have the same size.
    const step = fc.record({ size: fc.integer({ min: 1, max: 6 }), reads: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const recent = new RecentCache<number, { readonly size: number }>(20, ({ size }) => size);
        let latest: readonly number[] = [];
        for (const { size, reads } of steps) {
          if (reads && recent.get(size) === undefined) continue;
          if (!reads) recent.set(size, { size });
          latest = [size, ...latest.filter((other) => other !== size)];
          expect(fitting(latest, 10).every((each) => recent.has(each))).toBe(true);
          const kept = latest.filter((each) => recent.has(each));
          expect(fitting(kept, 20)).toEqual(kept);
        }
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

/** The first sizes that fit together. */
function fitting(sizes: readonly number[], most: number): readonly number[] {
  const sum = sizes.reduce((total, size) => total + size, 0);
  return sum > most ? fitting(sizes.slice(0, -1), most) : sizes;
}
