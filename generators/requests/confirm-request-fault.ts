/** Confirms, each time a faulty request is drawn, that the contract finds exactly this problem in it. Sends nothing. */

import type { InvalidAnswer, InvalidClass } from '../../core/annotations/annotations.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { RequestProblem, RequestReading } from '../../core/parameters/read-request.ts';
import { type ExpectedAnswers, expectAnswer, expectUnauthenticated } from './expected-answers.ts';
import { type GeneratedRequest, hasIntendedValues, readBack, writeRequest } from './generated-request.ts';
import { type BrokenRule, classesOf, type RequestFault } from './request-fault.ts';

/** A request with one fault, and the responses that the contract documents for it. */
export interface BadRequest {
  /** The request with the fault. */
  readonly request: GeneratedRequest;
  /** The parameters concerned, by name; empty when the fault is in the key or the body. */
  readonly parameters: readonly string[];
  /** The rule that the request breaks. */
  readonly rule: BrokenRule;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  /** Documented responses to the request. */
  readonly expect: ExpectedAnswers;
}

/** Builds a request with a fault and reads it back; `undefined` if the contract finds no problem, or another one. */
export function confirmFault(
  operation: Operation,
  { rule, parameters, problem, parts, classOutsideParameters }: RequestFault,
): BadRequest | undefined {
  const request = writeRequest(operation, parts);
  const reading = readBack(operation, request);
  if (reading === undefined || !hasIntendedValues(operation, reading, request, [...parameters, ...parts.texts.keys()])) return undefined;
  const faultyRequest = { request, parameters, rule, problem };
  const answer =
    classOutsideParameters === undefined
      ? answerTo(operation, reading, rule, parameters)
      : answerOutsideParameters(operation, reading, parameters, classOutsideParameters);
  if (answer === 'unauthenticated') return { ...faultyRequest, expect: expectUnauthenticated(operation) };
  return answer === undefined ? undefined : { ...faultyRequest, expect: expectAnswer(operation, request, parameters, answer) };
}

function answerTo(
  operation: Operation,
  { problems }: RequestReading,
  rule: BrokenRule,
  parameters: readonly string[],
): InvalidAnswer | 'unauthenticated' | undefined {
  const classes = classesOf[rule];
  const [problem, ...otherProblems] = problems;
  if (problem === undefined) return classes.length === 0 ? 'unauthenticated' : undefined;
  const isExpectedProblem = problem.parameters.join() === parameters.join() && classes.includes(problem.class);
  if (!isExpectedProblem || !otherProblems.every((other) => isConsequence(operation, problem, other))) return undefined;
  return problems.some((each) => each.answer === 'refused') ? 'refused' : problem.answer;
}

function answerOutsideParameters(
  { parameters, invalid }: Operation,
  { problems }: RequestReading,
  names: readonly string[],
  classOutsideParameters: InvalidClass,
): InvalidAnswer | undefined {
  const parameterAnswer = parameters.find(({ name }) => names.includes(name))?.invalid[classOutsideParameters];
  return problems.length === 0 ? (parameterAnswer ?? invalid[classOutsideParameters]) : undefined;
}

/** True if a problem is only a consequence of another: an ignored parameter counts as absent, although it may be required. */
function isConsequence({ rules }: Operation, cause: RequestProblem, problem: RequestProblem): boolean {
  if (cause.answer === 'refused' || problem.class !== 'broken-rule') return false;
  const isOfRule = rules.some(({ rule, parameters }) => rule === 'exactly-one-of' && parameters.join() === problem.parameters.join());
  return (isOfRule || problem.parameters.length === 1) && cause.parameters.some((name) => problem.parameters.includes(name));
}
