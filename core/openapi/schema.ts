/** Looking into a JSON Schema: which schemas apply at a place of the instance, what they allow there, and how values there compare. */

import { compileExpression } from '../bounded-expression.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { fromPointer } from '../pointer.ts';
import { type Document, referred } from './document.ts';

/** A JSON Schema (draft 2020-12): an object of keywords, or `true` or `false`. */
export type Schema = boolean | JsonObject;

/** Comparison of two values: as instants, as numbers, or as text by code units. */
export type ComparisonKind = 'instant' | 'number' | 'text';

/**
 * The schemas that may apply at a place of an instance: through `properties`, `items`, `$ref` and every applicator, alternatives included.
 * An empty answer means that no schema says anything about that place.
 */
export function schemasAt(document: Document, schema: Schema, pointer: string): readonly Schema[] {
  let current = spread(document, schema, alternatives);
  for (const key of fromPointer(pointer)) current = current.flatMap((each) => memberSchemas(document, each, key));
  return current;
}

/** The schemas that hold for an instance without condition: the schema itself, its `$ref` and its `allOf`, and theirs. */
export function certainSchemas(document: Document, schema: Schema): readonly Schema[] {
  return spread(document, schema, conjunctions);
}

/** The keywords that hold for an instance without condition, gathered into one object; where two say the same keyword, the outer one speaks. */
export function flatten(document: Document, schema: Schema): JsonObject {
  const parts = certainSchemas(document, schema).filter(isObject);
  const { $ref: _reference, allOf: _parts, ...keywords } = Object.assign({}, ...parts.toReversed()) as Record<string, Json>;
  return keywords;
}

/**
 * Facts of a schema about its instances, alternatives included, as far as it decides how their text is read: where branches of `anyOf` and `oneOf`
 * differ, types and listed values are those of any branch that is not only `null`.
 */
export function gather(document: Document, schema: Schema): JsonObject {
  const keywords = flatten(document, schema);
  const branches = [keywords['anyOf'], keywords['oneOf']].flatMap((each) => toSchemas(each)).map((branch) => gather(document, branch));
  const telling = branches.filter((branch) => typesOf(branch).join() !== 'null');
  if (telling.length === 0) return keywords;
  const types = telling.flatMap(typesOf);
  const listed = telling.flatMap(
    (branch) => [branch['enum'] ?? (branch['const'] === undefined ? [] : [branch['const']])].flat() as readonly Json[],
  );
  const isListed = telling.every((branch) => branch['enum'] !== undefined || branch['const'] !== undefined);
  const merged: JsonObject = {
    ...Object.assign({}, ...telling.toReversed()),
    ...(types.length === 0 ? {} : { type: types }),
    enum: listed,
  };
  const { enum: _listed, const: _constant, ...unlisted } = merged;
  return { ...(isListed ? { ...unlisted, enum: listed } : unlisted), ...keywords };
}

/** The schemas that may apply to a member, or to an element, of an instance to which these apply: all of them, as `schemasAt` gives them. */
export function schemasBelow(document: Document, schemas: readonly Schema[], key: string): readonly Schema[] {
  return [...new Set(schemas.flatMap((each) => memberSchemas(document, each, key)))];
}

/** True when types, enums and branches of a schema accept `null`. */
export function allowsNull(document: Document, schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  const { type, const: constant, enum: values, anyOf, oneOf } = schema;
  const isNullable = type === 'null' || (Array.isArray(type) && type.includes('null')) || schema['nullable'] === true;
  if (type !== undefined && !isNullable) return false;
  if (constant !== undefined && constant !== null) return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  const every = subschemas(document, schema, conjunctions).every((each) => allowsNull(document, each));
  return (
    every && [anyOf, oneOf].every((branches) => branches === undefined || toSchemas(branches).some((each) => allowsNull(document, each)))
  );
}

/** Comparison of values at these schemas: `date-time` as instants, numbers as numbers, all else as text. */
export function comparisonKind(schemas: readonly Schema[]): ComparisonKind {
  const objects = schemas.filter(isObject);
  if (objects.some((schema) => schema['format'] === 'date-time')) return 'instant';
  return objects.some((schema) => typesOf(schema).some((type) => type === 'integer' || type === 'number')) ? 'number' : 'text';
}

/** The `type` keyword as a list; empty when a schema does not restrict the type. */
export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((each): each is string => typeof each === 'string') : [];
}

/** Keywords whose schemas all hold for the same instance. */
const conjunctions = ['allOf'] as const;
/** Keywords whose schemas may hold for the same instance. */
const alternatives = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

function spread(document: Document, schema: Schema, keywords: readonly string[]): readonly Schema[] {
  const found: Schema[] = [];
  const waiting: Schema[] = [schema];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (found.includes(next)) continue;
    found.push(next);
    if (isObject(next)) waiting.push(...subschemas(document, next, keywords));
  }
  return found;
}

function subschemas(document: Document, schema: JsonObject, keywords: readonly string[]): readonly Schema[] {
  const dependent = keywords === alternatives && isObject(schema['dependentSchemas']) ? Object.values(schema['dependentSchemas']) : [];
  return [...toSchemas(referred(document, schema)), ...keywords.flatMap((keyword) => toSchemas(schema[keyword])), ...toSchemas(dependent)];
}

/** The schemas of one member or element: of all keywords that speak of members, those that speak of this one. */
function memberSchemas(document: Document, schema: Schema, key: string): readonly Schema[] {
  if (!isObject(schema)) return [];
  const found = [...propertySchemas(schema, key), ...(/^\d+$/.test(key) ? elementSchemas(schema, Number(key)) : [])];
  return found.flatMap((each) => spread(document, each, alternatives));
}

function propertySchemas(schema: JsonObject, key: string): readonly Schema[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  const matching = isObject(patternProperties)
    ? Object.entries(patternProperties).filter(([pattern]) => compileExpression(pattern).test(key))
    : [];
  const found = [...named, ...matching.map(([, each]) => each)].filter(isSchema);
  return found.length === 0 && isObject(additionalProperties) ? [additionalProperties] : found;
}

function elementSchemas(schema: JsonObject, index: number): readonly Schema[] {
  const { prefixItems, items } = schema;
  const own = Array.isArray(prefixItems) ? (prefixItems as readonly Json[])[index] : undefined;
  return [own ?? items].filter(isSchema);
}

function toSchemas(value: Json | undefined): readonly Schema[] {
  if (Array.isArray(value)) return (value as readonly Json[]).filter(isSchema);
  return value !== undefined && isSchema(value) ? [value] : [];
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}
