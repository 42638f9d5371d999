/** Draws texts of formats such as date-time, from a table of typical patterns. So not every valid text can be drawn. */

import { lazy } from '../../core/memo.ts';
import { isAtEdge } from '../sources/random-numbers.ts';
import { TextLanguage } from './regular-language.ts';
import { languageStrategy } from './regular-language-strategy.ts';
import { undefinedIfTooLarge } from './regular-language-terms.ts';
import type { TextDomain } from './text-domain.ts';
import { type FormatSyntax, formatSyntax } from './text-formats.ts';
import { isFilled, pick, type TextStrategy } from './text-strategy.ts';

/**
 * The strategy for texts of formats that also match the rest of the domain; `undefined` when no pattern of the first format does.
 * @param accepts the membership test of the whole domain
 * @throws {LanguageTooLarge}
 */
export function formatStrategy(
  syntaxes: readonly FormatSyntax[],
  restOfDomain: TextDomain,
  accepts: (text: string) => boolean,
): TextStrategy | undefined {
  const [syntax] = syntaxes;
  if (syntax === undefined) return undefined;
  const [usualPattern, ...otherPatterns] = syntax.patterns;
  const usualLength = Math.min(restOfDomain.maxLength, syntax.usualLength ?? restOfDomain.maxLength);
  let strategy = formatPatternStrategy(usualPattern, { ...restOfDomain, maxLength: usualLength });
  while (strategy === undefined) {
    const pattern = otherPatterns.shift();
    if (pattern === undefined) return undefined;
    strategy = formatPatternStrategy(pattern, restOfDomain);
  }
  const usualStrategy = strategy;
  // The usual pattern replaces those that do not match the rest of the domain.
  const otherStrategies = otherPatterns.map((pattern) =>
    lazy(() => undefinedIfTooLarge(() => formatPatternStrategy(pattern, restOfDomain)) ?? usualStrategy),
  );
  const edgeCases = syntaxes.flatMap((each) => each.edgeCases).filter(accepts);
  return {
    // With several formats, texts of the first are checked against the others.
    isReliable: syntaxes.length === 1 && usualStrategy.isReliable,
    // The patterns are typical, not complete.
    all: undefined,
    isComplete: false,
    simplest: () => listSimplest(syntaxes, usualStrategy, edgeCases),
    draw: (random, bias) => {
      if (isFilled(edgeCases) && isAtEdge(random, bias)) return pick(edgeCases, random);
      const chosenStrategy = isFilled(otherStrategies) && random.nextInt(0, 3) === 0 ? pick(otherStrategies, random)() : usualStrategy;
      return chosenStrategy.draw(random, bias);
    },
  };
}

function formatPatternStrategy(pattern: string, restOfDomain: TextDomain): TextStrategy | undefined {
  return languageStrategy(new TextLanguage({ ...restOfDomain, patterns: [...restOfDomain.patterns, pattern] }));
}

function* listSimplest(syntaxes: readonly FormatSyntax[], usualStrategy: TextStrategy, edgeCases: readonly string[]): Generator<string> {
  for (const { simplest } of syntaxes) yield simplest;
  yield* edgeCases;
  yield* usualStrategy.simplest();
}

/** The entries of the format table for some formats; unknown formats have none. */
export function syntaxesOf(formats: readonly string[]): readonly FormatSyntax[] {
  return formats.flatMap((format) => formatSyntax(format) ?? []);
}
