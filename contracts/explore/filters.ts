/** Filters drawn at random from what was observed: any number of them, with as many values as a list takes. */

import { type Arbitrary, constantFrom, option, record, sample, uniqueArray } from 'fast-check';
import type { Json } from '../../core/json.ts';
import { observedValues, predictableFilters, thin } from '../filter-values.ts';
import type { Lab } from '../lab.ts';
import { isInOrder } from '../parameter-rules.ts';
import type { Universe } from '../universe.ts';
import type { Values } from '../walk.ts';

/** How many combinations are looked at on the replica; few of them are ever sent. */
const drawn = 120;

/** How many values of one filter are drawn from. */
const known = 40;

/** Combinations of so many filters at least, each with values that some record has; the same for the same seed and records. */
export function drawFilters(lab: Lab, universe: Universe, least: number): readonly Values[] {
  const { operation } = universe;
  const filters = predictableFilters(lab.contract, operation).flatMap((name) => {
    const values = arbitraryOf(universe, name);
    return values === undefined ? [] : [[name, option(values, { freq: 3, nil: undefined })] as const];
  });
  if (filters.length < least) return [];
  const draws = sample(record(Object.fromEntries(filters)), { numRuns: drawn, seed: lab.seed });
  return draws
    .map(
      (draw) => Object.fromEntries(Object.entries(draw).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))) as Values,
    )
    .filter((values) => Object.keys(values).length >= least && isInOrder(operation, values));
}

function arbitraryOf(universe: Universe, name: string): Arbitrary<Json> | undefined {
  const filter = universe.operation.collection.filters.get(name);
  const values = filter === undefined ? [] : thin(observedValues(universe, filter), known);
  if (filter === undefined || values.length === 0) return undefined;
  const one = constantFrom(...values);
  return filter.operator === 'any-of' ? uniqueArray(one, { minLength: 1, maxLength: Math.min(values.length, 5) }) : one;
}
