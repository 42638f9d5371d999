/** Draws texts from a regular language: chooses their lengths, finds the simplest ones, and lists all of them if they are few. */

import { lazy } from '../../core/memo.ts';
import { isAtEdge, type RandomNumbers } from '../sources/random-numbers.ts';
import { TextLanguage } from './regular-language.ts';
import { undefinedIfTooLarge } from './regular-language-terms.ts';
import { maxOrdered } from './shrink-text.ts';
import type { TextDomain } from './text-domain.ts';
import { drawnLengths, isFilled, pick, type TextStrategy } from './text-strategy.ts';

/** Languages with more texts than this are not listed. */
const maxListed = maxOrdered;

/**
 * The strategy of a language; `undefined` when it has no texts.
 * @throws {LanguageTooLarge} when that takes too much work to find out.
 */
export function languageStrategy(language: TextLanguage): TextStrategy | undefined {
  const shortest = language.first(language.parts.minLength);
  if (shortest === undefined) return undefined;
  const usualLengths = language.lengths(shortest, shortest + drawnLengths.usual);
  return {
    isReliable: language.isReliable,
    all: listAll(language, usualLengths),
    isComplete: language.isComplete,
    simplest: () => listSimplest(language, usualLengths),
    draw: createDraw(language, shortest, usualLengths),
  };
}

function createDraw(language: TextLanguage, shortest: number, usualLengths: readonly number[]): TextStrategy['draw'] {
  const chooseLonger = lazy(() => findLongerLengths(language.parts, shortest, usualLengths));
  return (random, bias) => {
    if (isAtEdge(random, bias)) return language.draw(chooseEdge(shortest, chooseLonger(), random), random);
    const lengths = random.nextInt(0, 15) === 0 ? chooseLonger().occasionalLengths : usualLengths;
    return language.draw(isFilled(lengths) ? pick(lengths, random) : shortest, random);
  };
}

/** The shortest or longest length, rarely a very long one. */
function chooseEdge(shortest: number, { occasionalLengths, greatestLength, rareLength }: LongerLengths, random: RandomNumbers): number {
  if (random.nextInt(0, 1) === 0) return shortest;
  if (rareLength !== undefined && random.nextInt(0, 63) === 0) return rareLength;
  return greatestLength ?? occasionalLengths.at(-1) ?? shortest;
}

interface LongerLengths {
  readonly occasionalLengths: readonly number[];
  /** The greatest length, if it is reasonable. */
  readonly greatestLength: number | undefined;
  readonly rareLength: number | undefined;
}

/**
 * Computed on first use with a fresh language, so that the result does not depend on earlier draws. Past the work limit the usual lengths
 * are used.
 */
function findLongerLengths(parts: TextDomain, shortest: number, usualLengths: readonly number[]): LongerLengths {
  const longerLengths = undefinedIfTooLarge((): LongerLengths => {
    const language = new TextLanguage(parts);
    const occasionalLengths = language.lengths(shortest, shortest + drawnLengths.occasional);
    const isShort = language.endsBefore(drawnLengths.reasonable);
    const longest =
      isShort || parts.maxLength <= drawnLengths.rare ? language.last(isShort ? drawnLengths.reasonable : drawnLengths.rare) : undefined;
    return { occasionalLengths, greatestLength: isShort ? longest : undefined, rareLength: isShort ? undefined : longest };
  });
  return longerLengths ?? { occasionalLengths: usualLengths, greatestLength: undefined, rareLength: undefined };
}

/** All texts, if they are few. */
function listAll(language: TextLanguage, usualLengths: readonly number[]): readonly string[] | undefined {
  const countedLengths: number[] = [];
  let count = 0;
  let length = usualLengths.at(0);
  while (length !== undefined) {
    count += language.count(length, maxListed);
    if (count > maxListed) return undefined;
    countedLengths.push(length);
    length = language.first(length + 1);
  }
  return countedLengths.flatMap((countedLength) => [...language.list(countedLength, maxListed)]);
}

function* listSimplest(language: TextLanguage, lengths: readonly number[]): Generator<string> {
  for (const length of lengths) yield* language.list(length, 8);
}
