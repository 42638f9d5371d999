/**
 * Schemas whose objects have only the members that they name. Where nothing is said of other members, anything may stand there by the letter; nobody
 * who reads a contract expects it, so a witness keeps to what is named as long as there is one that does.
 */

import type { HalfOfExchange } from '../../core/change.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { copyOrigin, setPlace } from '../../core/origin.ts';
import type { Schema } from '../../core/schema.ts';
import type { Views } from './schema-edit.ts';

/** The name of the file that holds closed schemas; no file of a user is called so. */
export const closedFile = '(closed)';

/** Keywords that hold schemas of the same value, by themselves, in lists or under names. */
const choices = ['allOf', 'anyOf', 'oneOf'];
const inPlace: ReadonlySet<string> = new Set([...choices, 'if', 'then', 'else', 'dependentSchemas']);

/** Keywords that hold schemas of values inside. */
const below: ReadonlySet<string> = new Set(['items', 'prefixItems', 'additionalProperties', 'unevaluatedItems', 'patternProperties']);

/** How schemas are copied. */
interface Manner {
  readonly half: HalfOfExchange;
  readonly isClosed: boolean;
}

/** Whether anything in a value is marked as `readOnly` or `writeOnly`. */
export function hasMarks(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && (value['readOnly'] === true || value['writeOnly'] === true)) return true;
  return Object.values(value).some((member) => hasMarks(member as Json));
}

/** Closes schemas, each once; closed schemas refer to each other, so that schemas that contain themselves come to an end. */
export class ClosedWorld {
  readonly #views: Views;
  readonly #isMarked: boolean;
  readonly #schemas: Record<string, Json> = {};
  readonly #known = new Map<string, WeakMap<object, JsonObject>>();
  #count = 0;

  /** `isMarked` tells whether anything in the schemas is for one half of an exchange alone. */
  constructor(views: Views, isMarked: boolean) {
    this.#views = views;
    this.#isMarked = isMarked;
  }

  /** The file that closed schemas stand in; a document that uses them holds it under `closedFile`. */
  get root(): JsonObject {
    return { schemas: this.#schemas };
  }

  /** A schema whose objects, at any depth, have only members that are named, and that this half of an exchange carries. */
  close(schema: Schema, half: HalfOfExchange): Schema {
    return this.#below(schema, { half, isClosed: true });
  }

  /** A schema as this half of an exchange is held to it: what only the other half carries is not demanded, and not looked at. */
  carry(schema: Schema, half: HalfOfExchange): Schema {
    return this.#isMarked ? this.#below(schema, { half, isClosed: false }) : schema;
  }

  #below(schema: Schema, manner: Manner): Schema {
    if (!isObject(schema)) return schema;
    if (!manner.isClosed || !this.#namesMembers(schema)) return this.#inPlace(schema, manner);
    return this.#entry(`closed ${manner.half}`, schema, () => ({
      allOf: [this.#inPlace(schema, manner), { properties: Object.fromEntries(this.#demanded(schema).map((name) => [name, true])) }],
      unevaluatedProperties: false,
    }));
  }

  #inPlace(schema: Schema, manner: Manner): Schema {
    if (!isObject(schema)) return schema;
    return this.#entry(`${manner.isClosed} ${manner.half}`, schema, () => this.#copy(schema, manner));
  }

  #entry(kind: string, schema: JsonObject, make: () => JsonObject): JsonObject {
    const ofKind = this.#known.get(kind) ?? new WeakMap<object, JsonObject>();
    this.#known.set(kind, ofKind);
    const known = ofKind.get(schema);
    if (known !== undefined) return known;
    this.#count += 1;
    const name = String(this.#count);
    const reference: JsonObject = { $ref: `#/schemas/${name}` };
    setPlace(reference, { file: closedFile, line: 1, column: 1 });
    ofKind.set(schema, reference);
    let made: JsonObject | undefined;
    // A copy is made when it is referred to: of large schemas, most parts never are.
    const get = (): JsonObject => {
      if (made !== undefined) return made;
      made = make();
      copyOrigin(schema, made);
      return made;
    };
    Object.defineProperty(this.#schemas, name, { get, enumerable: true });
    return reference;
  }

  #copy(schema: JsonObject, manner: Manner): JsonObject {
    const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
      if (keyword === '$ref') return [];
      return [[keyword, this.#copyMember(schema, keyword, value, manner)]];
    });
    const target = this.#target(schema);
    const copy = Object.fromEntries(entries);
    if (target === undefined) return copy;
    const all: readonly Json[] = Array.isArray(copy['allOf']) ? copy['allOf'] : [];
    return { ...copy, allOf: [...all, this.#inPlace(target, manner)] };
  }

  #target(schema: JsonObject): Schema | undefined {
    return typeof schema['$ref'] === 'string' ? this.#views.target(schema) : undefined;
  }

  #copyMember(holder: JsonObject, keyword: string, value: Json, manner: Manner): Json {
    if (keyword === 'properties' && isObject(value)) return this.#copyMembers(value, manner);
    if (keyword === 'required' && Array.isArray(value)) return this.#copyRequired(holder, value as readonly Json[], manner);
    if (!inPlace.has(keyword) && !below.has(keyword)) return value;
    const copy = (each: Json): Json => (below.has(keyword) ? this.#below(each as Schema, manner) : this.#inPlace(each as Schema, manner));
    if (Array.isArray(value)) return (value as readonly Json[]).map(copy);
    if (keyword !== 'patternProperties' && keyword !== 'dependentSchemas') return copy(value);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)])) : value;
  }

  /** Of members that the other half carries, a sender has none, and a reader does not look at them. */
  #copyMembers(members: JsonObject, manner: Manner): JsonObject {
    return Object.fromEntries(
      Object.entries(members).flatMap(([name, each]): readonly (readonly [string, Json])[] => {
        if (!this.#isOfOtherHalf(each, manner)) return [[name, this.#below(each as Schema, manner)]];
        return manner.isClosed ? [] : [[name, true]];
      }),
    );
  }

  #copyRequired(holder: JsonObject, names: readonly Json[], manner: Manner): Json {
    const members: JsonObject = isObject(holder['properties']) ? holder['properties'] : {};
    return names.filter((name) => !this.#isOfOtherHalf(members[String(name)], manner));
  }

  #isOfOtherHalf(schema: Json | undefined, { half }: Manner): boolean {
    if (!isObject(schema)) return false;
    const mark = half === 'request' ? 'readOnly' : 'writeOnly';
    const target = schema[mark] === undefined ? this.#target(schema) : undefined;
    return schema[mark] === true || (isObject(target) && target[mark] === true);
  }

  /** Whether a schema, or one about the same value, names members: what names none is a map of anything. */
  #namesMembers(schema: JsonObject): boolean {
    return this.#around(schema).some((each) => isObject(each['properties']) && Object.keys(each['properties']).length > 0);
  }

  /** The names that are demanded: they are named by that, whether or not more is said of them. */
  #demanded(schema: JsonObject): readonly string[] {
    return this.#around(schema).flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : []));
  }

  /** A schema and all that are about the same value. */
  #around(schema: JsonObject): readonly JsonObject[] {
    const seen = new Set<JsonObject>([schema]);
    for (const each of seen) {
      const lists = choices.flatMap((keyword) => (Array.isArray(each[keyword]) ? (each[keyword] as readonly Json[]) : []));
      for (const next of [this.#target(each), ...lists, each['then'], each['else']]) if (isObject(next)) seen.add(next);
    }
    return [...seen];
  }
}
