/**
 * Filter values that rules send, and the reads of a list with them: observed values, listed values and checkpoints. The filter, range, sync, paging,
 * page and visibility rules call it while a round examines them. It judges nothing.
 */

import type { Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isPredictable } from './clauses.ts';
import {
  checkpointOf,
  fieldOf,
  filterBy,
  keyOf,
  keysOf,
  largestPage,
  matching,
  nonMatching,
  type ParameterValues,
  versionOf,
} from './list-records.ts';
import { firstPageCall, type Pagination } from './paginate.ts';
import type { RunContext } from './run-context.ts';
import type { Snapshot } from './snapshot.ts';

/** The filters of a list that the contract states in full, by parameter. */
export function predictableFilters(contract: Contract, operation: ListOperation): readonly string[] {
  return [...operation.collection.filters.keys()].filter((parameter) => isPredictable(contract, operation, parameter));
}

/** The values of a filter's field that were observed, each once, in the order of the list. */
export function observedValues({ operation, records }: Snapshot, name: string): readonly Json[] {
  const field = fieldOf(operation, name);
  const parameter = operation.parameters.find(({ key }) => key === name);
  if (field === undefined || parameter === undefined) return [];
  const isAllowed = (value: Json): boolean => parameter.validate(filterBy(operation, name, value)[name] ?? null).length === 0;
  const values = records.flatMap((record) => valueAt(record, field) ?? []).filter((value) => isAllowed(value) || isAllowed(String(value)));
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** The values that a filter parameter lists. */
export function listedValues(operation: ListOperation, parameter: string): readonly Json[] {
  return operation.parameters.find((each) => each.key === parameter)?.allowed ?? [];
}

/** Maximum number of values tried of one filter. They are evaluated on the snapshot, and few are sent. */
const maxValuesPerFilter = 60;

/** Requests with one filter each, with every observed value of it. */
export function singleFilterValues(context: RunContext, snapshot: Snapshot): readonly ParameterValues[] {
  const { operation } = snapshot;
  return predictableFilters(context.contract, operation).flatMap((parameter) =>
    thin(observedValues(snapshot, parameter), maxValuesPerFilter).map((value) => filterBy(operation, parameter, value)),
  );
}

/** At most `most` elements of a list, evenly spread. */
export function thin<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return list.filter((_, index) => Math.floor((index * most) / list.length) !== Math.floor(((index - 1) * most) / list.length));
}

/** The stated filters of a list whose parameters list several values. */
export function enumFilters(contract: Contract, operation: ListOperation): readonly string[] {
  return predictableFilters(contract, operation).filter((name) => listedValues(operation, name).length > 1);
}

/** Adds the filter of the snapshot to filter values; `undefined` if the values select records outside the snapshot. */
export function withinBase({ operation, base, records }: Snapshot, values: ParameterValues): ParameterValues | undefined {
  for (const [name, value] of Object.entries(base)) {
    const wanted = values[name];
    if (wanted === undefined || wanted === value) continue;
    // A later checkpoint selects fewer records; any other value selects others.
    const selected = matching(operation, records, { [name]: wanted });
    const isInside = name === checkpointOf(operation) && nonMatching(operation, selected, { [name]: value }).length === 0;
    if (!isInside || selected.length === records.length) return undefined;
  }
  return { ...base, ...values };
}

/** The filter values inside the snapshot, with its filter. */
export function allWithinBase(snapshot: Snapshot, all: readonly ParameterValues[]): readonly ParameterValues[] {
  return all.map((values) => withinBase(snapshot, values)).filter((values) => values !== undefined);
}

/** Reads a list with filters. */
export function readSelection(context: RunContext, { operation, as, pagination }: Snapshot, values: ParameterValues): Promise<Pagination> {
  return context.pagination({ operation, values, limit: largestPage(operation), as, maxPages: pagination.replies.length + 3 });
}

/** Reads the selection of each listed value. */
export async function readByListedValue(context: RunContext, snapshot: Snapshot, name: string): Promise<readonly Pagination[]> {
  const { operation, as } = snapshot;
  const paginations: Pagination[] = [];
  for (const values of snapshot.isComplete ? allWithinBase(snapshot, listedFilters(operation, name)) : []) {
    // One page is enough to show that the server knows the value.
    const isLarge = matching(operation, snapshot.records, values).length > largestPage(operation);
    paginations.push(
      isLarge
        ? await context.pagination({ operation, values, limit: largestPage(operation), as, maxPages: 1 })
        : await readSelection(context, snapshot, values),
    );
  }
  return paginations;
}

function listedFilters(operation: ListOperation, name: string): readonly ParameterValues[] {
  return listedValues(operation, name).map((value) => filterBy(operation, name, value));
}

/** Maximum number of parts whose first page is read. */
const maxParts = { quick: 1, full: 8 } as const;

