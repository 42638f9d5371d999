/** What the reports of a check of pacts say in the same words. */

import type { CheckedPact, PactCheck, PactFinding, PactGrade } from '../../core/pact-check.ts';
import { count } from '../layout.ts';

/** The headline: what was checked, and what came of it. */
export function describeCheck({ pacts, count: counts }: PactCheck): string {
  const what = `${count(counts.interactions, 'interaction')} of ${count(pacts.length, 'pact')}`;
  const found = counts.impossible + counts.unpromised;
  const rest = counts.pending === 0 ? '' : `; ${count(counts.pending, 'finding')} in what is pending`;
  if (found === 0) return `${what}: everything that is expected is promised${rest}`;
  const parts = [
    ...(counts.impossible === 0 ? [] : [`${counts.impossible} impossible`]),
    ...(counts.unpromised === 0 ? [] : [`${counts.unpromised} unpromised`]),
  ];
  return `${what}, ${counts.wrong} with findings: ${parts.join(', ')}${rest}`;
}

/** A pact by those who made it. */
export function describePact({ consumer, provider, contract }: CheckedPact): string {
  return `${consumer} → ${provider} (${[contract.title, contract.version].join(' ').trim()})`;
}

/** What each grade means. */
export const gradeMeanings: Readonly<Record<PactGrade, string>> = {
  impossible: 'no answer that the contract allows meets it',
  unpromised: 'some answers that the contract allows do not meet it',
};

/** The question that a finding rests on, in a sentence. */
export function describeQuestion({ question }: PactFinding): string | undefined {
  return question && `${question.id} (${question.source}): ${question.question}`;
}
