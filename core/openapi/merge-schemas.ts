/** Joins schemas for plain documents, which only suggest types. Nothing may be judged by a joined schema. */

import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject } from '../json.ts';
import { equal } from '../json-equality.ts';

/** Joins two schemas into one that allows what both allow. Keywords that cannot be joined stay apart in `allOf`. */
export function mergeSchemas(schema: JsonObject, added: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...schema };
  const apart: Record<string, Json> = {};
  const isJoinable = [...Object.keys(schema), ...Object.keys(added)].every((keyword) => !dependentKeywords.has(keyword));
  for (const [keyword, value] of Object.entries(added)) {
    const joined = isJoinable ? joinKeyword(keyword, schema[keyword], value) : undefined;
    if (joined === undefined) apart[keyword] = value;
    else merged[keyword] = joined;
  }
  if (Object.keys(apart).length > 0) merged['allOf'] = [...arrayOrEmpty(schema['allOf']), apart];
  return merged;
}

/** Keywords whose meaning depends on others beside them, so that nothing may be added to their schema. */
const dependentKeywords: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems', 'prefixItems', 'contains', 'if', '$ref'],
]);

/** Joins the two values of a keyword; `undefined` if no single value says the same. */
function joinKeyword(keyword: string, own: Json | undefined, added: Json): Json | undefined {
  if (own === undefined || equal(own, added)) return added;
  if (keyword === 'required') return [...new Set([...arrayOrEmpty(own), ...arrayOrEmpty(added)])];
  if (keyword === 'allOf') return [...arrayOrEmpty(own), ...arrayOrEmpty(added)];
  if (keyword === 'type') return joinTypes(listOf(own), listOf(added));
  if (keyword === 'properties' && isObject(own) && isObject(added)) return joinProperties(own, added);
  return undefined;
}

function joinTypes(own: readonly Json[], added: readonly Json[]): Json | undefined {
  const types = own.filter((type) => added.includes(type));
  return types.length === 1 ? types[0] : types.length === 0 ? undefined : types;
}

function joinProperties(own: JsonObject, added: JsonObject): JsonObject {
  const members = Object.entries(added).map(([name, member]) => [name, joinMembers(own[name] ?? true, member)]);
  return { ...own, ...Object.fromEntries(members) };
}

/** Joins two schemas, each of which may be `true` or `false`. */
function joinMembers(own: Json, added: Json): Json {
  if (isObject(own) && isObject(added)) return mergeSchemas(own, added);
  return own === true ? added : added === true ? own : false;
}

function listOf(value: Json): readonly Json[] {
  return isArray(value) ? value : [value];
}
