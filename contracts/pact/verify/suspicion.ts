/** What is wrong with an answer if the data stood still, and only then. */

import type { PactFailure } from '../../../core/pact-verdict.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../reply.ts';

/** Asks the target, whether or not the same was asked before. */
export type Ask = (call: Call) => Promise<Reply>;

/** A failure that rests on several answers: what lies between them may have changed. */
export interface Suspicion {
  readonly failure: PactFailure;
  /** Reads again what it rests on, and tells whether all of it is as it was. */
  readonly confirm: (ask: Ask) => Promise<boolean>;
}
