/** Open questions as findings tell of them. */

import type { OpenQuestion } from '../../../core/pact-check.ts';
import type { Question } from '../../../core/profile.ts';

/** A question with its line. */
export function toOpenQuestion({ id, question, source, place }: Question): OpenQuestion {
  return { id, question, source, place };
}
