/**
 * Reads the lists of other tenants with their keys, and tells which of their records are foreign to the caller. Whether a reply may show one is left to the
 * rules.
 */

import { printJson } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isSuccess, type Reply } from './call.ts';
import { type Caller, rolesOfOtherTenants } from './callers.ts';
import type { Pagination } from './pagination/pagination.ts';
import { largestLimit } from './pagination/pagination.ts';
import { recordKeyOf } from './record-keys-and-filters.ts';
import type { RoundContext } from './round-context.ts';
import { isSingleton } from './single-record-calls.ts';
import type { Snapshot } from './snapshot.ts';

/** The beginning of another tenant's list, and the caller's own list. */
export interface Tenants {
  readonly role: Caller;
  readonly pagination: Pagination;
  readonly ownSnapshot: Snapshot;
}

/** Page size for the lists of other tenants. */
const foreignPageSize = 20;

/**
 * Reads the beginning of another tenant's list, of the first that has records; `undefined` when no key of the run is known to belong
 * to another tenant.
 */
export async function readTenants(context: RoundContext, list: ListOperation): Promise<Tenants | undefined> {
  const roles = rolesOfOtherTenants(context.keys);
  const limit = Math.min(foreignPageSize, largestLimit(list));
  const ownSnapshot = await context.snapshot(list);
  let empty: Tenants | undefined;
  for (const role of context.quick ? roles.slice(0, 1) : roles) {
    const pagination = await context.pagination({ operation: list, values: {}, limit, as: role, maxPages: context.quick ? 1 : 2 });
    if (pagination.records.length === 0) empty ??= { role, pagination, ownSnapshot };
    else if (!showsSameRecords(ownSnapshot, pagination) || !(await isSameTenant(context, role))) return { role, pagination, ownSnapshot };
  }
  return empty;
}

/** True when two keys show the same records: they belong to one tenant, or tenants are not separated. */
function showsSameRecords(ownSnapshot: Snapshot, { records }: Pagination): boolean {
  return records.every((record) => isSameValue(ownSnapshot.byKey.get(recordKeyOf(ownSnapshot.operation, record)), record));
}

/** The other tenant's records whose value of a field no record of the caller has. */
export function foreignBy({ pagination, ownSnapshot }: Tenants, field: string): readonly DataRecord[] {
  const ownValues = new Set(ownSnapshot.records.map((record) => printJson(valueAt(record, field))));
  return pagination.records.filter((record) => valueAt(record, field) !== undefined && !ownValues.has(printJson(valueAt(record, field))));
}

/** True if two keys show the same singletons, which means that they belong to one tenant. */
async function isSameTenant(context: RoundContext, role: Caller): Promise<boolean> {
  const pairs: (readonly [Reply, Reply])[] = [];
  for (const operation of context.contract.operations.filter(isSingleton))
    pairs.push([await context.ask({ operation }), await context.ask({ operation, as: role })]);
  const successes = pairs.filter(([one, other]) => isSuccess(one) && isSuccess(other));
  return successes.length > 0 && successes.every(([one, other]) => isSameValue(one.body, other.body));
}
