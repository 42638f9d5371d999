/** Patterns are read as the engine reads them: with the flag u, and without it where only that is accepted. */

import { describe, expect, it } from 'vitest';
import { isExact, looksAround, readPattern } from '../../../../generators/text/pattern.ts';
import { drawMany, sourceFor } from './draw.ts';

describe('a pattern', () => {
  it('that the flag u accepts is read with it, others without', () => {
    expect(readPattern('^[a-z]$').regExp.flags).toBe('u');
    expect(readPattern('^[a-z\\-_]$').regExp.flags).toBe('u');
    expect(readPattern('^\\-$').regExp.flags).toBe('');
  });

  it('that no RegExp accepts is refused by the engine', () => {
    expect(() => readPattern('(')).toThrow(SyntaxError);
    expect(() => readPattern('a{2,1}')).toThrow(SyntaxError);
  });

  it.each([
    ['\\-\\1', 'a reference to no group'],
    ['\\-\\01', 'an octal escape'],
    ['\\-\\c1', '\\c without a letter'],
  ])('%s holds a construct that is named as not understood', (source, what) => {
    expect(() => readPattern(source)).toThrow(what);
  });

  it.each([
    ['^\\-u{2}\\u{2}$', '-uuuu'],
    ['^\\-\\p{2}$', '-pp'],
    ['^\\-a{,2}$', '-a{,2}'],
    ['^\\-]}{$', '-]}{'],
    ['^\\-[\\w-a]$', '--'],
    ['^\\-\\k$', '-k'],
    ['^\\_\\x4$', '_x4'],
  ])('without the flag u is read as Annex B of ECMA-262 has it: %s', (source, text) => {
    expect(new RegExp(source).test(text)).toBe(true);
    const source_ = sourceFor({ patterns: [source] });
    expect(source_.accepts(text)).toBe(true);
    expect(drawMany(source_, 100).every((drawn) => new RegExp(source).test(drawn))).toBe(true);
  });

  it('says whether it is exact, and whether it looks around', () => {
    expect(isExact(readPattern('(a)\\1').root)).toBe(false);
    expect(isExact(readPattern('(?<!a)b').root)).toBe(false);
    expect(isExact(readPattern('(?!a)b\\b').root)).toBe(true);
    expect(looksAround(readPattern('^(?:a|[b])*$').root)).toBe(false);
    expect(looksAround(readPattern('^(?:a|(?=b))*$').root)).toBe(true);
  });
});
