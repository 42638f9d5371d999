/** Keys, times of change and filters of the records of a list, as the contract defines them. */

import { type Json, printJson } from '../../../core/json.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord, FilterArguments } from '../../../core/query/query.ts';
import { type Reply, recordsIn } from './call.ts';

/** Parameter values by key. */
export type ParameterValues = Readonly<Record<string, Json>>;

/** Filter values as the evaluator takes them. */
export function toFilterArguments(values: ParameterValues): FilterArguments {
  return new Map(Object.entries(values));
}

/** The value that identifies a record, as text. */
export function recordKeyOf({ collection }: ListOperation, record: DataRecord): string {
  return printJson(valueAt(record, collection.key) ?? null);
}

/** The keys of records, in their order. */
export function keysOf(list: ListOperation, records: readonly DataRecord[]): readonly string[] {
  return records.map((record) => recordKeyOf(list, record));
}

/** The keys of the records in a list reply, in their order; empty for any other reply. */
export function keysIn(reply: Reply): readonly string[] {
  const { operation } = reply.call;
  return isList(operation) ? keysOf(operation, recordsIn(reply) ?? []) : [];
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
  return records.filter(collection.query.matching(filterArguments));
}

/** The records that do not match filter values. */
export function nonMatchingRecords(list: ListOperation, records: readonly DataRecord[], values: ParameterValues): readonly DataRecord[] {
  const matched = new Set(matchingRecords(list, records, values));
  return records.filter((record) => !matched.has(record));
}

/** The first filter that none of the records passes. */
export function findFailedFilter(list: ListOperation, records: readonly DataRecord[], values: ParameterValues): string | undefined {
  return Object.keys(values).find(
    (name) => list.collection.filters.has(name) && matchingRecords(list, records, { [name]: values[name] ?? null }).length === 0,
  );
}

/** The parameter that takes a checkpoint, if the list has one. */
export function checkpointOf({ collection }: ListOperation): string | undefined {
  return [...collection.filters].find(([, filter]) => filter.operator === 'from' && filter.field === collection.version)?.[0];
}
