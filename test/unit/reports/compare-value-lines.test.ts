/** Lines of two values side by side: everything of both is there, and only what changed is marked. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { type ComparedRow, compareLines, toUnified } from '../../../reports/compare-value-lines.ts';

/** Checks one side of the rows against the lines of the value. */
function expectSide(rows: readonly ComparedRow[], side: 'before' | 'after', lines: readonly string[]): void {
  let at = 0;
  for (const row of rows) {
    if (row.kind === 'skipped') at += row.lines;
    else if (row.kind === 'same') expect(row[side]).toBe(lines[at++]);
    else if (row[side] !== undefined) expect(`${row[side].start}${row[side].changed}${row[side].end}`).toBe(lines[at++]);
  }
  expect(at).toBe(lines.length);
}

const toLines = (value: Json): readonly string[] => JSON.stringify(value, undefined, 2).split('\n');
const keysOf = (length: number, changed: Readonly<Record<number, Json>>): Json =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`key${index}`, changed[index] ?? index]));

describe('lines beside each other', () => {
  it('hold what is new, what is gone and what changed', () => {
    const rows = compareLines({ a: 1, b: 2, c: 'left' }, { a: 1, c: 'lift', d: 4 }, 100);
    expect(toUnified(rows)).toEqual(['  {', '    "a": 1,', '-   "b": 2,', '-   "c": "left"', '+   "c": "lift",', '+   "d": 4', '  }']);
  });

  it('mark only the part of a line that changed', () => {
    const rows = compareLines({ maximum: 20 }, { maximum: 50 }, 100);
    expect(rows[1]).toEqual({
      kind: 'changed',
      before: { start: '  "maximum": ', changed: '2', end: '0' },
      after: { start: '  "maximum": ', changed: '5', end: '0' },
    });
  });

  it('take no comma for a change', () => {
    expect(toUnified(compareLines(['a'], ['a', 'b'], 100))).toEqual(['  [', '    "a",', '+   "b"', '  ]']);
  });

  it('leave out what did not change, but for what is near', () => {
    const rows = compareLines(keysOf(50, {}), keysOf(50, { 20: 'new' }), 100);
    expect(rows).toHaveLength(3 + 1 + 3 + 2);
    expect(rows[0]).toEqual({ kind: 'skipped', lines: 18 });
    expect(rows.at(-1)).toEqual({ kind: 'skipped', lines: 27 });
  });

  it('are as few as are wanted, and say how many are left out', () => {
    const rows = compareLines(undefined, keysOf(50, {}), 10);
    expect(rows).toHaveLength(10);
    expect(rows.at(-1)).toEqual({ kind: 'skipped', lines: 43 });
  });

  it('of nothing are none', () => {
    expect(compareLines(undefined, undefined, 10)).toEqual([]);
  });

  it('show what changed in a text of any length', () => {
    const [row] = compareLines(`${'a'.repeat(5000)}OLD${'b'.repeat(5000)}`, `${'a'.repeat(5000)}NEW${'b'.repeat(5000)}`, 10);
    expect(row).toMatchObject({ kind: 'changed', before: { changed: 'OLD' }, after: { changed: 'NEW' } });
    expect(JSON.stringify(row).length).toBeLessThan(700);
  });

  it('cut no character in two', () => {
    const [row] = compareLines('x😀y', 'x😁y', 10);
    expect(row).toEqual({
      kind: 'changed',
      before: { start: '"x', changed: '😀', end: 'y"' },
      after: { start: '"x', changed: '😁', end: 'y"' },
    });
  });

  it('come in time for values of any size', () => {
    const large = (seed: number): Json => Array.from({ length: 20_000 }, (_, index) => (index * seed) % 977);
    const rows = compareLines(large(3), large(5), 100);
    expect(rows).toHaveLength(100);
    // Also where no table is made, a line that is the same is not told as changed: 0 stands first on both sides.
    expect(rows.slice(0, 3)).toEqual([
      { kind: 'same', before: '[', after: '[' },
      { kind: 'same', before: '  0,', after: '  0,' },
      { kind: 'changed', before: { start: '  ', changed: '3', end: ',' }, after: { start: '  ', changed: '5', end: ',' } },
    ]);
    const beside = compareLines([1, ...(large(3) as readonly Json[])], [2, ...(large(5) as readonly Json[])], 5);
    expect(beside[2]).toEqual({ kind: 'same', before: '  0,', after: '  0,' });
  });

  it('hold all lines of both sides, whatever the values are', () => {
    const member = fc.oneof(fc.nat(3), fc.record({ a: fc.nat(3), b: fc.array(fc.nat(3), { maxLength: 3 }) }));
    const value: fc.Arbitrary<Json> = fc.array(member, { maxLength: 8 });
    fc.assert(
      fc.property(value, value, (before, after) => {
        const rows = compareLines(before, after, 10_000);
        expectSide(rows, 'before', toLines(before));
        expectSide(rows, 'after', toLines(after));
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('are all the same for the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (value) => {
        expect(compareLines(value, value, 10_000).every((row) => row.kind !== 'changed')).toBe(true);
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});
