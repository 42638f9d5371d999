/**
 * The records that a run looks at: a whole list when it is small, and otherwise a part of it that a filter of the list itself cuts out, so that the
 * part is complete however large the list is.
 */

import { isObject } from '../core/json.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import type { Caller } from './call.ts';
import { narrowByVersion } from './narrowing.ts';
import { keyOf, type ListOperation, type Route, totalIn, type Values, type Walk } from './walk.ts';

/** The records of one list that one caller sees, when a round begins. */
export interface Universe {
  readonly operation: ListOperation;
  readonly as: Caller;
  /** The filter that cuts it out; empty for the whole list. */
  readonly base: Values;
  /** Its reading at the beginning of the round. */
  readonly walk: Walk;
  /** Its reading at the end, once there is one. */
  closing: Walk | undefined;
  readonly records: readonly Entry[];
  readonly byKey: ReadonlyMap<string, Entry>;
  /** How many records the whole list has at least. */
  readonly least: number;
  /** Whether the records are all there are within the base. */
  readonly isComplete: boolean;
}

/** Who reads lists for it. */
export interface Reader {
  readonly quick: boolean;
  readonly walk: (route: Route) => Promise<Walk>;
}

/** How many pages of a list are read at most. */
const pagesRead = 8;
/** In quick runs a part is enough, where a list can be cut at a moment of change. */
const pagesReadQuick = 1;
const pagesCountedQuick = 2;

/** The page size of readings: the largest that the contract allows, but no more than this. */
const customarySize = 100;

/** The largest page that the contract allows for a list. */
export function largestPage(operation: ListOperation): number {
  const parameter = operation.parameters.find((each) => each.key === operation.collection.page.limit);
  const maximum = isObject(parameter?.schema) ? parameter.schema['maximum'] : undefined;
  return typeof maximum === 'number' ? Math.min(maximum, customarySize) : customarySize;
}

/** Reads a list, or the part of it that can be read. */
export async function openUniverse(lab: Reader, operation: ListOperation, as: Caller): Promise<Universe> {
  const isCut = checkpointOf(operation) !== undefined;
  const most = lab.quick ? (isCut ? pagesReadQuick : pagesCountedQuick) : pagesRead;
  const read = (values: Values, pages: number): Promise<Walk> =>
    lab.walk({ operation, values, limit: largestPage(operation), as, most: pages });
  const whole = await readUnlessHuge(lab, operation, as, most);
  if (whole.end !== 'cut') return toUniverse(operation, as, whole, 0);
  const checkpoint = checkpointOf(operation);
  const narrowed = checkpoint === undefined ? undefined : await narrowByVersion(whole, checkpoint, read, { most, quick: lab.quick });
  const part = narrowed ?? (await narrowByFilters(whole, (values) => read(values, most)));
  return toUniverse(operation, as, part ?? whole, whole.records.length + 1);
}

/** A list that tells its total is not read at all when it is too long, but for its first page. */
async function readUnlessHuge(lab: Reader, operation: ListOperation, as: Caller, most: number): Promise<Walk> {
  const limit = largestPage(operation);
  const [first] = (await lab.walk({ operation, values: {}, limit, as, most: 1 })).replies;
  const total = first === undefined ? undefined : totalIn(operation.collection.page, first);
  const isHuge = total !== undefined && total > most * limit;
  return lab.walk({ operation, values: {}, limit, as, most: isHuge ? 1 : most });
}

function toUniverse(operation: ListOperation, as: Caller, walk: Walk, least: number): Universe {
  const byKey = new Map(walk.records.map((record) => [keyOf(operation, record), record]));
  return {
    operation,
    as,
    base: walk.values,
    walk,
    closing: undefined,
    records: [...byKey.values()],
    byKey,
    least: Math.max(least, byKey.size),
    isComplete: walk.end === 'complete',
  };
}

/** The parameter that asks for what changed since a moment, if the list has one. */
export function checkpointOf({ collection }: ListOperation): string | undefined {
  const found = [...collection.filters].find(([, filter]) => filter.operator === 'from' && filter.field === collection.version);
  return found?.[0];
}

/** Cuts a list by the value of an observed record: first by what a filter lists, then by a text that few records have. */
async function narrowByFilters(whole: Walk, read: (values: Values) => Promise<Walk>): Promise<Walk | undefined> {
  const { operation, records } = whole;
  const candidates = records.slice(0, 2).flatMap((record) =>
    [...operation.collection.filters].flatMap(([parameter, filter]): readonly Values[] => {
      const value = valueAt(record, filter.operator === 'matches' ? (filter.fields[0] ?? '') : filter.field);
      if (value === undefined || !['equals', 'any-of', 'matches'].includes(filter.operator)) return [];
      return [{ [parameter]: filter.operator === 'any-of' ? [value] : value }];
    }),
  );
  for (const values of candidates) {
    const walk = await read(values);
    if (walk.end === 'complete' && walk.records.length > 0) return walk;
  }
  return undefined;
}
