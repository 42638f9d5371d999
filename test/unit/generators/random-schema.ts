/** Random schemas with all keywords. Few small constants are used, so that keywords affect each other. */

import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';

/** Schemas that nest to a depth. Now and then they refer to definitions of their own, or to themselves. */
export function schemas(depth: number): fc.Arbitrary<Schema> {
  const plain = schemaOf(depth, []);
  const referring = fc
    .record({ main: schemaOf(depth, [...references, '#']), one: schemaOf(depth - 1, references), two: schemaOf(depth - 1, references) })
    .map(({ main, one, two }): Schema => (typeof main === 'boolean' ? main : { ...main, $defs: { one, two } }))
    .filter(isGrounded);
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: referring });
}

/**
 * True when no schema contains itself at the same instance location: such a schema is undefined (JSON Schema core §9.4.1), and judges
 * differ.
 */
export function isGrounded(root: Schema): boolean {
  const targets: Readonly<Record<string, Schema>> =
    isObject(root) && isObject(root['$defs']) ? (root['$defs'] as Record<string, Schema>) : {};
  const isFree = (schema: Schema, open: readonly Schema[]): boolean => {
    if (!isObject(schema)) return true;
    if (open.includes(schema)) return false;
    const reference = schema['$ref'];
    const referred =
      typeof reference === 'string' ? [reference === '#' ? root : (targets[reference.slice('#/$defs/'.length)] ?? true)] : [];
    return [...inPlace(schema), ...referred].every((part) => isFree(part, [...open, schema]));
  };
  return [root, ...Object.values(targets)].every((schema) => isFree(schema, []));
}

function inPlace(schema: JsonObject): readonly Schema[] {
  const listed = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] ?? []) as readonly Schema[]);
  const single = ['not', 'if', 'then', 'else'].flatMap((keyword): readonly Schema[] =>
    keyword in schema ? [schema[keyword] as Schema] : [],
  );
  return [...listed, ...single, ...Object.values((schema['dependentSchemas'] ?? {}) as Record<string, Schema>)];
}

const references: readonly string[] = ['#/$defs/one', '#/$defs/two'];
const memberNames: readonly string[] = ['a', 'b', 'ab', 'c'];
const typeNames: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const texts: readonly string[] = ['', 'a', 'b', 'ab', 'abc', '1'];
const patterns: readonly string[] = ['^a', 'b$', '^[ab]+$', '^.{2}$', '[0-9]', '^(?!a)'];
const formats: readonly string[] = ['date', 'uuid', 'ipv4', 'int32', 'email', 'unknown-format'];

const oneOfMany = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const numbers = oneOfMany([0, 1, 2, 3, -1, 1.5, 10]);
const counts = fc.nat({ max: 3 });
const name = oneOfMany(memberNames);
const names = fc.uniqueArray(name, { maxLength: 2 });

const scalar: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), numbers, oneOfMany(texts));

/** A few values: most of them scalars, some lists and objects of scalars. */
const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(name, scalar, { maxKeys: 2, noNullPrototype: true }) },
);

/** A keyword, or several that belong together. */
type Words = fc.Arbitrary<JsonObject>;

function say(keyword: string, values: fc.Arbitrary<Json>): Words {
  return values.map((each) => ({ [keyword]: each }));
}

/** Keywords that hold no schemas. */
const leaves: readonly Words[] = [
  say('type', oneOfMany(typeNames)),
  say('type', oneOfMany(typeNames)),
  say('type', fc.uniqueArray(oneOfMany(typeNames), { minLength: 1, maxLength: 3 })),
  oneOfMany(typeNames).map((type) => ({ type, nullable: true })),
  say('const', value),
  say('enum', fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (each) => JSON.stringify(each) })),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => say(keyword, numbers)),
  say('multipleOf', oneOfMany([1, 2, 3, 0.5, 0.01])),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((keyword) => say(keyword, counts)),
  say('pattern', oneOfMany(patterns)),
  say('format', oneOfMany(formats)),
  say('uniqueItems', fc.boolean()),
  say('required', names),
  say('dependentRequired', fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true })),
];

