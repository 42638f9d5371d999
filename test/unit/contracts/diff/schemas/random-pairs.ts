/** Random pairs of schemas; the second is an edit of the first: a keyword added or removed, a bound moved, a branch added. */

import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../../../../core/json.ts';
import type { Schema } from '../../../../../core/openapi/schema-facts.ts';
import { isGrounded, schemas } from '../../../generators/random-schema.ts';

/** A schema before and after an edit. */
export interface SchemaChange {
  readonly old: Schema;
  readonly new: Schema;
}

/** Pairs of schemas with a depth of nesting. */
export function schemaChanges(depth: number): fc.Arbitrary<SchemaChange> {
  const parts = fc.array(
    schemas(1).filter((part) => !JSON.stringify(part).includes('"$ref"')),
    { minLength: 2, maxLength: 2 },
  );
  const tape = fc.array(fc.nat({ max: 999 }), { minLength: 12, maxLength: 12 });
  return fc
    .record({ old: schemas(depth), parts, tape })
    .map(({ old, parts: given, tape: choices }) => ({ old: plain(old), new: plain(edit(old, given, readTape(choices))) }))
    .filter(({ old, new: next }) => isGrounded(next) && JSON.stringify(old) !== JSON.stringify(next));
}

/**
 * A schema without `nullable`, which is not JSON Schema but which ajv obeys; and without multiples that no double represents, such as 0.01,
 * since validators that divide doubles are wrong on large numbers.
 */
function plain(schema: Schema): Schema {
  const exact = (keyword: string, value: Json): Json | undefined => {
    if (keyword === 'nullable') return undefined;
    return keyword === 'multipleOf' && typeof value === 'number' && !Number.isInteger(value * 2) ? 0.5 : value;
  };
  return JSON.parse(JSON.stringify(schema, exact)) as Schema;
}

/** Chooses one of `count` options. */
type Choose = (count: number) => number;

function readTape(choices: readonly number[]): Choose {
  let at = 0;
  return (count) => {
    at += 1;
    return (choices[at - 1] ?? 0) % count;
  };
}

/** One or two edits. */
function edit(schema: Schema, parts: readonly Schema[], choose: Choose): Schema {
  return parts.slice(choose(2)).reduce((current, part) => {
    const places = placesOf(current);
    return replaceAt(current, places[choose(places.length)] ?? [], (node) => change(node, part, choose));
  }, schema);
}

type Path = readonly (string | number)[];

const single = ['not', 'items', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'additionalProperties', 'contains', 'if'];
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const named = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** Paths of all schemas in a schema, including its own. */
function placesOf(schema: Schema): readonly Path[] {
  if (!isObject(schema)) return [[]];
  const below = (path: Path, value: Json | undefined): readonly Path[] =>
    typeof value === 'boolean' || isObject(value) ? placesOf(value).map((rest) => [...path, ...rest]) : [];
  return [
    [],
    ...[...single, 'then', 'else'].flatMap((keyword) => below([keyword], schema[keyword])),
    ...[...listed, ...named].flatMap((keyword) =>
      Object.entries(schema[keyword] ?? {}).flatMap(([key, value]) =>
        below([keyword, listed.includes(keyword) ? Number(key) : key], value as Json),
      ),
    ),
  ];
}

function replaceAt(value: Json, [key, ...rest]: Path, replace: (schema: Schema) => Schema): Schema {
  if (key === undefined) return replace(value as Schema);
  if (Array.isArray(value))
    return (value as readonly Json[]).with(Number(key), replaceAt(value[Number(key)] ?? true, rest, replace)) as never;
  const holder = value as JsonObject;
  return { ...holder, [key]: replaceAt(holder[key] ?? true, rest, replace) };
}

function change(node: Schema, part: Schema, choose: Choose): Schema {
  const own: JsonObject = isObject(node) ? node : {};
  const { $defs, ...words } = own;
  const definitions: JsonObject = $defs === undefined ? {} : { $defs };
  const keywords = Object.keys(words);
  const given = isObject(part) ? part : {};
  switch (choose(9)) {
    case 0:
      return without(own, keywords[choose(Math.max(1, keywords.length))] ?? '');
    case 1:
      return { ...own, ...given };
    case 2:
      return isObject(part) ? { ...part, ...definitions } : Object.keys(definitions).length > 0 ? { ...definitions } : part;
    case 3:
      return { [['anyOf', 'allOf', 'oneOf'][choose(3)] ?? 'anyOf']: [words, part], ...definitions };
    case 4:
      return choose(2) === 0 ? { ...own, description: 'other words' } : { ...own, additionalProperties: false };
    default:
      return nudge(own, given, choose);
  }
}

function without(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

/** Moves a value of the schema a little: numbers by one, lists and maps by one member. */
function nudge(schema: JsonObject, part: JsonObject, choose: Choose): JsonObject {
  const moved = Object.entries(schema).flatMap(([keyword, value]): readonly JsonObject[] => {
    const now = keyword === '$defs' ? undefined : nudged(value, part[keyword], choose);
    return now === undefined ? [] : [{ [keyword]: now }];
  });
  return { ...schema, ...(moved[choose(Math.max(1, moved.length))] ?? part) };
}

function nudged(value: Json | undefined, other: Json | undefined, choose: Choose): Json | undefined {
  if (typeof value === 'number') return value > 1 && choose(2) === 0 ? value - 1 : value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return nudgedList(value as readonly Json[], other, choose);
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  if (choose(2) === 0 && names.length > 1) return without(value, names[choose(names.length)] ?? '');
  return isObject(other) ? { ...value, ...other } : undefined;
}

function nudgedList(list: readonly Json[], other: Json | undefined, choose: Choose): Json | undefined {
  if (choose(2) === 0 && list.length > 1) return list.toSpliced(choose(list.length), 1);
  const isAlike = Array.isArray(other) && typeof other[0] === typeof list[0];
  return isAlike ? [...list, ...(other as readonly Json[])].filter(isFirst) : undefined;
}

function isFirst(value: Json, index: number, list: readonly Json[]): boolean {
  return list.findIndex((each) => JSON.stringify(each) === JSON.stringify(value)) === index;
}
