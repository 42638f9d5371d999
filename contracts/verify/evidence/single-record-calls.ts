/** Makes calls that read a single record, and calls that should succeed. Sends nothing, except where an example value has to be looked up in a list. */

import type { Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { instanceOf } from '../../../generators/schema-arbitrary.ts';
import type { Call } from './call.ts';
import type { RoundContext } from './round-context.ts';

/** An operation that reads one record, which one or more parameters identify. */
export type RecordRead = Operation & { readonly resource: NonNullable<Operation['resource']> };

/** The call that reads one record, by one of the parameters that identify it; `undefined` when the record lacks the field. */
export function callForRecord(operation: Operation, record: DataRecord, parameter?: string): Call | undefined {
  const [name, field] = [...(operation.resource?.by ?? [])].find(([each]) => parameter === undefined || each === parameter) ?? [];
  const value = name === undefined || field === undefined ? undefined : valueAt(record, field);
  // Only strings, numbers and booleans can be sent.
  const isSendable = ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
  return name === undefined || value === undefined || !isSendable ? undefined : { operation, values: { [name]: value } };
}

/** A request to an operation that should succeed. A single read asks for a listed record, or for an unknown one if nothing is listed. */
export async function exampleCall(context: RoundContext, operation: Operation): Promise<Call> {
  if (!isRecordRead(operation, context.contract)) return { operation };
  const [record] = (await context.snapshot(recordListOf(context, operation))).records;
  return (record && callForRecord(operation, record)) ?? { operation, values: unknownIdentity(operation) };
}

/** The value of the field by which a parameter identifies a record. */
export function identityOf(operation: Operation, parameter: string, record: DataRecord): Json | undefined {
  const field = operation.resource?.by.get(parameter);
  const value = field === undefined ? undefined : valueAt(record, field);
  return value === null ? undefined : value;
}

/** Identifiers that most likely no record has, by their usual types and formats. */
const absentIdentities: readonly Json[] = [
  987_654_321,
  'no-such-record-4711',
  'f0e1d2c3-b4a5-4697-8788-796a5b4c3d2e',
  '1904-02-29',
  '1904-02-29T04:07:11Z',
  'no-such-record-4711@example.com',
  'https://example.com/no-such-record-4711',
];

/**
 * A value of an identifying parameter that most likely no record has, of the type and format of the parameter. All rules use the same value, so that one
 * request is enough. A value that the parameter does not allow is returned where it allows only a few, or none that can be generated.
 */
export function absentIdentity(operation: Operation, name: string): Json {
  const parameter = operation.parameters.find((each) => each.key === name);
  const [usual, ...others] = absentIdentities.filter((_, index) => parameter === undefined || index > 0 || isNumeric(parameter));
  if (parameter === undefined || usual === undefined) return 'no-such-record-4711';
  const isAllowed = (value: Json): boolean => parameter.validate(value).length === 0;
  const generated = [usual, ...others].some(isAllowed) ? undefined : instanceOf(parameter.schema, { document: operation.document }, 4711);
  return [usual, ...others, generated].find((value) => value !== undefined && isAllowed(value)) ?? usual;
}

function isNumeric({ kinds }: Parameter): boolean {
  return kinds.includes('integer') || kinds.includes('number');
}

/** Parameter values that identify a record that most likely does not exist. */
export function unknownIdentity(operation: Operation): Readonly<Record<string, Json>> {
  const [name] = [...(operation.resource?.by ?? [])][0] ?? [];
  return name === undefined ? {} : { [name]: absentIdentity(operation, name) };
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

/** True for an operation that reads one record of a list of the contract. */
export function isRecordRead(operation: Operation, contract: Contract): operation is RecordRead {
  return (operation.resource?.by.size ?? 0) > 0 && findRecordList(operation, contract) !== undefined;
}

/** True for an operation that reads a single resource of a tenant. */
export function isSingleton({ method, resource, parameters }: Operation): boolean {
  return method === 'GET' && resource?.by.size === 0 && !parameters.some(({ required }) => required);
}

/** The operation that lists the records that another one reads. */
export function findRecordList(operation: Operation, contract: Contract): ListOperation | undefined {
  return contract.operations.find((each): each is ListOperation => isList(each) && each.collection.name === operation.resource?.name);
}

/** The operation that reads one record of a list. */
export function findRecordRead(list: ListOperation, contract: Contract): Operation | undefined {
  return contract.operations.find((each) => each.resource?.name === list.collection.name && each.resource.by.size > 0);
}

/** The list of an operation that reads its records. */
export function recordListOf(context: RoundContext, operation: Operation): ListOperation {
  const list = findRecordList(operation, context.contract);
  if (list === undefined) throw new TypeError(`${operation.id} reads no record of a list`);
  return list;
}
