/** Schemas that forbid undeclared properties. Claims of compatibility hold for these, since nobody expects undeclared properties. */

import { isObject, type Json, type JsonObject } from '../../../../../core/json.ts';
import type { Schema } from '../../../../../core/openapi/schema-facts.ts';

const inPlace: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas']);
const below: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'unevaluatedItems', 'additionalProperties', 'properties', 'patternProperties'],
]);
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

type Definitions = Readonly<Record<string, Schema>>;

/** Closes a schema and all schemas inside it that declare properties. References point to its own `$defs` or to itself. */
export function closeNamed(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const { $defs = {}, ...main } = schema;
  const definitions: Definitions = { ...($defs as JsonObject as Definitions), main };
  const copies = Object.entries(definitions).map(([name, each]) => [name, copy(each, definitions)] as const);
  const whole = { ...(close(main, definitions) as JsonObject), $defs: Object.fromEntries(copies) };
  return JSON.parse(JSON.stringify(whole).replaceAll('"$ref":"#"', '"$ref":"#/$defs/main"')) as Schema;
}

function close(schema: Schema, definitions: Definitions): Schema {
  const copied = copy(schema, definitions);
  const { isClosed, required } = membersOf(schema, definitions);
  // Required members are reported too, even without a schema.
  const demanded = Object.fromEntries(required.map((name) => [name, true]));
  return isClosed ? { allOf: [copied, { properties: demanded }], unevaluatedProperties: false } : copied;
}

/** A schema with its inner schemas closed. It stays open itself, since a schema beside it may declare properties. */
function copy(schema: Schema, definitions: Definitions): Schema {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]): readonly [string, Json] => {
    if (inPlace.has(keyword)) return [keyword, each(keyword, value, (part) => copy(part, definitions))];
    if (below.has(keyword)) return [keyword, each(keyword, value, (part) => close(part, definitions))];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

/** Applies a function to the schema, or to each schema, of a keyword. */
function each(keyword: string, value: Json, change: (schema: Schema) => Schema): Json {
  if (Array.isArray(value)) return (value as readonly Schema[]).map(change);
  if (!isObject(value) || !maps.has(keyword)) return change(value as Schema);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part as Schema)]));
}

/** Properties that a schema, or another schema of the same value, declares. Without any, the object is a map. */
function membersOf(schema: Schema, definitions: Definitions): { readonly isClosed: boolean; readonly required: readonly string[] } {
  const waiting = new Set([schema]);
  for (const part of waiting) for (const next of besides(part, definitions)) waiting.add(next);
  const parts = [...waiting].filter(isObject);
  const isClosed = parts.some(({ properties }) => isObject(properties) && Object.keys(properties).length > 0);
  return { isClosed, required: parts.flatMap(({ required }) => (required ?? []) as readonly string[]) };
}

/** Schemas of the same value. */
function besides(schema: Schema, definitions: Definitions): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] ?? []) as readonly Schema[]);
  const reference = schema['$ref'];
  const name = reference === '#' ? 'main' : String(reference).slice('#/$defs/'.length);
  const target = reference === undefined ? undefined : definitions[name];
  return [...lists, target, schema['then'], schema['else']].filter((each) => isObject(each));
}
