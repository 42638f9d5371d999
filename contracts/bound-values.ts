/** Bounds worth sending: the values that records have, alone and from both sides. */

import type { Json } from '../core/json.ts';
import { boundsOf, rangesOf } from './bounds.ts';
import { observedValues, thin } from './filter-values.ts';
import type { Lab } from './lab.ts';
import type { Universe } from './universe.ts';
import type { Values } from './walk.ts';

/** How many values of one field are tried at most. */
const tried = 80;

/** Requests with one bound each, and with both bounds equal, for every observed value. */
export function boundValues(lab: Lab, universe: Universe, parameters: readonly string[]): readonly Values[] {
  const { operation } = universe;
  const single = boundsOf(lab.contract, operation)
    .filter((bound) => parameters.includes(bound.parameter))
    .flatMap(({ parameter }) => valuesOf(universe, parameter).map((value): Values => ({ [parameter]: value })));
  return [...single, ...singleDays(lab, universe)];
}

/** Ranges whose ends are one observed value. */
export function singleDays(lab: Lab, universe: Universe): readonly Values[] {
  return rangesOf(lab.contract, universe.operation).flatMap(({ lower, upper }) =>
    valuesOf(universe, lower.parameter).map((value): Values => ({ [lower.parameter]: value, [upper.parameter]: value })),
  );
}

/** The observed values of the field that a filter bounds, the rarest first: they need the fewest pages. */
export function valuesOf(universe: Universe, parameter: string): readonly Json[] {
  const filter = universe.operation.collection.filters.get(parameter);
  return filter === undefined ? [] : thin(observedValues(universe, filter), tried);
}
