/** Compares the records of a pagination with those that the snapshot predicts, and finds records that only filtered reads show. Knows no mutants. */

import { printJson } from '../../../../core/json.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { DataRecord, FilterArguments } from '../../../../core/query/query.ts';
import { enumFilters } from '../filter-values.ts';
import { paginationsOf } from '../read-filtered-lists.ts';
import { fieldOf, keysOf, matchingRecords, type ParameterValues, recordKeyOf, toFilterArguments } from '../record-keys-and-filters.ts';
import { type StableRecord, stableRecords } from '../record-readings.ts';
import type { RoundContext } from '../round-context.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Pagination } from './pagination.ts';

/** Result of comparing a pagination with the snapshot. */
export interface SelectionComparison {
  readonly filterArguments: FilterArguments;
  /** The keys of the records that it returned. */
  readonly returnedKeys: ReadonlySet<string>;
  readonly stable: readonly StableRecord[];
  /** The stable records that are missing, or that do not match. */
  readonly wrongRecords: readonly StableRecord[];
}

/** Compares a pagination with the prediction from the snapshot. */
export function comparePagination(context: RoundContext, snapshot: Snapshot, pagination: Pagination): SelectionComparison {
  return context.concludeSoFar(compareSelection, snapshot, pagination);
}

function compareSelection(context: RoundContext, snapshot: Snapshot, pagination: Pagination): SelectionComparison {
  const { operation } = snapshot;
  const filterArguments = toFilterArguments(pagination.values);
  const returnedKeys = new Set(keysOf(operation, pagination.records));
  const stable = stableRecords(context, snapshot, pagination).filter((each) => snapshot.byKey.has(each.key));
  const matches = operation.collection.query.matching(filterArguments);
  const wrongRecords = stable.filter((each) => returnedKeys.has(each.key) !== matches(each.record));
  return { filterArguments, returnedKeys, stable, wrongRecords };
}

/** The stable records that a pagination must contain by its filters, and those of them that it lacks. */
export function findMissing(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
): { readonly expectedRecords: readonly StableRecord[]; readonly missing: readonly StableRecord[] } {
  const { filterArguments, returnedKeys } = comparePagination(context, snapshot, pagination);
  const matches = snapshot.operation.collection.query.matching(filterArguments);
  const expectedRecords = stableRecords(context, snapshot, pagination).filter((each) => matches(each.record));
  return { expectedRecords, missing: expectedRecords.filter((each) => !returnedKeys.has(each.key)) };
}

/** True when a pagination equals the prediction from the snapshot. Otherwise data may have changed, or a simpler request may show the mistake. */
export function isAsPredicted({ operation, records }: Snapshot, pagination: Pagination): boolean {
  const returnedKeys = new Set(keysOf(operation, pagination.records));
  const predictedRecords = new Set(matchingRecords(operation, records, pagination.values));
  return records.every((record) => returnedKeys.has(recordKeyOf(operation, record)) === predictedRecords.has(record));
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
export function findMissingFromWholeList(context: RoundContext, snapshot: Snapshot): readonly MissingRecord[] {
  const { operation, pagination: opening, finalPagination: closing } = snapshot;
  if (opening.end !== 'complete' || closing?.end !== 'complete') return [];
  const wholeListKeys = new Set(keysOf(operation, [...opening.records, ...closing.records]));
  const otherRecords = paginationsOf(context, snapshot)
    .filter((pagination) => isInsideSnapshot(snapshot, pagination))
    .flatMap((pagination) =>
      pagination.records.map((record): MissingRecord => ({ key: recordKeyOf(operation, record), record, pagination })),
    );
  return otherRecords.filter(({ key }, index) => !wholeListKeys.has(key) && otherRecords.findIndex((each) => each.key === key) === index);
}

/** True when a request has the filters of the snapshot, among others or alone. */
export function isInsideSnapshot({ base }: Snapshot, { values }: { readonly values: ParameterValues }): boolean {
  return Object.entries(base).every(([name, value]) => printJson(values[name]) === printJson(value));
}

/** Finds the filter with a value that only missing records have: the unfiltered list hides that value. `undefined` if there is none. */
export function findHidingFilter(contract: Contract, snapshot: Snapshot, hidden: readonly MissingRecord[]): string | undefined {
  return enumFilters(contract, snapshot.operation).find((name) => {
    const fieldValue = (record: DataRecord): string => printJson(valueAt(record, fieldOf(snapshot.operation, name) ?? ''));
    const values = new Set(hidden.map(({ record }) => fieldValue(record)));
    return !snapshot.records.some((record) => values.has(fieldValue(record)));
  });
}
