/** Tells where the documents of a contract leave something open, so that rules predict nothing there. Answers no question. */

import type { InvalidClass } from '../../../core/annotations/annotations.ts';
import { questionsBelow } from '../../../core/annotations/open-questions.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';

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
export function isLeftOpen(contract: Contract, operation: Operation, rule: string): boolean {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).length > 0;
}
