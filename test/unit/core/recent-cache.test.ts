/** Values that the cache keeps and drops. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentCache } from '../../../core/recent-cache.ts';

describe('a recently used value', () => {
  it('is dropped for new values after those used less recently', () => {
    const recent = new RecentCache<string, number>(4);
    for (const [place, key] of ['a', 'b', 'c', 'd'].entries()) recent.set(key, place);
    recent.get('a');
    recent.set('e', 4);
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => recent.get(key))).toEqual([0, undefined, 2, 3, 4]);
  });

  it('is removed by delete and clear, with its size', () => {
    const recent = new RecentCache<string, string>(10, (text) => text.length);
    recent.set('a', 'xxxxx');
    recent.delete('a');
    recent.set('b', 'yyyyyyyyyy');
    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 'yyyyyyyyyy']);
    recent.clear();
    expect(recent.get('b')).toBeUndefined();
  });

  it('is not kept if it is larger than the cache, and still replaces the old value of its key', () => {
    const recent = new RecentCache<string, string>(10, (text) => text.length);
    recent.set('a', 'short');
    recent.set('a', 'longer than ten');
    expect(recent.get('a')).toBeUndefined();
  });

  it('is one of those used last that fit the cache', () => {
    // All values of a key have the same size.
    const step = fc.record({ size: fc.integer({ min: 1, max: 12 }), reads: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const recent = new RecentCache<number, { readonly size: number }>(20, ({ size }) => size);
        let latest: readonly number[] = [];
        for (const { size, reads } of steps) {
          if (reads && recent.get(size) === undefined) continue;
          if (!reads) recent.set(size, { size });
          latest = fitting([size, ...latest.filter((other) => other !== size)], 20);
          expect([recent.size, latest.every((each) => recent.has(each))]).toEqual([latest.length, true]);
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
