/**
 * Merges the inline parts of an `allOf` into their schema, because code generators read one object better than a conjunction. `plain-openapi-document.ts` calls
 * it for each schema of a plain document. The result may be wider, so nothing is judged by it.
 */

import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import { typesOf } from './applicable-schemas-and-types.ts';

/**
 * Merges the parts of `allOf` that have no `$ref` and no keyword that depends on its neighbours. Alternatives that only require members are dropped, since
 * code generators read them as unknown types. The other parts stay.
 */
export function mergeAllOf(schema: JsonObject): JsonObject {
  const { allOf, ...ownKeywords } = schema as Record<string, Json>;
  if (!isArray(allOf)) return schema;
  let merged: JsonObject = ownKeywords;
  const keptParts: Json[] = [];
  for (const part of allOf) {
    if (isRequirement(part)) continue;
    const joinedSchema = isObject(part) ? conjoin(merged, part) : undefined;
    if (joinedSchema === undefined) keptParts.push(part);
    else {
      const { allOf: innerParts, ...joinedKeywords } = joinedSchema as Record<string, Json>;
      merged = joinedKeywords;
      if (isArray(innerParts)) keptParts.push(...innerParts);
    }
  }
  return keptParts.length === 0 ? merged : { ...merged, allOf: keptParts };
}

/** True for alternatives whose branches only require members, here or deeper. */
function isRequirement(part: Json): boolean {
  const branches = isObject(part) && Object.keys(part).length === 1 ? (part['anyOf'] ?? part['oneOf']) : undefined;
  return isArray(branches) && branches.every(onlyRequires);
}

function onlyRequires(schema: Json): boolean {
  if (!isObject(schema)) return false;
  const { required: _required, properties = {}, ...otherKeywords } = schema as Record<string, Json>;
  return Object.keys(otherKeywords).length === 0 && isObject(properties) && Object.values(properties).every(onlyRequires);
}

/** Keywords whose meaning depends on other keywords of the same object, or that no second one can join. */
const dependentKeywords: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', '$id', '$anchor', '$defs', 'if', 'then', 'else', 'not'],
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['prefixItems', 'contains', 'minContains', 'maxContains'],
]);

/** Returns one schema for two that both hold, or `undefined` if only `allOf` can say it. */
function conjoin(left: JsonObject, right: JsonObject): JsonObject | undefined {
  const isClosed = ['additionalProperties', 'unevaluatedProperties', 'patternProperties', '$ref'].some((key) => key in left);
  if (isClosed || Object.keys(right).some((key) => dependentKeywords.has(key))) return undefined;
  const merged: Record<string, Json> = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const ownValue = merged[key];
    const joinedValue = ownValue === undefined ? value : joinKeyword(key, ownValue, value);
    if (joinedValue === undefined) return undefined;
    merged[key] = joinedValue;
  }
  return merged;
}

/** Joins the two values of a keyword; `undefined` if no single value means both. */
function joinKeyword(key: string, left: Json, right: Json): Json | undefined {
  if (key === 'description' || key === 'title' || JSON.stringify(left) === JSON.stringify(right)) return left;
  if (key === 'type') return joinTypes(typesOf({ type: left }), typesOf({ type: right }));
  if (key === 'properties' && isObject(left) && isObject(right)) return joinProperties(left, right);
  return isArray(left) && isArray(right) ? joinLists(key, left, right) : undefined;
}

function joinTypes(left: readonly string[], right: readonly string[]): Json | undefined {
  const commonTypes = left.filter((type) => right.includes(type));
  return commonTypes.length > 1 ? commonTypes : commonTypes[0];
}

function joinLists(key: string, left: readonly Json[], right: readonly Json[]): readonly Json[] | undefined {
  if (key === 'required') return [...new Set([...left, ...right])];
  if (key === 'allOf') return [...left, ...right];
  const texts = new Set(right.map((value) => JSON.stringify(value)));
  const commonValues = left.filter((value) => texts.has(JSON.stringify(value)));
  return key === 'enum' && commonValues.length > 0 ? commonValues : undefined;
}

function joinProperties(left: JsonObject, right: JsonObject): JsonObject {
  const joinedProperties = Object.entries(right).map(([name, value]): readonly [string, Json] => {
    const ownSchema = left[name];
    if (ownSchema === undefined || ownSchema === true || value === false) return [name, value];
    if (ownSchema === false || value === true || !isObject(ownSchema) || !isObject(value)) return [name, ownSchema];
    return [name, conjoin(ownSchema, value) ?? { allOf: [ownSchema, value] }];
  });
  return { ...left, ...Object.fromEntries(joinedProperties) };
}
