/**
 * Makes the calls that read one record, and finds the record in the reply. Rules, observers, the watch and `pact verify` call it. It sends nothing,
 * except to look up an example value in a list.
 */

import { placesOf } from '../../../core/annotations/record-place.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, type Caller, isSuccess, type Reply } from './call-and-reply.ts';
import type { RunContext } from './run-context.ts';
import type { Snapshot } from './snapshot.ts';

/** An operation that reads one record, which one or more parameters identify. */
export type RecordRead = Operation & { readonly resource: NonNullable<Operation['resource']> };

/** The call that reads one record, by one of the parameters that identify it; `undefined` when the record lacks the field. */
export function callForRecord(operation: Operation, record: DataRecord, parameter?: string): Call | undefined {
  const [name, field] = [...(operation.resource?.by ?? [])].find(([each]) => parameter === undefined || each === parameter) ?? [];
  const value = name === undefined || field === undefined ? undefined : valueAt(record, field);
  // Only strings, numbers and booleans can be sent.
  const isSendable = ['string', 'number', 'boolean'].includes(typeof value);
  return name === undefined || value === undefined || !isSendable ? undefined : { operation, values: { [name]: value } };
}

/**
 * A request to an operation that should succeed. A single read asks for a listed record, or for an unknown one if nothing is listed. Other required
 * parameters have values from the contract or from lists.
 */
export async function exampleCall(context: RunContext, operation: Operation, as?: Caller): Promise<Call> {
  const who = as === undefined ? {} : { as };
  const list = context.listOf(operation);
  if (list === undefined || (operation.resource?.by.size ?? 0) === 0)
    return { operation, values: await requiredValues(context, operation), ...who };
  const [record] = (await context.snapshot(list)).records;
  const known = record === undefined ? undefined : callForRecord(operation, record);
  return { ...(known ?? { operation, values: unknownIdentity(operation) }), ...who };
}

/** Values of the required parameters; those without a known value are left out. */
async function requiredValues(context: RunContext, operation: Operation): Promise<Readonly<Record<string, Json>>> {
  const values: Record<string, Json> = {};
  for (const parameter of operation.parameters.filter(({ required }) => required)) {
    const { examples, fallback, allowed, style } = parameter;
    const first = allowed[0] === undefined || style.shape !== 'list' ? allowed[0] : [allowed[0]];
    const stated = [...examples, fallback, first].find((value) => value !== undefined && parameter.validate(value).length === 0);
    const value = stated ?? (parameter.in === 'path' ? await listedValue(context, operation, parameter) : undefined);
    if (value !== undefined) values[parameter.key] = value;
  }
  return values;
}

/** Value of a path's last parameter from the list above it: for `/pets/{petId}` the `petId` or `id` of the first record of `/pets`. */
async function listedValue(context: RunContext, operation: Operation, { name, validate }: Parameter): Promise<Json | undefined> {
  const above = operation.path.split(`/{${name}}`, 1)[0];
  const list = context.contract.operations.find(({ method, path }) => method === 'GET' && path === above);
  if (list === undefined || list.path === operation.path) return undefined;
  const { body } = await context.ask(await exampleCall(context, list));
  const lists = [body, ...(isObject(body) ? Object.values(body) : [])].filter(Array.isArray);
  const [record] = lists.flatMap((each: readonly Json[]) => each.filter(isObject));
  return [record?.[name], record?.['id']].find((value) => value !== undefined && validate(value).length === 0);
}

/** A value of an identifying parameter that most likely no record has. All rules use the same value, so that one request is enough. */
export function absentIdentity(operation: Operation, name: string): Json {
  const parameter = operation.parameters.find((each) => each.key === name);
  const isNumber = parameter?.kinds.includes('integer') === true || parameter?.kinds.includes('number') === true;
  return isNumber ? 987_654_321 : 'no-such-record-4711';
}

/** Parameter values that identify a record that most likely does not exist. */
export function unknownIdentity(operation: Operation): Readonly<Record<string, Json>> {
  const [name] = [...(operation.resource?.by ?? [])][0] ?? [];
  return name === undefined ? {} : { [name]: absentIdentity(operation, name) };
}

/** A sample of the records of a list, evenly spread; the same for the same records. */
export function spreadSample(snapshot: Snapshot, number: number): readonly DataRecord[] {
  const { records } = snapshot;
  if (records.length <= number) return records;
  const step = (records.length - 1) / Math.max(1, number - 1);
  const chosen = new Set(Array.from({ length: number }, (_, index) => Math.floor(index * step)));
  return records.filter((_, index) => chosen.has(index));
}

/** A record in the reply to a single read, with its place. */
export interface LocatedRecord {
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
  for (const at of placesOf(contract, operation)) {
    const record = valueAt(reply.body, at);
    if (isObject(record) && fields.every((field) => isIdentifier(valueAt(record, field)))) return { at, record };
  }
  return undefined;
}

function isIdentifier(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** The identifying parameters that take a text. */
export function textIdentifiers(operation: RecordRead): readonly Parameter[] {
  return operation.parameters.filter(
    (parameter) => operation.resource.by.has(parameter.key) && parameter.kinds.every((kind) => kind === 'string'),
  );
}

/** The call that reads a record by an identifier exactly as sent. */
export function callByText(operation: RecordRead, parameter: Parameter, raw: string): Call {
  if (parameter.in === 'path') return { operation, segments: { [parameter.name]: raw } };
  return { operation, raw: [`${encodeURIComponent(parameter.name)}=${raw}`] };
}

/** Every byte of a text in percent-encoding. */
export function encodeEveryByte(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
}

/** Percent-encodes all of a text but letters, digits and `-._~` (RFC 3986 §2.3). */
export function encodeName(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The identifier of the record in a reply; `undefined` for an unsuccessful reply, `null` for a success without a record. */
export function identifierIn({ contract }: RunContext, parameter: Parameter, reply: Reply): string | null | undefined {
  if (!isSuccess(reply)) return undefined;
  const located = locateRecord(contract, reply);
  const field = reply.call.operation.resource?.by.get(parameter.key);
  return located === undefined || field === undefined ? null : String(valueAt(located.record, field));
}
