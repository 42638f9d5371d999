/**
 * Reads exchanges by the contract without answers to its open questions, so that a pact expects nothing that the contract leaves open. `pact-recorder.ts`
 * creates a reader once per contract. By it, `recordable-exchange.ts` reads each request, and `infer-recorded-states.ts` then uses the reading.
 * `recordable-exchange.ts` decides what belongs in a pact.
 */

import type { Profile } from '../../core/annotations/profile.ts';
import { applyProfile } from '../../core/annotations/profile.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { isObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { readOperations } from '../../core/openapi/read-operations.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { createValidators } from '../../core/openapi/validator.ts';
import { type RequestReading, readRequest } from '../../core/parameters/read-request-parameters.ts';
import { valueAt } from '../../core/pointer.ts';

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

/** The contract with another answer to one open question. */
interface AlternativeAnswer {
  readonly question: string;
  readonly operations: readonly Operation[];
}

/** Creates the reader of a contract whose profile has answered the open questions. */
export function createContractWithoutProfile(contract: Contract): ContractWithoutProfile {
  const operations = resolveRules(contract, contract.profile);
  const alternatives = listAlternatives(contract);
  return {
    read: (request) => {
      const route = routeTo(operations, request.method, request.target);
      if (route.kind !== 'operation') return undefined;
      const { operation, segments } = route;
      const reading = readRequest(operation, request, segments);
      const refusals = refusalsOf(operation, reading);
      const contradiction =
        reading.problems.length === 0
          ? undefined
          : alternatives.find((alternative) => contradicts(refusals, refusalsBy(alternative, request)));
      return { operation, reading, segments, verdict: contradiction ?? (refusals.length > 0 ? 'refused' : 'accepted') };
    },
    questionAt: (operation, pointer) => questionIn(contract, `${operation.pointer}${pointer}`),
    questionAboutCursors: questionIn(contract, '/x-invalid/damaged-cursor'),
  };
}

function questionIn({ document }: Contract, pointer: string): string | undefined {
  const value = valueAt(document.root, pointer);
  return isObject(value) && typeof value['unspecified'] === 'string' ? value['unspecified'] : undefined;
}

/** Returns the refused problems; none if the operation documents no status for them. */
function refusalsOf(operation: Operation, { problems }: RequestReading): readonly string[] {
  if (responseFor(operation, statusOf(operation, 'invalid')) === undefined) return [];
  return problems.filter(({ answer }) => answer === 'refused').map((problem) => JSON.stringify([problem.class, problem.parameters]));
}

function refusalsBy({ operations }: AlternativeAnswer, request: HttpRequest): readonly string[] {
  const route = routeTo(operations, request.method, request.target);
  return route.kind === 'operation' ? refusalsOf(route.operation, readRequest(route.operation, request, route.segments)) : [];
}

/** True if only one of the answers refuses the request, or both do for different reasons. */
function contradicts(refusals: readonly string[], otherRefusals: readonly string[]): boolean {
  if (refusals.length === 0 || otherRefusals.length === 0) return refusals.length !== otherRefusals.length;
  return !refusals.some((refusal) => otherRefusals.includes(refusal));
}

/** Lists the other answers to each open question about invalid requests. */
function listAlternatives(contract: Contract): readonly AlternativeAnswer[] {
  const requestQuestions = [...contract.questions.values()].filter(({ pointers }) =>
    pointers.some((pointer) => pointer.includes('/x-invalid/')),
  );
  return requestQuestions.flatMap(({ id, choices }) =>
    [...choices.keys()]
      .filter((choice) => choice !== contract.profile[id])
      .map((choice) => ({ question: id, operations: resolveRules(contract, { ...contract.profile, [id]: choice }) })),
  );
}

/** Resolves the rules by a profile, but not the schemas. */
function resolveRules({ document, questions }: Contract, profile: Profile): readonly Operation[] {
  const resolved = applyProfile(document, questions, profile, 'rules');
  return readOperations(resolved, createValidators(resolved));
}
