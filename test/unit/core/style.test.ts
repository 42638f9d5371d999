/** Query strings fall into pairs, and text is percent-encoded in one way and decoded in every legal one. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, splitQuery, UndecodableError } from '../../../core/style.ts';

describe('a query string', () => {
  it.each([
    ['', []],
    ['a=1', [['a', '1']]],
    [
      'a=1&b=2&a=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=1', [['', '1']]],
    ['a=1=2', [['a', '1=2']]],
    [
      '&a=1&&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a%3D=%26', [['a%3D', '%26']]],
  ])('%j falls into %j', (query, pairs) => {
    expect(splitQuery(query)).toEqual(pairs);
  });
});

describe('decoding', () => {
  it.each([
    ['a%20b', 'a b'],
    ['%C3%A9', 'é'],
    ['%c3%a9', 'é'],
    ['%F0%9F%8D%9D', '🍝'],
    ['a%2Bb', 'a+b'],
    ['%2541', '%41'],
  ])('%s gives %s', (raw, text) => {
    expect([decodeText(raw, true), decodeText(raw, false)]).toEqual([text, text]);
  });

  it('reads a plus as a space in a query only', () => {
    expect([decodeText('a+b', true), decodeText('a+b', false)]).toEqual(['a b', 'a+b']);
  });

  it.each(['%', '%2', '%zz', '%E9', '%C3', '%80', '%ED%A0%80', '100%'])('refuses %s', (raw) => {
    expect(() => decodeText(raw, true)).toThrow(UndecodableError);
    expect(() => decodeText(raw, true)).toThrow(raw);
  });

  it('is the inverse of encoding, and no delimiter is left encoded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        const encoded = encodeText(text);
        expect(encoded).toMatch(/^[A-Za-z0-9._~%-]*$/);
        expect([decodeText(encoded, true), decodeText(encoded, false)]).toEqual([text, text]);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
