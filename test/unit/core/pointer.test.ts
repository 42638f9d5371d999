/** JSON Pointers lead to the same places as in RFC 6901; joining is the inverse of splitting, and setting of getting. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../../core/pointer.ts';

/** The example of RFC 6901 §5. */
const plain = { '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 };
const example: Json = { foo: ['bar', 'baz'], ...plain };

describe('a pointer', () => {
  it('leads where RFC 6901 says', () => {
    expect(['', '/foo', '/foo/0'].map((pointer) => valueAt(example, pointer))).toEqual([example, ['bar', 'baz'], 'bar']);
    const pointers = ['/', '/a~1b', '/c%d', '/e^f', '/g|h', '/i\\j', '/k"l', '/ ', '/m~0n'];
    expect(pointers.map((pointer) => valueAt(example, pointer))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each(['/nope', '/foo/2', '/foo/-', '/foo/00', '/foo/01', '/foo/+0', '/foo/0/0', '/foo/length', '/toString', '/__proto__', '/foo/at'])(
    '%s cannot be resolved',
    (pointer) => {
      expect(valueAt(example, pointer)).toBeUndefined();
    },
  );

  it('leads to members that are null, and not past them', () => {
    expect(valueAt({ a: null }, '/a')).toBeNull();
    expect(valueAt({ a: null }, '/a/b')).toBeUndefined();
    expect(valueAt(undefined, '')).toBeUndefined();
  });

  it('unescapes ~01 to ~1 and not to a slash', () => {
    expect(fromPointer('/~01')).toEqual(['~1']);
    expect(fromPointer('/a//b')).toEqual(['a', '', 'b']);
  });

  it('is printed and split back to the same keys, whatever they contain', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('~', '/', '~0', '~1', '', '__proto__'));
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        expect(fromPointer(toPointer(keys))).toEqual(keys);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('is printed with numbers for the places of an array', () => {
    expect(toPointer(['paths', '/a', 'parameters', 0])).toBe('/paths/~1a/parameters/0');
    expect(toPointer([])).toBe('');
  });
});

describe('putting a value at a pointer', () => {
  it('makes the objects on the way', () => {
    expect(withValueAt({}, '/data/page/more', true)).toEqual({ data: { page: { more: true } } });
    expect(withValueAt(undefined, '/a', 1)).toEqual({ a: 1 });
  });

  it('leaves everything beside it as it was, and the original too', () => {
    const original = { ok: true, data: { page: { more: true }, list: [1] } };
    expect(withValueAt(original, '/data/page/next', 'c')).toEqual({ ok: true, data: { page: { more: true, next: 'c' }, list: [1] } });
    expect(original).toEqual({ ok: true, data: { page: { more: true }, list: [1] } });
  });

  it('is found there again', () => {
    const key = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', '~', '/'));
    const holder = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.integer()), { noNullPrototype: true });
    fc.assert(
      fc.property(holder, fc.array(key, { minLength: 1, maxLength: 4 }), (value, keys) => {
        const pointer = toPointer(keys);
        expect(valueAt(withValueAt(value, pointer, 'x'), pointer)).toBe('x');
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('joins two objects at the whole, so that a body may hold a record and what stands beside it', () => {
    expect(withValueAt({ ok: true }, '', { id: 1 })).toEqual({ ok: true, id: 1 });
    expect(withValueAt({ ok: true }, '', [1])).toEqual([1]);
  });
});
