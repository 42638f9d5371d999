/** Finds where a contract states a rule, such as that of a filter. Findings cite these places. */

import type { SourceLocation } from '../../../core/errors.ts';
import { placeInOperation } from '../../../core/openapi/clauses.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { checkpointOf } from './record-keys-and-filters.ts';

/** The place of a member of `x-collection`: `page`, `order`, `key`. */
export function collectionPlace(operation: Operation, ...member: readonly string[]): SourceLocation {
  return placeInOperation(operation, 'x-collection', ...member);
}

/** The place of the rule of a filter. */
export function filterPlace(operation: ListOperation, parameter: string): SourceLocation {
  return collectionPlace(operation, 'filters', parameter);
}

/** The place of a parameter. */
export function parameterPlace(operation: Operation, parameter: string): SourceLocation {
  return operation.parameters.find((each) => each.key === parameter)?.place ?? operation.place;
}

/** The place of the parameter that takes the page size of a list. */
export function limitPlace(list: ListOperation): SourceLocation {
  return parameterPlace(list, list.collection.page.limit);
}

/** The place of the checkpoint of a list; `undefined` for a list without one. */
export function checkpointPlace(list: ListOperation): SourceLocation | undefined {
  const parameter = checkpointOf(list);
  return parameter === undefined ? undefined : filterPlace(list, parameter);
}

/** The place in the contract of a member of `x-resource`. */
export function resourcePlace(operation: Operation, member: string): SourceLocation {
  return placeInOperation(operation, 'x-resource', member);
}

/** The place at which an operation requires a tag of its successes. */
export function tagPlace(operation: Operation): SourceLocation | undefined {
  const rule = operation.responses.get('200')?.headers.find(({ name, required }) => required && name.toLowerCase() === 'etag');
  return rule?.parameter.place;
}