/** Reads the first page of the parts that listed filter values select. */
export async function readFirstPageOfParts(context: RunContext, operation: ListOperation): Promise<void> {
  const snapshot = await context.snapshot(operation);
  const all = predictableFilters(context.contract, operation).flatMap((name) => listedFilters(operation, name));
  for (const values of allWithinBase(snapshot, all).slice(0, context.quick ? maxParts.quick : maxParts.full))
    await context.ask(firstPageCall(operation, values));
}

/** A record in some pagination that both reads of the whole list lack. */
interface MissingRecord {
  readonly key: string;
  readonly record: DataRecord;
  readonly pagination: Pagination;
}

/**
 * Finds records that other paginations contain, but neither the first nor the last whole reading of the list. On live data a record may have been added
 * and deleted in between, so a further round has to confirm it.
 */
export function findMissingFromWholeList(context: RunContext, snapshot: Snapshot): readonly MissingRecord[] {
  const { operation, pagination: opening, finalPagination: closing } = snapshot;
  if (opening.end !== 'complete' || closing?.end !== 'complete') return [];
  const whole = new Set(keysOf(operation, [...opening.records, ...closing.records]));
  const found = paginationsOf(context, snapshot)
    .filter((pagination) => isInsideSnapshot(snapshot, pagination))
    .flatMap((pagination) => pagination.records.map((record): MissingRecord => ({ key: keyOf(operation, record), record, pagination })));
  return found.filter(({ key }, index) => !whole.has(key) && found.findIndex((each) => each.key === key) === index);
}

/** Every pagination of a list by one caller in this round. */
export function paginationsOf(context: RunContext, { operation, as }: Snapshot): readonly Pagination[] {
  return context.paginations.filter((pagination) => pagination.operation === operation && pagination.as === as);
}

/** True when a pagination reads a part of the whole list. */
function isInsideSnapshot({ base }: Snapshot, pagination: Pagination): boolean {
  return Object.entries(base).every(([name, value]) => JSON.stringify(pagination.values[name]) === JSON.stringify(value));
}

/** Finds the filter with a value that only missing records have: the unfiltered list hides that value. `undefined` if there is none. */
export function findHidingFilter(contract: Contract, snapshot: Snapshot, hidden: readonly MissingRecord[]): string | undefined {
  return enumFilters(contract, snapshot.operation).find((name) => {
    const fieldValue = (record: DataRecord): string => JSON.stringify(valueAt(record, fieldOf(snapshot.operation, name) ?? ''));
    const values = new Set(hidden.map(({ record }) => fieldValue(record)));
    return !snapshot.records.some((record) => values.has(fieldValue(record)));
  });
}

/** Maximum number of times of change that become checkpoints. */
const maxCheckpoints = 80;

/** Times of change as checkpoints: those that several records share first (`tie`), all (`any`), in other UTC offsets, or half a second before. */
export function checkpointValues(snapshot: Snapshot, which: 'tie' | 'any' | 'offset' | 'before'): readonly ParameterValues[] {
  const parameter = checkpointOf(snapshot.operation);
  if (parameter === undefined) return [];
  const moments = changeTimesOf(snapshot);
  const ties = moments.filter((moment, index) => moments.indexOf(moment) !== index);
  const chosen = which === 'tie' ? [...new Set([...ties, ...thin(moments, maxCheckpoints)])] : thin([...new Set(moments)], maxCheckpoints);
  const texts =
    which === 'offset'
      ? chosen.flatMap(otherOffsets)
      : which === 'before'
        ? chosen.filter((text) => hasNoEarlierNeighbour(text, moments)).flatMap(justBefore)
        : chosen;
  return texts.map((text): ParameterValues => ({ [parameter]: text }));
}

function changeTimesOf({ operation, records }: Snapshot): readonly string[] {
  const values = records.map((record) => versionOf(operation, record));
  return values.filter((value): value is string => typeof value === 'string' && parseInstant(value) !== undefined);
}

/** Servers may store a time more precisely than they show it. A checkpoint half a second earlier is safe if no record changed in this interval before. */
const precisionGap = 61_000_000_000n;

function hasNoEarlierNeighbour(text: string, moments: readonly string[]): boolean {
  const instant = parseInstant(text) ?? 0n;
  return !moments.some((each) => {
    const other = parseInstant(each) ?? 0n;
    return other < instant && other > instant - precisionGap;
  });
}

/** Half a second before a time, in UTC, with six and with three digits of fraction. */
function justBefore(text: string): readonly string[] {
  const instant = parseInstant(text);
  if (instant === undefined) return [];
  const milliseconds = new Date(Number(instant / 1_000_000n) - 500).toISOString();
  return [milliseconds.replace('Z', '000Z'), milliseconds];
}

/** The same instant in other UTC offsets. Fractions of a second stay as they are. */
function otherOffsets(text: string): readonly string[] {
  const instant = parseInstant(text);
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  if (instant === undefined) return [];
  const seconds = Number(instant / 1_000_000_000n);
  return offsets.map(([minutes, offset]) => `${new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19)}${fraction}${offset}`);
}

/** UTC offsets in minutes and as written. */
const offsets = [
  [0, 'Z'],
  [330, '+05:30'],
  [-300, '-05:00'],
] as const;
