/** Entries that a bounded cache keeps. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Recent } from '../../../../../mocks/data/history/recently-used.ts';

describe('what was used last', () => {
  it('is kept, however often it is asked for, as long as it takes half of the room', () => {
    const recent = new Recent<string, number>(4);
    for (const [place, key] of ['a', 'b'].entries()) recent.set(key, place);
    for (let times = 0; times < 9; times += 1) expect(['a', 'b'].map((key) => recent.get(key))).toEqual([0, 1]);
  });

  it('makes room for what is new, the least used first', () => {
    const recent = new Recent<string, number>(4);
    for (const [place, key] of ['a', 'b', 'c', 'd'].entries()) recent.set(key, place);
    recent.get('a');
    recent.set('e', 4);
    expect([recent.get('a'), recent.get('b'), recent.get('e')]).toEqual([0, undefined, 4]);
  });

  it('is forgotten when it is told to be, and counts no longer', () => {
    const recent = new Recent<string, string>(10, (text) => text.length);
    recent.set('a', 'xxxxx');
    recent.delete('a');
    recent.set('b', 'yyyyyyyyyy');
    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 'yyyyyyyyyy']);
    recent.clear();
    expect(recent.get('b')).toBeUndefined();
  });

  it('is not kept when it is too large by itself, and takes the place of what its key had', () => {
    const recent = new Recent<string, string>(10, (text) => text.length);
    recent.set('a', 'short');
    recent.set('a', 'longer than ten');
    expect(recent.get('a')).toBeUndefined();
  });

  it('is never more than fits, always the last value of its key, and has at least what filled half of the room last', () => {
    // A key always has values of one size.
    const step = fc.record({ size: fc.integer({ min: 1, max: 12 }), reads: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const recent = new Recent<number, { readonly size: number }>(most, ({ size }) => size);
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
function check<Value>(recent: Recent<number, Value>, sizes: readonly number[]): void {
  const kept = sizes.filter((size) => recent.has(size));
  expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most);
  let room = most / 2;
  for (const size of sizes) {
    room -= size;
    if (room < 0) return;
    expect(recent.has(size)).toBe(true);
  }
}
