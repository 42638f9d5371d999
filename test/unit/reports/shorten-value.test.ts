/** Excerpts of values: short, honest about what is left out, and never without what matters. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import { clip, clipStart } from '../../../reports/clip-text.ts';
import { focus, isShortened, printShort, shortenAround } from '../../../reports/shorten-value.ts';

describe('an excerpt', () => {
  it('of a small value is the value', () => {
    const value = { a: [1, null, 'x'], b: { c: false } };
    expect(shortenAround(value)).toEqual(value);
    expect(isShortened(value, shortenAround(value))).toBe(false);
  });

  it('says how much of a text, a list and an object is left out', () => {
    expect(shortenAround('x'.repeat(10_000))).toMatch(/^x{159}… \(10000 characters\)$/);
    expect(shortenAround([...Array(100).keys()])).toEqual([0, 1, 2, 3, 4, '… 95 more']);
    const members = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}`, index]));
    expect(Object.entries(shortenAround(members) as object).at(-1)).toEqual(['…', '8 more']);
  });

  it('keeps what the pointer leads to', () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ id: index, state: `state${index}` }));
    expect(shortenAround({ items }, '/items/70/state')).toEqual({
      items: [...items.slice(0, 5), '… 94 more', { id: 70, state: 'state70' }],
    });
  });

  it('keeps it however deep it is', () => {
    let value: Json = 'found';
    for (let depth = 0; depth < 30; depth += 1) value = { a: value };
    const pointer = '/a'.repeat(30);
    expect(valueAt(shortenAround(value, pointer), pointer)).toBe('found');
    expect(JSON.stringify(shortenAround(value))).toContain('… an object');
  });

  it('takes a member called __proto__ for a member', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}') as Json;
    expect(JSON.stringify(shortenAround(value))).toBe('{"__proto__":{"a":1}}');
  });

  it('in a line says when there is nothing', () => {
    expect(printShort(undefined, 10)).toBe('nothing');
    expect(printShort(null, 10)).toBe('null');
    expect(printShort('x'.repeat(50), 10)).toHaveLength(10);
  });
});

describe('a cut', () => {
  it('is never wider than it may be, and cuts no character in two', () => {
    for (const most of [3, 4, 5, 6]) {
      expect(clip('😀😀😀😀', most).length).toBeLessThanOrEqual(most);
      expect(clipStart('😀😀😀😀', most).length).toBeLessThanOrEqual(most);
      expect(clip('😀😀😀😀', most)).toMatch(/^(😀)+…$/u);
      expect(clipStart('😀😀😀😀', most)).toMatch(/^…(😀)+$/u);
    }
    expect(clip('short', 5)).toBe('short');
    expect(clipStart('short', 5)).toBe('short');
  });
});

describe('a focus', () => {
  const body = { data: { items: [{ id: 1 }, { id: 2, state: 'new', tags: ['a'] }, { id: 3 }], page: {} }, meta: 1 };

  it('shows the way to what matters, and how much lies beside it', () => {
    expect(focus(body, '/data/items/1/state')).toEqual({
      data: { items: ['… 1 more', { state: 'new', '…': '2 more' }, '… 1 more'], '…': '1 more' },
      '…': '1 more',
    });
  });

  it('shows the last thing that is there when the way leads further', () => {
    expect(focus({ a: { b: 1 } }, '/a/c/d')).toEqual({ a: { b: 1 } });
    expect(focus({ a: [1, 2] }, '/a/7')).toEqual({ a: [1, 2] });
    expect(focus({ a: 'text' }, '/a/b')).toEqual({ a: 'text' });
    expect(focus({}, '/toString')).toEqual({});
  });

  it('of the whole is an excerpt', () => {
    expect(focus(body, '')).toEqual(body);
  });
});
