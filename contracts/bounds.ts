/** Filters that bound a field from one side, and those of them that bound the same field from both. */

import type { Contract } from '../core/contract.ts';
import type { Filter } from '../core/rules.ts';
import { predictableFilters } from './filter-values.ts';
import type { FilterRival } from './rival.ts';
import { checkpointOf } from './universe.ts';
import type { ListOperation } from './walk.ts';

/** A filter that bounds a field. */
export interface Bound {
  readonly parameter: string;
  readonly field: string;
  readonly side: 'lower' | 'upper';
  readonly isInclusive: boolean;
}

/** The bounds of a list whose rules are stated, but for its checkpoint, which has laws of its own. */
export function boundsOf(contract: Contract, operation: ListOperation): readonly Bound[] {
  const checkpoint = checkpointOf(operation);
  return predictableFilters(contract, operation).flatMap((parameter) => {
    const filter = operation.collection.filters.get(parameter);
    return filter === undefined || parameter === checkpoint ? [] : toBound(parameter, filter);
  });
}

function toBound(parameter: string, filter: Filter): readonly Bound[] {
  if (filter.operator === 'from' || filter.operator === 'after')
    return [{ parameter, field: filter.field, side: 'lower', isInclusive: filter.operator === 'from' }];
  if (filter.operator === 'to' || filter.operator === 'before')
    return [{ parameter, field: filter.field, side: 'upper', isInclusive: filter.operator === 'to' }];
  return [];
}

/** A lower and an upper bound of one field. */
export interface Range {
  readonly lower: Bound;
  readonly upper: Bound;
}

/** The fields of a list that can be bounded from both sides. */
export function rangesOf(contract: Contract, operation: ListOperation): readonly Range[] {
  const bounds = boundsOf(contract, operation);
  return bounds.flatMap((lower) => {
    const upper = bounds.find((each) => each.side === 'upper' && each.field === lower.field);
    return lower.side === 'lower' && upper !== undefined ? [{ lower, upper }] : [];
  });
}

/** The rivals that are about a single one of these filters, of some kinds. */
export function rivalsOfKind(
  rivals: readonly FilterRival[],
  parameters: readonly string[],
  kinds: readonly string[],
): readonly FilterRival[] {
  return rivals.filter(
    (rival) => rival.parameters.length === 1 && parameters.includes(rival.parameters[0] ?? '') && kinds.includes(rival.kind),
  );
}
