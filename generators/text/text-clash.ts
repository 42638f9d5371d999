/** Tells which facts clash when no text has them all. */

import { LanguageTooLarge } from './term.ts';
import { isProvenEmpty } from './text-draft.ts';
import { describeFacts, type ReadFacts } from './text-facts.ts';

/** A sentence that names the facts that clash and leaves out those that do not matter, as far as that can be found out. */
export function explainEmptiness(facts: ReadFacts): string {
  return `no text ${describeFacts(isEmptyFor(facts) ? withoutIdle(facts) : facts)}`;
}

/** Leaves out fact after fact, as long as what is left still has no text. */
function withoutIdle(facts: ReadFacts): ReadFacts {
  let left = facts;
  for (const smaller of relaxations) {
    for (let index = 0; ; ) {
      const relaxed = smaller(left, index);
      if (relaxed === undefined) break;
      if (isEmptyFor(relaxed)) left = relaxed;
      else index += 1;
    }
  }
  return left;
}

/** Ways to leave out one fact of a kind; `undefined` when there are no more. */
const relaxations: readonly ((facts: ReadFacts, index: number) => ReadFacts | undefined)[] = [
  (facts, index) => (index >= facts.formats.length ? undefined : { ...facts, formats: facts.formats.toSpliced(index, 1) }),
  (facts, index) => (index >= facts.notFormats.length ? undefined : { ...facts, notFormats: facts.notFormats.toSpliced(index, 1) }),
  (facts, index) => (index >= facts.notPatterns.length ? undefined : { ...facts, notPatterns: facts.notPatterns.toSpliced(index, 1) }),
  (facts, index) => (index >= facts.patterns.length ? undefined : { ...facts, patterns: facts.patterns.toSpliced(index, 1) }),
  (facts, index) => (index > 0 || facts.minLength === 0 ? undefined : { ...facts, minLength: 0 }),
  (facts, index) =>
    index > 0 || facts.maxLength === Number.POSITIVE_INFINITY ? undefined : { ...facts, maxLength: Number.POSITIVE_INFINITY },
  (facts, index) => (index > 0 || facts.except.size === 0 ? undefined : { ...facts, except: new Set() }),
];

function isEmptyFor(facts: ReadFacts): boolean {
  try {
    return isProvenEmpty(facts);
  } catch (error) {
    // Too much work to find out: the fact stays in the sentence, which is then longer than it need be, not wrong.
    if (error instanceof LanguageTooLarge) return false;
    throw error;
  }
}
