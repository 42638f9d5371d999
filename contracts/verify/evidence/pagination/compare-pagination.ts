/**
 * Compares paginations with the snapshot. The filter, range, sync and cursor-sequence rules call it when they judge, some through `examine-selections.ts`.
 * `explain-pagination.ts` calls it for each mutant, and `find-wrong-responses.ts` for violations. It names no mutant.
 */

import type { FilterArguments } from '../../../../core/query/query.ts';
import { keyOf, keysOf, matching, toFilterArguments } from '../list-records.ts';
import { type StableRecord, stableRecords } from '../readings.ts';
import type { RoundContext } from '../round-context.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Pagination } from './paginate.ts';

/** A pagination, compared with the snapshot. */
export interface SelectionComparison {
  readonly filterArguments: FilterArguments;
  /** The keys of the records that it returned. */
  readonly returned: ReadonlySet<string>;
  readonly stable: readonly StableRecord[];
  /** The stable records that are missing, or that do not match. */
  readonly wrong: readonly StableRecord[];
}

/** Comparisons by pagination, valid until the round has further replies. */
const compared = new WeakMap<Pagination, { readonly replies: number; readonly comparison: SelectionComparison }>();

/** Compares a pagination with the prediction from the snapshot. */
export function comparePagination(context: RoundContext, snapshot: Snapshot, pagination: Pagination): SelectionComparison {
  const replies = context.replies.length;
  const known = compared.get(pagination);
  if (known?.replies === replies) return known.comparison;
  const { operation } = snapshot;
  const filterArguments = toFilterArguments(pagination.values);
  const returned = new Set(keysOf(operation, pagination.records));
  const stable = stableRecords(context, snapshot, pagination).filter((each) => snapshot.byKey.has(each.key));
  const wrong = stable.filter((each) => returned.has(each.key) !== operation.collection.query.matches(each.record, filterArguments));
  const comparison = { filterArguments, returned, stable, wrong };
  compared.set(pagination, { replies, comparison });
  return comparison;
}

/** The stable records that match the filters of a pagination (`due`), and those of them that it does not contain (`missing`). */
export function findMissing(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
): { readonly due: readonly StableRecord[]; readonly missing: readonly StableRecord[] } {
  const { operation } = snapshot;
  const filterArguments = toFilterArguments(pagination.values);
  const returned = new Set(keysOf(operation, pagination.records));
  const stable = stableRecords(context, snapshot, pagination);
  const due = stable.filter((each) => operation.collection.query.matches(each.record, filterArguments));
  return { due, missing: due.filter((each) => !returned.has(each.key)) };
}

/** True when a pagination equals the prediction from the snapshot. Otherwise data may have changed, or a simpler request may show the mistake. */
export function isAsPredicted({ operation, records }: Snapshot, pagination: Pagination): boolean {
  const returned = new Set(keysOf(operation, pagination.records));
  const predicted = new Set(matching(operation, records, pagination.values));
  return records.every((record) => returned.has(keyOf(operation, record)) === predicted.has(record));
}
