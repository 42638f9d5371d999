/** Filter values that rules send: observed values, enum values and checkpoints; and the reads of a list by each enum value. */

import type { Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isPredictable } from './clauses.ts';
import { callFor, keyOf, type Pagination, type ParameterValues, toFilterArguments } from './paginate.ts';
import type { RunContext } from './run-context.ts';
import { checkpointOf, largestPage, type Snapshot, selectedBy } from './snapshot.ts';

/** The filters of a list that the contract states in full, by parameter. */
export function predictableFilters(contract: Contract, operation: ListOperation): readonly string[] {
  return [...operation.collection.filters.keys()].filter((parameter) => isPredictable(contract, operation, parameter));
}

/** The values of a filter's field that were observed, each once, in the order of the list. */
export function observedValues({ operation, records }: Snapshot, name: string): readonly Json[] {
  const filter = operation.collection.filters.get(name);
  const parameter = operation.parameters.find(({ key }) => key === name);
  if (filter === undefined || filter.operator === 'matches' || parameter === undefined) return [];
  const isAllowed = (value: Json): boolean => parameter.validate(filter.operator === 'any-of' ? [value] : value).length === 0;
  const values = records
    .map((record) => valueAt(record, filter.field))
    .filter((value) => value !== undefined && value !== null && (isAllowed(value) || isAllowed(String(value))));
  return [...new Map(values.map((value) => [JSON.stringify(value), value as Json])).values()];
}

/** The values that a filter parameter lists. */
export function listedValues(operation: ListOperation, parameter: string): readonly Json[] {
  return operation.parameters.find((each) => each.key === parameter)?.allowed ?? [];
}

/** Most values that are tried of one filter; the records decide among them. */
const tried = 60;

