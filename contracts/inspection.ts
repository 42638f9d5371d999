/** Rules about single answers: every ordinary answer of the run is looked at, whatever it was asked for. */

import { splitTarget } from '../core/exchange.ts';
import type { MutantId, MutantIdentity } from '../core/mutants/catalogue.ts';
import { type Operation, routeTo } from '../core/operation.ts';
import { checkResponse, type ResponseViolation } from '../core/response.ts';
import type { Lab } from './lab.ts';
import { agrees, type Candidate, type Contradiction, contradicts, type Examination, type Finding } from './law.ts';
import type { Reply } from './reply.ts';

/** What a law makes of one answer: nothing, when the answer is not its business. */
type Inspection = (reply: Reply) => Finding | readonly Finding[] | undefined;

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
export function breaks(
  reply: Reply,
  violations: readonly ResponseViolation[],
  expected: string,
  rival?: MutantIdentity,
): readonly Contradiction[] {
  return violations.map((violation) =>
    contradicts({
      replies: [reply],
      expected,
      actual: violation.message,
      // A place in one record is the same place in any other one.
      about: `${violation.path.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${violation.kind}`.trim(),
      clause: violation.place,
      rival,
    }),
  );
}

/** Findings about an answer by those of its violations that a law is about. */
export function inspectViolations(
  lab: Lab,
  reply: Reply,
  isConcerned: (violation: ResponseViolation) => boolean,
  expected: string,
  refutes: readonly MutantId[],
): readonly Finding[] {
  const violations = violationsOf(lab, reply).filter(isConcerned);
  return violations.length === 0 ? [agrees(...refutes)] : breaks(reply, violations, expected);
}

/** Web servers refuse requests that are longer than this or that hold unusual bytes, before an API sees them. */
const longestTarget = 2000;

const ordinary = new WeakMap<Reply, boolean>();

/**
 * Whether an answer is one that the contract speaks of: the request leads to its operation, and nothing in it is odd for the web
 * itself.
 */
export function isOrdinary({ contract }: Lab, reply: Reply): boolean {
  const known = ordinary.get(reply);
  if (known !== undefined) return known;
  const { method, target } = reply.request;
  const route = routeTo(contract.operations, method, target);
  const result = route.kind === 'operation' && route.operation.id === reply.call.operation.id && isPlain(target);
  ordinary.set(reply, result);
  return result;
}

function isPlain(target: string): boolean {
  const { path, query } = splitTarget(target);
  if (target.length > longestTarget || /%(?:2f|5c)/i.test(path)) return false;
  const [plainPath, plainQuery] = [decode(path), decode(query)];
  if (plainPath === undefined || plainQuery === undefined) return false;
  const hasDots = plainPath.split('/').some((segment) => segment === '.' || segment === '..');
  return !hasDots && !hasControls(plainPath + plainQuery);
}

/** Whether a text has characters that no text is written with: NUL and the like. */
function hasControls(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007F');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // An escape that means no character is for the web server to refuse, so what comes back says nothing about the API.
    return undefined;
  }
}

/** What a law is about in single answers. */
export interface Part {
  /** The answers that it looks at. */
  readonly concerns: (reply: Reply) => boolean;
  readonly violations: (violation: ResponseViolation, reply: Reply) => boolean;
  readonly expected: string;
  readonly rival: Candidate;
}

/** Looks at one part of all documented answers of an operation. */
export function inspectPart(lab: Lab, operation: Operation, { concerns, violations, expected, rival }: Part): Examination {
  return inspectReplies(lab, operation, [rival], (reply): readonly Finding[] | undefined => {
    if (!isOrdinary(lab, reply) || !concerns(reply)) return undefined;
    // Of an answer whose status is not documented nothing else is known.
    if (violationsOf(lab, reply).some(({ part }) => part === 'status')) return undefined;
    return inspectViolations(lab, reply, (each) => violations(each, reply), expected, [rival.id]);
  });
}
