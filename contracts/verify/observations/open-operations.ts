/**
 * The lists and single reads with an open question at a rule. `observe-lists.ts`, `observe-records.ts` and the `observeLists` of
 * `observer-context.ts` ask for them before they observe. It answers no question; `resolve-contract-by-choice.ts` assumes answers.
 */

import type { Question } from '../../../core/annotations/open-questions.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { questionsBelow } from '../evidence/places-left-open.ts';

/** An open question, and the operation with its rule. */
export interface OpenRule<T extends Operation> {
  readonly question: Question;
  readonly operation: T;
}

/** The lists with an open question at or below a pointer, such as `x-collection/order`. */
export function openLists(contract: Contract, rule: string): readonly OpenRule<ListOperation>[] {
  return contract.operations.filter(isList).flatMap((operation) => openAt(contract, operation, rule));
}

/** The single reads with an open question at or below a pointer. */
export function openReads(contract: Contract, rule: string): readonly OpenRule<Operation>[] {
  return contract.operations
    .filter((operation) => operation.resource !== undefined)
    .flatMap((operation) => openAt(contract, operation, rule));
}

function openAt<T extends Operation>(contract: Contract, operation: T, rule: string): readonly OpenRule<T>[] {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).map((question) => ({ question, operation }));
}
