/**
 * Facts of a list and its records by the contract: key, time of change, filters, page size. Rules, observers, the watch, `pact verify` and files of this folder
 * call it when they choose requests and when they judge. The witnesses of `diff` take a type. It reads values only, and sends nothing.
 */

import { isObject, type Json } from '../../../core/json.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord, FilterArguments } from '../../../core/query/query.ts';

/** Parameter values by key. */
export type ParameterValues = Readonly<Record<string, Json>>;

/** Filter values as the evaluator takes them. */
export function toFilterArguments(values: ParameterValues): FilterArguments {
  return new Map(Object.entries(values));
}

/** The value that identifies a record, as text. */
export function keyOf({ collection }: ListOperation, record: DataRecord): string {
  return JSON.stringify(valueAt(record, collection.key) ?? null);
}

/** The keys of records, in their order. */
export function keysOf(list: ListOperation, records: readonly DataRecord[]): readonly string[] {
  return records.map((record) => keyOf(list, record));
}

/** The time of the last change of a record; `undefined` for a list without one. */
export function versionOf({ collection }: ListOperation, record: DataRecord | undefined): Json | undefined {
  return collection.version === undefined ? undefined : valueAt(record, collection.version);
}

/** The field that a filter compares; `undefined` for a text search, and for a parameter that is no filter. */
export function fieldOf({ collection }: ListOperation, parameter: string): string | undefined {
  const filter = collection.filters.get(parameter);
  return filter === undefined || filter.operator === 'matches' ? undefined : filter.field;
}

/** Filter values with one value, as a list if the filter takes several. */
export function filterBy({ collection }: ListOperation, parameter: string, value: Json): ParameterValues {
  return { [parameter]: collection.filters.get(parameter)?.operator === 'any-of' ? [value] : value };
}

/** The records that match filter values. */
export function matchingRecords(
  { collection }: ListOperation,
  records: readonly DataRecord[],
  values: ParameterValues,
): readonly DataRecord[] {
  // The evaluator caches what it reads from one arguments object.
  const filterArguments = toFilterArguments(values);
  return records.filter((record) => collection.query.matches(record, filterArguments));
}

/** The records that do not match filter values. */
export function nonMatchingRecords(list: ListOperation, records: readonly DataRecord[], values: ParameterValues): readonly DataRecord[] {
  const matched = new Set(matchingRecords(list, records, values));
  return records.filter((record) => !matched.has(record));
}

/** The parameter that takes a checkpoint, if the list has one. */
export function checkpointOf({ collection }: ListOperation): string | undefined {
  return [...collection.filters].find(([, filter]) => filter.operator === 'from' && filter.field === collection.version)?.[0];
}

/** The page size of snapshots, unless the contract allows less. */
const customarySize = 100;

/** The largest page that the contract allows for a list. */
export function largestPage(list: ListOperation): number {
  return Math.min(limitRange(list).most ?? customarySize, customarySize);
}

/** The page size of a request without one. */
export function defaultLimit(list: ListOperation): number | undefined {
  const fallback = limitParameter(list)?.fallback;
  return typeof fallback === 'number' ? fallback : undefined;
}

/** The smallest and the largest page size that the contract allows. */
export function limitRange(list: ListOperation): { readonly least: number | undefined; readonly most: number | undefined } {
  const schema = limitParameter(list)?.schema;
  const [minimum, maximum] = isObject(schema) ? [schema['minimum'], schema['maximum']] : [];
  return { least: typeof minimum === 'number' ? minimum : undefined, most: typeof maximum === 'number' ? maximum : undefined };
}

function limitParameter({ parameters, collection }: ListOperation): ListOperation['parameters'][number] | undefined {
  return parameters.find(({ key }) => key === collection.page.limit);
}
