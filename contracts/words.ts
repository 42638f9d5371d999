/** Sentences for people: requests, records and values in their own words. */

import type { Json } from '../core/json.ts';
import { fromPointer } from '../core/pointer.ts';
import type { ListOperation, Values } from './walk.ts';

/** How many records or values a sentence names. */
const named = 5;

/** Filters as a person would write them: `status=ready,done and limit=5`; of none, `no filter`. */
export function describeValues(values: Values): string {
  const pieces = Object.entries(values).map(([name, value]) => `${name}=${showValue(value)}`);
  return pieces.length === 0 ? 'no filter' : pieces.join(' and ');
}

/** A parameter value. */
export function showValue(value: Json): string {
  return Array.isArray(value)
    ? (value as readonly Json[]).map(showValue).join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

/** Records by their keys: `id 17, id 4 and 3 more`. */
export function describeRecords(operation: ListOperation, keys: readonly string[]): string {
  const field = fromPointer(operation.collection.key).at(-1) ?? 'key';
  const shown = keys.slice(0, named).map((key) => `${field} ${key.replace(/^"(.*)"$/, '$1')}`);
  return keys.length > named ? `${shown.join(', ')} and ${keys.length - named} more` : shown.join(', ');
}

/** A number of things. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
