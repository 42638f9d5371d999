/** Whether what a walk leaves out or repeats are records that tie with the last record of a page: the classic mistake of cursors. */

import { parseInstant } from '../core/instant.ts';
import type { Json } from '../core/json.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import { keyOf, type ListOperation, type Walk } from './walk.ts';

/** The rivals of a cursor at ties, by how coarsely it remembers where it was. */
export const tieRivals = {
  equal: 'the cursor remembered only a value that several records share',
  second: 'the cursor remembered the moment only to the second',
  minute: 'the cursor remembered the moment only to the minute',
} as const;

/** How coarsely a cursor remembers. */
export type Coarseness = keyof typeof tieRivals;

/** Grids of nanoseconds. */
const grids: readonly (readonly [Coarseness, bigint])[] = [
  ['equal', 1n],
  ['second', 1_000_000_000n],
  ['minute', 60_000_000_000n],
];

/** The field whose equal values make ties. */
export function tieField({ collection }: ListOperation): string | undefined {
  return collection.version ?? collection.order[0]?.by;
}

/** The coarseness at which each of the records that a walk leaves out ties with the last record of some page; `undefined` when they do not. */
export function tieOfMissing(operation: ListOperation, walk: Walk, records: readonly Entry[]): Coarseness | undefined {
  const edges = edgesOf(walk);
  return findGrid((grid) => records.every((record) => edges.some((edge) => isTie(operation, record, edge, grid))));
}

/**
 * The same for records that a walk repeats: each of them ties with another record at the edge of a page. A cursor that repeats the last record of
 * every page repeats it whether it ties or not.
 */
export function tieOfRepeated(operation: ListOperation, walk: Walk, records: readonly Entry[]): Coarseness | undefined {
  const edges = edgesOf(walk);
  const isShared = (edge: Entry, grid: bigint): boolean =>
    walk.records.some((other) => keyOf(operation, other) !== keyOf(operation, edge) && isTie(operation, other, edge, grid));
  return findGrid((grid) => records.every((record) => edges.some((edge) => isTie(operation, record, edge, grid) && isShared(edge, grid))));
}

function findGrid(holds: (grid: bigint) => boolean): Coarseness | undefined {
  return grids.find(([, grid]) => holds(grid))?.[0];
}

function edgesOf(walk: Walk): readonly Entry[] {
  return walk.pages.slice(0, -1).flatMap((page) => {
    const last = page.at(-1);
    return last === undefined ? [] : [last];
  });
}

/** Whether two records have the same value, or moments in the same cell of a grid of nanoseconds: offsets make no difference. */
export function isTie(operation: ListOperation, left: Entry, right: Entry, grid = 1n): boolean {
  const field = tieField(operation);
  if (field === undefined) return false;
  const values = [valueAt(left, field), valueAt(right, field)] as const;
  if (JSON.stringify(values[0]) === JSON.stringify(values[1])) return true;
  const [first, second] = [toInstant(values[0]), toInstant(values[1])];
  return first !== undefined && second !== undefined && first / grid === second / grid;
}

function toInstant(value: Json | undefined): bigint | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}
