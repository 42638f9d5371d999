/** Finds the schemas that apply at a place of a value, and reads simple facts from them: types, constants, properties. It validates nothing. */

import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { fromPointer } from '../pointer.ts';
import { compileExpression } from '../safe-regexp.ts';
import type { Document } from './document.ts';
import { type MemberMeaning, membersOf } from './member-meanings.ts';
import { followOnce } from './raw-document.ts';

/** A JSON Schema (draft 2020-12): an object of keywords, or `true` or `false`. */
export type Schema = boolean | JsonObject;

/** Comparison of two values: as instants, as numbers, or as text by code units. */
export type ComparisonKind = 'instant' | 'number' | 'text';

/**
 * Lists the schemas that may apply at a place of an instance: through `properties`, `items`, `$ref` and all applicators, alternatives included. The list
 * is empty if no schema describes the place.
 */
export function schemasAt(document: Document, schema: Schema, pointer: string): readonly Schema[] {
  return applicableAt(document, schema, pointer, alternatives);
}

/** Lists the schemas that certainly apply at a place of an instance. */
export function certainSchemasAt(document: Document, schema: Schema, pointer: string): readonly Schema[] {
  return applicableAt(document, schema, pointer, conjunctions);
}

function applicableAt(document: Document, schema: Schema, pointer: string, keywords: readonly string[]): readonly Schema[] {
  let current = collectApplicable(document, schema, keywords);
  for (const key of fromPointer(pointer)) current = current.flatMap((each) => memberSchemas(document, each, key, keywords));
  return current;
}

/** Lists the schemas that certainly apply to an instance: the schema, its `$ref` and its `allOf`, recursively. */
export function certainSchemas(document: Document, schema: Schema): readonly Schema[] {
  return collectApplicable(document, schema, conjunctions);
}

/** Merges the keywords of all schemas that certainly apply. If several have the same keyword, the outermost one wins. */
export function mergedKeywords(document: Document, schema: Schema): JsonObject {
  const parts = certainSchemas(document, schema).filter(isObject);
  const { $ref: _reference, allOf: _parts, ...keywords } = Object.assign({}, ...parts.toReversed()) as Record<string, Json>;
  return keywords['properties'] === undefined ? keywords : { ...keywords, properties: joinProperties(parts, 'allOf') };
}

/** One schema for each property of several schemas. */
function joinProperties(parts: readonly JsonObject[], keyword: 'allOf' | 'anyOf'): JsonObject {
  const properties = [...propertiesOf(parts)];
  return Object.fromEntries(
    properties.map(([name, schemas]) => [name, schemas.length === 1 ? (schemas[0] ?? true) : { [keyword]: schemas }]),
  );
}

/**
 * Merges the keywords of a schema, including the branches of `anyOf` and `oneOf`, to decide how a parameter's text is parsed. Types and listed values are
 * those of all branches except `null`. The result is not equivalent to the schema.
 */
