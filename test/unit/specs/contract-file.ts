/** The shipped contract files as tests look at them: plain values, what the schema at a place says about a value, and facts about fields. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { loadDocument } from '../../../core/openapi/loading/load-document.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { createValidators } from '../../../core/openapi/validator.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { contractFile } from '../../../core/shipped-files.ts';

/** One of the shipped contract files. */
export interface ContractFile {
  readonly document: Document;
  /** The value at a JSON Pointer. */
  readonly at: (pointer: string) => Json | undefined;
  /** Violations of a value against the schema at a JSON Pointer, as `path: message`; empty when it is valid. */
  readonly judge: (pointer: string, value: Json) => readonly string[];
}

/** The short names of the shipped contract files. */
export const contractNames = ['business', 'wiki'] as const;

/** The short name of a shipped contract file. */
export type ContractName = (typeof contractNames)[number];

/** Reads a shipped contract file. */
export async function readContract(name: ContractName): Promise<ContractFile> {
  const document = await loadDocument(contractFile(name));
  const validators = createValidators(document);
  const at = (pointer: string): Json | undefined => valueAt(rawOf(document).root, pointer);
  const judge = (pointer: string, value: Json): readonly string[] => {
    const schema = at(pointer);
    if (!isSchema(schema)) throw new Error(`${name}#${pointer} is not a schema`);
    return validators
      .compile(schema)(value)
      .map((violation) => `${violation.path}: ${violation.message}`);
  };
  return { document, at, judge };
}

/** Stands in a table of facts for a member that is left out. */
export const absent: unique symbol = Symbol('absent');

/** A copy of a record with the member at a pointer replaced or left out. */
export function edited(record: Json, pointer: string, value: Json | typeof absent): Json {
  const [key, ...rest] = fromPointer(pointer);
  if (key === undefined) return value === absent ? null : value;
  if (!isObject(record)) throw new Error(`there is no object that could hold ${pointer}`);
  if (rest.length > 0) return { ...record, [key]: edited(record[key] ?? {}, `/${rest.join('/')}`, value) };
  const { [key]: _, ...others } = record;
  return value === absent ? others : { ...others, [key]: value };
}

/** A value of a field, or none. */
export type Given = Json | typeof absent;

/** Section of the API's document, a JSON Pointer into the record, and valid and invalid values of the field. */
export type FieldFacts = readonly [source: string, field: string, accepts: readonly Given[], refuses: readonly Given[]];

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

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}
