/** Records that the whole list does not show, although other readings of it do. */

import type { Contract } from '../core/contract.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import { enumFilters } from './enum-parts.ts';
import type { Lab } from './lab.ts';
import type { Universe } from './universe.ts';
import { keyOf, type Walk } from './walk.ts';

/** A record that some walk gave, and neither reading of the whole list. */
export interface Hidden {
  readonly key: string;
  readonly record: Entry;
  readonly walk: Walk;
}

/**
 * Records of a list that were given between its first and its last whole reading, and by neither of them. On live data a record may come and go in
 * between, so it takes a second look to believe it.
 */
export function hiddenFromWhole(lab: Lab, universe: Universe): readonly Hidden[] {
  const { operation, walk: opening, closing } = universe;
  if (opening.end !== 'complete' || closing?.end !== 'complete') return [];
  const whole = new Set([...opening.records, ...closing.records].map((record) => keyOf(operation, record)));
  const others = lab.walks.filter(
    (walk) => walk.operation === operation && (walk.as ?? 'full') === universe.as && isWithin(universe, walk),
  );
  const found = others.flatMap((walk) => walk.records.map((record): Hidden => ({ key: keyOf(operation, record), record, walk })));
  return found.filter(({ key }, index) => !whole.has(key) && found.findIndex((each) => each.key === key) === index);
}

/** Whether a walk asks for a part of what the whole reading asks for. */
function isWithin({ base }: Universe, walk: Walk): boolean {
  return Object.entries(base).every(([name, value]) => JSON.stringify(walk.values[name]) === JSON.stringify(value));
}

/** Whether what is hidden is all that has some value of a filter: then the list hides the value, and not a record. */
export function isByValue(contract: Contract, universe: Universe, hidden: readonly Hidden[]): string | undefined {
  return enumFilters(contract, universe.operation).find((name) => {
    const filter = universe.operation.collection.filters.get(name);
    if (filter === undefined || filter.operator === 'matches') return false;
    const values = new Set(hidden.map(({ record }) => JSON.stringify(valueAt(record, filter.field))));
    return !universe.records.some((record) => values.has(JSON.stringify(valueAt(record, filter.field))));
  });
}
