/** Shrinking goes from a text to strictly simpler ones that are accepted, and ends at the simplest. */

import { describe, expect, it } from 'vitest';
import { compareTexts, shrinkText } from '../../../../generators/text/shrink-text.ts';
import type { TextDomain } from '../../../../generators/text/text-domain.ts';
import { drawMany, sourceFor } from './text-drawing.ts';

const everything = (): boolean => true;

describe('simplicity', () => {
  it('is a shorter text, then small letters, capitals, digits, other signs, other scripts and last control characters', () => {
    const sorted = ['', 'a', 'b', 'A', '0', ' ', '~', 'é', '文', '😀', '\u0000', 'aa', 'ab'];
    expect(sorted.toReversed().toSorted(compareTexts)).toEqual(sorted);
    expect(compareTexts('abc', 'abc')).toBe(0);
  });
});

describe('shrinking', () => {
  it('tries the simplest text first, then shorter ones, then simpler characters', () => {
    const steps = [...shrinkText('bad9', '', everything)];
    expect(steps[0]).toBe('');
    expect(steps.slice(1, 3)).toEqual(['ba', 'd9']);
    expect(steps).toContain('aad9');
    expect(steps).toContain('bada');
    expect([...shrinkText('', '', everything)]).toEqual([]);
  });

  it.each<[string, Partial<TextDomain>]>([
    ['free text', {}],
    ['text of a length', { minLength: 3, maxLength: 9 }],
    ['a pattern', { patterns: ['^[A-Z][a-z]*(?: \\d+)?$'] }],
    ['a password', { patterns: ['^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$'] }],
    ['few texts', { patterns: ['^(?:foo|ba|quux)$'] }],
    ['what a pattern does not match', { notPatterns: ['^[a-z]*$'] }],
    ['a repeated group', { patterns: ['^(\\w+)-\\1$'] }],
    ['a date', { formats: ['date'] }],
    ['a URI', { formats: ['uri'] }],
    ['what is no date', { notFormats: ['date'] }],
  ])('of %s: each step is accepted and strictly simpler, and no path is endless', (_, domain) => {
    const source = sourceFor(domain);
    for (const drawn of drawMany(source, 25, 3).filter((text) => text.length < 100)) {
      let text = drawn;
      for (let steps = 0; text !== source.simplest; steps += 1) {
        expect(steps).toBeLessThan(2_000);
        const simpler = [...source.shrink(text)];
        expect(simpler[0]).toBe(source.simplest);
        expect(simpler.filter((each) => !source.accepts(each))).toEqual([]);
        expect(simpler.slice(1).filter((each) => compareTexts(each, text) >= 0)).toEqual([]);
        // The path that avoids the simplest text as long as it can is the longest.
        text = simpler.at(1) ?? source.simplest;
      }
      expect([...source.shrink(text)]).toEqual([]);
    }
  });

  it('finds the simplest text that fails a test', () => {
    const source = sourceFor({ patterns: ['^[a-z ]{2,}$'] });
    let text = 'the quick brown fox';
    for (let next: string | undefined = text; next !== undefined; ) {
      text = next;
      next = [...source.shrink(text)].find((each) => each.includes('w'));
    }
    expect(text).toBe('aw');
  });
});
