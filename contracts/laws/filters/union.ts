/** The law about lists of values. */

import type { Operation } from '../../../core/operation.ts';
import { drawFilters } from '../../explore.ts';
import { observedValues, predictableFilters, thin } from '../../filter-values.ts';
import type { Lab } from '../../lab.ts';
import type { Law } from '../../law.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import type { Universe } from '../../universe.ts';
import { isList, requireList, type Values } from '../../walk.ts';

const kinds: ReadonlySet<string> = new Set(['first-only', 'last-only', 'whole-text']);

/** The law. */
export const union: Law = {
  id: 'filters/union',
  title: 'A list of values gives what has any of them',
  why: 'A client that asks for two states and gets one of them misses the records of the other without a word.',
  strength: 'stated',
  clause: (operation, contract) => {
    const [name] = isList(operation) ? predictableFilters(contract, operation).filter((each) => takesList(operation, each)) : [];
    return operation.parameters.find((parameter) => parameter.key === name)?.place;
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const rivals = filterRivals(lab.contract, list).filter((rival) => kinds.has(rival.kind));
    const universe = await lab.universe(list);
    const candidates = [...pairs(lab, universe), ...drawFilters(lab, universe, 2)];
    return examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete', times: 1 });
  },
};

function takesList(operation: Operation, name: string): boolean {
  return operation.collection?.filters.get(name)?.operator === 'any-of';
}

/** How many values of a filter are paired. */
const paired = 6;

/** Two values in one list, both of them observed. */
function pairs(lab: Lab, universe: Universe): readonly Values[] {
  const { operation } = universe;
  return predictableFilters(lab.contract, operation).flatMap((name) => {
    const filter = operation.collection.filters.get(name);
    if (filter?.operator !== 'any-of') return [];
    const values = thin(observedValues(universe, filter), paired);
    return values.flatMap((first) => values.filter((second) => second !== first).map((second): Values => ({ [name]: [first, second] })));
  });
}
