/** Describes parameter values, records and their fields for the sentences of findings. Only `showField` hides personal data, and nothing here hides keys. */

import { describeJson, type Json, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { fromPointer, showPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { createMask, personalPlaceholder } from '../../../core/redaction/mask-personal-data.ts';
import { type ParameterValues, recordKeyOf } from '../evidence/record-keys-and-filters.ts';

/** Number of records that a sentence names. */
const maxNamed = 3;

/** Parameter values for a sentence: `status=ready,done and limit=5`, or `no filter`. */
export function describeValues(values: ParameterValues): string {
  const pieces = Object.entries(values).map(([name, value]) => `${name}=${printParameterValue(value)}`);
  return pieces.length === 0 ? 'no filter' : pieces.join(' and ');
}

/** A parameter value for a sentence: lists with commas, other values as JSON or plain text. */
export function printParameterValue(value: Json): string {
  return Array.isArray(value)
    ? (value as readonly Json[]).map(printParameterValue).join(',')
    : typeof value === 'string'
      ? value
      : printJson(value);
}

/** Records for a sentence, by their keys: `id 17, id 4 and 3 more`. */
export function describeRecords(operation: ListOperation, keys: readonly string[]): string {
  const field = fromPointer(operation.collection.key).at(-1) ?? 'key';
  const namedRecords = keys.slice(0, maxNamed).map((key) => `${field} ${key.replace(/^"(.*)"$/, '$1')}`);
  return keys.length > maxNamed ? `${namedRecords.join(', ')} and ${keys.length - maxNamed} more` : namedRecords.join(', ');
}

/** A field of a listed record: `status of id 17 is "done"`. Personal data is not shown. */
export function showField(contract: Contract, list: ListOperation, record: DataRecord, pointer: string): string {
  const shownValue = valueAt(createMask(contract).maskRecord(list, record), pointer);
  const value = shownValue === undefined ? 'missing' : shownValue === personalPlaceholder ? 'personal data' : describeJson(shownValue);
  return `${showPointer(pointer)} of ${describeRecords(list, [recordKeyOf(list, record)])} is ${value}`;
}

/** How two values differ that may not be shown: `another, of 20 characters instead of 38, from character 21 on`. */
export function describeHiddenDifference(expected: Json | undefined, actual: Json | undefined): string {
  const [one, other] = [expected, actual].map((value) => [...(typeof value === 'string' ? value : printJson(value ?? null))]);
  if (one === undefined || other === undefined) return 'another';
  const first = other.findIndex((character, index) => character !== one[index]);
  const length = one.length === other.length ? '' : ` of ${other.length} characters instead of ${one.length},`;
  return `another,${length} from character ${(first < 0 ? other.length : first) + 1} on`;
}
