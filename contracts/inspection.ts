/** Laws about single answers: every answer of the run is looked at, whatever it was asked for. */

import type { Operation } from '../core/operation.ts';
import { checkResponse, type ResponseViolation } from '../core/response.ts';
import type { Rival } from '../core/verdict.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Contradiction, Examination, Finding } from './law.ts';
import type { Reply } from './reply.ts';

/** What a law makes of one answer: nothing, when the answer is not its business. */
export type Inspection = (reply: Reply) => Finding | readonly Finding[] | undefined;

/** Looks at every answer of an operation. */
export function inspectReplies(lab: Lab, operation: Operation, rivals: readonly Candidate[], inspect: Inspection): Examination {
  return {
    rivals,
    isPassive: true,
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

/** The findings that an answer breaks the contract, each with the line that says so. */
export function breaks(reply: Reply, violations: readonly ResponseViolation[], expected: string, rival?: Rival): readonly Contradiction[] {
  return violations.map((violation) => ({
    kind: 'contradicts',
    replies: [reply],
    expected,
    actual: violation.message,
    // A place in one record is the same place in any other one.
    about: `${violation.path.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${violation.kind}`.trim(),
    clause: violation.place,
    witnesses: [],
    ...(rival === undefined ? {} : { rival }),
  }));
}

/** Findings about an answer by those of its violations that a law is about. */
export function inspectViolations(
  lab: Lab,
  reply: Reply,
  isConcerned: (violation: ResponseViolation) => boolean,
  expected: string,
  refutes: readonly string[],
): readonly Finding[] {
  const violations = violationsOf(lab, reply).filter(isConcerned);
  return violations.length === 0 ? [{ kind: 'agrees', refutes }] : breaks(reply, violations, expected);
}
