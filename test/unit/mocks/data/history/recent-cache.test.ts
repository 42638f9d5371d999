/** Values that the cache keeps and drops. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentCache } from '../../../../../mocks/data/history/recent-cache.ts';

describe('a recently used value', () => {
  it('is kept in at least half of the cache, however often it is used', () => {
    const recent = new RecentCache<string, number>(4);
    for (const [place, key] of ['a', 'b'].entries()) recent.set(key, place);
    for (let times = 0; times < 9; times += 1) expect(['a', 'b'].map((key) => recent.get(key))).toEqual([0, 1]);
  });

  it('is dropped for new values after those used less recently', () => {
    const recent = new RecentCache<string, number>(4);
    for (const [place, key] of ['a', 'b', 'c', 'd'].entries()) recent.set(key, place);
    recent.get('a');
    recent.set('e', 4);
    expect([recent.get('a'), recent.get('b'), recent.get('e')]).toEqual([0, undefined, 4]);
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

  it('fits the cache, is the last of its key, and the most recent half is always kept', () => {
    // All values of a key have the same size.
    const step = fc.record({ size: fc.integer({ min: 1, max: 12 }), reads: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const recent = new RecentCache<number, { readonly size: number }>(most, ({ size }) => size);
        const latest = new Map<number, { readonly size: number }>();
        for (const { size, reads } of steps) {
          const value = reads ? recent.get(size) : { size };
          if (value === undefined) continue;
          expect(reads ? latest.get(size) : value).toBe(value);
          recent.set(size, value);
          latest.delete(size);
          latest.set(size, value);
          check(recent, [...latest.keys()].toReversed());
        }
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

const most = 20;

/** `sizes` are those of the values, the one that was used last first. */
function check<Value>(recent: RecentCache<number, Value>, sizes: readonly number[]): void {
  const kept = sizes.filter((size) => recent.has(size));
  expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most);
  let room = most / 2;
  for (const size of sizes) {
    room -= size;
    if (room < 0) return;
    expect(recent.has(size)).toBe(true);
  }
}
