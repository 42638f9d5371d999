/**
 * While a pact is checked or recorded, finds the open question behind the response to a mistake in a request, so that nobody is blamed for what the contract
 * leaves open.
 */

import { arrayOrEmpty, isObject, objectOrEmpty } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Operation } from '../openapi/operation.ts';
import { follow, rawOf, valueBehind } from '../openapi/raw-document.ts';
import type { RequestProblem } from '../parameters/read-request.ts';
import { valueAt } from '../pointer.ts';
import { type Question, questionsBelow } from './open-questions.ts';

/** Returns the open question about the response to a mistake in a request; `undefined` if the contract states the response. */
export function questionAboutProblem(contract: Contract, operation: Operation, problem: RequestProblem): Question | undefined {
  const { document, questions } = contract;
  // In the operation a profile may already have replaced the question, but not in the document.
  const parameters = [
    ...arrayOrEmpty(valueAt(rawOf(document).root, `${operation.pointer}/parameters`)).map((each) => follow(document, each)),
    ...arrayOrEmpty(valueBehind(operation.document, `${operation.pointer}/parameters`)).map((each) => follow(operation.document, each)),
  ];
  const own = parameters.filter(isObject).find((each) => problem.parameters.includes(String(each['name'])));
  const reaction = objectOrEmpty(own?.['x-invalid'])[problem.class];
  if (reaction !== undefined) return questions.get(String(objectOrEmpty(reaction)['unspecified']));
  const asked = objectOrEmpty(own?.['schema'])['x-unspecified'];
  if (typeof asked === 'string' && problem.class === 'out-of-range') return questions.get(asked);
  return questionsBelow(contract, `/x-invalid/${problem.class}`)[0];
}
