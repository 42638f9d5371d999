/** Observes the open questions of a contract, after the rules of a run. No observation is a violation. */

import type { Question } from '../../../core/annotations/open-questions.ts';
import type { Observation } from '../../../core/results/run-result.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { observeByRules } from './observe-by-rules.ts';
import { observeChangedFilters } from './observe-changed-filters.ts';
import { observeInvalidRequests, observePrecedence } from './observe-invalid-requests.ts';
import { observeSchemas, readAbsentResource } from './observe-open-schemas.ts';
import { observeEnvelopes, observeHidden, observeRecordPlaces, observeSearches } from './observe-records-and-searches.ts';
import { ObserverContext } from './observer-context.ts';
import { choicesWhere, type QuestionEvidence } from './question-evidence.ts';

/** The observers, those with the fewest requests first. */
const observers: readonly ((observerContext: ObserverContext) => Promise<readonly QuestionEvidence[]>)[] = [
  observeByRules,
  observeRecordPlaces,
  observeEnvelopes,
  observeHidden,
  observeInvalidRequests,
  observeChangedFilters,
  observePrecedence,
  observeSearches,
];

/** Observes every open question, by the replies of the run and a few more requests. A question without evidence stays open. */
export async function observeOpenQuestions(context: RoundContext): Promise<readonly Observation[]> {
  const { contract } = context;
  const observerContext = new ObserverContext(context);
  const evidence: QuestionEvidence[] = [];
  await readAbsentResource(observerContext);
  for (const observer of observers) evidence.push(...(await observer(observerContext)));
  // Last, because the replies to the requests above count as well.
  evidence.push(...observeSchemas(contract, context.replies));
  return [...contract.questions.values()].map((question) =>
    concludeQuestion(
      question,
      evidence.filter((each) => each.question.id === question.id),
    ),
  );
}

/** Maximum number of different observations in a sentence. */
const maxNamed = 3;

/**
 * Concludes a question from its evidence. A choice is an answer if no evidence contradicts it and some evidence contradicts another choice. The only
 * choice of a question is an answer if there is any evidence.
 */
export function concludeQuestion(question: Question, evidence: readonly QuestionEvidence[]): Observation {
  const { id, source, choices } = question;
  const conclude = (answers: readonly string[], summary: string): Observation => ({
    id,
    question: question.question,
    source,
    answers,
    evidence: summary,
  });
  if (choices.size === 0) return conclude([], 'This question has no listed answers.');
  if (evidence.length === 0) return conclude([], describeMissing(question));
  const remainingChoices = choicesWhere(question, (name) => evidence.every(({ fittingChoices }) => fittingChoices.includes(name)));
  const decidingEvidence = evidence.filter(({ fittingChoices }) => fittingChoices.length < choices.size);
  if (remainingChoices.length === 0)
    return conclude([], `The responses match none of the listed answers: ${describeEvidence(evidenceAgainstAll(decidingEvidence))}.`);
  if (decidingEvidence.length === 0 && choices.size > 1)
    return conclude([], `The responses match every listed answer: ${describeEvidence(evidence)}.`);
  return conclude(remainingChoices, `Seen: ${describeEvidence(decidingEvidence.length > 0 ? decidingEvidence : evidence)}.`);
}

/** Describes the missing evidence, by the place of the question. */
function describeMissing({ pointers }: Question): string {
  const isAt = (place: RegExp): boolean => pointers.some((pointer) => place.test(pointer));
  if (isAt(/^\/x-api\/scopes\//)) return 'No documented field of a response names it.';
  if (isAt(/^\/x-api\/precedence/)) return 'No request with two errors got a response.';
  if (isAt(/\/visible\/hidden$/)) return 'No hidden record is known; --hidden KEY names one.';
  if (isAt(/\/(x-collection|x-resource|x-invalid)\//)) return 'No response shows it yet; this takes more requests, and records to read.';
  return 'No response contained the member in question.';
}

/** The evidence that fits no choice; all evidence if each piece fits some choice. */
function evidenceAgainstAll(evidence: readonly QuestionEvidence[]): readonly QuestionEvidence[] {
  const contradictory = evidence.filter(({ fittingChoices }) => fittingChoices.length === 0);
  return contradictory.length > 0 ? contradictory : evidence;
}

function describeEvidence(evidence: readonly QuestionEvidence[]): string {
  const counts = new Map<string, number>();
  for (const { what } of evidence) counts.set(what, (counts.get(what) ?? 0) + 1);
  const pieces = [...counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  return pieces.length <= maxNamed ? pieces.join(', ') : `${pieces.slice(0, maxNamed).join(', ')} and ${pieces.length - maxNamed} more`;
}
