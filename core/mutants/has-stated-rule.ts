/**
 * Tells if a contract states the rule that a mutant breaks, since only stated rules have mutants. `contract-edit-mutants.ts` and `page-mutants.ts` ask it
 * when mutants are listed. So do `response-mutants.ts`, `list-mutants.ts` and `single-read-mutants.ts` of the mock. It defines no mutant.
 */

import type { InvalidClass } from '../annotations/annotations.ts';
import { isObject } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Operation } from '../openapi/operation.ts';
import { valueAt } from '../pointer.ts';

/** True when the contract specifies the response to an invalid value. */
export function isAnswerStated(contract: Contract, operation: Operation, parameter: string, problem: InvalidClass): boolean {
  const parameterReaction = operation.parameters.find((each) => each.key === parameter)?.invalid[problem];
  const writtenReaction = valueAt(contract.document.root, `/x-invalid/${problem}`);
  return parameterReaction !== undefined || typeof writtenReaction === 'string';
}

/** True when an operation's extension has no open part. */
export function isFullyStated(contract: Contract, operation: Operation, pointer: string): boolean {
  const extension = valueAt(contract.document.root, `${operation.pointer}${pointer}`);
  return extension !== undefined && !(isObject(extension) && extension['unspecified'] !== undefined);
}
