/**
 * Merges the inline parts of an `allOf` into their schema, because code generators read one object better than a conjunction. `plain-document.ts` uses it for
 * each schema of a plain document. The result may be wider, so nothing is judged by it.
 */

import { isObject, type Json, type JsonObject } from '../json.ts';
import { typesOf } from './schema.ts';

/**
 * Merges the parts of `allOf` that have no `$ref` and no keyword that depends on its neighbours. Alternatives that only require members are dropped, since
 * code generators read them as unknown types. The other parts stay.
 */
export function mergeAllOf(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema as Record<string, Json>;
  if (!Array.isArray(allOf)) return schema;
  let merged: JsonObject = rest;
  const kept: Json[] = [];
  for (const part of allOf as readonly Json[]) {
    if (isRequirement(part)) continue;
    const joined = isObject(part) ? conjoin(merged, part) : undefined;
    if (joined === undefined) kept.push(part);
    else {
      const { allOf: inner, ...own } = joined as Record<string, Json>;
      merged = own;
      if (Array.isArray(inner)) kept.push(...(inner as readonly Json[]));
    }
  }
  return kept.length === 0 ? merged : { ...merged, allOf: kept };
}

/** True for alternatives whose branches only require members, here or deeper. */
function isRequirement(part: Json): boolean {
  const branches = isObject(part) && Object.keys(part).length === 1 ? (part['anyOf'] ?? part['oneOf']) : undefined;
  return Array.isArray(branches) && (branches as readonly Json[]).every(onlyRequires);
}

function onlyRequires(schema: Json): boolean {
  if (!isObject(schema)) return false;
  const { required: _required, properties = {}, ...rest } = schema as Record<string, Json>;
  return Object.keys(rest).length === 0 && isObject(properties) && Object.values(properties).every(onlyRequires);
}

/** Keywords whose meaning depends on other keywords of the same object, or that no second one can join. */
const dependent: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', '$id', '$anchor', '$defs', 'if', 'then', 'else', 'not'],
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['prefixItems', 'contains', 'minContains', 'maxContains'],
]);

/** Returns one schema for two that both hold, or `undefined` if only `allOf` can say it. */
function conjoin(left: JsonObject, right: JsonObject): JsonObject | undefined {
  const isClosed = ['additionalProperties', 'unevaluatedProperties', 'patternProperties', '$ref'].some((key) => key in left);
  if (isClosed || Object.keys(right).some((key) => dependent.has(key))) return undefined;
  const merged: Record<string, Json> = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const own = merged[key];
    const joined = own === undefined ? value : joinKeyword(key, own, value);
    if (joined === undefined) return undefined;
    merged[key] = joined;
  }
  return merged;
}

/** Joins the two values of a keyword; `undefined` if no single value means both. */
function joinKeyword(key: string, left: Json, right: Json): Json | undefined {
  if (key === 'description' || key === 'title' || JSON.stringify(left) === JSON.stringify(right)) return left;
  if (key === 'type') return joinTypes(typesOf({ type: left }), typesOf({ type: right }));
  if (key === 'properties' && isObject(left) && isObject(right)) return joinProperties(left, right);
  return Array.isArray(left) && Array.isArray(right) ? joinLists(key, left as readonly Json[], right as readonly Json[]) : undefined;
}

function joinTypes(left: readonly string[], right: readonly string[]): Json | undefined {
  const both = left.filter((type) => right.includes(type));
  return both.length > 1 ? both : both[0];
}

function joinLists(key: string, left: readonly Json[], right: readonly Json[]): readonly Json[] | undefined {
  if (key === 'required') return [...new Set([...left, ...right])];
  if (key === 'allOf') return [...left, ...right];
  const texts = new Set(right.map((value) => JSON.stringify(value)));
  const both = left.filter((value) => texts.has(JSON.stringify(value)));
  return key === 'enum' && both.length > 0 ? both : undefined;
}

function joinProperties(left: JsonObject, right: JsonObject): JsonObject {
  const joined = Object.entries(right).map(([name, value]): readonly [string, Json] => {
    const own = left[name];
    if (own === undefined || own === true || value === false) return [name, value];
    if (own === false || value === true || !isObject(own) || !isObject(value)) return [name, own];
    return [name, conjoin(own, value) ?? { allOf: [own, value] }];
  });
  return { ...left, ...Object.fromEntries(joined) };
}
