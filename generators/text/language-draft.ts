/** Draws from a language: first a length, mostly a small one, then a text of that length. */

import type { Chance } from '../source/dice.ts';
import { type Draft, isFilled, pick, wantsEdge } from './draft.ts';
import { Language, type LanguageParts } from './language.ts';
import { orderedAtMost } from './taste.ts';
import { LanguageTooLarge } from './term.ts';

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
  let longer: LongerLengths | undefined;
  const chooseLonger = (): LongerLengths => {
    longer ??= findLongerLengths(language.parts, shortest, usual);
    return longer;
  };
  return (chance, biasFactor) => {
    if (wantsEdge(chance, biasFactor)) return language.draw(chooseEdge(shortest, chooseLonger(), chance), chance);
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
  try {
    const language = new Language(parts);
    const sometimes = language.lengths(shortest, shortest + sometimesSpan);
    if (language.endsBefore(reasonableLength)) return { sometimes, reasonable: language.last(reasonableLength), far: undefined };
    return { sometimes, reasonable: undefined, far: parts.maxLength <= farLength ? language.last(farLength) : undefined };
  } catch (error) {
    if (error instanceof LanguageTooLarge) return { sometimes: usual, reasonable: undefined, far: undefined };
    throw error;
  }
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
