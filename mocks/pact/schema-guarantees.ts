/**
 * Finds what a schema guarantees about a value (types, listed values, patterns, members, least number of items), for the matching rules of a recorded pact,
 * while an interaction is written. Ignores `not`, conditions, and limits of numbers and lengths.
 */

import { isObject, type Json, type JsonObject, jsonTypeOf, printJson } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import { certainSchemas, isSchema, type Schema, typesOf } from '../../core/openapi/schema-facts.ts';

/** JSON types, with integers apart. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

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
  readonly required: ReadonlySet<string>;
  /** Schemas of members, if present. */
  readonly members: ReadonlyMap<string, Schema>;
  /** Schema of every element of an array. */
  readonly elements: Schema;
  readonly minItems: number;
}

/** In the order of the written alternatives. */
const allTypes: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** The guarantees of the schema `true`. */
const noGuarantees: Guarantees = {
  types: new Set(allTypes),
  values: undefined,
  patterns: [],
  formats: [],
  required: new Set(),
  members: new Map(),
  elements: true,
  minItems: 0,
};

/** Maximum depth of alternatives, which may contain themselves. */
const maxDepth = 8;

/** Returns the guarantees of a schema. Conditions (`if`) and dependencies are ignored. */
export function readGuarantees(document: Document, schema: Schema, depth: number = maxDepth): Guarantees {
  const parts = certainSchemas(document, schema).filter(isObject);
  return parts
    .flatMap((part) => [guaranteesOfKeywords(part), ...guaranteesOfAlternatives(document, part, depth)])
    .reduce(bothHold, noGuarantees);
}

function guaranteesOfKeywords(schema: JsonObject): Guarantees {
  const { enum: listed, const: constant, pattern, format, required, properties, items, prefixItems, minItems } = schema;
  const values = constant !== undefined ? [constant] : Array.isArray(listed) ? (listed as readonly Json[]) : undefined;
  const stated = typesOf(schema);
  return {
    types: values === undefined ? (stated.length === 0 ? noGuarantees.types : withIntegers(stated)) : new Set(values.map(jsonTypeOf)),
    values,
    patterns: typeof pattern === 'string' ? [pattern] : [],
    formats: typeof format === 'string' ? [format] : [],
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    members: new Map(isObject(properties) ? Object.entries(properties).filter(isSchemaEntry) : []),
    // With prefixItems, elements have different schemas and get no guarantees.
    elements: prefixItems === undefined && isSchema(items) ? items : true,
    minItems: typeof minItems === 'number' ? minItems : 0,
  };
}

/** Adds integers to numbers. */
function withIntegers(types: readonly string[]): ReadonlySet<JsonType> {
  return new Set(types.flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type]) as JsonType[]));
}

/** Returns what every branch of `anyOf` or `oneOf` guarantees. */
function guaranteesOfAlternatives(document: Document, part: JsonObject, depth: number): readonly Guarantees[] {
  if (depth === 0) return [];
  const lists = [part['anyOf'], part['oneOf']].filter((each): each is readonly Json[] => Array.isArray(each) && each.length > 0);
  return lists.map((list) =>
    list
      .filter(isSchema)
      .filter((branch) => branch !== false)
      .map((branch) => readGuarantees(document, branch, depth - 1))
      .reduce(eitherHolds),
  );
}

/** Combines guarantees that hold together. */
function bothHold(left: Guarantees, right: Guarantees): Guarantees {
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

/** Combines guarantees of which one holds. */
function eitherHolds(left: Guarantees, right: Guarantees): Guarantees {
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

function mergeMembers(left: Guarantees, right: Guarantees): ReadonlyMap<string, Schema> {
  const names = new Set([...left.members.keys(), ...right.members.keys()]);
  return new Map([...names].map((name) => [name, bothOf(left.members.get(name) ?? true, right.members.get(name) ?? true)]));
}

function meetValues(left: readonly Json[] | undefined, right: readonly Json[] | undefined): readonly Json[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const rightTexts = new Set(right.map((value) => printJson(value)));
  return left.filter((value) => rightTexts.has(printJson(value)));
}

function bothOf(left: Schema, right: Schema): Schema {
  if (left === true || left === right) return right;
  return right === true ? left : { allOf: [left, right] };
}

function eitherOf(left: Schema, right: Schema): Schema {
  return left === true || right === true ? true : left === right ? left : { anyOf: [left, right] };
}

function distinct<T extends Json>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [printJson(value), value])).values()];
}

function isSchemaEntry(entry: readonly [string, Json]): entry is [string, Schema] {
  return isSchema(entry[1]);
}
