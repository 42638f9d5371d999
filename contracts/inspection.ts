/** Laws about single answers: every answer of the run is looked at, whatever it was asked for. */

import type { Operation } from '../core/operation.ts';
import { checkResponse, type ResponseViolation } from '../core/response.ts';
import type { Rival } from '../core/verdict.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Contradiction, Examination, Finding } from './law.ts';
import type { Reply } from './reply.ts';

/** What a law makes of one answer: nothing, when the answer is not its business. */
export type Inspection = (reply: Reply) => Finding | undefined;

/** Looks at every answer of an operation. */
export function inspectReplies(lab: Lab, operation: Operation, rivals: readonly Candidate[], inspect: Inspection): Examination {
  return {
    rivals,
    judge: () => lab.replies.flatMap((reply) => (reply.call.operation.id === operation.id ? (inspect(reply) ?? []) : [])),
  };
}

const checked = new WeakMap<Reply, readonly ResponseViolation[]>();

/** What is wrong with an answer by the contract alone. */
export function violationsOf(lab: Lab, reply: Reply): readonly ResponseViolation[] {
  const known = checked.get(reply) ?? checkResponse(lab.contract, reply);
  checked.set(reply, known);
  return known;
}

/** The finding that an answer breaks the contract, with the line that says so. */
export function breaks(
  reply: Reply,
  [first, ...others]: readonly [ResponseViolation, ...(readonly ResponseViolation[])],
  expected: string,
  rival?: Rival,
): Contradiction {
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return {
    kind: 'contradicts',
    replies: [reply],
    expected,
    actual: `${first.message}${more}`,
    clause: first.place,
    witnesses: [],
    ...(rival === undefined ? {} : { rival }),
  };
}

/** A finding about an answer by those of its violations that a law is about. */
export function inspectViolations(
  lab: Lab,
  reply: Reply,
  isConcerned: (violation: ResponseViolation) => boolean,
  expected: string,
  refutes: readonly string[],
): Finding {
  const [first, ...others] = violationsOf(lab, reply).filter(isConcerned);
  return first === undefined ? { kind: 'agrees', refutes } : breaks(reply, [first, ...others], expected);
}
