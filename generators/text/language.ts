/** The language that several patterns and lengths describe together: whether it is empty, how many texts it has, the simplest ones, and draws. */

import { lazily } from '../recall.ts';
import { type Chance, isAtEdge } from '../source/source.ts';
import { Automaton, type Edge, type State, TextLengths, Walk } from './automaton.ts';
import { basicPlane, type CodePoints, countPoints, intersect, scalarValues, settledPoints } from './code-points.ts';
import { type Draft, isFilled, pick } from './draft.ts';
import { isExact, looksAround, type Pattern, touches } from './pattern.ts';
import { orderedAtMost, rankOf, simplestPoints } from './taste.ts';
import { compileLiteral, compileSearch, type Term, Terms, unlessTooLarge } from './term.ts';
import { describeFacts } from './text-facts.ts';

/** What a language is made of. */
export interface LanguageParts {
  readonly minLength: number;
  readonly maxLength: number;
  readonly patterns: readonly Pattern[];
  readonly notPatterns: readonly Pattern[];
  readonly except: ReadonlySet<string>;
}

/** Work for one question about a language: about a tenth of a second. */
const workPerQuestion = 300_000;

/** Work for one draw. What was opened can be drawn, so this only keeps a mistake from hanging. */
const workPerDraw = 5_000_000;

/** As many excepted texts become part of the language; more are left to the judge. */
const exceptionsKept = 64;

/** Where one UTF-16 unit is not one code point. */
const unitPairs: CodePoints = [0xd800, 0xdfff, 0x10000, 0x10ffff];

/** Automata that took more terms than this are dropped and found again. */
const termsKept = 60_000;

/** A language, ready to be drawn from. Nothing it answers depends on what was asked before. */
export class Language {
  readonly parts: LanguageParts;
  /**
   * Whether the engine surely agrees about every text of the language. Where a pattern looks around it may not: some of it may have been said
   * approximately, and V8 looks around even in the middle of a code point beyond the basic plane.
   */
  readonly isSure: boolean;
  /** Whether texts outside the language surely lack a part: its alphabet did not have to be narrowed. */
  readonly isWhole: boolean;
  readonly #alphabet: CodePoints;
  #automaton: Automaton;
  #lengths: TextLengths;
  #walk: Walk;

