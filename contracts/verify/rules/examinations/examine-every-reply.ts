/** Examinations for rules that check every reply of a round by the contract, at the end of the round. They send nothing. */

import type { ResponseViolation } from '../../../../core/http/check-response.ts';
import { splitTarget } from '../../../../core/http/exchange.ts';
import type { MutantId, MutantIdentity } from '../../../../core/mutants/mutant-catalogue.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { routeTo } from '../../../../core/openapi/route-request.ts';
import type { Reply } from '../../evidence/call.ts';
import { judgeByContract } from '../../evidence/judge-reply-by-contract.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  contradicts,
  type Examination,
  fromReplies,
  type Judgement,
  type Judgements,
  type ResponsePart,
} from '../rule.ts';

/** Judges one reply; returns `undefined` for a reply that the rule is not about. */
type JudgeReply = (reply: Reply) => Judgements;

/** Makes an examination that judges every reply of an operation. */
export function examineEveryReply(
  context: RoundContext,
  operation: Operation,
  mutants: readonly Candidate[],
  judgeReply: JudgeReply,
): Examination {
  return {
    mutants,
    isPassive: true,
    // `requests/head` judges HEAD.
    judge: () => context.replies.map((reply) => (isReplyOf(reply, operation) ? fromReplies([reply], judgeReply(reply)) : undefined)),
  };
}

function isReplyOf({ call, request }: Reply, { id, method }: Operation): boolean {
  return call.operation.id === id && request.method === method;
}

/** The violations of the contract in a reply. */
export function violationsOf({ contract }: RoundContext, reply: Reply): readonly ResponseViolation[] {
  return judgeByContract(contract, reply).violations;
}

/** Makes a finding for each violation in a reply, with its place in the contract. */
export function contradictViolations(
  reply: Reply,
  violations: readonly ResponseViolation[],
  mutant?: MutantIdentity,
): readonly Contradiction[] {
  return violations.map((violation) =>
    contradicts({
      replies: [reply],
      expected: violation.expected,
      actual: violation.actual,
      message: violation.message,
      pointer: violation.part === 'body' || violation.part === 'write-only' ? violation.path : undefined,
      stableName: `${withoutIndexes(violation.path)} ${violation.kind}`.trim(),
      clause: violation.place,
      part: responsePartOf(violation),
      mutant,
    }),
  );
}

function responsePartOf({ part, path }: ResponseViolation): ResponsePart {
  if (part === 'status') return 'answer';
  if (part === 'header') return `header ${path.toLowerCase()}`;
  return path === '' ? 'body' : `body ${withoutIndexes(path)}`;
}

/** A pointer without indexes: the same member of another record is the same violation. */
function withoutIndexes(path: string): string {
  return path.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

/** Judges a reply by the violations that concern a rule. */
export function judgeViolations(
  context: RoundContext,
  reply: Reply,
  isConcerned: (violation: ResponseViolation) => boolean,
  killed: readonly MutantId[],
): readonly Judgement[] {
  const violations = violationsOf(context, reply).filter(isConcerned);
  return violations.length === 0 ? [agrees(...killed)] : contradictViolations(reply, violations);
}

/** Maximum length of a judged request target. Web servers refuse longer ones before the API reads them. */
const longestTarget = 2000;

/** True if the contract covers a reply: its request reaches the operation, and no web server refuses it before. */
export function isCovered({ contract }: RoundContext, reply: Reply): boolean {
  const { method, target } = reply.request;
  const route = routeTo(contract.operations, method, target);
  return route.kind === 'operation' && route.operation.id === reply.call.operation.id && isOrdinaryTarget(target);
}

function isOrdinaryTarget(target: string): boolean {
  const { path, query } = splitTarget(target);
  if (target.length > longestTarget || /%(?:2f|5c)/i.test(path)) return false;
  const [plainPath, plainQuery] = [decode(path), decode(query)];
  if (plainPath === undefined || plainQuery === undefined) return false;
  const hasDots = plainPath.split('/').some((segment) => segment === '.' || segment === '..');
  return !hasDots && !hasControls(plainPath + plainQuery);
}

/** True for a text with control characters such as NUL. */
function hasControls(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007F');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A web server may refuse invalid percent-encoding itself, so the reply says nothing about the API.
    return undefined;
  }
}

/** The part of a reply that a rule checks. */
export interface ExaminedPart {
  /** True for a reply that the rule is about. */
  readonly concerns: (reply: Reply) => boolean;
  /** True for a violation that the rule reports. */
  readonly violations: (violation: ResponseViolation, reply: Reply) => boolean;
  /** True if the part is the body, which agrees with its schema only where it was compared. */
  readonly isBody?: boolean;
  readonly mutant: Candidate;
}

/** Makes an examination of one part of every documented reply of an operation. */
export function examinePart(
  context: RoundContext,
  operation: Operation,
  { concerns, violations, mutant, isBody = false }: ExaminedPart,
): Examination {
  return examineEveryReply(context, operation, [mutant], (reply): readonly Judgement[] | undefined => {
    if (!isCovered(context, reply) || !concerns(reply)) return undefined;
    // An undocumented status has no schema to judge the rest by.
    if (violationsOf(context, reply).some(({ part }) => part === 'status')) return undefined;
    const { notCompared } = judgeByContract(context.contract, reply);
    const isCompared = notCompared === undefined || violationsOf(context, reply).some((each) => violations(each, reply));
    if (isBody && !isCompared) return [{ kind: 'not-compared', reason: notCompared }];
    return judgeViolations(context, reply, (each) => violations(each, reply), [mutant.id]);
  });
}
