/** Filter values worth sending: those that were observed, alone and together. */

import type { Contract } from '../core/contract.ts';
import type { Json } from '../core/json.ts';
import { valueAt } from '../core/pointer.ts';
import type { Filter } from '../core/rules.ts';
import type { Lab } from './lab.ts';
import { isPredictable } from './openness.ts';
import type { Universe } from './universe.ts';
import type { ListOperation, Values } from './walk.ts';

/** The filters of a list that the contract states in full, by parameter. */
export function predictableFilters(contract: Contract, operation: ListOperation): readonly string[] {
  return [...operation.collection.filters.keys()].filter((parameter) => isPredictable(contract, operation, parameter));
}

/** The values of a filter's field that were observed, each once, in the order of the list. */
export function observedValues({ records }: Universe, filter: Filter): readonly Json[] {
  if (filter.operator === 'matches') return [];
  const values = records.map((record) => valueAt(record, filter.field)).filter((value) => value !== undefined && value !== null);
  return [...new Map(values.map((value) => [JSON.stringify(value), value as Json])).values()];
}

/** The values that a filter parameter lists. */
export function listedValues(operation: ListOperation, parameter: string): readonly Json[] {
  return operation.parameters.find((each) => each.key === parameter)?.allowed ?? [];
}

/** How many values of one filter are tried at most; the records decide among them. */
const tried = 60;

/** Requests with one filter each, with every observed value of it. */
export function singleFilterValues(lab: Lab, universe: Universe): readonly Values[] {
  const { operation } = universe;
  return predictableFilters(lab.contract, operation).flatMap((parameter) => {
    const filter = operation.collection.filters.get(parameter);
    if (filter === undefined) return [];
    const observed = thin(observedValues(universe, filter), tried);
    return observed.map((value): Values => ({ [parameter]: filter.operator === 'any-of' ? [value] : value }));
  });
}

/** A list with no more than so many of its members, spread over it. */
export function thin<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return list.filter((_, index) => Math.floor((index * most) / list.length) !== Math.floor(((index - 1) * most) / list.length));
}
