/**
 * Copies schemas so that they forbid the properties that they do not declare: JSON Schema allows these, but no reader of a contract expects them in a witness.
 */

import { startOf } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { markOfOtherDirection } from '../../../core/openapi/schema-direction.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { copyOrigin, setPlace } from '../../../core/openapi/source-positions.ts';
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

/** Builds the copies, each once. Copies refer to each other by `$ref`, so a copy of a recursive schema is finite. */
export class SchemaCopies {
  readonly #flatSchemas: FlatSchemaCache;
  readonly #schemas: Record<string, Json> = {};
  /** References to copies whose own undeclared properties are allowed, and forbidden. */
  readonly #open = new WeakMap<object, JsonObject>();
  readonly #closed = new WeakMap<object, JsonObject>();
  #count = 0;

  constructor(flatSchemas: FlatSchemaCache) {
    this.#flatSchemas = flatSchemas;
  }

  /** Content of the virtual file. Documents that use the copies include it under `copiesFile`. */
  get root(): JsonObject {
    return { schemas: this.#schemas };
  }

  /** Copy of a schema of one direction that allows, at any depth, only the declared properties of this direction. */
  withDeclaredPropertiesOnly(schema: Schema): Schema {
    return this.#copyChild(schema);
  }

  #copyChild(schema: Schema): Schema {
    if (!isObject(schema) || !this.#declaresProperties(schema)) return this.#copySameValue(schema);
    return this.#reference(this.#closed, schema, () => ({
      allOf: [this.#copySameValue(schema), { properties: Object.fromEntries(this.#requiredNames(schema).map((name) => [name, true])) }],
      unevaluatedProperties: false,
    }));
  }

  #copySameValue(schema: Schema): Schema {
    return isObject(schema) ? this.#reference(this.#open, schema, () => this.#copy(schema)) : schema;
  }

  /** A `$ref` to the copy of one kind. */
  #reference(ofKind: WeakMap<object, JsonObject>, schema: JsonObject, make: () => JsonObject): JsonObject {
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

  #copy(schema: JsonObject): JsonObject {
    const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
      if (keyword === '$ref') return [];
      return [[keyword, this.#copyKeyword(keyword, value)]];
    });
    const target = this.#target(schema);
    const copy = Object.fromEntries(entries);
    if (target === undefined) return copy;
    const all: readonly Json[] = Array.isArray(copy['allOf']) ? copy['allOf'] : [];
    return { ...copy, allOf: [...all, this.#copySameValue(target)] };
  }

  #target(schema: JsonObject): Schema | undefined {
    return typeof schema['$ref'] === 'string' ? this.#flatSchemas.referenceTarget(schema) : undefined;
  }

  #copyKeyword(keyword: string, value: Json): Json {
    if (keyword === 'properties' && isObject(value)) return this.#copyProperties(value);
    if (!sameValueKeywords.has(keyword) && !childValueKeywords.has(keyword)) return value;
    const copy = (each: Json): Json =>
      childValueKeywords.has(keyword) ? this.#copyChild(each as Schema) : this.#copySameValue(each as Schema);
    if (Array.isArray(value)) return (value as readonly Json[]).map(copy);
    if (keyword !== 'patternProperties' && keyword !== 'dependentSchemas') return copy(value);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)])) : value;
  }

  /** Copies properties, without those of the other direction. */
  #copyProperties(members: JsonObject): JsonObject {
    const entries = Object.entries(members).filter(([, each]) => markOfOtherDirection(each) === undefined);
    return Object.fromEntries(entries.map(([name, each]) => [name, this.#copyChild(each as Schema)]));
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
