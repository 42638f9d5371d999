/** The shipped contract files as tests look at them: plain values, and what the schema at a place says about a value. */

import { type Document, loadDocument } from '../../../core/document.ts';
import type { Json } from '../../../core/json.ts';
import { isObject } from '../../../core/json.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import type { Schema } from '../../../core/schema.ts';
import { contractFile } from '../../../core/shipped.ts';
import { createValidators } from '../../../core/validator.ts';

/** One of the shipped contract files. */
export interface ContractFile {
  readonly document: Document;
  /** The value at a JSON Pointer. */
  readonly at: (pointer: string) => Json | undefined;
  /** What the schema at a JSON Pointer has against a value, as `path: message`; empty when it accepts the value. */
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
  const at = (pointer: string): Json | undefined => valueAt(document.root, pointer);
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

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}
