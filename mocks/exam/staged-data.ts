/**
 * Data of an exam: the records of a dataset, frozen at one instant, which then change only as the scenario wants. It follows from annotations alone, so it
 * works for any contract.
 */

import { isArray, isObject, type Json, type JsonObject, parseJson, printJson } from '../../core/json.ts';
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
 * - `newest-again`: the records that changed last change again.
 * - `next-state`: some records change, and get the next of the listed values of their state.
 * - `every-state`: as many records have each listed value of their state, so that lists by some of them have several pages.
 * - `unknown-values`: some records have a field and a value that the contract does not name.
 */
export interface StagedChange {
  /** Time after the start of the mock, in seconds. */
  readonly afterSeconds: number;
  readonly kind: 'newer' | 'same-second' | 'newest-again' | 'next-state' | 'every-state' | 'unknown-values';
  /** Hours by which the offset of the new instants differs from the one before. */
  readonly offsetHours?: number;
  /** Share of the records that change; by default, three of them change. */
  readonly share?: number;
}

/** Number of records of a list that a change without a share concerns. */
const changedCount = 3;

/** A list of a contract. */
export type StagedList = NonNullable<Operation['collection']> & { readonly operation: Operation };

/** The lists of a contract. */
export function listsOf({ operations }: Contract): readonly StagedList[] {
  return operations.flatMap((operation) => (operation.collection === undefined ? [] : [{ operation, ...operation.collection }]));
}

/** Adds changes to frozen records. */
export function stageChanges(
  frozenDataset: Dataset,
  contract: Contract,
  startMs: number,
  changes: readonly StagedChange[],
): ChangingDataset {
  const lists = listsOf(contract);
  const recordsAt = memoize((key: string): readonly JsonObject[] => {
    const [stage, tenant, name] = parseJson(key) as unknown as [number, string, string];
    const change = changes[stage - 1];
    if (change === undefined) return frozenDataset.records(tenant, name);
    const earlierRecords = recordsAt(printJson([stage - 1, tenant, name]));
    const list = lists.find((each) => each.name === name);
    return list === undefined ? earlierRecords : applyChange(earlierRecords, contract, list, change, startMs);
  });
  const datasets = [frozenDataset, ...changes].map(
    (_, stage): Dataset => ({
      tenants: frozenDataset.tenants,
      records: (tenant, name) => recordsAt(printJson([stage, tenant, name])),
      head: (tenant, name) => frozenDataset.head(tenant, name),
      resource: (...resourceArguments) => frozenDataset.resource(...resourceArguments),
    }),
  );
  const stageAt = (nowMs: number): number => changes.filter(({ afterSeconds }) => startMs + afterSeconds * 1000 <= nowMs).length;
  return { tenants: frozenDataset.tenants, at: (nowMs) => datasets[stageAt(nowMs)] ?? frozenDataset };
}

/** Changes the records that changed least recently, unless the newest are to change. With the newest change first, they are on the last page. */
function applyChange(
  records: readonly JsonObject[],
  contract: Contract,
  list: StagedList,
  { kind, afterSeconds, share, offsetHours = 0 }: StagedChange,
  startMs: number,
): readonly JsonObject[] {
  const { key, version = '' } = list;
  const recordsByAge = sortByAge(records, list);
  const newestInstant = newestInstantIn(recordsByAge, list);
  const state = findState(contract, list);
  const setState = (record: JsonObject, next: Json): JsonObject =>
    state === undefined ? record : asObject(withValueAt(record, state.pointer, next));
  const change = (record: JsonObject, index: number): JsonObject => {
    if (kind === 'every-state') return setState(record, state?.values[index % state.values.length] ?? null);
    if (kind === 'unknown-values') return { ...setState(record, unknownState), ...unknownField };
    if (newestInstant === undefined || Number.isNaN(ageOf(record, list))) return record;
    const instant =
      kind === 'same-second'
        ? newestInstant
        : printLike(newestInstant, Math.max(startMs + afterSeconds * 1000, Date.parse(newestInstant) + 1000), offsetHours);
    const changed = asObject(withValueAt(record, version, instant));
    if (kind !== 'next-state' || state === undefined) return changed;
    const place = state.values.indexOf(valueAt(record, state.pointer) ?? null);
    return setState(changed, state.values[(place + 1) % state.values.length] ?? null);
  };
  const count = share === undefined ? changedCount : Math.ceil(recordsByAge.length * share);
  const changedRecords = kind === 'newest-again' ? recordsByAge.slice(-count) : recordsByAge.slice(0, count);
  const keyOf = (record: JsonObject): string => printJson(valueAt(record, key));
  const changes = new Map(changedRecords.map((record, index) => [keyOf(record), change(record, index)]));
  return records.map((record) => changes.get(keyOf(record)) ?? record);
}

/** The instant of the last change of a record, in milliseconds; NaN for none. */
function ageOf(record: JsonObject, { version = '' }: StagedList): number {
  return Date.parse(String(valueAt(record, version)));
}

function sortByAge(records: readonly JsonObject[], list: StagedList): readonly JsonObject[] {
  return records.filter(list.query.isVisible).sort((left, right) => ageOf(left, list) - ageOf(right, list) || 0);
}

/** The newest instant of a change as it is written; `undefined` for records without instants. */
export function newestInstantIn(records: readonly JsonObject[], list: StagedList): string | undefined {
  const newest = sortByAge(records, list).at(-1);
  return newest === undefined || Number.isNaN(ageOf(newest, list)) ? undefined : String(valueAt(newest, list.version ?? ''));
}

function asObject(value: unknown): JsonObject {
  return value as JsonObject;
}

/** A state and a field that no contract names. */
const unknownState = 'state_added_later';
const unknownField: JsonObject = { field_added_later: { since: 'the next version' } };

/** The first field that the list filters by and whose values the schema lists, such as a state. */
export function findState({ closed }: Contract, { filters, items, visible, operation }: StagedList): ListedState | undefined {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  for (const filter of filters.values()) {
    const pointer = 'field' in filter && ['equals', 'any-of'].includes(filter.operator) ? filter.field : visible?.field;
    if (pointer === undefined || pointer === visible?.field) continue;
    const [values] = schemasAt(closed, schema, `${items}/0${pointer}`).flatMap((each) =>
      isObject(each) && isArray(each['enum']) ? [each['enum']] : [],
    );
    if (values !== undefined) return { pointer, values };
  }
  return undefined;
}

/** A field of records and its values. */
interface ListedState {
  readonly pointer: string;
  readonly values: readonly Json[];
}

/** Prints an instant with the offset of a sample, moved by some hours. */
function printLike(sample: string, instantMs: number, offsetHours: number): string {
  const [offset = 'Z', sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(sample) ?? [];
  if (offset === 'Z') return printInstant(instantMs);
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) + offsetHours * 60;
  const [hoursText, minutesText] = [Math.floor(Math.abs(shift) / 60), Math.abs(shift) % 60].map((part) => String(part).padStart(2, '0'));
  return printInstant(instantMs + shift * 60_000).replace('Z', `${shift < 0 ? '-' : '+'}${hoursText}:${minutesText}`);
}
