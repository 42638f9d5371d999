/** How the facts about fields are written down: values that a field of a correct record may and may not have. */

import type { Json, JsonObject } from '../../../core/json.ts';
import { absent } from './contract-file.ts';

/** A value of a field, or none. */
export type Given = Json | typeof absent;

/** Values that a field may and may not have. */
export interface FieldFacts {
  /** The section of the API's document. */
  readonly source: string;
  /** JSON Pointer into the record. */
  readonly field: string;
  readonly accepts: readonly Given[];
  readonly refuses: readonly Given[];
}

/** A correct record, the schema that describes it, and the facts about its fields. */
export interface RecordFacts {
  /** JSON Pointer of the schema in the contract file. */
  readonly schema: string;
  readonly record: JsonObject;
  readonly fields: readonly FieldFacts[];
}

/** No value of a required text. */
export const notText: readonly Given[] = [absent, null, 7, true, {}, []];
/** No value of a required number. */
export const notNumber: readonly Given[] = [absent, null, '7', true, {}, []];
/** No value of a required whole number. */
export const notInteger: readonly Given[] = [...notNumber, 7.5];
/** No value of a required object. */
export const notObject: readonly Given[] = [absent, null, [], 'text', 1];
/** Values of a text that nobody knows. */
export const nullable: readonly Given[] = [null, absent, ''];
/** No value of a text that may be null or absent. */
export const notNullableText: readonly Given[] = [1, true, {}, []];
/** Moments with a UTC offset. */
export const instants: readonly Given[] = [
  '2026-10-03T19:20:41+02:00',
  '2026-10-03T17:20:41Z',
  '2026-10-03T17:20:41.250-05:30',
  '2024-02-29T00:00:00Z',
];
/** No moment with a UTC offset. */
export const notInstants: readonly Given[] = [
  '2026-10-03T19:20:41',
  '2026-02-30T19:20:41+02:00',
  '2026-10-03T25:10:00+02:00',
  '2026-10-03',
  '25:10',
  '',
  1790962841,
];
