/**
 * Chooses the strategies that can draw texts of a domain, best first, or proves that the domain is empty. text-generator.ts calls it once
 * for each text domain. It also builds the strategy of a format, and runs the trial that each strategy must pass.
 */

import { getOrCompute, lazy } from '../../core/memo.ts';
import { checksText } from '../../core/openapi/formats.ts';
import { isAtEdge, SeededRandom } from '../sources/scalar-generator.ts';
import { type LanguageDefinition, languageStrategy, TextLanguage } from './language.ts';
import { LanguageTooLarge, undefinedIfTooLarge } from './language-terms.ts';
import { isExact, type Pattern, parsePattern } from './pattern-syntax.ts';
import { freeTextStrategy, invalidTextStrategy, isFilled, patternStrategy, pick, type TextStrategy } from './simple-strategies.ts';
import type { ParsedTextDomain } from './text-domain.ts';
import { type FormatSyntax, formatSyntax } from './text-formats.ts';

const patterns = new Map<string, Pattern>();

/** A pattern of the format table, parsed once. */
export function tablePattern(source: string): Pattern {
  return getOrCompute(patterns, source, parsePattern);
}

/**
 * The strategy for texts of formats that also match the rest of the domain; `undefined` when no pattern of the first format does.
 * @param accepts the membership test of the whole domain
 * @throws {LanguageTooLarge}
 */
function formatStrategy(
  syntaxes: readonly FormatSyntax[],
  rest: LanguageDefinition,
  accepts: (text: string) => boolean,
): TextStrategy | undefined {
  const [syntax] = syntaxes;
  if (syntax === undefined) return undefined;
  const [usualPattern, ...otherPatterns] = syntax.patterns;
  const usualLength = Math.min(rest.maxLength, syntax.usualLength ?? rest.maxLength);
  let strategy = formatPatternStrategy(usualPattern, { ...rest, maxLength: usualLength });
  while (strategy === undefined) {
    const pattern = otherPatterns.shift();
    if (pattern === undefined) return undefined;
    strategy = formatPatternStrategy(pattern, rest);
  }
  const usual = strategy;
  // The usual pattern replaces those that do not match the rest of the domain.
  const others = otherPatterns.map((pattern) => lazy(() => undefinedIfTooLarge(() => formatPatternStrategy(pattern, rest)) ?? usual));
  const edgeCases = syntaxes.flatMap((each) => each.edgeCases).filter(accepts);
  return {
    // With several formats, texts of the first are checked against the others.
    isReliable: syntaxes.length === 1 && usual.isReliable,
    // The patterns are typical, not complete.
    all: undefined,
    isComplete: false,
    simplest: () => listSimplest(syntaxes, usual, edgeCases),
    draw: (random, bias) => {
      if (isFilled(edgeCases) && isAtEdge(random, bias)) return pick(edgeCases, random);
      const chosen = isFilled(others) && random.nextInt(0, 3) === 0 ? pick(others, random)() : usual;
      return chosen.draw(random, bias);
    },
  };
}

function formatPatternStrategy(pattern: string, rest: LanguageDefinition): TextStrategy | undefined {
  return languageStrategy(new TextLanguage({ ...rest, patterns: [...rest.patterns, tablePattern(pattern)] }));
}

function* listSimplest(syntaxes: readonly FormatSyntax[], usual: TextStrategy, edgeCases: readonly string[]): Generator<string> {
  for (const { simplest } of syntaxes) yield simplest;
  yield* edgeCases;
  yield* usual.simplest();
}

/**
 * The strategies, best first; each is tried when the one before is rejected too often. `empty` proves that there is no text. All formats
 * must have checks.
 * @throws {LanguageTooLarge} when the only strategy takes too much work.
 */
export function* listStrategies(domain: ParsedTextDomain, accepts: (text: string) => boolean): Generator<TextStrategy | 'empty'> {
  if (domain.notFormats.length === 0) {
    yield* listValidStrategies(domain, accepts);
    return;
  }
  const syntaxes = syntaxesOf(domain.notFormats);
  const invalid = syntaxes.flatMap((syntax) => syntax.invalid);
  // The strategy damages valid texts, so only the lengths matter here.
  const valid = formatStrategy(syntaxes, { ...domain, patterns: [], notPatterns: [] }, checkAll(domain.notFormats));
  for (const base of listValidStrategies(domain, accepts)) yield base === 'empty' ? base : invalidTextStrategy(base, valid, invalid);
}

