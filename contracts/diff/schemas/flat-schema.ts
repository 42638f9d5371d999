/** Schemas with `$ref` and `allOf` flattened: all keywords that apply to the same value, each with its place. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { getOrCompute, lazy } from '../../../core/memo.ts';
import { followOnce, rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { copyOrigin } from '../../../core/openapi/source-positions.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import type { ContractPlace, PlacedDocument } from '../component-places.ts';

/** One occurrence of a keyword, and the schema object that holds it. */
export interface KeywordOccurrence {
  readonly value: Json;
  readonly holder: JsonObject;
}

/** A schema with all keywords that apply to the same value. */
export interface FlatSchema {
  readonly schema: Schema;
  /** All occurrences of each keyword. `$ref` and `allOf` are resolved and not included. */
  readonly keywords: ReadonlyMap<string, readonly KeywordOccurrence[]>;
  readonly place: ContractPlace;
}

/** Builds the flat schemas of a document, each once. */
export class FlatSchemaCache {
  /** The files of both sides. */
  readonly document: PlacedDocument;
  readonly #flatSchemas = new WeakMap<object, FlatSchema>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #joined = new Map<string, JsonObject>();
  /** The first schema of each joined one, which gives it its place. */
  readonly #firstParts = new WeakMap<object, JsonObject>();
  #count = 0;

  constructor(document: PlacedDocument) {
    this.document = document;
  }

