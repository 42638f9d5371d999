/**
 * Reads exchanges by the contract without answers to its open questions, so that a pact expects nothing that the contract leaves open. `pact-recorder.ts`
 * creates it once per contract. `recordable-exchange.ts` reads each request with it, and `infer-recorded-states.ts` uses the reading. It decides nothing
 * about the pact.
 */

import { applyProfile } from '../../core/annotations/apply-profile.ts';
import type { Profile } from '../../core/annotations/open-questions.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { isObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { readOperations } from '../../core/openapi/read-operations.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { createValidators } from '../../core/openapi/validator.ts';
import { type RequestReading, readRequest } from '../../core/parameters/read-request.ts';
import { valueAt } from '../../core/pointer.ts';

/** A request as the contract reads it, with unspecified points left unspecified. */
export interface ReadingWithoutProfile {
  /** Its schemas accept every possible answer to an unspecified point. */
  readonly operation: Operation;
  readonly reading: RequestReading;
  readonly segments: ReadonlyMap<string, string>;
  /** The contract accepts the request, refuses it, or leaves this unspecified. */
  readonly verdict: 'accepted' | 'refused' | { readonly question: string };
}

/** Reads requests without filling in the unspecified points of a contract. */
export interface ContractWithoutProfile {
  /** `undefined` if no operation matches. */
  readonly read: (request: HttpRequest) => ReadingWithoutProfile | undefined;
  /** The unspecified point at an annotation of an operation, such as `/x-collection/page/changed`; `undefined` if the contract specifies it. */
  readonly questionAt: (operation: Operation, pointer: string) => string | undefined;
  /** The unspecified point about damaged cursors. */
  readonly questionAboutCursors: string | undefined;
}

/** The contract with another answer to one unspecified point. */
interface AlternativeAnswer {
  readonly question: string;
  readonly operations: readonly Operation[];
}

/** Creates the reader of a contract whose profile has filled in the unspecified points. */
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
function contradicts(refusals: readonly string[], others: readonly string[]): boolean {
  if (refusals.length === 0 || others.length === 0) return refusals.length !== others.length;
  return !refusals.some((refusal) => others.includes(refusal));
}

/** Lists the other answers to each unspecified point about invalid requests. */
function listAlternatives(contract: Contract): readonly AlternativeAnswer[] {
  const asked = [...contract.questions.values()].filter(({ pointers }) => pointers.some((pointer) => pointer.includes('/x-invalid/')));
  return asked.flatMap(({ id, choices }) =>
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
