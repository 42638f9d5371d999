/** A contract as it is written, beside the one that a mock serves: what the mock answers by a choice of its own is no promise. */

import type { Contract } from '../../core/contract.ts';
import type { HttpRequest } from '../../core/exchange.ts';
import { isObject } from '../../core/json.ts';
import { type Operation, responseFor, routeTo, statusOf } from '../../core/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import { closeDocument, type Profile } from '../../core/profile.ts';
import { readOperations } from '../../core/read-operation.ts';
import { type RequestReading, readRequest } from '../../core/request.ts';
import { createValidators } from '../../core/validator.ts';

/** A request as the contract reads it, its questions open. */
export interface OpenReading {
  /** Its schemas accept every legal answer to a question. */
  readonly operation: Operation;
  readonly reading: RequestReading;
  readonly segments: ReadonlyMap<string, string>;
  /** What the contract says of the request: it is accepted, it is refused, or it leaves that to a question. */
  readonly verdict: 'accepted' | 'refused' | { readonly question: string };
}

/** Reads requests by a contract whose questions are open. */
export interface OpenContract {
  /** `undefined` when no operation is meant. */
  readonly read: (request: HttpRequest) => OpenReading | undefined;
  /** The question that stands in place of a value of an operation's extension, such as `/x-collection/page/changed`; `undefined` when the value is stated. */
  readonly questionAt: (operation: Operation, pointer: string) => string | undefined;
  /** The question that stands in place of the answer to a damaged cursor. */
  readonly questionAboutCursors: string | undefined;
}

/** The same contract but for the answer to one question. */
interface Rival {
  readonly question: string;
  readonly operations: readonly Operation[];
}

/** Opens a contract that was closed by a profile. */
export function openContract(contract: Contract): OpenContract {
  const operations = closeBy(contract, contract.profile);
  const rivals = listRivals(contract);
  return {
    read: (request) => {
      const route = routeTo(operations, request.method, request.target);
      if (route.kind !== 'operation') return undefined;
      const { operation, segments } = route;
      const reading = readRequest(operation, request, segments);
      const refusals = refusalsOf(operation, reading);
      const other = reading.problems.length === 0 ? undefined : rivals.find((rival) => isOther(refusals, refusalsBy(rival, request)));
      return { operation, reading, segments, verdict: other ?? (refusals.length > 0 ? 'refused' : 'accepted') };
    },
    questionAt: (operation, pointer) => questionIn(contract, `${operation.pointer}${pointer}`),
    questionAboutCursors: questionIn(contract, '/x-invalid/damaged-cursor'),
  };
}

function questionIn({ document }: Contract, pointer: string): string | undefined {
  const value = valueAt(document.root, pointer);
  return isObject(value) && typeof value['unspecified'] === 'string' ? value['unspecified'] : undefined;
}

/** An operation that documents no status for it has no way to refuse a parameter. */
function refusalsOf(operation: Operation, { problems }: RequestReading): readonly string[] {
  if (responseFor(operation, statusOf(operation, 'invalid')) === undefined) return [];
  return problems.filter(({ answer }) => answer === 'refused').map((problem) => JSON.stringify([problem.class, problem.parameters]));
}

function refusalsBy({ operations }: Rival, request: HttpRequest): readonly string[] {
  const route = routeTo(operations, request.method, request.target);
  return route.kind === 'operation' ? refusalsOf(route.operation, readRequest(route.operation, request, route.segments)) : [];
}

/** Whether one reading refuses a request and the other does not, or both do and for nothing that they have in common. */
function isOther(refusals: readonly string[], others: readonly string[]): boolean {
  if (refusals.length === 0 || others.length === 0) return refusals.length !== others.length;
  return !refusals.some((refusal) => others.includes(refusal));
}

/** Only questions about wrong requests matter here, and each is answered otherwise by itself. */
function listRivals(contract: Contract): readonly Rival[] {
  const asked = [...contract.questions.values()].filter(({ pointers }) => pointers.some((pointer) => pointer.includes('/x-invalid/')));
  return asked.flatMap(({ id, choices }) =>
    [...choices.keys()]
      .filter((choice) => choice !== contract.profile[id])
      .map((choice) => ({ question: id, operations: closeBy(contract, { ...contract.profile, [id]: choice }) })),
  );
}

/** Its rules closed, and its schemas open. */
function closeBy({ document, questions }: Contract, profile: Profile): readonly Operation[] {
  const closed = closeDocument(document, questions, profile, 'rules');
  return readOperations(closed, createValidators(closed));
}
