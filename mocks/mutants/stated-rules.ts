/** Tells whether a contract states a rule. Without a stated rule, most mutants would break nothing. */

import type { InvalidClass } from '../../core/annotations/annotations.ts';
import { isStated } from '../../core/openapi/clauses.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';

/** True when the contract specifies the response to an invalid value. */
export function isReactionStated(contract: Contract, operation: Operation, parameter: string, problem: InvalidClass): boolean {
  const parameterReaction = operation.parameters.find((each) => each.key === parameter)?.invalid[problem];
  return parameterReaction !== undefined || isStated(contract.document, `/x-invalid/${problem}`);
}

/** True when an operation's extension has no open part. */
export function isFullyStated(contract: Contract, operation: Operation, pointer: string): boolean {
  return isStated(contract.document, `${operation.pointer}${pointer}`);
}