function schemaOf(depth: number, refs: readonly string[]): fc.Arbitrary<Schema> {
  const words = depth <= 0 ? leaves : [...leaves, ...branches(depth - 1, refs)];
  const referring = refs.length === 0 ? [] : Array.from({ length: 4 }, () => say('$ref', oneOfMany(refs)));
  const many = fc.array(fc.oneof(...words, ...referring), { minLength: 1, maxLength: 4 });
  const joined = many.map((parts): Schema => Object.assign({}, ...parts) as JsonObject);
  return fc.oneof({ weight: 12, arbitrary: joined }, { weight: 1, arbitrary: fc.constantFrom<Schema[]>(true, false, {}) });
}

/** Keywords that hold schemas. */
function branches(depth: number, refs: readonly string[]): readonly Words[] {
  const part = schemaOf(depth, refs);
  const some = fc.array(part, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(name, part, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const patterned = fc.dictionary(oneOfMany(patterns), part, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
  const closing = say('additionalProperties', fc.oneof(fc.constant(false), part));
  return [
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => say(keyword, some)),
    ...['not', 'items', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems'].map((keyword) => say(keyword, part)),
    say('properties', named),
    say('properties', named),
    say('patternProperties', patterned),
    say('dependentSchemas', named),
    closing,
    together(say('properties', named), closing),
    together(say('properties', named), say('required', names)),
    together(say('contains', part), optionally('minContains', counts), optionally('maxContains', counts)),
    together(say('if', part), optionally('then', part), optionally('else', part)),
    together(say('allOf', some), say('unevaluatedProperties', fc.oneof(fc.constant(false), part))),
    together(say('anyOf', some), say('unevaluatedItems', fc.oneof(fc.constant(false), part))),
  ];
}

function optionally(keyword: string, values: fc.Arbitrary<Json>): Words {
  return fc.option(values, { nil: undefined }).map((each): JsonObject => (each === undefined ? {} : { [keyword]: each }));
}

function together(...parts: readonly Words[]): Words {
  return fc.tuple(...parts).map((found): JsonObject => Object.assign({}, ...found) as JsonObject);
}

const scalars: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    6,
    9,
    10,
    11,
    0.5,
    1.5,
    0.01,
    2.25,
    100,
    -7,
    1000000,
    ...texts,
    'aa',
    'ba',
    'aab',
    'xyz',
    'abcde',
    'b1',
  ],
  ...['2024-02-29', '127.0.0.1', 'a@b.example', '00000000-0000-4000-8000-000000000000'],
];
const few: readonly Json[] = [null, true, 0, 1, 2, 1.5, '', 'a', 'ab', [], {}];

/** A few hundred simple values: when a schema accepts one of them, it can be satisfied. */
export const probes: readonly Json[] = [
  ...scalars,
  [],
  {},
  ...scalars.map((each) => [each]),
  ...few.flatMap((left) => few.map((right) => [left, right])),
  ...few.map((each) => [each, each, each]),
  [0, 1, 2],
  ['a', 'b', 'ab', 'c'],
  ...memberNames.flatMap((key) => scalars.map((each) => ({ [key]: each }))),
  ...memberNames.map((key) => ({ [key]: [] })),
  ...memberNames.map((key) => ({ [key]: {} })),
  ...few.flatMap((left) => few.map((right) => ({ a: left, b: right }))),
  ...few.map((each) => ({ a: each, b: each, ab: each, c: each })),
  ...few.map((each) => ({ a: each, b: each, ab: each })),
  ...['x', '1', 'aa', 'ba', 'zz'].map((key) => ({ [key]: 1 })),
  { x: 1, y: 'a' },
  { x: 1, y: 2, z: 3 },
];
