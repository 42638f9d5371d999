/** Which open question leaves it open what a server does about something wrong. */

import type { Contract } from '../../../core/contract.ts';
import { follow } from '../../../core/document.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Question } from '../../../core/profile.ts';
import type { RequestProblem } from '../../../core/request.ts';

/** The question about the answer to a problem; `undefined` when the contract states the answer. */
export function invalidQuestion(contract: Contract, operation: Operation, problem: RequestProblem): Question | undefined {
  const { document } = contract;
  const parameters = operation.value['parameters'];
  const written = (Array.isArray(parameters) ? (parameters as readonly Json[]) : []).map((each) => follow(operation.document, each));
  const own = written.find((each) => isObject(each) && problem.parameters.includes(String(each['name'])));
  const asked = isObject(own) ? own['schema'] : undefined;
  const schemaQuestion = isObject(asked) ? asked['x-unspecified'] : undefined;
  const stated = isObject(own) && isObject(own['x-invalid']) ? own['x-invalid'][problem.class] : undefined;
  if (stated !== undefined) return undefined;
  if (typeof schemaQuestion === 'string' && problem.class === 'out-of-range') return contract.questions.get(schemaQuestion);
  const invalid = document.root['x-invalid'];
  const open = isObject(invalid) ? invalid[problem.class] : undefined;
  const id = isObject(open) ? open['unspecified'] : undefined;
  return typeof id === 'string' ? contract.questions.get(id) : undefined;
}
