/** Proposes ways to draw the texts of a domain, the best first, when a generator is built. Whether one is accepted often enough is tried elsewhere. */

import { formatStrategy, syntaxesOf } from './format-strategy.ts';
import { formatViolatingTextStrategy } from './format-violating-text-strategy.ts';
import { freeTextStrategy } from './length-only-strategy.ts';
import { isExact, parsePattern } from './pattern-syntax.ts';
import { TextLanguage } from './regular-language.ts';
import { languageStrategy } from './regular-language-strategy.ts';
import { LanguageTooLarge } from './regular-language-terms.ts';
import { syntaxTreeStrategy } from './syntax-tree-strategy.ts';
import { anyText, type TextDomain, textPredicate } from './text-domain.ts';
import type { TextStrategy } from './text-strategy.ts';

/**
 * The strategies, best first; each is tried when the one before is rejected too often. `empty` proves that there is no text.
 * @throws {LanguageTooLarge} when the only strategy takes too much work.
 */
export function* selectStrategies(domain: TextDomain, accepts: (text: string) => boolean): Generator<TextStrategy | 'empty'> {
  if (domain.notFormats.length === 0) {
    yield* listValidStrategies(domain, accepts);
    return;
  }
  const syntaxes = syntaxesOf(domain.notFormats);
  const invalidTexts = syntaxes.flatMap((syntax) => syntax.invalid);
  // The strategy damages valid texts, so only the lengths matter here.
  const validTexts = formatStrategy(
    syntaxes,
    { ...domain, patterns: [], notPatterns: [] },
    textPredicate({ ...anyText, formats: domain.notFormats }),
  );
  for (const base of listValidStrategies(domain, accepts))
    yield base === 'empty' ? base : formatViolatingTextStrategy(base, validTexts, invalidTexts);
}

/** Strategies for the domain without `notFormats`. */
function* listValidStrategies(domain: TextDomain, accepts: (text: string) => boolean): Generator<TextStrategy | 'empty'> {
  const patterns = domain.patterns.map(parsePattern);
  try {
    yield* listLanguages(domain, accepts);
    yield* patterns.filter(({ root }) => !isExact(root)).map(syntaxTreeStrategy);
  } catch (error) {
    if (!(error instanceof LanguageTooLarge)) throw error;
    yield* patterns.map(syntaxTreeStrategy);
    // Without `notPatterns` the automaton may be small enough, and most texts match few patterns.
    if (domain.notPatterns.length === 0) throw error;
    for (const strategy of listValidStrategies({ ...domain, notPatterns: [] }, accepts))
      yield strategy === 'empty' ? strategy : { ...strategy, isReliable: false };
  }
}

function* listLanguages(domain: TextDomain, accepts: (text: string) => boolean): Generator<TextStrategy | 'empty'> {
  if (isFree(domain)) {
    yield { ...freeTextStrategy(domain.minLength, domain.maxLength), isReliable: domain.excluded.size === 0 };
    return;
  }
  const hasFormats = domain.formats.length > 0;
  const isListable = hasFormats && domain.patterns.length > 0 && canListAll(domain);
  const strategyOfFormats = isListable ? undefined : formatStrategy(syntaxesOf(domain.formats), domain, accepts);
  if (strategyOfFormats !== undefined) yield strategyOfFormats;
  const language = new TextLanguage(necessaryLanguage(domain));
  const strategy = languageStrategy(language);
  if (strategy !== undefined) yield { ...strategy, isReliable: strategy.isReliable && !hasFormats };
  else if (language.isComplete) yield 'empty';
}

/** True if all texts can be listed. Patterns of formats are incomplete, so those texts cannot. */
function canListAll(domain: TextDomain): boolean {
  return languageStrategy(new TextLanguage(necessaryLanguage(domain)))?.all !== undefined;
}

/** True when only lengths are given. An empty text is better listed than drawn. */
function isFree({ patterns, notPatterns, formats, maxLength }: TextDomain): boolean {
  return patterns.length === 0 && notPatterns.length === 0 && formats.length === 0 && maxLength > 0;
}

/** The language of all texts that may belong to the domain: every format is replaced by the pattern that its texts must match. */
function necessaryLanguage(domain: TextDomain): TextDomain {
  const necessaryPatterns = syntaxesOf(domain.formats).flatMap(({ necessaryPattern }) => necessaryPattern ?? []);
  return { ...domain, patterns: [...domain.patterns, ...necessaryPatterns] };
}
