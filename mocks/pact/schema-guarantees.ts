/**
 * What a schema guarantees about a value, read for each body when an exchange becomes an interaction of a recorded pact. Ignores `not`, conditions, and limits
 * of numbers and lengths, so it may know less than holds.
 */

import { isArray, isObject, type Json, type JsonObject, jsonTypeOf, printJson } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import { certainSchemas, isSchema, type Schema, typesOf } from '../../core/openapi/schema-facts.ts';

/** JSON types, with integers apart, in the order of the written alternatives. */
const allTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] as const;

export type JsonType = (typeof allTypes)[number];

/** Guarantees of a schema about a value. */
export interface Guarantees {
  /** Every possible type. */
  readonly types: ReadonlySet<JsonType>;
  /** Every possible value, if they are listed. */
  readonly values: readonly Json[] | undefined;
  /** Patterns that a string matches. */
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  /** Members that an object always has. */
  readonly required: readonly string[];
  /** Schema of a member, if present. */
  readonly member: (name: string) => Schema;
  /** Schema of every element of an array. */
  readonly elements: Schema;
  readonly minItems: number;
}

/** Schemas that hold together. */
type Conjunction = readonly JsonObject[];

/** Returns the guarantees of a schema: what holds in each of its alternatives. */
export function readGuarantees(document: Document, schema: Schema): Guarantees {
  const alternatives = alternativesOf(document, schema, maxDepth);
  const values = alternatives.map(valuesOf);
  const inEach = (read: (part: JsonObject) => readonly string[]): readonly string[] => {
    const [first = [], ...others] = alternatives.map((parts) => [...new Set(parts.flatMap(read))]);
    return first.filter((each) => others.every((other) => other.includes(each)));
  };
  const below = (read: (part: JsonObject) => Json | undefined): Schema =>
    join(
      'anyOf',
      alternatives.map((parts) => join('allOf', parts.map(read).filter(isSchema))),
    );
  return {
    types: new Set(allTypes.filter((type) => alternatives.some((parts) => parts.every((part) => allowsType(part, type))))),
    values: values.every((each) => each !== undefined) ? distinct(values.flat()) : undefined,
    patterns: inEach(({ pattern }) => (typeof pattern === 'string' ? [pattern] : [])),
    formats: inEach(({ format }) => (typeof format === 'string' ? [format] : [])),
    required: inEach(({ required }) => (isArray(required) ? required.map(String) : [])),
    member: (name) => below(({ properties }) => (isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined)),
    // With prefixItems, elements have different schemas and get no guarantees.
    elements: below(({ prefixItems, items }) => (prefixItems === undefined ? items : undefined)),
    minItems: Math.min(...alternatives.map((parts) => Math.max(0, ...parts.map(({ minItems }) => Number(minItems ?? 0))))),
  };
}

/** Maximum depth of alternatives, which may contain themselves, and maximum number of them. */
const maxDepth = 8;
const maxAlternatives = 64;

/** Spells out `anyOf` and `oneOf`. Where this leads too far, they are left out, and guarantee nothing. */
function alternativesOf(document: Document, schema: Schema, depth: number): readonly Conjunction[] {
  const parts = certainSchemas(document, schema).filter(isObject);
  let alternatives: readonly Conjunction[] = [parts];
  for (const list of depth === 0 ? [] : parts.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf])) {
    const branches = isArray(list) ? list.filter(isSchema).filter((branch) => branch !== false) : [];
    const further = branches.flatMap((branch) => alternativesOf(document, branch, depth - 1));
    if (further.length === 0 || further.length * alternatives.length > maxAlternatives) continue;
    alternatives = alternatives.flatMap((all) => further.map((others) => [...all, ...others]));
  }
  return alternatives;
}

function listedIn({ const: constant, enum: listed }: JsonObject): readonly Json[] | undefined {
  return constant !== undefined ? [constant] : isArray(listed) ? listed : undefined;
}

function allowsType(part: JsonObject, type: JsonType): boolean {
  const listed = listedIn(part);
  if (listed !== undefined) return listed.some((each) => jsonTypeOf(each) === type);
  const stated = typesOf(part);
  return stated.length === 0 || stated.includes(type) || (type === 'integer' && stated.includes('number'));
}

function valuesOf(parts: Conjunction): readonly Json[] | undefined {
  const [first, ...others] = parts.map(listedIn).filter((each) => each !== undefined);
  const texts = others.map((each) => each.map((value) => printJson(value)));
  return first?.filter((value) => texts.every((each) => each.includes(printJson(value))));
}

/** Joins schemas; for alternatives, one that allows everything decides, and of those that hold together, it says nothing. */
function join(keyword: 'allOf' | 'anyOf', schemas: readonly Schema[]): Schema {
  const all = [...new Set(schemas)];
  const said = all.filter((each) => each !== true);
  const [first] = said;
  if (first === undefined || (keyword === 'anyOf' && said.length < all.length)) return true;
  return said.length === 1 ? first : { [keyword]: said };
}

function distinct(values: readonly (Json | undefined)[]): readonly Json[] {
  return [...new Map(values.flatMap((value) => (value === undefined ? [] : [[printJson(value), value] as const]))).values()];
}
