/**
 * Compares the records of a pagination with those that the snapshot predicts. The filter, range-filter, checkpoint and cursor-all-pages rules call it when they
 * judge, some through `examine-filters.ts`. Two filter rules also call it when a round examines them. `explain-pagination.ts` calls it for each mutant, and
 * `wrong-responses-of-violation.ts` for violations; it names no mutant.
 */

import type { FilterArguments } from '../../../../core/query/query.ts';
import { keyOf, keysOf, matchingRecords, toFilterArguments } from '../list-keys-and-filters.ts';
import { type StableRecord, stableRecords } from '../readings-of-records.ts';
import type { RoundContext } from '../round-context.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Pagination } from './paginate.ts';

/** Result of comparing a pagination with the snapshot. */
export interface SelectionComparison {
  readonly filterArguments: FilterArguments;
  /** The keys of the records that it returned. */
  readonly returnedKeys: ReadonlySet<string>;
  readonly stable: readonly StableRecord[];
  /** The stable records that are missing, or that do not match. */
  readonly wrongRecords: readonly StableRecord[];
}

/** Comparisons by pagination, valid until the round has further replies. */
const comparisons = new WeakMap<Pagination, { readonly replies: number; readonly comparison: SelectionComparison }>();

/** Compares a pagination with the prediction from the snapshot. */
export function comparePagination(context: RoundContext, snapshot: Snapshot, pagination: Pagination): SelectionComparison {
  const replies = context.replies.length;
  const cached = comparisons.get(pagination);
  if (cached?.replies === replies) return cached.comparison;
  const { operation } = snapshot;
  const filterArguments = toFilterArguments(pagination.values);
  const returnedKeys = new Set(keysOf(operation, pagination.records));
  const stable = stableRecords(context, snapshot, pagination).filter((each) => snapshot.byKey.has(each.key));
  const wrongRecords = stable.filter(
    (each) => returnedKeys.has(each.key) !== operation.collection.query.matches(each.record, filterArguments),
  );
  const comparison = { filterArguments, returnedKeys, stable, wrongRecords };
  comparisons.set(pagination, { replies, comparison });
  return comparison;
}

/** The stable records that a pagination must contain by its filters, and those of them that it lacks. */
export function findMissing(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
): { readonly expectedRecords: readonly StableRecord[]; readonly missing: readonly StableRecord[] } {
  const { operation } = snapshot;
  const filterArguments = toFilterArguments(pagination.values);
  const returnedKeys = new Set(keysOf(operation, pagination.records));
  const stable = stableRecords(context, snapshot, pagination);
  const expectedRecords = stable.filter((each) => operation.collection.query.matches(each.record, filterArguments));
  return { expectedRecords, missing: expectedRecords.filter((each) => !returnedKeys.has(each.key)) };
}

/** True when a pagination equals the prediction from the snapshot. Otherwise data may have changed, or a simpler request may show the mistake. */
export function isAsPredicted({ operation, records }: Snapshot, pagination: Pagination): boolean {
  const returnedKeys = new Set(keysOf(operation, pagination.records));
  const predictedRecords = new Set(matchingRecords(operation, records, pagination.values));
  return records.every((record) => returnedKeys.has(keyOf(operation, record)) === predictedRecords.has(record));
}
