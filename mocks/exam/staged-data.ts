/**
 * Data of an exam: the records of a dataset, frozen at one instant, which then change only as the scenario wants. It follows from annotations alone, so it
 * works for any contract.
 */

import { isObject, type JsonObject } from '../../core/json.ts';
import { memoize } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { schemasAt } from '../../core/openapi/schema-facts.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { printInstant } from '../../core/query/instants.ts';
import type { ChangingDataset, Dataset } from '../data/dataset.ts';

/**
 * A change of the records of each list.
 *
 * - `newer`: some records change at this time.
 * - `same-second`: some records change in the second of the newest change, and appear at this time.
 * - `unknown-values`: some records have a field and a value that the contract does not name.
 */
export interface StagedChange {
  /** Time after the start of the mock, in seconds. */
  readonly afterSeconds: number;
  readonly kind: 'newer' | 'same-second' | 'unknown-values';
  /** True for so many records that they fill more than a page. */
  readonly isLarge?: boolean;
}

/** Number of records of a list that a change concerns, and the share of them for a large one. */
const [changedMax, largeShare] = [3, 0.6];

/** Freezes a dataset at an instant, and adds changes to it. */
export function stageChanges(
  dataset: ChangingDataset,
  contract: Contract,
  startMs: number,
  changes: readonly StagedChange[],
): ChangingDataset {
  const frozenDataset = dataset.at(startMs);
  const lists = contract.operations.flatMap((operation) =>
    operation.collection === undefined ? [] : [{ operation, ...operation.collection }],
  );
  const recordsAt = memoize((key: string): readonly JsonObject[] => {
    const [stage, tenant, name] = JSON.parse(key) as [number, string, string];
    const change = changes[stage - 1];
    if (change === undefined) return frozenDataset.records(tenant, name);
    const earlierRecords = recordsAt(JSON.stringify([stage - 1, tenant, name]));
    const list = lists.find((each) => each.name === name);
    return list === undefined ? earlierRecords : applyChange(earlierRecords, contract, list, change, startMs);
  });
  const datasets = [frozenDataset, ...changes].map(
    (_, stage): Dataset => ({
      tenants: frozenDataset.tenants,
      records: (tenant, name) => recordsAt(JSON.stringify([stage, tenant, name])),
      head: (tenant, name) => frozenDataset.head(tenant, name),
      resource: (...resourceArguments) => frozenDataset.resource(...resourceArguments),
    }),
  );
  const stageAt = (nowMs: number): number => changes.filter(({ afterSeconds }) => startMs + afterSeconds * 1000 <= nowMs).length;
  return { tenants: dataset.tenants, at: (nowMs) => datasets[stageAt(nowMs)] ?? frozenDataset };
}

/** A list of a contract. */
type StagedList = NonNullable<Operation['collection']> & { readonly operation: Operation };

/** Changes the records that changed least recently. With the newest change first, they are on the last page. */
function applyChange(
  records: readonly JsonObject[],
  contract: Contract,
  list: StagedList,
  { kind, afterSeconds, isLarge = false }: StagedChange,
  startMs: number,
): readonly JsonObject[] {
  const { key, version = '', query } = list;
  const versionOf = (record: JsonObject): number => Date.parse(String(valueAt(record, version)));
  const recordsByAge = records.filter(query.isVisible).sort((left, right) => versionOf(left) - versionOf(right) || 0);
  const newest = recordsByAge.at(-1);
  if (newest === undefined) return records;
  const newestInstant = String(valueAt(newest, version));
  const unknownPointer = kind === 'unknown-values' ? findUnknownState(contract, list) : undefined;
  const change = (record: JsonObject): JsonObject => {
    if (kind === 'unknown-values')
      return { ...asObject(unknownPointer === undefined ? record : withValueAt(record, unknownPointer, unknownState)), ...unknownField };
    if (Number.isNaN(versionOf(record)) || Number.isNaN(Date.parse(newestInstant))) return record;
    const instant =
      kind === 'same-second'
        ? newestInstant
        : printLike(newestInstant, Math.max(startMs + afterSeconds * 1000, Date.parse(newestInstant) + 1000));
    return asObject(withValueAt(record, version, instant));
  };
  const count = isLarge ? Math.ceil(recordsByAge.length * largeShare) : changedMax;
  const changedKeys = new Set(recordsByAge.slice(0, count).map((record) => JSON.stringify(valueAt(record, key))));
  return records.map((record) => (changedKeys.has(JSON.stringify(valueAt(record, key))) ? change(record) : record));
}

function asObject(value: unknown): JsonObject {
  return value as JsonObject;
}

/** A state and a field that no contract names. */
const unknownState = 'state_added_later';
const unknownField: JsonObject = { field_added_later: { since: 'the next version' } };

/** The first field that the list filters by and whose values the schema lists, such as a state. */
function findUnknownState({ closed }: Contract, { filters, items, visible, operation }: StagedList): string | undefined {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  for (const filter of filters.values()) {
    const field = 'field' in filter && ['equals', 'any-of'].includes(filter.operator) ? filter.field : visible?.field;
    if (field === undefined || field === visible?.field) continue;
    if (schemasAt(closed, schema, `${items}/0${field}`).some((each) => isObject(each) && Array.isArray(each['enum']))) return field;
  }
  return undefined;
}

/** Prints an instant with the offset of a sample. */
function printLike(sample: string, instantMs: number): string {
  const [offset = 'Z', sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(sample) ?? [];
  if (offset === 'Z') return printInstant(instantMs);
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return printInstant(instantMs + shift).replace('Z', offset);
}
