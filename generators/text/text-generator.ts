/**
 * Creates the generator of the texts of a domain: tries strategies, the best first, and keeps the first one whose texts are accepted often enough. Later draws
 * use only that one.
 */

import { isAtEdge, SeededRandom } from '../sources/random-numbers.ts';
import type { ScalarGenerator, ScalarResult } from '../sources/scalar-generator.ts';
import { UnsupportedConstruct } from './pattern-syntax.ts';
import { LanguageTooLarge } from './regular-language-terms.ts';
import { selectStrategies } from './select-text-strategies.ts';
import { compareTexts, shrinkText, simplify } from './shrink-text.ts';
import { describeTextDomain, type TextDomain, textPredicate } from './text-domain.ts';
import { isFilled, pick, type TextStrategy } from './text-strategy.ts';

/** Limit of candidates for the simplest text. */
const maxCandidates = 300;

/** Greatest supported minimum length. Longer texts would be too slow to draw and to send. */
const maxMinLength = 100_000;

/** Limit of draws in a trial. */
const maxDraws = 200;

/** A strategy passes when one of this many draws is accepted. */
const acceptedOneIn = 50;

/** Attempts for one text. At one in fifty, more are needed once in 10^17 draws. */
const maxAttemptsPerText = 2_000;

/** The result of a trial. */
interface StrategyTrial {
  readonly acceptedTexts: readonly string[];
  readonly drawnCount: number;
  /** True when enough texts were accepted. */
  readonly isPassed: boolean;
}

/** Creates the generator of a text domain, or explains why it is empty or unsupported. */
export function textGenerator(domain: TextDomain): ScalarResult<string> {
  if (domain.minLength > maxMinLength && domain.minLength <= domain.maxLength) {
    return unsupported('minLength', `texts of ${domain.minLength} characters are too long; lower it to ${maxMinLength}`);
  }
  try {
    return chooseGenerator(domain);
  } catch (error) {
    // The message of a SyntaxError names the expression.
    const isUnsupported = error instanceof UnsupportedConstruct || error instanceof SyntaxError || error instanceof LanguageTooLarge;
    if (isUnsupported) return unsupported('pattern', error.message);
    throw error;
  }
}

function chooseGenerator(domain: TextDomain): ScalarResult<string> {
  if (domain.minLength > domain.maxLength) return { kind: 'empty', why: `no text ${describeTextDomain(domain)}` };
  const accepts = textPredicate(domain);
  let failure = 'none was generated';
  for (const strategy of selectStrategies(domain, accepts)) {
    if (strategy === 'empty') return { kind: 'empty', why: `no text ${describeTextDomain(domain)}` };
    if (strategy.all !== undefined) {
      const texts = strategy.all.filter(accepts);
      if (isFilled(texts)) return { kind: 'generator', generator: listGenerator(texts, accepts) };
      if (strategy.isComplete) return { kind: 'empty', why: `no text ${describeTextDomain(domain)}` };
      continue;
    }
    const trial = runTrial(strategy, accepts);
    if (trial.isPassed) return { kind: 'generator', generator: filteredGenerator(strategy, trial, domain, accepts) };
    failure = `${trial.acceptedTexts.length} of ${trial.drawnCount} generated texts did`;
  }
  const keyword = domain.patterns.length + domain.notPatterns.length > 0 ? 'pattern' : 'format';
  return unsupported(keyword, `no strategy generates a text that ${describeTextDomain(domain)}: ${failure}`);
}

/** Tries a strategy with a few texts, always the same ones. */
function runTrial(strategy: TextStrategy, accepts: (text: string) => boolean): StrategyTrial {
  // The trial must not depend on the caller's random numbers.
  const random = new SeededRandom(1);
  const acceptedTexts: string[] = [];
  let drawnCount = 0;
  for (; drawnCount < maxDraws && acceptedTexts.length < 20; drawnCount += 1) {
    // Boundary texts of a reliable strategy can be very long and need no trial.
    const text = strategy.draw(random, !strategy.isReliable && drawnCount % 4 === 0 ? 2 : undefined);
    if (accepts(text)) acceptedTexts.push(text);
  }
  return { acceptedTexts, drawnCount, isPassed: acceptedTexts.length * acceptedOneIn >= drawnCount };
}

/** Draws until a text is accepted. */
function filteredDraw(strategy: TextStrategy, accepts: (text: string) => boolean, domainDescription: string): TextStrategy['draw'] {
  return (random, bias) => {
    for (let attempts = 0; attempts < maxAttemptsPerText; attempts += 1) {
      const text = strategy.draw(random, bias);
      if (accepts(text)) return text;
    }
    throw new Error(`none of ${maxAttemptsPerText} generated texts ${domainDescription}; narrow the schema of the text`);
  };
}

function filteredGenerator(
  strategy: TextStrategy,
  trial: StrategyTrial,
  domain: TextDomain,
  accepts: (text: string) => boolean,
): ScalarGenerator<string> {
  const draw =
    strategy.isReliable && trial.acceptedTexts.length === trial.drawnCount
      ? strategy.draw
      : filteredDraw(strategy, accepts, describeTextDomain(domain));
  const simplest = findSimplest(strategy, accepts) ?? simplifyFully(trial.acceptedTexts.toSorted(compareTexts)[0] ?? '', accepts);
  return { simplest, draw, accepts, size: Number.POSITIVE_INFINITY, shrink: (text) => shrinkText(text, simplest, accepts) };
}

/** A generator of a few listed texts, the simplest first. */
function listGenerator(texts: readonly [string, ...string[]], accepts: (text: string) => boolean): ScalarGenerator<string> {
  const [simplest] = texts;
  const draw: ScalarGenerator<string>['draw'] = (random, bias) => {
    if (isAtEdge(random, bias)) return random.nextInt(0, 1) === 0 ? simplest : (texts.at(-1) ?? simplest);
    return pick(texts, random);
  };
  return { simplest, draw, accepts, size: texts.length, shrink: (text) => texts.slice(0, Math.max(0, texts.indexOf(text))) };
}

function findSimplest(strategy: TextStrategy, accepts: (text: string) => boolean): string | undefined {
  let judgedCount = 0;
  for (const candidate of strategy.simplest()) {
    if (accepts(candidate)) return candidate;
    judgedCount += 1;
    if (judgedCount === maxCandidates) return undefined;
  }
  return undefined;
}

/** Simplifies a text until nothing near it is simpler. */
function simplifyFully(text: string, accepts: (text: string) => boolean): string {
  let simplest = text;
  for (let steps = 0; steps < maxCandidates; steps += 1) {
    const [simpler] = simplify(simplest, simplest, accepts);
    if (simpler === undefined) break;
    simplest = simpler;
  }
  return simplest;
}

function unsupported(keyword: string, why: string): ScalarResult<string> {
  return { kind: 'unsupported', keyword, why };
}
