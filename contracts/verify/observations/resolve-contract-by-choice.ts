/**
 * Resolves a contract so that one choice answers an open question. The observers of lists, records and invalid requests call it after the rules of a run, to
 * predict what each choice would show. The choices of all other questions are arbitrary. It sends nothing, and leaves the comparison with replies to the
 * observers.
 */

import type { Question } from '../../../core/annotations/open-questions.ts';
import type { Profile } from '../../../core/annotations/profile.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { type Contract, resolveContract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';

const resolvedContracts = new WeakMap<Contract, Map<number, Contract>>();

/**
 * Resolves a contract by one choice of a question. A resolved contract has a choice for every question, so the cache needs one contract for each position
 * in a list of choices. Use only the rule of this question in the result, because the other choices are arbitrary.
 */
export function resolveByChoice(contract: Contract, question: Question, choice: string): Contract {
  const position = [...question.choices.keys()].indexOf(choice);
  const contractsByPosition = getOrCompute(resolvedContracts, contract, () => new Map<number, Contract>());
  return getOrCompute(contractsByPosition, position, () => resolveContract(contract, profileOf(contract, position)));
}

function profileOf({ questions }: Contract, position: number): Profile {
  const answerable = [...questions.values()].filter(({ choices }) => choices.size > 0);
  return Object.fromEntries(answerable.map(({ id, choices }) => [id, [...choices.keys()][position % choices.size] ?? '']));
}

/** The same operation in a resolved contract. */
export function sameOperation(contract: Contract, operation: Operation): Operation {
  return contract.operations.find(({ id }) => id === operation.id) ?? operation;
}

/** The same list in a resolved contract. */
export function sameList(contract: Contract, operation: ListOperation): ListOperation {
  return contract.operations.filter(isList).find(({ id }) => id === operation.id) ?? operation;
}
