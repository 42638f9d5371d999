/** Opens facts about a string as a source of texts. */

import { checksText } from '../../core/format.ts';
import { clashOf, isAtEdge, type Opened, type Scalars } from '../source/source.ts';
import { type Draft, isFilled, pick } from './draft.ts';
import { readPattern, UnknownConstruct } from './pattern.ts';
import { compareTexts, shrinkText, simplify } from './taste.ts';
import { LanguageTooLarge, unlessTooLarge } from './term.ts';
import { isProvenEmpty, judged, listDrafts, type Trial, tryOut } from './text-draft.ts';
import { anyText, describeFacts, judgeBy, type ReadFacts, type TextFacts } from './text-facts.ts';

/** As many candidates for the simplest text are judged. */
const candidates = 300;

/** Texts that must be longer than this are not made: nothing that reads them would get any further. */
const longestShortest = 100_000;

/** Opens what is known of a string. */
export function openText(facts: TextFacts): Opened<string> {
  const unchecked = facts.notFormats.find((format) => checksText(format) === undefined);
  if (unchecked !== undefined) return { kind: 'empty', why: `every text is valid for the format ${unchecked}, which nothing checks` };
  if (facts.minLength > longestShortest && facts.minLength <= facts.maxLength) {
    return unsupported(
      'minLength',
      `a text of at least ${facts.minLength} characters is too long to be made; lower it to ${longestShortest}`,
    );
  }
  try {
    return open(read(facts));
  } catch (error) {
    // A SyntaxError is the engine's word on an expression, and names it.
    const isBeyond = error instanceof UnknownConstruct || error instanceof SyntaxError || error instanceof LanguageTooLarge;
    if (isBeyond) return unsupported('pattern', error.message);
    throw error;
  }
}

function read(facts: TextFacts): ReadFacts {
  return {
    ...facts,
    formats: facts.formats.filter((format) => checksText(format) !== undefined),
    patterns: facts.patterns.map(readPattern),
    notPatterns: facts.notPatterns.map(readPattern),
  };
}

function open(facts: ReadFacts): Opened<string> {
  if (facts.minLength > facts.maxLength) return { kind: 'empty', why: explainEmptiness(facts) };
  const accepts = judgeBy(facts);
  let found = 'none could be made';
  for (const draft of listDrafts(facts, accepts)) {
    if (draft === 'empty') return { kind: 'empty', why: explainEmptiness(facts) };
    if (draft.all !== undefined) {
      const texts = draft.all.filter(accepts);
      if (isFilled(texts)) return { kind: 'source', source: sourceOfFew(texts, accepts) };
      if (draft.isWhole) return { kind: 'empty', why: explainEmptiness(facts) };
      continue;
    }
    const trial = tryOut(draft, accepts);
    if (trial.passed) return { kind: 'source', source: sourceOfMany(draft, trial, facts, accepts) };
    found = `of ${trial.drawn} texts drawn, ${trial.accepted.length} did`;
  }
  const keyword = facts.patterns.length + facts.notPatterns.length > 0 ? 'pattern' : 'format';
  return unsupported(keyword, `no way is known to make a text that ${describeFacts(facts)}: ${found}`);
}

function sourceOfMany(draft: Draft, trial: Trial, facts: ReadFacts, accepts: (text: string) => boolean): Scalars<string> {
  const draw = draft.isSure && trial.accepted.length === trial.drawn ? draft.draw : judged(draft, accepts, describeFacts(facts));
  const simplest = findSimplest(draft, accepts) ?? descend(trial.accepted.toSorted(compareTexts)[0] ?? '', accepts);
  return { simplest, draw, accepts, size: Number.POSITIVE_INFINITY, shrink: (text) => shrinkText(text, simplest, accepts) };
}

/** A source of a few texts, sorted from the simplest on. */
function sourceOfFew(texts: readonly [string, ...string[]], accepts: (text: string) => boolean): Scalars<string> {
  const [simplest] = texts;
  const draw: Scalars<string>['draw'] = (chance, biasFactor) => {
    if (isAtEdge(chance, biasFactor)) return chance.nextInt(0, 1) === 0 ? simplest : (texts.at(-1) ?? simplest);
    return pick(texts, chance);
  };
  return { simplest, draw, accepts, size: texts.length, shrink: (text) => texts.slice(0, Math.max(0, texts.indexOf(text))) };
}

function findSimplest(draft: Draft, accepts: (text: string) => boolean): string | undefined {
  let judgedSoFar = 0;
  for (const candidate of draft.simplest()) {
    if (accepts(candidate)) return candidate;
    judgedSoFar += 1;
    if (judgedSoFar === candidates) return undefined;
  }
  return undefined;
}

/** Goes from a text to simpler ones until nothing near it is simpler. */
function descend(text: string, accepts: (text: string) => boolean): string {
  let simplest = text;
  for (let steps = 0; steps < candidates; steps += 1) {
    const [simpler] = simplify(simplest, simplest, accepts);
    if (simpler === undefined) break;
    simplest = simpler;
  }
  return simplest;
}

function unsupported(keyword: string, why: string): Opened<string> {
  return { kind: 'unsupported', keyword, why };
}

/** A sentence that names the facts that clash and leaves out those that do not matter, as far as that can be found out. */
function explainEmptiness(facts: ReadFacts): string {
  const free: ReadFacts = { ...anyText, patterns: [], notPatterns: [] };
  return `no text ${describeFacts(isEmptyFor(facts) ? clashOf(facts, free, relaxed, isEmptyFor) : facts)}`;
}

/** The facts that may be left out of a reason, those that are asked about first first. */
const relaxed = ['formats', 'notFormats', 'notPatterns', 'patterns', 'minLength', 'maxLength', 'except'] as const;

/** Where it is too much work to find out, a fact stays in the sentence, which is then longer than it need be, not wrong. */
function isEmptyFor(facts: ReadFacts): boolean {
  return unlessTooLarge(() => isProvenEmpty(facts)) ?? false;
}
