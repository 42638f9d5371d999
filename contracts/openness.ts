/** What a contract leaves open: no law asserts it. */

import type { Contract } from '../core/contract.ts';
import type { Operation } from '../core/operation.ts';
import type { Question } from '../core/profile.ts';
import type { InvalidClass } from '../core/rules.ts';
import type { ListOperation } from './walk.ts';

/** The questions that are asked at a place of the contract or below it, by its JSON Pointer. */
export function questionsBelow(contract: Contract, pointer: string): readonly Question[] {
  const isBelow = (each: string): boolean => each === pointer || each.startsWith(`${pointer}/`);
  return [...contract.questions.values()].filter((question) => question.pointers.some(isBelow));
}

/** Whether the contract says what a server does about a kind of mistake in a request. */
export function isStated(contract: Contract, mistake: InvalidClass): boolean {
  return questionsBelow(contract, `/x-invalid/${mistake}`).length === 0;
}

/** Whether the contract says how a filter works, so that a replica can tell what it gives. */
export function isPredictable(contract: Contract, operation: ListOperation, parameter: string): boolean {
  const pointer = `${operation.pointer}/x-collection/filters/${parameter.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return questionsBelow(contract, pointer).length === 0;
}

/** Whether a rule of an operation's extension is open: `x-collection/order`, `x-resource/at`. */
export function isOpen(contract: Contract, operation: Operation, rule: string): boolean {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).length > 0;
}
