/** The parts into which the listed values of a filter cut a list: together they are the list, and what only they show is hidden from it. */

import type { Contract } from '../core/contract.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import { listedValues, predictableFilters } from './filter-values.ts';
import type { Lab } from './lab.ts';
import { select, withinBase } from './selection.ts';
import { largestPage, selectedBy, type Universe } from './universe.ts';
import { callFor, keyOf, type ListOperation, type Values, type Walk } from './walk.ts';

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
    const values = withinBase(universe, { [name]: takesList ? [value] : value });
    // The first page shows that the value is known; further ones are read where they are few.
    if (values === undefined) continue;
    const isLarge = selectedBy(universe, values).length > largestPage(operation);
    walks.push(isLarge ? await firstPage(lab, universe, values) : await select(lab, universe, values));
  }
  return walks;
}

/** Only the beginning of a selection: if that is all there is, it must be all that there should be. */
function firstPage(lab: Lab, { operation, as }: Universe, values: Values): Promise<Walk> {
  return lab.walk({ operation, values, limit: largestPage(operation), as, most: 1 });
}

/** How many parts are asked for. */
const asked = { quick: 1, full: 8 } as const;

/** The first page of each part. */
export async function firstOfEach(lab: Lab, operation: ListOperation): Promise<void> {
  const universe = await lab.universe(operation);
  const all = predictableFilters(lab.contract, operation).flatMap((name) =>
    listedValues(operation, name).map(
      (value): Values => ({ [name]: operation.collection.filters.get(name)?.operator === 'any-of' ? [value] : value }),
    ),
  );
  const parts = all.map((values) => withinBase(universe, values)).filter((values) => values !== undefined);
  for (const values of parts.slice(0, lab.quick ? asked.quick : asked.full))
    await lab.ask(callFor({ operation, values, limit: largestPage(operation) }, {}));
}

/** A record that some walk gave, and neither reading of the whole list. */
interface Hidden {
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
