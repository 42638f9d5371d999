/** The selections of every listed value of a filter: one by one they show whether each value is known, and together they are the list. */

import type { Contract } from '../core/contract.ts';
import type { Json } from '../core/json.ts';
import { listedValues, predictableFilters } from './filter-values.ts';
import type { Lab } from './lab.ts';
import { select, withinBase } from './selection.ts';
import { largestPage, type Universe } from './universe.ts';
import { type ListOperation, toArguments, type Values, type Walk } from './walk.ts';

/** The stated filters of a list whose parameters list several values. */
export function enumFilters(contract: Contract, operation: ListOperation): readonly string[] {
  return predictableFilters(contract, operation).filter((name) => listedValues(operation, name).length > 1);
}

/** Reads the selection of each listed value. */
export async function readParts(lab: Lab, universe: Universe, name: string): Promise<readonly Walk[]> {
  const { operation } = universe;
  const takesList = operation.collection.filters.get(name)?.operator === 'any-of';
  const walks: Walk[] = [];
  if (!universe.isComplete) return walks;
  for (const value of listedValues(operation, name)) {
    const argument: Json = takesList ? [value] : value;
    const values = withinBase(universe, { [name]: argument });
    // The first page shows that the value is known; further ones are read where they are few.
    if (values === undefined) continue;
    const isLarge = sizeOf(universe, values) > largestPage(operation);
    walks.push(isLarge ? await firstPage(lab, universe, values) : (await select(lab, universe, values)).walk);
  }
  return walks;
}

function sizeOf({ operation, records }: Universe, values: Values): number {
  return records.filter((record) => operation.collection.query.matches(record, toArguments(values))).length;
}

/** Only the beginning of a selection: if that is all there is, it must be all that there should be. */
function firstPage(lab: Lab, { operation, as }: Universe, values: Values): Promise<Walk> {
  return lab.walk({ operation, values, limit: largestPage(operation), as, most: 1 });
}
