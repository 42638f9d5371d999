/** Another tenant: what its key shows, so that it can be looked for in the answers to the caller's own key. */

import { isObject, type Json } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import type { Caller } from './call.ts';
import { otherTenants } from './keyring.ts';
import type { Lab } from './lab.ts';
import { isSuccess, type Reply } from './reply.ts';
import { largestPage, type Universe } from './universe.ts';
import { keyOf, type ListOperation, type Walk } from './walk.ts';

/** What a run without a second key lacks. */
export const otherKey = 'a key of another tenant: --key other=VARIABLE';

/** A part of another tenant's list, and the caller's own list. */
export interface Tenants {
  readonly role: Caller;
  readonly walk: Walk;
  readonly own: Universe;
}

const pageSize = 20;

/**
 * Reads the beginning of another tenant's list, of the first that has records; `undefined` when no key of the run is known to belong
 * to another tenant.
 */
export async function readTenants(lab: Lab, list: ListOperation): Promise<Tenants | undefined> {
  const roles = otherTenants(lab.keys);
  const limit = Math.min(pageSize, largestPage(list));
  const own = await lab.universe(list);
  let empty: Tenants | undefined;
  for (const role of lab.quick ? roles.slice(0, 1) : roles) {
    const walk = await lab.walk({ operation: list, values: {}, limit, as: role, most: lab.quick ? 1 : 2 });
    if (walk.records.length === 0) empty = empty ?? { role, walk, own };
    else if (!isWithin(own, walk) || !(await isSameTenant(lab, role))) return { role, walk, own };
  }
  return empty;
}

/** Whether two keys show the same records: they may be keys of one tenant, or nothing keeps the tenants apart. */
function isWithin(own: Universe, { records }: Walk): boolean {
  return records.every((record) => JSON.stringify(own.byKey.get(keyOf(own.operation, record))) === JSON.stringify(record));
}

/** The other tenant's records that no record of the caller's own shares the value of a field with. */
export function foreignBy({ walk, own }: Tenants, field: string): readonly Entry[] {
  const known = new Set(own.records.map((record) => JSON.stringify(valueAt(record, field))));
  return walk.records.filter((record) => valueAt(record, field) !== undefined && !known.has(JSON.stringify(valueAt(record, field))));
}

/** Whether an operation reads what exists once for a tenant. */
export function isSingleton({ method, resource, parameters }: Operation): boolean {
  return method === 'GET' && resource?.by.size === 0 && !parameters.some(({ required }) => required);
}

/** Two keys of one tenant show the same of everything that exists once. */
async function isSameTenant(lab: Lab, role: Caller): Promise<boolean> {
  const pairs: (readonly [Reply, Reply])[] = [];
  for (const operation of lab.contract.operations.filter(isSingleton))
    pairs.push([await lab.ask({ operation }), await lab.ask({ operation, as: role })]);
  const telling = pairs.filter(([one, other]) => isSuccess(one) && isSuccess(other));
  return telling.length > 0 && telling.every(([one, other]) => JSON.stringify(one.body) === JSON.stringify(other.body));
}

/** Whether an answer shows a record: the record itself, or an object that has all its members. */
export function showsRecord(reply: Reply, record: Entry): boolean {
  const holds = (value: Json): boolean => {
    if (Array.isArray(value)) return (value as readonly Json[]).some(holds);
    return isObject(value) && (hasMembers(value, record) || Object.values(value).some(holds));
  };
  return reply.body !== undefined && holds(reply.body);
}

function hasMembers(value: Entry, record: Entry): boolean {
  return Object.entries(record).every(([name, member]) => JSON.stringify(value[name]) === JSON.stringify(member));
}

/** The value of the field by which a parameter identifies a record. */
export function identityOf(operation: Operation, parameter: string, record: Entry): Json | undefined {
  const field = operation.resource?.by.get(parameter);
  const value = field === undefined ? undefined : valueAt(record, field);
  return value === null ? undefined : value;
}
