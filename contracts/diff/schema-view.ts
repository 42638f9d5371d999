/** What a schema says as a whole: its own keywords together with those of what it refers to and of its `allOf`, as one conjunction. */

import { type Document, referred } from '../../core/document.ts';
import type { Place } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';

/** A keyword as it is written once, with the schema that it stands in. */
export interface Stated {
  readonly value: Json;
  readonly holder: JsonObject;
}

/** A schema as one conjunction of keywords. */
export interface View {
  readonly schema: Schema;
  /** By keyword, every statement of it. `$ref` and `allOf` are followed and not among them. */
  readonly keywords: ReadonlyMap<string, readonly Stated[]>;
  readonly place: Place;
}

/** Views of the schemas of a document, each made once. */
export class Views {
  readonly #document: Document;
  readonly #known = new WeakMap<object, View>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #joined = new Map<string, JsonObject>();
  #count = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  /** The view of a schema; `around` is its place where it has none of its own, as `true` has. */
  of(schema: Schema, around: Place): View {
    if (!isObject(schema)) {
      const keywords = schema ? [] : [['not', [{ value: {}, holder: {} }]] as const];
      return { schema, keywords: new Map(keywords), place: around };
    }
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const keywords = new Map<string, Stated[]>();
    for (const part of this.#parts(schema)) {
      if (part === false) keywords.set('not', [...(keywords.get('not') ?? []), { value: {}, holder: schema }]);
      else gather(part, keywords);
    }
    const view = { schema, keywords, place: this.#document.place(schema) };
    this.#known.set(schema, view);
    return view;
  }

  /** One schema that says what several say: the only one of them, or an `allOf` that is the same for the same ones. */
  join(schemas: readonly Schema[]): Schema {
    const [first, ...others] = schemas;
    if (first === undefined) return true;
    if (others.length === 0) return first;
    const key = schemas.map((schema) => (isObject(schema) ? this.#numberOf(schema) : String(schema))).join();
    const known = this.#joined.get(key) ?? { allOf: schemas };
    this.#joined.set(key, known);
    return known;
  }

  /** What a schema refers to; `undefined` when it refers to nothing, or to no schema. */
  target(schema: JsonObject): Schema | undefined {
    const found = referred(this.#document, schema);
    return isObject(found) || typeof found === 'boolean' ? found : undefined;
  }

  /** Where a keyword of a view stands; the view's own place where it does not say it. */
  placeOf(view: View, keyword: string): Place {
    const [stated] = view.keywords.get(keyword) ?? [];
    return stated === undefined ? view.place : this.#document.place(stated.holder, keyword);
  }

  /** Where a member of a schema stands. */
  placeIn(holder: JsonObject, key: string): Place {
    return this.#document.place(holder, key);
  }

  /** The schemas that hold together with a schema: itself, what it refers to, and its `allOf`. */
  #parts(schema: JsonObject): readonly (JsonObject | false)[] {
    const found = new Set<JsonObject | false>([schema]);
    for (const part of found) {
      if (part === false) continue;
      const target = referred(this.#document, part);
      const all: readonly Json[] = Array.isArray(part['allOf']) ? part['allOf'] : [];
      for (const next of [target, ...all]) if (isObject(next) || next === false) found.add(next);
    }
    return [...found];
  }

  #numberOf(schema: object): number {
    const known = this.#numbers.get(schema);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#numbers.set(schema, this.#count);
    return this.#count;
  }
}

function gather(part: JsonObject, keywords: Map<string, Stated[]>): void {
  for (const [keyword, value] of Object.entries(part)) {
    if (keyword === '$ref' || keyword === 'allOf') continue;
    const stated = keywords.get(keyword) ?? [];
    keywords.set(keyword, stated);
    stated.push({ value, holder: part });
  }
}

/** Whether a value is a schema. */
export function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

/** Whether a schema allows everything by saying nothing. */
export function saysNothing(schema: Schema): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

/** The members of a keyword that maps names to schemas, over all its statements. */
export function mapIn(view: View, keyword: string): ReadonlyMap<string, readonly Schema[]> {
  const found = new Map<string, Schema[]>();
  for (const { value } of view.keywords.get(keyword) ?? [])
    for (const [name, schema] of Object.entries(isObject(value) ? value : {}))
      if (isSchema(schema)) found.set(name, [...(found.get(name) ?? []), schema]);
  return found;
}

/** The schema of what has one under `schema`, such as a media type or a header; everything where there is none. */
export function schemaIn({ schema }: JsonObject): Schema {
  return isSchema(schema) ? schema : true;
}
