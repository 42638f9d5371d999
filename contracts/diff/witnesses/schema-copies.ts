/**
 * Copies schemas for requests or for responses: without the properties of the other direction, and in closed copies without undeclared ones. JSON Schema
 * allows undeclared properties, but no reader of a contract expects them.
 */

import { startOf } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { copyOrigin, setPlace } from '../../../core/openapi/source-positions.ts';
import type { HalfOfExchange } from '../../../core/results/diff-result.ts';
import type { FlatSchemaCache } from '../schemas/flat-schema.ts';

/** Virtual file that holds the copies; no user's file has this name. */
export const copiesFile = '(closed)';

/** Keywords that hold schemas of the same value. */
const compositionKeywords = ['allOf', 'anyOf', 'oneOf'];
const sameValueKeywords: ReadonlySet<string> = new Set([...compositionKeywords, 'if', 'then', 'else', 'dependentSchemas']);

/** Keywords that hold schemas of child values. */
const childValueKeywords: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'unevaluatedItems',
  'patternProperties',
]);

/** Kind of copy. */
interface CopyMode {
  readonly half: HalfOfExchange;
  readonly isClosed: boolean;
}

/** True if a value contains a schema with `readOnly` or `writeOnly`. */
export function hasReadOrWriteOnly(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && (value['readOnly'] === true || value['writeOnly'] === true)) return true;
  return Object.values(value).some((member) => hasReadOrWriteOnly(member as Json));
}

/** Builds the copies, each once. Copies refer to each other by `$ref`, so a copy of a recursive schema is finite. */
export class SchemaCopies {
  readonly #flatSchemas: FlatSchemaCache;
  readonly #hasDirections: boolean;
  readonly #schemas: Record<string, Json> = {};
  readonly #references = new Map<string, WeakMap<object, JsonObject>>();
  #count = 0;

  /** `hasDirections`: some schema has `readOnly` or `writeOnly`. */
  constructor(flatSchemas: FlatSchemaCache, hasDirections: boolean) {
    this.#flatSchemas = flatSchemas;
    this.#hasDirections = hasDirections;
  }

  /** Content of the virtual file. Documents that use the copies include it under `copiesFile`. */
  get root(): JsonObject {
    return { schemas: this.#schemas };
  }

  /** Copy that allows, at any depth, only declared properties of this direction. */
  withDeclaredPropertiesOnly(schema: Schema, half: HalfOfExchange): Schema {
    return this.#copyChild(schema, { half, isClosed: true });
  }

  /** Copy for one direction: properties of the other direction are neither required nor checked. */
  forDirection(schema: Schema, half: HalfOfExchange): Schema {
    return this.#hasDirections ? this.#copyChild(schema, { half, isClosed: false }) : schema;
  }

  #copyChild(schema: Schema, mode: CopyMode): Schema {
    if (!isObject(schema)) return schema;
    if (!mode.isClosed || !this.#declaresProperties(schema)) return this.#copySameValue(schema, mode);
    return this.#reference(`closed ${mode.half}`, schema, () => ({
      allOf: [
        this.#copySameValue(schema, mode),
        { properties: Object.fromEntries(this.#requiredNames(schema).map((name) => [name, true])) },
      ],
      unevaluatedProperties: false,
    }));
  }

