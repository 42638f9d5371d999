/** Access control: wrong keys that are nearly right, records of another tenant, and the comparison of replies to different callers. The key and tenancy rules call it. */

import { type HttpHeaders, headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { Secret } from '../../../core/redaction/redaction.ts';
import { anonymous, type Call, type Caller, isSuccess, type Key, type Keyring, otherTenants, type Reply } from './call.ts';
import { needsKey } from './clauses.ts';
import { keyOf, type Pagination } from './paginate.ts';
import type { RunContext } from './run-context.ts';
import { largestPage, type Snapshot } from './snapshot.ts';

/** Missing evidence of a quick run. */
export const roomInQuickRun = 'room in a quick run';

/** The operation that represents all others where one is enough: a list if possible, because it needs no identifier. */
export function firstGuarded({ contract }: RunContext): Operation | undefined {
  const guarded = contract.operations.filter((operation) => operation.method === 'GET' && needsKey(operation));
  return guarded.find((operation) => operation.collection !== undefined) ?? guarded[0];
}

/** True if a run examines an operation for a rule that is the same at all operations: a quick run examines only one. */
export function isExamined(context: RunContext, operation: Operation): boolean {
  return !context.quick || firstGuarded(context)?.id === operation.id;
}

/** The call with a given key in the first documented carrier; `undefined` if that carrier cannot send a single key. */
export function withKey(call: Call, key: string): Call | undefined {
  const credentials = call.operation.security.find((alternative) => alternative.length > 0);
  const [credential, ...others] = credentials ?? [];
  if (credential === undefined || others.length > 0) return undefined;
  const { carrier } = credential;
  const asNobody = { ...call, as: anonymous };
  if (carrier.in === 'query')
    return { ...asNobody, raw: [...(call.raw ?? []), `${encodeURIComponent(carrier.name)}=${encodeURIComponent(key)}`] };
  if (carrier.in === 'authorization' && carrier.word === 'Basic') return undefined;
  const [name, text] =
    carrier.in === 'authorization'
      ? ['authorization', `${carrier.word} ${key}`]
      : carrier.in === 'header'
        ? [carrier.name, key]
        : ['cookie', `${carrier.name}=${key}`];
  return { ...asNobody, headers: { ...call.headers, [name]: text } };
}

/** A key that is nearly right. */
export interface KeyVariant {
  /** The kind of mutant that accepts it. */
  readonly kind: 'key-case-ignored' | 'key-beginning-accepted';
  readonly value: string;
  /** Written in a shell, the name makes the value from the variable of the key. */
  readonly secret: Secret;
}

/** Number of characters cut from the end of a key. */
const leftOut = 4;

/** The variants of a key that a server must refuse. */
export function variantsOf({ variable, value }: Key): readonly KeyVariant[] {
  const swapped = swapCase(value);
  const beginning = value.slice(0, -leftOut);
  const variants: readonly KeyVariant[] = [
    {
      kind: 'key-case-ignored',
      value: swapped,
      secret: { name: `(printf %s $${variable} | tr a-zA-Z A-Za-z)`, value: swapped },
    },
    {
      kind: 'key-beginning-accepted',
      value: beginning,
      secret: { name: `(printf %.${beginning.length}s $${variable})`, value: beginning },
    },
  ];
  // Hexadecimal digits mean the same in either case; and half of a short key would be found in texts by chance.
  return variants.filter((variant) =>
    variant.kind === 'key-case-ignored' ? swapped !== value && !/^[\da-f-]*$/i.test(value) : beginning.length >= 12,
  );
}

/** Every variant of every key, as secrets that no output may show. */
export function variantSecrets(keys: Keyring): readonly Secret[] {
  return [...keys.values()].flatMap((key) => variantsOf(key).map(({ secret }) => secret));
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

/** Missing evidence of a run without a second key. */
export const otherKey = 'a key of another tenant: --key other=VARIABLE';

/** The beginning of another tenant's list, and the caller's own list. */
export interface Tenants {
  readonly role: Caller;
  readonly pagination: Pagination;
  readonly own: Snapshot;
}

const pageSize = 20;

/**
 * Reads the beginning of another tenant's list, of the first that has records; `undefined` when no key of the run is known to belong
 * to another tenant.
 */
export async function readTenants(context: RunContext, list: ListOperation): Promise<Tenants | undefined> {
  const roles = otherTenants(context.keys);
  const limit = Math.min(pageSize, largestPage(list));
  const own = await context.snapshot(list);
  let empty: Tenants | undefined;
  for (const role of context.quick ? roles.slice(0, 1) : roles) {
    const pagination = await context.pagination({ operation: list, values: {}, limit, as: role, maxPages: context.quick ? 1 : 2 });
    if (pagination.records.length === 0) empty = empty ?? { role, pagination, own };
    else if (!isWithin(own, pagination) || !(await isSameTenant(context, role))) return { role, pagination, own };
  }
  return empty;
}

/** True when two keys show the same records: they belong to one tenant, or tenants are not separated. */
function isWithin(own: Snapshot, { records }: Pagination): boolean {
  return records.every((record) => JSON.stringify(own.byKey.get(keyOf(own.operation, record))) === JSON.stringify(record));
}

/** The other tenant's records whose value of a field no record of the caller has. */
export function foreignBy({ pagination, own }: Tenants, field: string): readonly DataRecord[] {
  const known = new Set(own.records.map((record) => JSON.stringify(valueAt(record, field))));
  return pagination.records.filter((record) => valueAt(record, field) !== undefined && !known.has(JSON.stringify(valueAt(record, field))));
}

/** True for an operation that reads a single resource of a tenant. */
export function isSingleton({ method, resource, parameters }: Operation): boolean {
  return method === 'GET' && resource?.by.size === 0 && !parameters.some(({ required }) => required);
}

/** True if two keys show the same singletons, which means that they belong to one tenant. */
async function isSameTenant(context: RunContext, role: Caller): Promise<boolean> {
  const pairs: (readonly [Reply, Reply])[] = [];
  for (const operation of context.contract.operations.filter(isSingleton))
    pairs.push([await context.ask({ operation }), await context.ask({ operation, as: role })]);
  const telling = pairs.filter(([one, other]) => isSuccess(one) && isSuccess(other));
  return telling.length > 0 && telling.every(([one, other]) => JSON.stringify(one.body) === JSON.stringify(other.body));
}

/** True when a response shows a record: the record itself, or an object with all its members. */
export function showsRecord(reply: Reply, record: DataRecord): boolean {
  const holds = (value: Json): boolean => {
    if (Array.isArray(value)) return (value as readonly Json[]).some(holds);
    return isObject(value) && (hasMembers(value, record) || Object.values(value).some(holds));
  };
  return reply.body !== undefined && holds(reply.body);
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

/** Options for comparing replies. */
export interface Comparison {
  /** Names of the headers to compare. Default: all except those of the connection. */
  readonly headers?: readonly string[];
  /** Removes echoed values of the request from a text of its reply. */
  readonly neutral?: (text: string, reply: Reply) => string;
}

/** Headers that follow from the moment, the connection or the length of the body. */
const ownHeaders: ReadonlySet<string> = new Set([
  'date',
  'age',
  'expires',
  'connection',
  'keep-alive',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'set-cookie',
  'last-modified',
]);

/** The differences of two replies: `status`, `header NAME`, or a JSON Pointer into the body. */
export function differencesBetween(one: Reply, other: Reply, comparison: Comparison = {}): readonly string[] {
  const status = one.response.status === other.response.status ? [] : ['status'];
  return [...status, ...headerDifferences(one, other, comparison), ...bodyDifferences(one, other, comparison)];
}

/**
 * The lasting differences between two requests that were each sent twice: those that occur both times, and never between two replies to the same
 * request. Values such as times and request ids differ each time.
 */
export function lastingDifferences(
  first: readonly [Reply, Reply],
  second: readonly [Reply, Reply],
  comparison: Comparison = {},
): readonly string[] {
  const again = new Set(differencesBetween(first[1], second[1], comparison));
  const restless = [...differencesBetween(first[0], first[1], comparison), ...differencesBetween(second[0], second[1], comparison)];
  return differencesBetween(first[0], second[0], comparison).filter(
    (each) => again.has(each) && !restless.some((moving) => isBelow(each, moving) || isBelow(moving, each) || sharesList(each, moving)),
  );
}

function isBelow(place: string, whole: string): boolean {
  return place === whole || place.startsWith(`${whole}/`);
}

/** True if two places are in the same array: an inserted element shifts all others, so their places cannot be compared. */
function sharesList(one: string, other: string): boolean {
  const list = /^(.*?)\/\d+(\/|$)/.exec(one)?.[1];
  return list !== undefined && list === /^(.*?)\/\d+(\/|$)/.exec(other)?.[1];
}

function headerDifferences(one: Reply, other: Reply, { headers, neutral }: Comparison): readonly string[] {
  const names = new Set([...Object.keys(one.response.headers), ...Object.keys(other.response.headers)].map((name) => name.toLowerCase()));
  const compared = [...names].filter((name) => (headers === undefined ? !ownHeaders.has(name) : headers.includes(name)));
  const read = (reply: Reply, name: string): string | undefined => {
    const text = headerOf(reply.response.headers satisfies HttpHeaders, name);
    return text === undefined || neutral === undefined ? text : neutral(text, reply);
  };
  return compared.filter((name) => read(one, name) !== read(other, name)).map((name) => `header ${name}`);
}

function bodyDifferences(one: Reply, other: Reply, { neutral }: Comparison): readonly string[] {
  const [left, right] = [one, other].map((reply) => (neutral === undefined ? reply.response.body : neutral(reply.response.body, reply)));
  if (left === right) return [];
  const [first, second] = [one, other].map(({ body }) => body);
  if (first === undefined || second === undefined) return ['the body'];
  const found: string[] = [];
  const same = (a: string, b: string): boolean => (neutral === undefined ? a === b : neutral(a, one) === neutral(b, other));
  compare(first, second, [], same, found);
  return found;
}

function compare(
  left: Json | undefined,
  right: Json | undefined,
  keys: readonly (string | number)[],
  same: (left: string, right: string) => boolean,
  found: string[],
): void {
  if (isObject(left) && isObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
      compare(left[name], right[name], [...keys, name], same, found);
  } else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    for (const index of left.keys())
      compare((left as readonly Json[])[index], (right as readonly Json[])[index], [...keys, index], same, found);
  } else if (left === undefined || right === undefined || !same(JSON.stringify(left), JSON.stringify(right))) {
    found.push(keys.length === 0 ? 'the body' : toPointer(keys));
  }
}