export function mergedBranchKeywords(document: Document, schema: Schema): JsonObject {
  const keywords = mergedKeywords(document, schema);
  const branches = [keywords['anyOf'], keywords['oneOf']]
    .flatMap((list) => toSchemas(list))
    .map((branch) => mergedBranchKeywords(document, branch));
  const otherBranches = branches.filter((branch) => typesOf(branch).join() !== 'null');
  if (otherBranches.length === 0) return keywords;
  const types = otherBranches.flatMap(typesOf);
  const listedValues = otherBranches.flatMap(
    (branch) => [branch['enum'] ?? (branch['const'] === undefined ? [] : [branch['const']])].flat() as readonly Json[],
  );
  const isListed = otherBranches.every((branch) => branch['enum'] !== undefined || branch['const'] !== undefined);
  const merged: JsonObject = {
    ...Object.assign({}, ...otherBranches.toReversed()),
    ...(types.length === 0 ? {} : { type: types }),
    enum: listedValues,
  };
  const properties = { ...joinProperties(otherBranches, 'anyOf'), ...objectOrEmpty(keywords['properties']) };
  const { enum: _listed, const: _constant, ...withoutListed } = merged;
  return {
    ...(isListed ? { ...withoutListed, enum: listedValues } : withoutListed),
    ...keywords,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** The members that a schema fixes with `const`, at any depth; `undefined` if there are none. */
export function constantsOf(document: Document, schema: Schema, path: readonly Schema[] = []): Json | undefined {
  const parts = certainSchemas(document, schema);
  // The members of a recursive schema never end, so it fixes none.
  if (parts.includes(false) || parts.some((part) => path.includes(part))) return undefined;
  const objects = parts.filter(isObject);
  const constant = objects.find((part) => part['const'] !== undefined)?.['const'];
  if (constant !== undefined) return constant;
  // Members of base schemas come first: the envelope before its content.
  const members = [...propertiesOf(objects.toReversed())].flatMap(([name, schemas]) => {
    const value = constantsOf(document, { allOf: schemas }, [...path, ...objects]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The schemas of each property, by name. */
export function propertiesOf(parts: readonly JsonObject[]): ReadonlyMap<string, readonly Schema[]> {
  const schemasByName = new Map<string, readonly Schema[]>();
  for (const part of parts) {
    for (const [name, schema] of Object.entries(isObject(part['properties']) ? part['properties'] : {})) {
      if (isSchema(schema)) schemasByName.set(name, [...(schemasByName.get(name) ?? []), schema]);
    }
  }
  return schemasByName;
}

/** True if types, enums and branches of a schema accept `null`. */
export function allowsNull(document: Document, schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  const { type, const: constant, enum: values, anyOf, oneOf } = schema;
  const isNullable = type === 'null' || (isArray(type) && type.includes('null')) || schema['nullable'] === true;
  if (type !== undefined && !isNullable) return false;
  if (constant !== undefined && constant !== null) return false;
  if (isArray(values) && !values.includes(null)) return false;
  const allowsInAllParts = subschemas(document, schema, conjunctions).every((each) => allowsNull(document, each));
  return (
    allowsInAllParts &&
    [anyOf, oneOf].every((branches) => branches === undefined || toSchemas(branches).some((each) => allowsNull(document, each)))
  );
}

/** The schema that the `$ref` of a schema leads to; `undefined` without one. */
export function referenceTarget(document: Document, schema: JsonObject): Schema | undefined {
  const target = followOnce(document, schema);
  return isSchema(target) ? target : undefined;
}

/** Returns the comparison of values with these schemas: `date-time` as instants, numbers as numbers, everything else as text. */
export function comparisonKind(schemas: readonly Schema[]): ComparisonKind {
  const objects = schemas.filter(isObject);
  if (objects.some((schema) => schema['format'] === 'date-time')) return 'instant';
  return objects.some((schema) => typesOf(schema).some((type) => type === 'integer' || type === 'number')) ? 'number' : 'text';
}

/** Returns the `type` keyword as a list; empty if the schema does not restrict the type. */
export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return isArray(type) ? type.filter((each): each is string => typeof each === 'string') : [];
}

/** All schemas that may apply to a value or to something inside it, each once; references are followed. */
export function schemasWithin(document: Document, schema: Schema): ReadonlySet<JsonObject> {
  const found = new Set<JsonObject>();
  const pending: (readonly [value: Json, meaning: MemberMeaning])[] = [[schema, 'keywords']];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, meaning] = next;
    if (isObject(value) && meaning === 'keywords') {
      if (found.has(value)) continue;
      found.add(value);
      pending.push([followOnce(document, value) ?? true, 'keywords']);
    }
    for (const each of membersOf(value, meaning)) pending.push([each.member, each.meaning]);
  }
  return found;
}

/** Keywords whose schemas all hold for the same instance. */
const conjunctions = ['allOf'] as const;
/** Keywords whose schemas may hold for the same instance. */
const alternatives = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

function collectApplicable(document: Document, schema: Schema, keywords: readonly string[]): readonly Schema[] {
  const applicable: Schema[] = [];
  const pending: Schema[] = [schema];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (applicable.includes(next)) continue;
    applicable.push(next);
    if (isObject(next)) pending.push(...subschemas(document, next, keywords));
  }
  return applicable;
}

function subschemas(document: Document, schema: JsonObject, keywords: readonly string[]): readonly Schema[] {
  const dependent = keywords === alternatives ? Object.values(objectOrEmpty(schema['dependentSchemas'])) : [];
  return [
    ...toSchemas(followOnce(document, schema)),
    ...keywords.flatMap((keyword) => toSchemas(schema[keyword])),
    ...toSchemas(dependent),
  ];
}

/** Lists the schemas that may apply to one member or element. */
function memberSchemas(document: Document, schema: Schema, key: string, keywords: readonly string[]): readonly Schema[] {
  if (!isObject(schema)) return [];
  const memberParts = [...propertySchemas(schema, key), ...(/^\d+$/.test(key) ? elementSchemas(schema, Number(key)) : [])];
  return memberParts.flatMap((each) => collectApplicable(document, each, keywords));
}

function propertySchemas(schema: JsonObject, key: string): readonly Schema[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const namedSchemas = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  const matchingPatterns = isObject(patternProperties)
    ? Object.entries(patternProperties).filter(([pattern]) => compileExpression(pattern).test(key))
    : [];
  const schemas = [...namedSchemas, ...matchingPatterns.map(([, each]) => each)].filter(isSchema);
  return schemas.length === 0 && isObject(additionalProperties) ? [additionalProperties] : schemas;
}

function elementSchemas(schema: JsonObject, index: number): readonly Schema[] {
  const { prefixItems, items } = schema;
  const prefixItem = isArray(prefixItems) ? prefixItems[index] : undefined;
  return [prefixItem ?? items].filter(isSchema);
}

function toSchemas(value: Json | undefined): readonly Schema[] {
  if (isArray(value)) return value.filter(isSchema);
  return value !== undefined && isSchema(value) ? [value] : [];
}

/** True for a schema: an object, or `true` or `false`. */
export function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}