  #copySameValue(schema: Schema, mode: CopyMode): Schema {
    if (!isObject(schema)) return schema;
    return this.#reference(`${mode.isClosed} ${mode.half}`, schema, () => this.#copy(schema, mode));
  }

  /** A `$ref` to the copy of this kind. */
  #reference(kind: string, schema: JsonObject, make: () => JsonObject): JsonObject {
    const ofKind = getOrCompute(this.#references, kind, () => new WeakMap<object, JsonObject>());
    const existing = ofKind.get(schema);
    if (existing !== undefined) return existing;
    this.#count += 1;
    const name = String(this.#count);
    const reference: JsonObject = { $ref: `#/schemas/${name}` };
    setPlace(reference, startOf(copiesFile));
    ofKind.set(schema, reference);
    let copy: JsonObject | undefined;
    // Built on first use, since most parts of large schemas are never needed.
    const get = (): JsonObject => {
      if (copy !== undefined) return copy;
      copy = make();
      copyOrigin(schema, copy);
      return copy;
    };
    Object.defineProperty(this.#schemas, name, { get, enumerable: true });
    return reference;
  }

  #copy(schema: JsonObject, mode: CopyMode): JsonObject {
    const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
      if (keyword === '$ref') return [];
      return [[keyword, this.#copyKeyword(schema, keyword, value, mode)]];
    });
    const target = this.#target(schema);
    const copy = Object.fromEntries(entries);
    if (target === undefined) return copy;
    const all: readonly Json[] = Array.isArray(copy['allOf']) ? copy['allOf'] : [];
    return { ...copy, allOf: [...all, this.#copySameValue(target, mode)] };
  }

  #target(schema: JsonObject): Schema | undefined {
    return typeof schema['$ref'] === 'string' ? this.#flatSchemas.referenceTarget(schema) : undefined;
  }

  #copyKeyword(holder: JsonObject, keyword: string, value: Json, mode: CopyMode): Json {
    if (keyword === 'properties' && isObject(value)) return this.#copyProperties(value, mode);
    if (keyword === 'required' && Array.isArray(value)) return this.#copyRequired(holder, value as readonly Json[], mode);
    if (!sameValueKeywords.has(keyword) && !childValueKeywords.has(keyword)) return value;
    const copy = (each: Json): Json =>
      childValueKeywords.has(keyword) ? this.#copyChild(each as Schema, mode) : this.#copySameValue(each as Schema, mode);
    if (Array.isArray(value)) return (value as readonly Json[]).map(copy);
    if (keyword !== 'patternProperties' && keyword !== 'dependentSchemas') return copy(value);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)])) : value;
  }

  /** Copies properties. Those of the other direction are left out of closed copies, and unchecked in open ones. */
  #copyProperties(members: JsonObject, mode: CopyMode): JsonObject {
    return Object.fromEntries(
      Object.entries(members).flatMap(([name, each]): readonly (readonly [string, Json])[] => {
        if (!this.#isOfOtherHalf(each, mode)) return [[name, this.#copyChild(each as Schema, mode)]];
        return mode.isClosed ? [] : [[name, true]];
      }),
    );
  }

  #copyRequired(holder: JsonObject, names: readonly Json[], mode: CopyMode): Json {
    const members: JsonObject = isObject(holder['properties']) ? holder['properties'] : {};
    return names.filter((name) => !this.#isOfOtherHalf(members[String(name)], mode));
  }

  #isOfOtherHalf(schema: Json | undefined, { half }: CopyMode): boolean {
    if (!isObject(schema)) return false;
    const mark = half === 'request' ? 'readOnly' : 'writeOnly';
    const target = schema[mark] === undefined ? this.#target(schema) : undefined;
    return schema[mark] === true || (isObject(target) && target[mark] === true);
  }

  /** True if a schema, or another schema of the same value, declares properties. An object without declared properties is a map. */
  #declaresProperties(schema: JsonObject): boolean {
    return this.#sameValueSchemas(schema).some((each) => isObject(each['properties']) && Object.keys(each['properties']).length > 0);
  }

  /** Required names. They count as declared, even without a schema. */
  #requiredNames(schema: JsonObject): readonly string[] {
    return this.#sameValueSchemas(schema).flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : []));
  }

  /** A schema and all schemas of the same value. */
  #sameValueSchemas(schema: JsonObject): readonly JsonObject[] {
    const seen = new Set<JsonObject>([schema]);
    for (const each of seen) {
      const lists = compositionKeywords.flatMap((keyword) => (Array.isArray(each[keyword]) ? (each[keyword] as readonly Json[]) : []));
      for (const next of [this.#target(each), ...lists, each['then'], each['else']]) if (isObject(next)) seen.add(next);
    }
    return [...seen];
  }
}
