/** What a schema promises of a value: what holds for every instance, whichever branch of it an answer takes. */

import type { Document } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { certainSchemas, type Schema, typesOf } from '../../core/schema.ts';

/** The types of JSON, with the whole numbers apart. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** A promise about a value. What is not said is open. */
export interface Promised {
  /** Every type that the value may have. */
  readonly types: ReadonlySet<JsonType>;
  /** The only values, when they are listed. */
  readonly values: readonly Json[] | undefined;
  /** Patterns that a text matches, all of them. */
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  /** Members that an object always has. */
  readonly required: ReadonlySet<string>;
  /** What holds for a member, if it is there. */
  readonly members: ReadonlyMap<string, Schema>;
  /** What holds for every element of an array. */
  readonly elements: Schema;
  readonly minItems: number;
}

/** In the order in which alternatives are told. */
const allTypes: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** What holds for everything. */
const nothingPromised: Promised = {
  types: new Set(allTypes),
  values: undefined,
  patterns: [],
  formats: [],
  required: new Set(),
  members: new Map(),
  elements: true,
  minItems: 0,
};

/** Alternatives may contain themselves; so many deep they promise nothing more. */
const deepest = 8;

/** What a schema of a document promises of its instances. Conditions (`if`) and what speaks of other members promise nothing by themselves. */
export function readPromise(document: Document, schema: Schema, depth: number = deepest): Promised {
  const parts = certainSchemas(document, schema).filter(isObject);
  return parts.flatMap((part) => [ofKeywords(part), ...ofAlternatives(document, part, depth)]).reduce(meet, nothingPromised);
}

/** The type of a value; whole numbers are integers. */
export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

function ofKeywords(schema: JsonObject): Promised {
  const { enum: listed, const: constant, pattern, format, required, properties, items, prefixItems, minItems } = schema;
  const values = constant !== undefined ? [constant] : Array.isArray(listed) ? (listed as readonly Json[]) : undefined;
  const stated = typesOf(schema);
  return {
    types: values === undefined ? (stated.length === 0 ? nothingPromised.types : expand(stated)) : new Set(values.map(typeOf)),
    values,
    patterns: typeof pattern === 'string' ? [pattern] : [],
    formats: typeof format === 'string' ? [format] : [],
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    members: new Map(isObject(properties) ? Object.entries(properties).filter(isSchemaEntry) : []),
    // Elements that differ by their place are not looked at.
    elements: prefixItems === undefined && isSchema(items) ? items : true,
    minItems: typeof minItems === 'number' ? minItems : 0,
  };
}

/** A number may be a whole one. */
function expand(types: readonly string[]): ReadonlySet<JsonType> {
  return new Set(types.flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type]) as JsonType[]));
}

/** One branch of alternatives holds, and nobody knows which; what all of them promise is promised. */
function ofAlternatives(document: Document, part: JsonObject, depth: number): readonly Promised[] {
  if (depth === 0) return [];
  const lists = [part['anyOf'], part['oneOf']].filter((each): each is readonly Json[] => Array.isArray(each) && each.length > 0);
  return lists.map((list) =>
    list
      .filter(isSchema)
      .filter((branch) => branch !== false)
      .map((branch) => readPromise(document, branch, depth - 1))
      .reduce(join),
  );
}

/** Both hold. */
function meet(left: Promised, right: Promised): Promised {
  return {
    types: new Set([...left.types].filter((type) => right.types.has(type))),
    values: meetValues(left.values, right.values),
    patterns: distinct([...left.patterns, ...right.patterns]),
    formats: distinct([...left.formats, ...right.formats]),
    required: new Set([...left.required, ...right.required]),
    members: mergeMembers(left, right),
    elements: bothOf(left.elements, right.elements),
    minItems: Math.max(left.minItems, right.minItems),
  };
}

/** One of them holds. */
function join(left: Promised, right: Promised): Promised {
  const shared = [...left.members.keys()].filter((name) => right.members.has(name));
  return {
    types: new Set([...left.types, ...right.types]),
    values: left.values === undefined || right.values === undefined ? undefined : distinct([...left.values, ...right.values]),
    patterns: left.patterns.filter((pattern) => right.patterns.includes(pattern)),
    formats: left.formats.filter((format) => right.formats.includes(format)),
    required: new Set([...left.required].filter((name) => right.required.has(name))),
    members: new Map(shared.map((name) => [name, eitherOf(left.members.get(name) ?? true, right.members.get(name) ?? true)])),
    elements: eitherOf(left.elements, right.elements),
    minItems: Math.min(left.minItems, right.minItems),
  };
}

function mergeMembers(left: Promised, right: Promised): ReadonlyMap<string, Schema> {
  const names = new Set([...left.members.keys(), ...right.members.keys()]);
  return new Map([...names].map((name) => [name, bothOf(left.members.get(name) ?? true, right.members.get(name) ?? true)]));
}

function meetValues(left: readonly Json[] | undefined, right: readonly Json[] | undefined): readonly Json[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const known = new Set(right.map((value) => JSON.stringify(value)));
  return left.filter((value) => known.has(JSON.stringify(value)));
}

function bothOf(left: Schema, right: Schema): Schema {
  if (left === true || left === right) return right;
  return right === true ? left : { allOf: [left, right] };
}

function eitherOf(left: Schema, right: Schema): Schema {
  return left === true || right === true ? true : left === right ? left : { anyOf: [left, right] };
}

function distinct<T extends Json>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

function isSchemaEntry(entry: readonly [string, Json]): entry is [string, Schema] {
  return isSchema(entry[1]);
}
