/**
 * Tells if the contract states a rule, such as a key or conditional reads, or leaves it open as a question. Rules and other files here ask when a run chooses
 * operations and requests; `list-timeline.ts` and `diff` ask for conditional reads. Observers and `pact check` ask for the open questions at a place, and
 * `pact verify` if a filter is predictable. It judges no reply.
 */

import type { InvalidClass } from '../../../core/annotations/annotations.ts';
import type { Question } from '../../../core/annotations/open-questions.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';

/** The open questions at a JSON Pointer of the contract or below it. */
export function questionsBelow(contract: Contract, pointer: string): readonly Question[] {
  const isBelow = (each: string): boolean => each === pointer || each.startsWith(`${pointer}/`);
  return [...contract.questions.values()].filter((question) => question.pointers.some(isBelow));
}

/** True when the contract specifies the response to a kind of invalid request. */
export function isStated(contract: Contract, mistake: InvalidClass): boolean {
  return questionsBelow(contract, `/x-invalid/${mistake}`).length === 0;
}

/** True when the contract specifies a filter, so that a snapshot predicts its result. */
export function isPredictable(contract: Contract, operation: ListOperation, parameter: string): boolean {
  const pointer = `${operation.pointer}/x-collection/filters/${parameter.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return questionsBelow(contract, pointer).length === 0;
}

/** True when a part of an operation's extension is open: `x-collection/order`, `x-resource/at`. */
export function isOpen(contract: Contract, operation: Operation, rule: string): boolean {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).length > 0;
}

/** True when an operation always requires a key. */
export function needsKey(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((alternative) => alternative.length > 0);
}

/** True when an operation documents 304. */
export function isConditional(operation: Operation): boolean {
  return (
    operation.responses.has('304') &&
    operation.parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'if-none-match')
  );
}