/** Requests with one filter each, with every observed value of it. */
export function singleFilterValues(context: RunContext, snapshot: Snapshot): readonly ParameterValues[] {
  const { operation } = snapshot;
  return predictableFilters(context.contract, operation).flatMap((parameter) => {
    const filter = operation.collection.filters.get(parameter);
    if (filter === undefined) return [];
    const observed = thin(observedValues(snapshot, parameter), tried);
    return observed.map((value): ParameterValues => ({ [parameter]: filter.operator === 'any-of' ? [value] : value }));
  });
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
export function withinBase(snapshot: Snapshot, values: ParameterValues): ParameterValues | undefined {
  const { operation, base } = snapshot;
  const checkpoint = checkpointOf(operation);
  for (const [name, value] of Object.entries(base)) {
    const wanted = values[name];
    if (wanted === undefined || wanted === value) continue;
    // A later checkpoint selects fewer records; any other value selects others.
    const isInside =
      name === checkpoint &&
      snapshot.records.every((record) => !matches(operation, record, { [name]: wanted }) || matches(operation, record, { [name]: value }));
    if (!isInside || !snapshot.records.some((record) => !matches(operation, record, { [name]: wanted }))) return undefined;
  }
  return { ...base, ...values };
}

function matches(operation: ListOperation, record: DataRecord, values: ParameterValues): boolean {
  return operation.collection.query.matches(record, toFilterArguments(values));
}

/** Reads a list with filters. */
export function readSelection(context: RunContext, { operation, as, pagination }: Snapshot, values: ParameterValues): Promise<Pagination> {
  return context.pagination({ operation, values, limit: largestPage(operation), as, maxPages: pagination.replies.length + 3 });
}

/** Reads the selection of each listed value. */
export async function readByListedValue(context: RunContext, snapshot: Snapshot, name: string): Promise<readonly Pagination[]> {
  const { operation } = snapshot;
  const takesList = operation.collection.filters.get(name)?.operator === 'any-of';
  const paginations: Pagination[] = [];
  if (!snapshot.isComplete) return paginations;
  for (const value of listedValues(operation, name)) {
    const values = withinBase(snapshot, { [name]: takesList ? [value] : value });
    // The first page shows that the value is known; further ones are read where they are few.
    if (values === undefined) continue;
    const isLarge = selectedBy(snapshot, values).length > largestPage(operation);
    paginations.push(isLarge ? await firstPage(context, snapshot, values) : await readSelection(context, snapshot, values));
  }
  return paginations;
}

/** Only the beginning of a selection: if that is all there is, it must be all that there should be. */
function firstPage(context: RunContext, { operation, as }: Snapshot, values: ParameterValues): Promise<Pagination> {
  return context.pagination({ operation, values, limit: largestPage(operation), as, maxPages: 1 });
}

/** Number of parts that are requested. */
const asked = { quick: 1, full: 8 } as const;

/** The first page of each part. */
export async function readFirstPages(context: RunContext, operation: ListOperation): Promise<void> {
  const snapshot = await context.snapshot(operation);
  const all = predictableFilters(context.contract, operation).flatMap((name) =>
    listedValues(operation, name).map(
      (value): ParameterValues => ({ [name]: operation.collection.filters.get(name)?.operator === 'any-of' ? [value] : value }),
    ),
  );
  const parts = all.map((values) => withinBase(snapshot, values)).filter((values) => values !== undefined);
  for (const values of parts.slice(0, context.quick ? asked.quick : asked.full))
    await context.ask(callFor({ operation, values, limit: largestPage(operation) }, {}));
}

/** A record in some pagination that both reads of the whole list lack. */
interface MissingRecord {
  readonly key: string;
  readonly record: DataRecord;
  readonly pagination: Pagination;
}

/**
 * Records of a list that were given between its first and its last whole reading, and by neither of them. On live data a record may come and go in
 * between, so it takes a second look to believe it.
 */
export function missingFromWholeList(context: RunContext, snapshot: Snapshot): readonly MissingRecord[] {
  const { operation, pagination: opening, finalPagination: closing } = snapshot;
  if (opening.end !== 'complete' || closing?.end !== 'complete') return [];
  const whole = new Set([...opening.records, ...closing.records].map((record) => keyOf(operation, record)));
  const others = context.paginations.filter(
    (pagination) => pagination.operation === operation && (pagination.as ?? 'full') === snapshot.as && isWithin(snapshot, pagination),
  );
  const found = others.flatMap((pagination) =>
    pagination.records.map((record): MissingRecord => ({ key: keyOf(operation, record), record, pagination })),
  );
  return found.filter(({ key }, index) => !whole.has(key) && found.findIndex((each) => each.key === key) === index);
}

/** True when a pagination reads a part of the whole list. */
function isWithin({ base }: Snapshot, pagination: Pagination): boolean {
  return Object.entries(base).every(([name, value]) => JSON.stringify(pagination.values[name]) === JSON.stringify(value));
}

/** The filter with a value that only missing records have; `undefined` if there is none. With such a filter, the list leaves out the value. */
export function filterHidingValue(contract: Contract, snapshot: Snapshot, hidden: readonly MissingRecord[]): string | undefined {
  return enumFilters(contract, snapshot.operation).find((name) => {
    const filter = snapshot.operation.collection.filters.get(name);
    if (filter === undefined || filter.operator === 'matches') return false;
    const values = new Set(hidden.map(({ record }) => JSON.stringify(valueAt(record, filter.field))));
    return !snapshot.records.some((record) => values.has(JSON.stringify(valueAt(record, filter.field))));
  });
}

/** Instants of the snapshot that are considered. */
const triedMoments = 80;

/** Times of change as checkpoints: those that several records share first (`tie`), all (`any`), in other UTC offsets, or half a second before. */
export function checkpointValues(snapshot: Snapshot, which: 'tie' | 'any' | 'offset' | 'before'): readonly ParameterValues[] {
  const parameter = checkpointOf(snapshot.operation);
  if (parameter === undefined) return [];
  const moments = momentsOf(snapshot);
  const ties = moments.filter((moment, index) => moments.indexOf(moment) !== index);
  const chosen = which === 'tie' ? [...new Set([...ties, ...thin(moments, triedMoments)])] : thin([...new Set(moments)], triedMoments);
  const texts =
    which === 'offset'
      ? chosen.flatMap(otherOffsets)
      : which === 'before'
        ? chosen.filter((text) => isAlone(text, moments)).flatMap(justBefore)
        : chosen;
  return texts.map((text): ParameterValues => ({ [parameter]: text }));
}

function momentsOf({ operation, records }: Snapshot): readonly string[] {
  const { version } = operation.collection;
  const values = version === undefined ? [] : records.map((record) => valueAt(record, version));
  return values.filter((value): value is string => typeof value === 'string' && parseInstant(value) !== undefined);
}

/** Moments may be kept finer than they are shown: before one that nothing changed near before, that makes no difference. */
const gap = 61_000_000_000n;

function isAlone(text: string, moments: readonly string[]): boolean {
  const instant = parseInstant(text) ?? 0n;
  return !moments.some((each) => {
    const other = parseInstant(each) ?? 0n;
    return other < instant && other > instant - gap;
  });
}

/** Half a second before a moment, in UTC: whatever changed in that moment changed after it. The fraction is written with six digits and with three. */
function justBefore(text: string): readonly string[] {
  const instant = parseInstant(text);
  if (instant === undefined) return [];
  const milliseconds = new Date(Number(instant / 1_000_000n) - 500).toISOString();
  return [milliseconds.replace('Z', '000Z'), milliseconds];
}

/** The same moment as it is written elsewhere. Fractions of a second stay as they are. */
function otherOffsets(text: string): readonly string[] {
  const instant = parseInstant(text);
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  if (instant === undefined) return [];
  const seconds = Number(instant / 1_000_000_000n);
  return [0, 330, -300].map((minutes) => {
    const wall = new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19);
    return `${wall}${fraction}${spellOffset(minutes)}`;
  });
}

function spellOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
