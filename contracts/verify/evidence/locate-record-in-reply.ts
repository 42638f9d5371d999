import { recordPlacesOf } from '../../../core/annotations/record-place.ts';
import { isNumber, isObject, type Json } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { isSuccess, type Reply } from './call.ts';
import type { RoundContext } from './round-context.ts';

/** A record in the reply to a single read, with its place. */
interface LocatedRecord {
  /** JSON Pointer into the body. */
  readonly at: string;
  readonly record: DataRecord;
}

/**
 * The record of a successful single read, at the first possible place with all identifying fields. `undefined` if no place has them.
 */
export function locateRecord(contract: Contract, reply: Reply): LocatedRecord | undefined {
  const { operation } = reply.call;
  if (!isSuccess(reply)) return undefined;
  const fields = [...(operation.resource?.by.values() ?? [])];
  for (const at of recordPlacesOf(contract, operation)) {
    const record = valueAt(reply.body, at);
    if (isObject(record) && fields.every((field) => isIdentifier(valueAt(record, field)))) return { at, record };
  }
  return undefined;
}

function isIdentifier(value: unknown): boolean {
  return typeof value === 'string' || isNumber(value);
}

/** The identifier of the record in a reply; `undefined` for an unsuccessful reply, `null` for a success without a record. */
export function identifierIn({ contract }: RoundContext, parameter: Parameter, reply: Reply): string | null | undefined {
  if (!isSuccess(reply)) return undefined;
  const located = locateRecord(contract, reply);
  const field = reply.call.operation.resource?.by.get(parameter.key);
  return located === undefined || field === undefined ? null : String(valueAt(located.record, field));
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
  return Object.entries(record).every(([name, member]) => isSameValue(value[name], member));
}
