/**
 * The language of the texts that match several patterns and lengths together, built with a generator, which then asks for lengths, counts, lists and draws.
 * Patterns that are not regular are approximated.
 */

import type { RandomNumbers } from '../sources/random-numbers.ts';
import { Automaton, type AutomatonState, type StateTransition, TextLengths, TextSampler } from './automaton.ts';
import { basicPlane, type CodePoints, countPoints, intersect, scalarValues, stablePoints } from './code-point-sets.ts';
import { canConsume, isExact, looksAround, type Pattern, parsePattern } from './pattern-syntax.ts';
import { compileLiteral, compileSearch, type Term, TermFactory } from './regular-language-terms.ts';
import { rankOf, simplestPoints } from './shrink-text.ts';
import { describeTextDomain, type TextDomain } from './text-domain.ts';

/** Limit of work for one query of a language, about 0.1 s. */
const workPerQuery = 300_000;

/** Limit of work for one draw. A draw never needs that much; the limit turns an endless loop into an error. */
const workPerDraw = 5_000_000;

/** Up to this many excluded texts become part of the automaton; more are checked afterwards. */
const maxExclusions = 64;

/** Code points that are not one UTF-16 unit. */
const surrogatePairs: CodePoints = [0xd800, 0xdfff, 0x10000, 0x10ffff];

/** Automata with more terms than this are rebuilt. */
const maxTerms = 60_000;

/** A language. The results of its methods do not depend on earlier calls. */
export class TextLanguage {
  readonly parts: TextDomain;
  /**
   * True when the regular expression engine certainly accepts every text. Look-around may be approximated, and V8 looks around even inside
   * a code point beyond the basic plane.
   */
  readonly isReliable: boolean;
  /** True if the alphabet is complete, so that no other text can match. */
  readonly isComplete: boolean;
  readonly #alphabet: CodePoints;
  #automaton: Automaton;
  #lengths: TextLengths;
  #sampler: TextSampler;

  constructor(parts: TextDomain) {
    this.parts = parts;
    const allPatterns = [...parts.patterns, ...parts.notPatterns].map(parsePattern);
    this.isReliable = !allPatterns.some(({ root }) => looksAround(root)) && parts.excluded.size <= maxExclusions;
    this.#alphabet = alphabetOf(allPatterns);
    this.isComplete = this.#alphabet === scalarValues;
    [this.#automaton, this.#lengths, this.#sampler] = this.#build();
  }

  /**
   * The shortest length from `min` on; `undefined` when there is none.
   * @throws {LanguageTooLarge}
   */
  first(min: number): number | undefined {
    return this.#query((lengths) => lengths.first(min, this.parts.maxLength));
  }

  /** The greatest length up to `max`. */
  last(max: number): number | undefined {
    return this.#query((lengths) => lengths.last(this.parts.minLength, Math.min(max, this.parts.maxLength)));
  }

  /** True when no text is longer. */
  endsBefore(length: number): boolean {
    return this.parts.maxLength <= length || this.#query((lengths) => lengths.endsBefore(length));
  }

  /** The lengths from `min` to `max`. */
  lengths(min: number, max: number): readonly number[] {
    return this.#query((lengths) => lengths.between(min, Math.min(max, this.parts.maxLength)));
  }

  /** Draws a text of an existing length. */
  draw(length: number, random: RandomNumbers): string {
    if (this.#automaton.terms.size > maxTerms) [this.#automaton, this.#lengths, this.#sampler] = this.#build();
    this.#automaton.terms.allow(workPerDraw);
    return this.#sampler.draw(length, random);
  }

  /** The number of texts of a length, or infinity above `limit`. The automaton is deterministic, so no text counts twice. */
  count(length: number, limit: number): number {
    this.#automaton.terms.allow(workPerQuery);
    let level = new Map<AutomatonState, number>([[this.#automaton.start, 1]]);
    for (let left = length; left > 0; left -= 1) {
      const nextLevel = new Map<AutomatonState, number>();
      let total = 0;
      for (const [state, count] of level) {
        for (const { set, target } of this.#sampler.transitionsToEnd(state, left)) {
          nextLevel.set(target, (nextLevel.get(target) ?? 0) + count * countPoints(set));
          total += count * countPoints(set);
        }
      }
      if (total > limit) return Number.POSITIVE_INFINITY;
      level = nextLevel;
    }
    return [...level.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The texts of a length, the simplest first. At each position only the `width` simplest characters are tried. */
  *list(length: number, width: number): Generator<string> {
    this.#automaton.terms.allow(workPerQuery);
    const path = [{ text: '', state: this.#automaton.start, left: length }];
    for (let step = path.pop(); step !== undefined; step = path.pop()) {
      const { text, state, left } = step;
      if (left === 0) yield text;
      else
        for (const { point, target } of orderPoints(this.#sampler.transitionsToEnd(state, left), width).reverse())
          path.push({ text: text + String.fromCodePoint(point), state: target, left: left - 1 });
    }
  }

  #query<T>(read: (lengths: TextLengths) => T): T {
    this.#automaton.terms.allow(workPerQuery);
    return read(this.#lengths);
  }

  #build(): [Automaton, TextLengths, TextSampler] {
    const terms = new TermFactory(describeTextDomain(this.parts));
    terms.allow(workPerQuery);
    const automaton = new Automaton(terms, compile(terms, this.parts), this.#alphabet);
    return [automaton, new TextLengths(automaton), new TextSampler(automaton)];
  }
}

function compile(terms: TermFactory, { patterns, notPatterns, excluded }: TextDomain): Term {
  const exactNotPatterns = notPatterns.map(parsePattern).filter(({ root }) => isExact(root));
  return terms.both([
    ...patterns.map((pattern) => compileSearch(terms, parsePattern(pattern))),
    // The complement of an approximation would exclude too much, so inexact patterns are checked afterwards.
    ...exactNotPatterns.map((pattern) => terms.not(compileSearch(terms, pattern))),
    ...(excluded.size > maxExclusions ? [] : [terms.not(terms.either([...excluded].map((text) => compileLiteral(terms, text))))]),
  ]);
}

/** Without the flag u, an expression sees two units in a code point beyond the basic plane. Properties depend on the Unicode version. */
function alphabetOf(patterns: readonly Pattern[]): CodePoints {
  const seesUnits = patterns.some(({ regExp, root }) => !regExp.unicode && canConsume(root, surrogatePairs));
  const points = seesUnits ? basicPlane : scalarValues;
  return patterns.some(({ usesProperties }) => usesProperties) ? intersect(points, stablePoints) : points;
}

function orderPoints(
  transitions: readonly StateTransition[],
  width: number,
): { readonly point: number; readonly target: AutomatonState }[] {
  return transitions
    .flatMap(({ set, target }) =>
      simplestPoints(set)
        .slice(0, width)
        .map((point) => ({ point, target })),
    )
    .sort((left, right) => rankOf(left.point) - rankOf(right.point))
    .slice(0, width);
}
