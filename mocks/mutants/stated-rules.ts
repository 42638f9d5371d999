/** Tells whether a contract states a rule. Without a stated rule, most mutants would break nothing. */

import type { InvalidClass } from '../../core/annotations/annotations.ts';
import { isObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt } from '../../core/pointer.ts';

/** True when the contract specifies the response to an invalid value. */
export function isReactionStated(contract: Contract, operation: Operation, parameter: string, problem: InvalidClass): boolean {
  const parameterReaction = operation.parameters.find((each) => each.key === parameter)?.invalid[problem];
  const writtenReaction = valueAt(contract.document.root, `/x-invalid/${problem}`);
  return parameterReaction !== undefined || typeof writtenReaction === 'string';
}

/** True when an operation's extension has no open part. */
export function isFullyStated(contract: Contract, operation: Operation, pointer: string): boolean {
  const extension = valueAt(contract.document.root, `${operation.pointer}${pointer}`);
  return extension !== undefined && !(isObject(extension) && extension['unspecified'] !== undefined);
}
