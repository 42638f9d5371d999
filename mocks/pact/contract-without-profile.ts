/** Reads requests by the contract without answers to its open questions, so that a pact expects nothing that the contract leaves open. */

import { applyProfile, completeProfile, type Profile } from '../../core/annotations/apply-profile.ts';
import { questionAboutProblem } from '../../core/annotations/question-behind-problem.ts';
import { judgeRequestBody } from '../../core/http/check-request-body.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { questionAt } from '../../core/openapi/clauses.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { readOperations } from '../../core/openapi/read-operations.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { createValidators } from '../../core/openapi/validator.ts';
import { type RequestReading, readRequest } from '../../core/parameters/read-request.ts';

/** A request as the contract reads it, with its open questions left open. */
export interface ReadingWithoutProfile {
  /** Its schemas accept every possible answer to an open question. */
  readonly operation: Operation;
  readonly reading: RequestReading;
  readonly segments: ReadonlyMap<string, string>;
  /** The contract accepts the request, refuses it, or leaves this open. */
  readonly verdict: 'accepted' | 'refused' | { readonly question: string };
}

/** Reads requests by a contract without answers to its open questions. */
export interface ContractWithoutProfile {
  /** `undefined` if no operation matches. */
  readonly read: (request: HttpRequest) => ReadingWithoutProfile | undefined;
  /** The open question at an annotation of an operation, such as `/x-collection/page/changed`; `undefined` if the contract leaves nothing open there. */
  readonly questionAt: (operation: Operation, pointer: string) => string | undefined;
  /** The open question about damaged cursors. */
  readonly questionAboutCursors: string | undefined;
}

/** Creates the reader of a contract whose profile has answered the open questions. */
export function createContractWithoutProfile(contract: Contract): ContractWithoutProfile {
  const operations = operationsBy(contract, contract.profile);
  const operationsByDefault = operationsBy(contract, completeProfile(contract.questions, {}));
  return {
    read: (request) => {
      const route = routeTo(operations, request.method, request.target);
      if (route.kind !== 'operation') return undefined;
      const { operation, segments } = route;
      return {
        operation,
        reading: readRequest(operation, request, segments),
        segments,
        verdict: verdictOn(contract, operationsByDefault, request),
      };
    },
    questionAt: (operation, pointer) => questionAt(contract.document, `${operation.pointer}${pointer}`),
    questionAboutCursors: questionAt(contract.document, '/x-invalid/damaged-cursor'),
  };
}

/** Reads the operations with their rules answered by a profile, but not their schemas. */
function operationsBy({ document, questions }: Contract, profile: Profile): readonly Operation[] {
  const resolved = applyProfile(document, questions, profile, 'rules');
  return readOperations(resolved, createValidators(resolved)).operations;
}

/** Judges a request as `pact check` does: a mistake that the contract refuses decides, then one whose answer is open. */
function verdictOn(contract: Contract, operations: readonly Operation[], request: HttpRequest): ReadingWithoutProfile['verdict'] {
  const route = routeTo(operations, request.method, request.target);
  // Without a documented status for mistakes, nothing is refused.
  if (route.kind !== 'operation' || responseFor(route.operation, statusOf(route.operation, 'invalid')) === undefined) return 'accepted';
  const { operation, segments } = route;
  if (judgeRequestBody(operation, request).problem !== undefined) return 'refused';
  const { problems } = readRequest(operation, request, segments);
  const asked = problems.map((problem) => ({ problem, question: questionAboutProblem(contract, operation, problem) }));
  if (asked.some(({ problem, question }) => problem.answer === 'refused' && question === undefined)) return 'refused';
  const open = asked.find(({ question }) => question !== undefined)?.question;
  return open === undefined ? 'accepted' : { question: open.id };
}
