/**
 * Reads the records of other tenants, with their keys. `tenancy-rules.ts` calls it when a run chooses its operations, when a round examines it, and when it
 * judges. It says which records are foreign, and leaves to the rules if a reply may show them.
 */

import { isObject, type Json } from '../../../core/json.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isSuccess, type Reply } from './call-and-reply.ts';
import { type Caller, rolesOfOtherTenants } from './callers-and-keys.ts';
import { keyOf } from './list-keys-and-filters.ts';
import type { Pagination } from './pagination/paginate.ts';
import { largestLimit } from './pagination/paginate.ts';
import type { RoundContext } from './round-context.ts';
import type { Snapshot } from './snapshot.ts';

/** The setting that a rule needs if the run has no second key. */
export const otherKeyMissing = 'a key of another tenant: --key other=VARIABLE';

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
  return records.every((record) => JSON.stringify(ownSnapshot.byKey.get(keyOf(ownSnapshot.operation, record))) === JSON.stringify(record));
}

/** The other tenant's records whose value of a field no record of the caller has. */
export function foreignBy({ pagination, ownSnapshot }: Tenants, field: string): readonly DataRecord[] {
  const ownValues = new Set(ownSnapshot.records.map((record) => JSON.stringify(valueAt(record, field))));
  return pagination.records.filter(
    (record) => valueAt(record, field) !== undefined && !ownValues.has(JSON.stringify(valueAt(record, field))),
  );
}

/** True for an operation that reads a single resource of a tenant. */
export function isSingleton({ method, resource, parameters }: Operation): boolean {
  return method === 'GET' && resource?.by.size === 0 && !parameters.some(({ required }) => required);
}

/** True if two keys show the same singletons, which means that they belong to one tenant. */
async function isSameTenant(context: RoundContext, role: Caller): Promise<boolean> {
  const pairs: (readonly [Reply, Reply])[] = [];
  for (const operation of context.contract.operations.filter(isSingleton))
    pairs.push([await context.ask({ operation }), await context.ask({ operation, as: role })]);
  const successes = pairs.filter(([one, other]) => isSuccess(one) && isSuccess(other));
  return successes.length > 0 && successes.every(([one, other]) => JSON.stringify(one.body) === JSON.stringify(other.body));
}

/** True when a response shows a record: the record itself, or an object with all its members. */
export function showsRecord(reply: Reply, record: DataRecord): boolean {
  const showsIn = (value: Json): boolean => {
    if (Array.isArray(value)) return (value as readonly Json[]).some(showsIn);
    return isObject(value) && (hasMembers(value, record) || Object.values(value).some(showsIn));
  };
  return reply.body !== undefined && showsIn(reply.body);
}

function hasMembers(value: DataRecord, record: DataRecord): boolean {
  return Object.entries(record).every(([name, member]) => JSON.stringify(value[name]) === JSON.stringify(member));
}

/** The value of the field by which a parameter identifies a record. */
export function identityOf(operation: Operation, parameter: string, record: DataRecord): Json | undefined {
  const field = operation.resource?.by.get(parameter);
  const value = field === undefined ? undefined : valueAt(record, field);
  return value === null ? undefined : value;
}
