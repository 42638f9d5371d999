/** Observations: the answers of a run to the questions that the contract leaves open. */

import type { Observation } from '../../../core/results/run-result.ts';
import type { RunContext } from '../engine/run-context.ts';
import { concludeQuestion, Inquiry, type QuestionEvidence } from './inquiry.ts';
import { observeBeyond, observeCaps, observeChangedFilters, observeOrder, observeTotals } from './list-observations.ts';
import { observeMistakes, observePrecedence } from './mistake-observations.ts';
import { observeHeads, observeHidden, observeRecordPlaces, observeSearches } from './read-observations.ts';
import { observeSchemas, seekAbsence } from './schema-observations.ts';

/** By what each kind of question is observed: first what needs no request or one, so that a small allowance goes far. */
const observers: readonly ((inquiry: Inquiry) => Promise<readonly QuestionEvidence[]>)[] = [
  ...[observeOrder, observeRecordPlaces, observeHeads],
  ...[observeHidden, seekAbsence, observeMistakes, observeBeyond, observeCaps, observeTotals],
  ...[observeChangedFilters, observePrecedence, observeSearches],
];

/** Observes every open question, by the answers of the run and a few requests more. What cannot be told stays open. */
export async function observe(context: RunContext): Promise<readonly Observation[]> {
  const { contract } = context;
  const inquiry = new Inquiry(context);
  const sights: QuestionEvidence[] = [];
  for (const observer of observers) sights.push(...(await observer(inquiry)));
  // Last, since every answer counts, those to the requests above included.
  sights.push(...observeSchemas(contract, context.replies));
  return [...contract.questions.values()].map((question) =>
    concludeQuestion(
      question,
      sights.filter((sight) => sight.question.id === question.id),
    ),
  );
}
