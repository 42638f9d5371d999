/** The automaton of a pattern accepts exactly the texts that the engine matches, and its complement all others. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Automaton, type AutomatonState } from '../../../../generators/text/automaton.ts';
import { basicPlane, type CodePoints, contains, scalarValues } from '../../../../generators/text/code-point-sets.ts';
import { parsePattern } from '../../../../generators/text/pattern-syntax.ts';
import { compileSearch, type Term, TermFactory } from '../../../../generators/text/regular-language-terms.ts';
import { isComparable, randomPattern, shortText } from './random-pattern.ts';

function automatonOf(source: string, change: (terms: TermFactory, term: Term) => Term, alphabet: CodePoints = scalarValues): Automaton {
  const terms = new TermFactory(`matches ${source}`);
  terms.allow(500_000);
  return new Automaton(terms, change(terms, compileSearch(terms, parsePattern(source))), alphabet);
}

function reads(automaton: Automaton, text: string): boolean {
  let state: AutomatonState | undefined = automaton.start;
  for (const character of text) {
    if (state === undefined) return false;
    state = automaton.transitionsOf(state).find(({ set }) => contains(set, character.codePointAt(0) ?? 0))?.target;
  }
  return state?.isEnd ?? false;
}

const same = (_: TermFactory, term: Term): Term => term;
const opposite = (terms: TermFactory, term: Term): Term => terms.not(term);

describe('the automaton of a pattern', () => {
  it('agrees with the engine about random patterns and texts, and its complement disagrees', () => {
    fc.assert(
      fc.property(randomPattern, fc.array(shortText, { minLength: 20, maxLength: 20 }), (source, texts) => {
        const [positive, negative] = [automatonOf(source, same), automatonOf(source, opposite)];
        const { regExp } = parsePattern(source);
        for (const text of texts.filter((each) => isComparable(source, each))) {
          expect([text, reads(positive, text), reads(negative, text)]).toEqual([text, regExp.test(text), !regExp.test(text)]);
        }
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  it('agrees with the engine in the basic plane about patterns that are read without the flag u', () => {
    fc.assert(
      fc.property(randomPattern, fc.array(shortText, { minLength: 20, maxLength: 20 }), (pattern, texts) => {
        // The escaped hyphen is what the flag u refuses.
        const source = `(?:\\-|)${pattern}`;
        const automaton = automatonOf(source, same, basicPlane);
        const { regExp } = parsePattern(source);
        expect(regExp.flags).toBe('');
        for (const text of texts.filter((each) => !each.includes('😀'))) {
          expect([text, reads(automaton, text)]).toEqual([text, regExp.test(text)]);
        }
      }),
      { seed: 8, numRuns: 100 },
    );
  });

  it.each([
    ['a quantifier around nothing', '^(?:|a)*b$', ['b', 'aab'], ['a', '']],
    ['an anchor inside', '^a|b$', ['ax', 'xb'], ['xa', 'bx']],
    ['an anchor that cannot hold', 'a^b', [], ['ab', '^b', 'a^b']],
    ['an anchor in a repetition', '(?:^a|b)*c', ['abc', 'bc', 'xac'], ['ab']],
    ['look-ahead in a repetition', '^(?:(?!ab).)*$', ['', 'ba', 'a'], ['ab', 'xaby']],
    ['look-ahead over the end', 'a(?=$)', ['a', 'ba'], ['ab']],
    ['look-ahead in look-ahead', '^(?=.(?!b)).*$', ['ac', 'a'], ['ab', '']],
    ['more than the texts with a word boundary', '\\bfoo\\b', ['foo', 'a foo.', '-foo'], ['fo']],
    ['a long counter', '^a{3,500}$', ['aaa', 'a'.repeat(500)], ['aa', 'a'.repeat(501)]],
    ['a control escape', '^\\cJ\\t$', ['\n\t'], ['J\t']],
    ['a pair of surrogates', '^\\uD83D\\uDE00$', ['😀'], ['😁']],
    ['a property', '^\\p{Lu}\\P{Lu}$', ['Aa', 'Éé'], ['aA', 'AA']],
    ['a named group', '^(?<year>\\d{4})$', ['2024'], ['24']],
  ] as const)('reads %s: %s', (_, source, matching, others) => {
    const automaton = automatonOf(source, same);
    expect(matching.filter((text) => !reads(automaton, text))).toEqual([]);
    expect(others.filter((text) => reads(automaton, text))).toEqual([]);
    expect(matching.filter((text) => !parsePattern(source).regExp.test(text))).toEqual([]);
  });
});
