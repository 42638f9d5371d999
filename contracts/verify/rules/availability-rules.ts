/** Rules about what a target answers when it throttles a run or is not ready. A run never provokes it. */

import type { ResponseViolation } from '../../../core/http/check-response.ts';
import { type Operation, responseFor } from '../../../core/openapi/operation.ts';
import type { Reply } from '../engine/call.ts';
import type { RunContext } from '../engine/run-context.ts';
import { breaks, violationsOf } from './inspection.ts';
import { agrees, type Candidate, candidate, type Examination, type Judgement, type Law, type Untestable } from './rule.ts';

const retryAfter: Law = {
  id: 'trouble/retry-after',
  title: 'A 429 has its documented shape, and says when to come back',
  why: 'Without it clients guess, come back too early and keep a busy service busy.',
  strength: 'stated',
  clause: (operation) => {
    const response = responseFor(operation, 429);
    return response?.headers.find(({ name }) => name.toLowerCase() === 'retry-after')?.parameter.place;
  },
  examine: async (lab, operation) =>
    judgeTrouble(lab, operation, {
      status: 429,
      rival: candidate('trouble/retry-after', 'retry-after-missing', 'a 429'),
      expected: `a 429 of ${operation.id} is as its schema says, with when to come back in Retry-After`,
      untestable: 'a target that throttles this run',
      violations: (reply) => violationsOf(lab, reply),
    }),
};

const notReady: Law = {
  id: 'trouble/not-ready',
  title: 'A 503 has its documented shape',
  why: 'A client that cannot read that the service is not ready takes it for broken, or for empty.',
  strength: 'stated',
  clause: (operation) => responseFor(operation, 503)?.place,
  examine: async (lab, operation) =>
    judgeTrouble(lab, operation, {
      status: 503,
      rival: candidate('trouble/not-ready', 'not-ready-other', 'a 503'),
      expected: `a 503 of ${operation.id} is as its schema says`,
      untestable: 'a target that is not ready for a while',
      violations: (reply) => violationsOf(lab, reply),
    }),
};

/** The rules, in the order in which a run looks at them. */
export const trouble: readonly Law[] = [retryAfter, notReady];

/** A law about one kind of trouble. */
interface Trouble {
  readonly status: number;
  readonly rival: Candidate;
  readonly expected: string;
  /** What is lacking in a run without trouble. */
  readonly untestable: string;
  readonly violations: (reply: Reply) => readonly ResponseViolation[];
}

/**
 * Judges the trouble that there was. It counts from the beginning of the run, since trouble does not come back when it is asked to:
 * what an answer lacks is plain from the answer alone.
 */
function judgeTrouble(lab: RunContext, operation: Operation, trouble: Trouble): Examination | Untestable {
  const find = (): readonly Reply[] =>
    lab.session.replies.filter(({ call, response }) => call.operation.id === operation.id && response.status === trouble.status);
  if (find().length === 0) return { untestable: trouble.untestable };
  return { rivals: [trouble.rival], judge: () => find().flatMap((reply) => judgeReply(reply, trouble)) };
}

function judgeReply(reply: Reply, { rival, expected, violations }: Trouble): readonly Judgement[] {
  const found = violations(reply);
  return found.length === 0 ? [agrees(rival)] : breaks(reply, found, expected, rival);
}
