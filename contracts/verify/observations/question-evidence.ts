/** What one observation says about an open question: the choices that it does not contradict. It never counts as a violation. */

import type { Question } from '../../../core/annotations/open-questions.ts';

/** One observation about a question. */
export interface QuestionEvidence {
  readonly question: Question;
  /** The choices that it does not contradict. */
  readonly fittingChoices: readonly string[];
  /** Description as a clause in the past tense: `paid_at was null`. */
  readonly what: string;
}

/** The names of the choices that pass a test. */
export function choicesWhere(question: Question, passes: (name: string) => boolean): readonly string[] {
  return [...question.choices.keys()].filter(passes);
}

/** Makes evidence for the choices with a value, against all others. */
export function evidenceForValue(question: Question, value: unknown, what: string): QuestionEvidence {
  return { question, fittingChoices: choicesWhere(question, (name) => question.choices.get(name) === value), what };
}
