/**
 * The rules of the group `availability`: the shape of a 429 and a 503. The catalogue of rules lists them, and a run calls `examine` for each operation.
 * They send nothing: they check the failures that other requests of the run received.
 */

import type { ResponseViolation } from '../../../core/http/check-response.ts';
import { type Operation, responseFor } from '../../../core/openapi/operation.ts';
import type { Reply } from '../engine/call.ts';
import type { RunContext } from '../engine/run-context.ts';
import { breaks, violationsOf } from './inspection.ts';
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
    judgeAvailability(context, operation, {
      status: 429,
      mutant: candidate('availability/retry-after', 'retry-after-missing', 'a 429'),
      untestable: 'a target that throttles this run',
      violations: (reply) => violationsOf(context, reply),
    }),
};

const notReady: Rule = {
  id: 'availability/not-ready',
  title: 'A 503 has its documented shape',
  why: 'A client that cannot read the reason takes the service for broken or empty.',
  strength: 'stated',
  clause: (operation) => responseFor(operation, 503)?.place,
  examine: async (context, operation) =>
    judgeAvailability(context, operation, {
      status: 503,
      mutant: candidate('availability/not-ready', 'not-ready-other', 'a 503'),
      untestable: 'a target that is not ready for a while',
      violations: (reply) => violationsOf(context, reply),
    }),
};

/** The rules, in the order of a run. */
export const availability: readonly Rule[] = [retryAfter, notReady];

/** A rule about one kind of availability. */
interface Availability {
  readonly status: number;
  readonly mutant: Candidate;
  /** Missing evidence of a run without failures of availability. */
  readonly untestable: string;
  readonly violations: (reply: Reply) => readonly ResponseViolation[];
}

/**
 * Judges all replies of the run with the status, also those of earlier rounds. A run cannot repeat a 429 or 503 on purpose, and each reply shows its
 * mistake alone.
 */
function judgeAvailability(context: RunContext, operation: Operation, availability: Availability): Examination | Untestable {
  const listReplies = (): readonly Reply[] =>
    context.session.replies.filter(({ call, response }) => call.operation.id === operation.id && response.status === availability.status);
  if (listReplies().length === 0) return { untestable: availability.untestable };
  return { mutants: [availability.mutant], judge: () => listReplies().flatMap((reply) => judgeReply(reply, availability)) };
}

function judgeReply(reply: Reply, { mutant, violations }: Availability): readonly Judgement[] {
  const found = violations(reply);
  return found.length === 0 ? [agrees(mutant)] : breaks(reply, found, mutant);
}
