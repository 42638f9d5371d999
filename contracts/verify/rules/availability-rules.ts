/**
 * Rules of the group `availability`: the shape of a 429 and a 503. `rule-catalogue.ts` lists them; `play-run.ts`, in its rounds, and `explain-rule.ts` examine
 * each at every operation that documents the status. They send nothing, and check the failures that other requests of the run received.
 */

import { type Operation, responseFor } from '../../../core/openapi/operation.ts';
import type { Reply } from '../evidence/call-and-reply.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { contradictViolations, violationsOf } from './examinations/inspect-replies.ts';
import { agrees, type Candidate, candidate, type Examination, type Judgement, type Rule, type Untestable } from './rule.ts';

const retryAfter: Rule = {
  id: 'availability/retry-after',
  title: 'A 429 has its documented shape and a Retry-After',
  why: 'Clients without Retry-After guess, retry too early and keep a busy service busy.',
  strength: 'stated',
  clause: (operation) => {
    const response = responseFor(operation, 429);
    return response?.headers.find(({ name }) => name.toLowerCase() === 'retry-after')?.parameter.place;
  },
  examine: async (context, operation) =>
    examineUnavailability(context, operation, {
      status: 429,
      mutant: candidate('availability/retry-after', 'retry-after-missing', 'a 429'),
      untestable: 'a target that throttles this run',
    }),
};

const notReady: Rule = {
  id: 'availability/not-ready',
  title: 'A 503 has its documented shape',
  why: 'A client that cannot read the reason takes the service for broken or empty.',
  strength: 'stated',
  clause: (operation) => responseFor(operation, 503)?.place,
  examine: async (context, operation) =>
    examineUnavailability(context, operation, {
      status: 503,
      mutant: candidate('availability/not-ready', 'not-ready-other', 'a 503'),
      untestable: 'a target that is not ready for a while',
    }),
};

/** The rules, in the order of a run. */
export const availabilityRules: readonly Rule[] = [retryAfter, notReady];

/** The status that a rule checks, and its mutant. */
interface UnavailabilityCheck {
  readonly status: number;
  readonly mutant: Candidate;
  /** The target that a run needs to receive this status. */
  readonly untestable: string;
}

/**
 * Judges all replies of the run with the status, also those of earlier rounds. Each reply shows its mistake alone. The rule cannot be tested if no rule
 * before it received the status.
 */
function examineUnavailability(
  context: RoundContext,
  operation: Operation,
  { status, mutant, untestable }: UnavailabilityCheck,
): Examination | Untestable {
  const listReplies = (): readonly Reply[] =>
    context.session.replies.filter(({ call, response }) => call.operation.id === operation.id && response.status === status);
  if (listReplies().length === 0) return { untestable };
  return { mutants: [mutant], judge: () => listReplies().flatMap((reply) => judgeReply(context, reply, mutant)) };
}

function judgeReply(context: RoundContext, reply: Reply, mutant: Candidate): readonly Judgement[] {
  const violations = violationsOf(context, reply);
  return violations.length === 0 ? [agrees(mutant)] : contradictViolations(reply, violations, mutant);
}