/** Strategies for the domain without `notFormats`. */
function* listValidStrategies(domain: ParsedTextDomain, accepts: (text: string) => boolean): Generator<TextStrategy | 'empty'> {
  const inexact = domain.patterns.filter(({ root }) => !isExact(root));
  try {
    yield* listLanguages(domain, accepts);
    yield* inexact.map(patternStrategy);
  } catch (error) {
    if (!(error instanceof LanguageTooLarge)) throw error;
    yield* domain.patterns.map(patternStrategy);
    // Without `notPatterns` the automaton may be small enough, and most texts match few patterns.
    if (domain.notPatterns.length === 0) throw error;
    for (const strategy of listValidStrategies({ ...domain, notPatterns: [] }, accepts))
      yield strategy === 'empty' ? strategy : { ...strategy, isReliable: false };
  }
}

function* listLanguages(domain: ParsedTextDomain, accepts: (text: string) => boolean): Generator<TextStrategy | 'empty'> {
  if (isFree(domain)) {
    yield { ...freeTextStrategy(domain.minLength, domain.maxLength), isReliable: domain.excluded.size === 0 };
    return;
  }
  const hasFormats = domain.formats.length > 0;
  const isListable = hasFormats && domain.patterns.length > 0 && canListAll(domain);
  const fromFormats = isListable ? undefined : formatStrategy(syntaxesOf(domain.formats), domain, accepts);
  if (fromFormats !== undefined) yield fromFormats;
  const language = new TextLanguage(necessaryLanguage(domain));
  const strategy = languageStrategy(language);
  if (strategy !== undefined) yield { ...strategy, isReliable: strategy.isReliable && !hasFormats };
  else if (language.isComplete) yield 'empty';
}

/** True if all texts can be listed. Patterns of formats are incomplete, so those texts cannot. */
function canListAll(domain: ParsedTextDomain): boolean {
  return languageStrategy(new TextLanguage(necessaryLanguage(domain)))?.all !== undefined;
}

/** True when only lengths are given. An empty text is better listed than drawn. */
function isFree({ patterns, notPatterns, formats, maxLength }: ParsedTextDomain): boolean {
  return patterns.length === 0 && notPatterns.length === 0 && formats.length === 0 && maxLength > 0;
}

/** The language of all texts that may belong to the domain: every format is replaced by the pattern that its texts must match. */
function necessaryLanguage(domain: ParsedTextDomain): LanguageDefinition {
  const necessaryPatterns = syntaxesOf(domain.formats).flatMap(({ necessaryPattern }) =>
    necessaryPattern === undefined ? [] : [tablePattern(necessaryPattern)],
  );
  return { ...domain, patterns: [...domain.patterns, ...necessaryPatterns] };
}

function syntaxesOf(formats: readonly string[]): readonly FormatSyntax[] {
  return formats.flatMap((format) => formatSyntax(format) ?? []);
}

function checkAll(formats: readonly string[]): (text: string) => boolean {
  const checks = formats.map(checksText);
  return (text) => checks.every((check) => check?.(text) ?? true);
}

/** Limit of draws in a trial. */
const maxDraws = 200;

/** A strategy passes when one of this many draws is accepted. */
const acceptedOneIn = 50;

/** Attempts for one text. At one in fifty, more are needed once in 10^17 draws. */
const maxAttemptsPerText = 2_000;

/** The result of a trial. */
export interface StrategyTrial {
  readonly accepted: readonly string[];
  readonly drawn: number;
  /** True when enough texts were accepted. */
  readonly passed: boolean;
}

/** Tries a strategy with a few texts, always the same ones. */
export function runTrial(strategy: TextStrategy, accepts: (text: string) => boolean): StrategyTrial {
  // The trial must not depend on the caller's random numbers.
  const random = new SeededRandom(1);
  const accepted: string[] = [];
  let drawn = 0;
  for (; drawn < maxDraws && accepted.length < 20; drawn += 1) {
    // Boundary texts of a reliable strategy can be very long and need no trial.
    const text = strategy.draw(random, !strategy.isReliable && drawn % 4 === 0 ? 2 : undefined);
    if (accepts(text)) accepted.push(text);
  }
  return { accepted, drawn, passed: accepted.length * acceptedOneIn >= drawn };
}

/** Draws until a text is accepted. */
export function filteredDraw(strategy: TextStrategy, accepts: (text: string) => boolean, wanted: string): TextStrategy['draw'] {
  return (random, biasFactor) => {
    for (let attempts = 0; attempts < maxAttemptsPerText; attempts += 1) {
      const text = strategy.draw(random, biasFactor);
      if (accepts(text)) return text;
    }
    throw new Error(`none of ${maxAttemptsPerText} generated texts ${wanted}; narrow the schema of the text`);
  };
}
