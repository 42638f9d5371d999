/** Judges whether records are lost or repeated at page boundaries, and names the mutants that do so. Sends nothing. */

import { definedOf } from '../../../../core/drop-undefined.ts';
import { printJson } from '../../../../core/json.ts';
import { type MutantIdentity, mutantOf } from '../../../../core/mutants/mutant-catalogue.ts';
import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { instantOf } from '../../../../core/query/instants.ts';
import type { DataRecord } from '../../../../core/query/query.ts';
import { describeRecords, describeValues } from '../../rules/describe-values.ts';
import { type Contradiction, contradicts, type Deferral } from '../../rules/rule.ts';
import { keysOf, recordKeyOf } from '../record-keys-and-filters.ts';
import { type StableRecord, stableRecords } from '../record-readings.ts';
import type { RoundContext } from '../round-context.ts';
import type { Snapshot } from '../snapshot.ts';
import { unlessExplained } from './find-explaining-mutant.ts';
import { type Pagination, paginationPlanOf } from './pagination.ts';

/** The cursors of mutants that lose or repeat ties, by the precision of the stored position. */
const coarseCursors = {
  equal: 'a cursor stores only a value that several records share',
  second: 'a cursor stores its time only to the second',
  minute: 'a cursor stores its time only to the minute',
} as const;

/** The mutant of a cursor that loses or repeats ties. */
export function tieMutant(kind: 'tie-skipped' | 'tie-repeated', coarseness: Coarseness = 'equal'): MutantIdentity {
  return mutantOf(kind, { cursor: coarseCursors[coarseness] });
}

/** Precision of a cursor. */
type Coarseness = keyof typeof coarseCursors;

/** Intervals in nanoseconds, by the precision of a cursor. */
const grids: readonly (readonly [Coarseness, bigint])[] = [
  ['equal', 1n],
  ['second', 1_000_000_000n],
  ['minute', 60_000_000_000n],
];

/** The field whose equal values make ties. */
export function tieField({ collection }: ListOperation): string | undefined {
  return collection.version ?? collection.order[0]?.by;
}

/** The precision at which each missing record ties with the last record of a page; `undefined` if one ties with none. */
export function tieOfMissing(pagination: Pagination, missing: readonly Pick<StableRecord, 'record'>[]): Coarseness | undefined {
  const lastRecords = lastRecordsOf(pagination);
  return findGrid((grid) => missing.every(({ record }) => lastRecords.some((edge) => isTie(pagination.operation, record, edge, grid))));
}

/**
 * The precision at which each repeated record ties with another record at the end of a page; `undefined` if one ties with none. Without a tie, the cursor
 * repeats the last record of every page.
 */
export function tieOfRepeated({ operation, ...pagination }: Pagination, repeated: readonly StableRecord[]): Coarseness | undefined {
  const lastRecords = lastRecordsOf(pagination);
  const isShared = (edge: DataRecord, grid: bigint): boolean =>
    pagination.records.some(
      (other) => recordKeyOf(operation, other) !== recordKeyOf(operation, edge) && isTie(operation, other, edge, grid),
    );
  return findGrid((grid) =>
    repeated.every(({ record }) => lastRecords.some((edge) => isTie(operation, record, edge, grid) && isShared(edge, grid))),
  );
}

function findGrid(holds: (grid: bigint) => boolean): Coarseness | undefined {
  return grids.find(([, grid]) => holds(grid))?.[0];
}

function lastRecordsOf(pagination: Pick<Pagination, 'pages'>): readonly DataRecord[] {
  return pagination.pages.slice(0, -1).flatMap((page) => page.slice(-1));
}

/** True for equal values, and for instants in the same interval of `grid` nanoseconds, in any UTC offset. */
export function isTie(operation: ListOperation, left: DataRecord, right: DataRecord, grid = 1n): boolean {
  const field = tieField(operation);
  if (field === undefined) return false;
  const values = [valueAt(left, field), valueAt(right, field)] as const;
  if (printJson(values[0]) === printJson(values[1])) return true;
  const [first, second] = [instantOf(values[0]), instantOf(values[1])];
  return first !== undefined && second !== undefined && first / grid === second / grid;
}

/** The stable records that a pagination contains more than once. */
export function repeatedIn(context: RoundContext, snapshot: Snapshot, pagination: Pagination): readonly StableRecord[] {
  const { operation } = snapshot;
  const keys = keysOf(operation, pagination.records);
  const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) < index));
  return stableRecords(context, snapshot, pagination).filter(({ key }) => repeated.has(key));
}

/** Makes the finding that a pagination lacks records. */
export function contradictMissing(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  missing: readonly StableRecord[],
  mutant?: MutantIdentity,
): Contradiction | Deferral {
  const { operation } = snapshot;
  const keys = missing.map((each) => each.key);
  const [first] = missing;
  const contradiction = contradicts({
    replies: [...definedOf(first?.before.reply), ...pagination.replies.slice(0, 3)],
    expected: `${operation.id} with ${describeValues(pagination.values)} in ${describeSize(pagination)} must return ${describeRecords(operation, keys)}, as the whole list does`,
    actual: `no page contains ${keys.length === 1 ? 'it' : 'them'}`,
    records: missing.slice(0, 3).map((each) => each.record),
    recordKeys: keys,
    paginationPlan: paginationPlanOf(pagination),
    mutant,
  });
  return unlessExplained(context, snapshot, pagination, contradiction);
}

/** Makes the finding that a pagination contains records more than once. */
export function contradictRepeated(
  pagination: Pagination,
  repeated: readonly Pick<StableRecord, 'key' | 'record'>[],
  mutant: MutantIdentity,
): Contradiction {
  const { operation } = pagination;
  const keys = repeated.map((each) => each.key);
  const pages = pagination.replies.filter((_, index) =>
    pagination.pages[index]?.some((record) => recordKeyOf(operation, record) === keys[0]),
  );
  return contradicts({
    replies: pages.slice(0, 2),
    expected: `${operation.id} with ${describeValues(pagination.values)} in ${describeSize(pagination)} must return each record once`,
    actual: `the pages contain ${describeRecords(operation, keys)} more than once`,
    records: repeated.slice(0, 3).map((each) => each.record),
    recordKeys: keys,
    paginationPlan: paginationPlanOf(pagination),
    mutant,
  });
}

function describeSize({ limit }: Pagination): string {
  return limit === undefined ? 'pages of the default size' : `pages of ${limit}`;
}
