/** Draws random values for requests: combinations of observed filter values, and texts without meaning. The same seed gives the same values. */

import fc from 'fast-check';
import { withoutUndefined } from '../../../core/drop-undefined.ts';
import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { isAfter } from '../../../core/parameters/read-request.ts';
import { observedValues, predictableFilters, takeEvenly } from './filter-values.ts';
import type { ParameterValues } from './record-keys-and-filters.ts';
import type { RoundContext } from './round-context.ts';
import type { Snapshot } from './snapshot.ts';

/** Number of combinations to draw. They are evaluated on the snapshot, and few are sent. */
const drawnCombinations = 120;

/** Number of values of one filter to draw from. */
const maxValues = 40;

/** Random combinations of at least `least` filters with observed values; the same for the same seed and records. */
export function drawFilters(context: RoundContext, snapshot: Snapshot, least: number): readonly ParameterValues[] {
  const combinations = fc.sample(filterArbitrary(context, snapshot), { numRuns: drawnCombinations, seed: context.seed });
  return combinations.filter((values) => Object.keys(values).length >= least && isInOrder(snapshot.operation, values));
}

/** Combinations of filters with observed values, some of which may be out of order. */
export function filterArbitrary(context: RoundContext, snapshot: Snapshot): fc.Arbitrary<ParameterValues> {
  const filters = predictableFilters(context.contract, snapshot.operation).flatMap((name) => {
    const values = filterValueArbitrary(snapshot, name);
    return values === undefined ? [] : [[name, fc.option(values, { freq: 3, nil: undefined })] as const];
  });
  // With the way back, a wrong selection can be made smaller, whoever chose it.
  return fc.record(Object.fromEntries(filters)).map(withoutUndefined, (values) => {
    const sent = values as ParameterValues;
    return Object.fromEntries(filters.map(([name]) => [name, sent[name]]));
  }) as fc.Arbitrary<ParameterValues>;
}

function filterValueArbitrary(snapshot: Snapshot, name: string): fc.Arbitrary<Json> | undefined {
  const filter = snapshot.operation.collection.filters.get(name);
  const values = filter === undefined ? [] : takeEvenly(observedValues(snapshot, name), maxValues);
  if (filter === undefined || values.length === 0) return undefined;
  const singleValue = fc.constantFrom(...values);
  return filter.operator === 'any-of' ? fc.uniqueArray(singleValue, { minLength: 1, maxLength: Math.min(values.length, 5) }) : singleValue;
}

const rareLetter: fc.Arbitrary<string> = fc.constantFrom(...'qxzjkwv');

/** Draws a text that no record contains for each first letter. The same seed gives the same texts. */
export function drawMeaninglessTexts(seed: number, beginnings: readonly string[]): readonly string[] {
  const tail = fc.array(rareLetter, { minLength: 13, maxLength: 13 }).map((letters) => letters.join(''));
  const tails = fc.sample(tail, { numRuns: beginnings.length, seed });
  return beginnings.map((beginning, index) => `${beginning}${tails[index] ?? ''}`);
}

/** True when ordered parameters are in order. */
export function isInOrder(operation: Operation, values: Readonly<Record<string, Json>>): boolean {
  return operation.rules.every((rule) => {
    if (rule.rule !== 'ordered') return true;
    const orderedValues = rule.parameters.map((name) => values[name]).filter((value) => value !== undefined);
    return orderedValues.every((value, index) => index === 0 || !isAfter(orderedValues[index - 1] ?? null, value));
  });
}