  constructor(parts: LanguageParts) {
    this.parts = parts;
    const all = [...parts.patterns, ...parts.notPatterns];
    this.isSure = !all.some(({ root }) => looksAround(root)) && parts.except.size <= exceptionsKept;
    this.#alphabet = alphabetOf(all);
    this.isWhole = this.#alphabet === scalarValues;
    [this.#automaton, this.#lengths, this.#walk] = this.#build();
  }

  /**
   * The least length of a text from `min` on; `undefined` says that there is none.
   * @throws {LanguageTooLarge}
   */
  first(min: number): number | undefined {
    return this.#ask((lengths) => lengths.first(min, this.parts.maxLength));
  }

  /** The greatest length of a text up to `max`. */
  last(max: number): number | undefined {
    return this.#ask((lengths) => lengths.last(this.parts.minLength, Math.min(max, this.parts.maxLength)));
  }

  /** Whether no text is longer. */
  endsBefore(length: number): boolean {
    return this.parts.maxLength <= length || this.#ask((lengths) => lengths.endsBefore(length));
  }

  /** The lengths from `min` to `max` that texts have. */
  lengths(min: number, max: number): readonly number[] {
    return this.#ask((lengths) => lengths.between(min, Math.min(max, this.parts.maxLength)));
  }

  /** Draws a text of a length that texts have. */
  draw(length: number, chance: Chance): string {
    if (this.#automaton.terms.size > termsKept) [this.#automaton, this.#lengths, this.#walk] = this.#build();
    this.#automaton.terms.allow(workPerDraw);
    return this.#walk.draw(length, chance);
  }

  /** How many texts of this length there are, or infinity above `limit`. Beginnings that can be completed are counted, and no text has two. */
  count(length: number, limit: number): number {
    this.#automaton.terms.allow(workPerQuestion);
    let level = new Map<State, number>([[this.#automaton.start, 1]]);
    for (let left = length; left > 0; left -= 1) {
      const next = new Map<State, number>();
      let total = 0;
      for (const [state, count] of level) {
        for (const { set, target } of this.#walk.exitsOf(state, left)) {
          next.set(target, (next.get(target) ?? 0) + count * countPoints(set));
          total += count * countPoints(set);
        }
      }
      if (total > limit) return Number.POSITIVE_INFINITY;
      level = next;
    }
    return [...level.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The texts of a length, the simplest first; of the characters that one place can hold, only the `width` simplest are tried. */
  *list(length: number, width: number): Generator<string> {
    this.#automaton.terms.allow(workPerQuestion);
    const path = [{ text: '', state: this.#automaton.start, left: length }];
    for (let here = path.pop(); here !== undefined; here = path.pop()) {
      const { text, state, left } = here;
      if (left === 0) yield text;
      else
        for (const { point, target } of orderPoints(this.#walk.exitsOf(state, left), width).reverse())
          path.push({ text: text + String.fromCodePoint(point), state: target, left: left - 1 });
    }
  }

  #ask<T>(question: (lengths: TextLengths) => T): T {
    this.#automaton.terms.allow(workPerQuestion);
    return question(this.#lengths);
  }

  #build(): [Automaton, TextLengths, Walk] {
    const terms = new Terms(describeFacts(this.parts));
    terms.allow(workPerQuestion);
    const automaton = new Automaton(terms, compile(terms, this.parts), this.#alphabet);
    return [automaton, new TextLengths(automaton), new Walk(automaton)];
  }
}

function compile(terms: Terms, { patterns, notPatterns, except }: LanguageParts): Term {
  const exact = notPatterns.filter(({ root }) => isExact(root));
  return terms.both([
    ...patterns.map((pattern) => compileSearch(terms, pattern)),
    // The complement of too much would be too little, so what is not exact is left to the judge.
    ...exact.map((pattern) => terms.not(compileSearch(terms, pattern))),
    ...(except.size > exceptionsKept ? [] : [terms.not(terms.either([...except].map((text) => compileLiteral(terms, text))))]),
  ]);
}

/** Without the flag u an expression sees two units in a code point beyond the basic plane; with properties it sees what its Unicode version knows. */
function alphabetOf(patterns: readonly Pattern[]): CodePoints {
  const seesUnits = patterns.some(({ regExp, root }) => !regExp.unicode && touches(root, unitPairs));
  const points = seesUnits ? basicPlane : scalarValues;
  return patterns.some(({ usesProperties }) => usesProperties) ? intersect(points, settledPoints) : points;
}

function orderPoints(edges: readonly Edge[], width: number): { readonly point: number; readonly target: State }[] {
  return edges
    .flatMap(({ set, target }) =>
      simplestPoints(set)
        .slice(0, width)
        .map((point) => ({ point, target })),
    )
    .sort((left, right) => rankOf(left.point) - rankOf(right.point))
    .slice(0, width);
}

/** As many texts are listed at most; a language with more counts as one with many. */
const listedAtMost = orderedAtMost;

/** Texts are usually this much longer than the shortest at most, … */
const usualSpan = 10;
/** … sometimes this much, … */
const sometimesSpan = 40;
/** … at the edge this long, … */
const reasonableLength = 1_000;
/** … and seldom this long. */
const farLength = 10_000;

/**
 * How to draw from a language; `undefined` when it has no texts.
 * @throws {LanguageTooLarge} when that cannot be found out with reasonable work.
 */
export function draftLanguage(language: Language): Draft | undefined {
  const shortest = language.first(language.parts.minLength);
  if (shortest === undefined) return undefined;
  const usual = language.lengths(shortest, shortest + usualSpan);
  return {
    isSure: language.isSure,
    all: listAll(language, usual),
    isWhole: language.isWhole,
    simplest: () => listSimplest(language, usual),
    draw: drawer(language, shortest, usual),
  };
}

function drawer(language: Language, shortest: number, usual: readonly number[]): Draft['draw'] {
  const chooseLonger = lazily(() => findLongerLengths(language.parts, shortest, usual));
  return (chance, biasFactor) => {
    if (isAtEdge(chance, biasFactor)) return language.draw(chooseEdge(shortest, chooseLonger(), chance), chance);
    const from = chance.nextInt(0, 15) === 0 ? chooseLonger().sometimes : usual;
    return language.draw(isFilled(from) ? pick(from, chance) : shortest, chance);
  };
}

/** The shortest or the longest, and now and then one that is very long. */
function chooseEdge(shortest: number, { sometimes, reasonable, far }: LongerLengths, chance: Chance): number {
  if (chance.nextInt(0, 1) === 0) return shortest;
  if (far !== undefined && chance.nextInt(0, 63) === 0) return far;
  return reasonable ?? sometimes.at(-1) ?? shortest;
}

/** Lengths beyond the usual ones. */
interface LongerLengths {
  readonly sometimes: readonly number[];
  /** The greatest of all, if it is reasonable. */
  readonly reasonable: number | undefined;
  readonly far: number | undefined;
}

/**
 * Found when a draw first wants one. A fresh language is asked, for what can be found out must not depend on what was drawn before.
 * Where it is too much work, the usual lengths have to do.
 */
function findLongerLengths(parts: LanguageParts, shortest: number, usual: readonly number[]): LongerLengths {
  const found = unlessTooLarge((): LongerLengths => {
    const language = new Language(parts);
    const sometimes = language.lengths(shortest, shortest + sometimesSpan);
    const isShort = language.endsBefore(reasonableLength);
    const longest = isShort || parts.maxLength <= farLength ? language.last(isShort ? reasonableLength : farLength) : undefined;
    return { sometimes, reasonable: isShort ? longest : undefined, far: isShort ? undefined : longest };
  });
  return found ?? { sometimes: usual, reasonable: undefined, far: undefined };
}

/** Every text, if there are few. */
function listAll(language: Language, usual: readonly number[]): readonly string[] | undefined {
  const counted: number[] = [];
  let count = 0;
  let next = usual.at(0);
  while (next !== undefined) {
    count += language.count(next, listedAtMost);
    if (count > listedAtMost) return undefined;
    counted.push(next);
    next = language.first(next + 1);
  }
  return counted.flatMap((length) => [...language.list(length, listedAtMost)]);
}

function* listSimplest(language: Language, lengths: readonly number[]): Generator<string> {
  for (const length of lengths) yield* language.list(length, 8);
}
