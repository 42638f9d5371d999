/** Folding takes case and accents away, and nothing else. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../../../core/fold.ts';

describe('folded text', () => {
  it.each([
    ['CAFFÈ', 'caffe'],
    ['caffe\u0300', 'caffe'],
    ['Straße', 'straße'],
    ['Plain ASCII, 100 %', 'plain ascii, 100 %'],
    ['Ångström & Co.', 'angstrom & co.'],
    ['', ''],
  ])('of %j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('is what decomposing every text gives', () => {
    const slowly = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()), (text) => {
        expect(foldText(text)).toBe(slowly(text));
      }),
      { numRuns: 500, seed: 41 },
    );
  });
});
