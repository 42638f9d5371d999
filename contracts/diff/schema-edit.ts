/** Schemas as conjunctions of keywords, and edits of them: one difference of one keyword, and what it does to the values that are allowed. */

import type { HalfOfExchange, Level, Side } from '../../core/change.ts';
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
  placeOf(view: View, keyword: string, stated: Stated | undefined = view.keywords.get(keyword)?.[0]): Place {
    return stated === undefined ? view.place : this.placeIn(stated.holder, keyword);
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

/** The values of a keyword, one for each time that it is stated. */
export function valuesOf(view: View, keyword: string): readonly Json[] {
  return (view.keywords.get(keyword) ?? []).map(({ value }) => value);
}

/** The schemas among them. */
export function schemasOf(view: View, keyword: string): readonly Schema[] {
  return valuesOf(view, keyword).filter(isSchema);
}

/** Some keywords of a view by themselves, as they are stated first. */
export function alone(view: View, keywords: readonly string[], statedIn: typeof valuesOf = valuesOf): JsonObject {
  return Object.fromEntries(
    keywords.flatMap((keyword) =>
      statedIn(view, keyword)
        .slice(0, 1)
        .map((value) => [keyword, value]),
    ),
  );
}

/** The members of a keyword that maps names to schemas, over all its statements. */
export function mapIn(view: View, keyword: string): ReadonlyMap<string, readonly Schema[]> {
  const found = new Map<string, Schema[]>();
  for (const value of valuesOf(view, keyword))
    for (const [name, schema] of Object.entries(isObject(value) ? value : {}))
      if (isSchema(schema)) found.set(name, [...(found.get(name) ?? []), schema]);
  return found;
}

/** The schema of what has one under `schema`, such as a media type or a header; everything where there is none. */
export function schemaIn({ schema }: JsonObject): Schema {
  return isSchema(schema) ? schema : true;
}

/**
 * What an edit does to the values that a schema allows: fewer than before, more than before, some gone and some new, or neither. What can be told
 * only by comparing the schemas whole is `unknown`.
 */
export type Effect = 'narrower' | 'wider' | 'both' | 'none' | 'unknown';

/** The effect of losing and gaining values. */
export function effectOf(loses: boolean, gains: boolean): Effect {
  if (loses && gains) return 'both';
  if (loses) return 'narrower';
  return gains ? 'wider' : 'none';
}

/** One difference between two schemas at one place. */
export interface SchemaEdit {
  /** The second half of a change's id, such as `enum-value-removed`. */
  readonly rule: string;
  readonly effect: Effect;
  readonly before: Side;
  readonly after: Side;
  /** The name or the value that it is about. */
  readonly subject: string;
  readonly text: string;
  /** Where policy, not logic, decides. */
  readonly levels?: Partial<Readonly<Record<HalfOfExchange, Level>>>;
  /** Who breaks, where there is more to say than the level says. */
  readonly reason?: string;
  /** The demand of the new schema that an old value fails, and that of the old schema that a new value fails; the whole schema where none is given. */
  readonly demands?: Demands;
}

/** What each side demands; the whole schema where nothing is said. */
export interface Demands {
  readonly old?: Schema;
  readonly new?: Schema;
}

/** A step from a schema to one below it. */
export type Step =
  | { readonly kind: 'property'; readonly name: string; readonly isReadOnly: boolean; readonly isWriteOnly: boolean }
  | { readonly kind: 'items' }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'contains' }
  | { readonly kind: 'others' }
  | { readonly kind: 'matching'; readonly pattern: string }
  | { readonly kind: 'names' }
  /** A schema about the same value, such as a branch of `anyOf`. */
  | { readonly kind: 'same'; readonly keyword: string; readonly label: string }
  /** A schema that turns what is below it round: `not`. */
  | { readonly kind: 'negated' };

/** Two schemas at corresponding places, and all that differs between them. */
export interface SchemaPair {
  readonly old: View;
  readonly new: View;
  readonly edits: readonly SchemaEdit[];
  readonly children: readonly { readonly step: Step; readonly pair: SchemaPair }[];
}

/** What the rules of keywords work with. */
export interface Two {
  readonly views: Views;
  readonly old: View;
  readonly new: View;
  /** The pair below a step. */
  readonly below: (step: Step, old: Schema, next: Schema) => unknown;
  readonly report: (edit: SchemaEdit) => unknown;
  /** Keywords that others compare. */
  readonly comparedElsewhere: ReadonlySet<string>;
  /** Whether two schemas differ in what they allow as far as rules see it, also where their words are the same and what they refer to is not. */
  readonly differs: (old: Schema, next: Schema) => boolean;
  /** Whether one schema's instances are all instances of the other, as far as that is proved. */
  readonly includes: (sub: Schema, sup: Schema) => boolean;
}

/** Both sides of an edit of a keyword. Where it is stated several times, the statement that the other side does not have, or one that is meant. */
export function sides(
  { views, old, new: next }: Two,
  keyword: string,
  isMeant: (value: Json) => boolean = () => false,
): Pick<SchemaEdit, 'before' | 'after' | 'subject'> {
  const sideOf = (view: View, other: View): Side => {
    const known = valuesOf(other, keyword).map((value) => JSON.stringify(value));
    const stated = view.keywords.get(keyword) ?? [];
    const meant = stated.find(({ value }) => isMeant(value)) ?? stated.find(({ value }) => !known.includes(JSON.stringify(value)));
    return { value: meant?.value, place: meant === undefined ? view.place : views.placeIn(meant.holder, keyword) };
  };
  return { before: sideOf(old, next), after: sideOf(next, old), subject: keyword };
}

/** The demands that one keyword makes on each side, as schemas of their own. */
export function demandsOf({ views, old, new: next }: Two, keyword: string): Demands {
  const demandOf = (view: View): Schema => views.join(valuesOf(view, keyword).map((value) => ({ [keyword]: value })));
  return { old: demandOf(old), new: demandOf(next) };
}

/** Both sides of an edit of a keyword that demands something by itself. */
export function demanding(two: Two, keyword: string): Pick<SchemaEdit, 'before' | 'after' | 'subject'> & { readonly demands: Demands } {
  return { ...sides(two, keyword), demands: demandsOf(two, keyword) };
}

/** What a change of demands does, as far as it is proved that no value is lost, or none is gained. */
export function provedEffect({ includes }: Two, { old = true, new: next = true }: Demands): Effect {
  return effectOf(!includes(old, next), !includes(next, old));
}

/** What happened to something that may be there and may not. */
export type Verb = 'added' | 'removed' | 'changed';

/** What became of a value. */
export function verbOf(before: unknown, after: unknown): Verb {
  return before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
}

/** What it does that a demand is added, is removed, or changes in a way that only whole schemas tell. */
export const effectOfVerb: Readonly<Record<Verb, Effect>> = { added: 'narrower', removed: 'wider', changed: 'unknown' };

/** The types of JSON Schema. */
export const allTypes: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The types that a schema allows, `number` standing for its integers too; `undefined` when it names none. */
export function typesOf(view: View): ReadonlySet<string> | undefined {
  const stated = view.keywords.get('type');
  if (stated === undefined) return undefined;
  const lists = stated.map(({ value }) => [value].flat().map(String));
  const allows = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return new Set(allTypes.filter((type) => lists.every((list) => allows(list, type))));
}

/** A value as sentences show it. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A keyword as ids write it: `allow-reserved`. */
export function toKebab(keyword: string): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
