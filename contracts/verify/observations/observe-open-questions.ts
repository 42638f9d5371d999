/**
 * Observes the open questions of a contract. `verify.ts` calls it once, after the rules, with the context of the first round. It runs the observers, each of
 * which is in the file of its subject, and concludes each question. Its observations violate no rule.
 */

import type { Observation } from '../../../core/results/run-result-and-events.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { observeInvalidRequests, observePrecedence } from './observe-invalid-requests.ts';
import { observeCaps, observeChangedFilters, observeOrder, observePastEnd, observeTotals } from './observe-lists.ts';
import { observeEnvelopes, observeHidden, observeRecordPlaces, observeSearches, readAbsentResource } from './observe-records.ts';
import { observeSchemas } from './observe-schemas.ts';
import { ObserverContext } from './observer-context.ts';
import { concludeQuestion, type QuestionEvidence } from './question-evidence.ts';

/** The observers, those with the fewest requests first. */
const observers: readonly ((observerContext: ObserverContext) => Promise<readonly QuestionEvidence[]>)[] = [
  observeOrder,
  observeRecordPlaces,
  observeEnvelopes,
  observeHidden,
  readAbsentResource,
  observeInvalidRequests,
  observePastEnd,
  observeCaps,
  observeTotals,
  observeChangedFilters,
  observePrecedence,
  observeSearches,
];

/** Observes every open question, by the replies of the run and a few more requests. A question without evidence stays open. */
export async function observeOpenQuestions(context: RoundContext): Promise<readonly Observation[]> {
  const { contract } = context;
  const observerContext = new ObserverContext(context);
  const evidence: QuestionEvidence[] = [];
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
