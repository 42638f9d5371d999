/** Answers one open question of a contract with one of its choices, to predict what that choice would show. The other questions stay open. */

import type { Question } from '../../../core/annotations/open-questions.ts';
import { printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { answerQuestions, type Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';

const answeredContracts = new WeakMap<Contract, Map<string, Contract>>();

/** The contract in which a choice answers a question. */
export function answerByChoice(contract: Contract, { id }: Question, choice: string): Contract {
  const contractsByAnswer = getOrCompute(answeredContracts, contract, () => new Map<string, Contract>());
  return getOrCompute(contractsByAnswer, printJson([id, choice]), () => answerQuestions(contract, { [id]: choice }));
}

/** The same operation in an answered contract. */
export function sameOperation(contract: Contract, operation: Operation): Operation {
  return contract.operations.find(({ id }) => id === operation.id) ?? operation;
}

/** The same list in an answered contract. */
export function sameList(contract: Contract, operation: ListOperation): ListOperation {
  return contract.operations.filter(isList).find(({ id }) => id === operation.id) ?? operation;
}
