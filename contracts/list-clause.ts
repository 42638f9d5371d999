/** Where a contract states the rules of a list: the lines that laws about lists point to. */

import type { Place } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';
import type { ListOperation } from './walk.ts';

/** The place of a member of `x-collection`: `page`, `order`, `key`. */
export function collectionPlace({ document, value }: Operation, member?: string): Place {
  const collection = value['x-collection'];
  return member === undefined || !isObject(collection) ? document.place(value, 'x-collection') : document.place(collection, member);
}

/** The place of the rule of a filter. */
export function filterPlace(operation: ListOperation, parameter: string): Place {
  const collection = operation.value['x-collection'];
  const filters = isObject(collection) ? collection['filters'] : undefined;
  return isObject(filters) ? operation.document.place(filters, parameter) : collectionPlace(operation);
}

/** The place of a parameter. */
export function parameterPlace(operation: Operation, parameter: string): Place {
  return operation.parameters.find((each) => each.key === parameter)?.place ?? operation.place;
}