  /** The flat form of a schema. `true` and `false` have no place in the file, so they are reported at that of `around`. */
  of(schema: Schema, around: { readonly place: ContractPlace }): FlatSchema {
    if (!isObject(schema)) {
      const keywords = schema ? [] : [['not', [{ value: {}, holder: {} }]] as const];
      return { schema, keywords: new Map(keywords), place: around.place };
    }
    const builtSchema = this.#flatSchemas.get(schema);
    if (builtSchema !== undefined) return builtSchema;
    const keywords = new Map<string, KeywordOccurrence[]>();
    for (const part of this.#parts(schema)) {
      if (part === false) keywords.set('not', [...(keywords.get('not') ?? []), { value: {}, holder: schema }]);
      else collectKeywords(part, keywords);
    }
    const place = lazy(() => this.document.place(this.#firstParts.get(schema) ?? schema));
    const flat: FlatSchema = {
      schema,
      keywords,
      get place() {
        return place();
      },
    };
    this.#flatSchemas.set(schema, flat);
    return flat;
  }

  /** One schema that requires all of several: the schema itself if there is one, or an `allOf` at the place of the first. Equal lists give the same object. */
  combine(schemas: readonly Schema[]): Schema {
    const [first, ...others] = schemas;
    if (first === undefined) return true;
    if (others.length === 0) return first;
    const key = schemas.map((schema) => (isObject(schema) ? this.#numberOf(schema) : String(schema))).join();
    return getOrCompute(this.#joined, key, () => {
      const firstPart = schemas.find(isObject);
      const joined = copyOrigin(firstPart, { allOf: schemas });
      if (firstPart !== undefined) this.#firstParts.set(joined, firstPart);
      return joined;
    });
  }

  /** Target of a `$ref`; `undefined` if there is none, or if it is not a schema. */
  referenceTarget(schema: JsonObject): Schema | undefined {
    const target = followOnce(this.document, schema);
    return isSchema(target) ? target : undefined;
  }

  /** The component schema of a name in the file of another value; `undefined` if there is none. */
  componentBeside(value: JsonObject, name: string): Schema | undefined {
    const root = rawOf(this.document).files.get(this.document.place(value).file);
    const schema = valueAt(root, toPointer(['components', 'schemas', name]));
    return isSchema(schema) ? schema : undefined;
  }

  /** Place of what a schema states: of its target, if it does nothing but refer to it. */
  placeOfContent(flat: FlatSchema): ContractPlace {
    let { schema } = flat;
    while (isObject(schema) && Object.keys(schema).length === 1) {
      const target = this.referenceTarget(schema);
      if (!isObject(target)) break;
      schema = target;
    }
    return schema === flat.schema || !isObject(schema) ? flat.place : this.document.place(schema);
  }

  /** Place of a keyword; the place of the schema if it lacks the keyword. */
  placeOfKeyword(
    flat: FlatSchema,
    keyword: string,
    stated: KeywordOccurrence | undefined = flat.keywords.get(keyword)?.[0],
  ): ContractPlace {
    return stated === undefined ? flat.place : this.placeOfMember(stated.holder, keyword);
  }

  /** Place of a member of a schema object. */
  placeOfMember(holder: JsonObject, key: string): ContractPlace {
    return this.document.place(holder, key);
  }

  /** A schema object, its `$ref` target and its `allOf` branches, recursively. */
  #parts(schema: JsonObject): readonly (JsonObject | false)[] {
    const parts = new Set<JsonObject | false>([schema]);
    for (const part of parts) {
      if (part === false) continue;
      const target = followOnce(this.document, part);
      const all: readonly Json[] = Array.isArray(part['allOf']) ? part['allOf'] : [];
      for (const next of [target, ...all]) if (isObject(next) || next === false) parts.add(next);
    }
    return [...parts];
  }

  #numberOf(schema: object): number {
    const number = this.#numbers.get(schema);
    if (number !== undefined) return number;
    this.#count += 1;
    this.#numbers.set(schema, this.#count);
    return this.#count;
  }
}

function collectKeywords(part: JsonObject, keywords: Map<string, KeywordOccurrence[]>): void {
  for (const [keyword, value] of Object.entries(part)) {
    if (keyword === '$ref' || keyword === 'allOf') continue;
    const stated = getOrCompute(keywords, keyword, () => []);
    stated.push({ value, holder: part });
  }
}

/** True if a value is a schema. */
export function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

/** True for `true` and `{}`. */
export function isEmptySchema(schema: Schema): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

/** Values of a keyword, one for each occurrence. */
export function keywordValues(flat: FlatSchema, keyword: string): readonly Json[] {
  return (flat.keywords.get(keyword) ?? []).map(({ value }) => value);
}

/** Values of a keyword that are schemas. */
export function keywordSchemas(flat: FlatSchema, keyword: string): readonly Schema[] {
  return keywordValues(flat, keyword).filter(isSchema);
}

/** A schema with only some keywords, each in its first occurrence. `valuesOf` selects the occurrences. */
export function pickKeywords(flat: FlatSchema, keywords: readonly string[], valuesOf: typeof keywordValues = keywordValues): JsonObject {
  return Object.fromEntries(
    keywords.flatMap((keyword) =>
      valuesOf(flat, keyword)
        .slice(0, 1)
        .map((value) => [keyword, value]),
    ),
  );
}

/** Entries of a keyword that maps names to schemas, over all occurrences. */
export function keywordMap(flat: FlatSchema, keyword: string): ReadonlyMap<string, readonly Schema[]> {
  const schemas = new Map<string, Schema[]>();
  for (const value of keywordValues(flat, keyword))
    for (const [name, schema] of Object.entries(isObject(value) ? value : {}))
      if (isSchema(schema)) schemas.set(name, [...(schemas.get(name) ?? []), schema]);
  return schemas;
}

/** Schema of a media type, parameter or header; `true` if it has none. */
export function schemaMember({ schema }: JsonObject): Schema {
  return isSchema(schema) ? schema : true;
}

/** The types of JSON Schema. */
export const allTypes: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** Types that a schema allows; `number` includes `integer`. `undefined` without `type`. */
export function allowedTypes(flat: FlatSchema): ReadonlySet<string> | undefined {
  const stated = flat.keywords.get('type');
  if (stated === undefined) return undefined;
  const lists = stated.map(({ value }) => [value].flat().map(String));
  const allows = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return new Set(allTypes.filter((type) => lists.every((list) => allows(list, type))));
}
