/** Laws about trouble: what a target answers when it throttles a run or is not ready. A run never provokes it. */

import type { Operation } from '../core/operation.ts';
import type { ResponseViolation } from '../core/response.ts';
import { breaks } from './inspection.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Examination, Finding, Untestable } from './law.ts';
import type { Reply } from './reply.ts';

/** A law about one kind of trouble. */
export interface Trouble {
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
export function judgeTrouble(lab: Lab, operation: Operation, trouble: Trouble): Examination | Untestable {
  const find = (): readonly Reply[] =>
    lab.session.replies.filter(({ call, response }) => call.operation.id === operation.id && response.status === trouble.status);
  if (find().length === 0) return { untestable: trouble.untestable };
  return { rivals: [trouble.rival], judge: () => find().flatMap((reply) => judgeReply(reply, trouble)) };
}

function judgeReply(reply: Reply, { rival, expected, violations }: Trouble): readonly Finding[] {
  const found = violations(reply);
  return found.length === 0 ? [{ kind: 'agrees', refutes: [rival.id] }] : breaks(reply, found, expected, rival);
}
