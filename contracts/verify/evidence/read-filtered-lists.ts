/**
 * Reads a list by filter values, and finds records that only such reads show. The filter, range-filter, checkpoint, sort-order, cursor-all-pages,
 * numbered-single-page and hidden-record rules call it when they examine or judge, some through their examinations. `explain-pagination.ts` lists paginations
 * by it. `filter-values.ts` chooses the values.
 */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { allWithinBase, enumFilters, listedValues, predictableFilters } from './filter-values.ts';
import { fieldOf, filterBy, keyOf, keysOf, matchingRecords, type ParameterValues } from './list-keys-and-filters.ts';
import { firstPageCall, largestLimit, type Pagination } from './pagination/paginate.ts';
import type { RoundContext } from './round-context.ts';
import type { Snapshot } from './snapshot.ts';

/** Reads a list with filters. */
export function readSelection(
  context: RoundContext,
  { operation, as, pagination }: Snapshot,
  values: ParameterValues,
): Promise<Pagination> {
  return context.pagination({ operation, values, limit: largestLimit(operation), as, maxPages: pagination.replies.length + 3 });
}

/** Reads the selection of each listed value. */
export async function readByListedValue(context: RoundContext, snapshot: Snapshot, name: string): Promise<readonly Pagination[]> {
  const { operation, as } = snapshot;
  const paginations: Pagination[] = [];
  for (const values of snapshot.isComplete ? allWithinBase(snapshot, listedFilters(operation, name)) : []) {
    // One page is enough to show that the server knows the value.
    const isLarge = matchingRecords(operation, snapshot.records, values).length > largestLimit(operation);
    paginations.push(
      isLarge
        ? await context.pagination({ operation, values, limit: largestLimit(operation), as, maxPages: 1 })
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
export async function readFirstPageOfParts(context: RoundContext, operation: ListOperation): Promise<void> {
  const snapshot = await context.snapshot(operation);
  const selections = predictableFilters(context.contract, operation).flatMap((name) => listedFilters(operation, name));
  for (const values of allWithinBase(snapshot, selections).slice(0, context.quick ? maxParts.quick : maxParts.full))
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
export function findMissingFromWholeList(context: RoundContext, snapshot: Snapshot): readonly MissingRecord[] {
  const { operation, pagination: opening, finalPagination: closing } = snapshot;
  if (opening.end !== 'complete' || closing?.end !== 'complete') return [];
  const wholeListKeys = new Set(keysOf(operation, [...opening.records, ...closing.records]));
  const otherRecords = paginationsOf(context, snapshot)
    .filter((pagination) => isInsideSnapshot(snapshot, pagination))
    .flatMap((pagination) => pagination.records.map((record): MissingRecord => ({ key: keyOf(operation, record), record, pagination })));
  return otherRecords.filter(({ key }, index) => !wholeListKeys.has(key) && otherRecords.findIndex((each) => each.key === key) === index);
}

/** Every pagination of a list by one caller in this round. */
export function paginationsOf(context: RoundContext, { operation, as }: Snapshot): readonly Pagination[] {
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
