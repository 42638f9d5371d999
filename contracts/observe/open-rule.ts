/** Where the rules of operations are open, and the contract closed by one choice or another. */

import { type Contract, resolveContract } from '../../core/contract.ts';
import type { Operation } from '../../core/operation.ts';
import type { Profile, Question } from '../../core/profile.ts';
import { questionsBelow } from '../openness.ts';
import { isList, type ListOperation } from '../walk.ts';

/** A question at a rule of an operation. */
export interface OpenRule<T extends Operation> {
  readonly question: Question;
  readonly operation: T;
}

/** The lists whose rule at a pointer below the operation is open, in whole or in part. */
export function openLists(contract: Contract, rule: string): readonly OpenRule<ListOperation>[] {
  return contract.operations.filter(isList).flatMap((operation) => openAt(contract, operation, rule));
}

/** The single reads whose rule is open. */
export function openReads(contract: Contract, rule: string): readonly OpenRule<Operation>[] {
  return contract.operations
    .filter((operation) => operation.resource !== undefined)
    .flatMap((operation) => openAt(contract, operation, rule));
}

function openAt<T extends Operation>(contract: Contract, operation: T, rule: string): readonly OpenRule<T>[] {
  return questionsBelow(contract, `${operation.pointer}/${rule}`).map((question) => ({ question, operation }));
}

const closed = new WeakMap<Contract, Map<number, Contract>>();

/**
 * The contract closed by a choice of a question. One closed contract holds a choice of every question, so as many are enough as the longest list of
 * choices has: only the rule that the question is about may be looked at.
 */
export function closeBy(contract: Contract, question: Question, choice: string): Contract {
  const turn = [...question.choices.keys()].indexOf(choice);
  const known = closed.get(contract) ?? new Map<number, Contract>();
  closed.set(contract, known);
  const found = known.get(turn) ?? resolveContract(contract, profileOf(contract, turn));
  known.set(turn, found);
  return found;
}

function profileOf({ questions }: Contract, turn: number): Profile {
  const asked = [...questions.values()].filter(({ choices }) => choices.size > 0);
  return Object.fromEntries(asked.map(({ id, choices }) => [id, [...choices.keys()][turn % choices.size] ?? '']));
}

/** The same operation in another closing of its contract. */
export function operationIn(contract: Contract, operation: Operation): Operation {
  return contract.operations.find(({ id }) => id === operation.id) ?? operation;
}

/** The same list in another closing of its contract. */
export function listIn(contract: Contract, operation: ListOperation): ListOperation {
  return contract.operations.filter(isList).find(({ id }) => id === operation.id) ?? operation;
}
