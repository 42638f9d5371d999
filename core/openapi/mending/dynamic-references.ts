/**
 * While a document is mended, replaces `$dynamicRef` by plain references (JSON Schema 2020-12 core §8.2.3.2): a schema that overrides anchors of the schema to
 * which it refers gets a copy of that schema.
 */

import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../../json.ts';
import { type MemberMeaning, mapMembers } from '../member-meanings.ts';
import { copyOrigin } from '../source-positions.ts';

/** How references are followed while a document is mended. */
export interface References {
  readonly follow: (holder: JsonObject) => Json | undefined;
  /** A reference as a path and a pointer, which means the same in a copy. */
  readonly asPointer: (holder: JsonObject, key: string) => string;
  /** A reference to a schema with an anchor; `undefined` for a copy. */
  readonly toAnchored: (schema: JsonObject) => JsonObject | undefined;
}

/** References to schemas by the names of their dynamic anchors. */
type Anchors = ReadonlyMap<string, JsonObject>;

const noReferences: ReadonlyMap<string, JsonObject> = new Map();

/** Copies the templates that schemas refer to. */
export class DynamicReferences {
  readonly #references: References;
  /** The targets that are being copied: one that refers to itself is copied once. */
  readonly #open = new Set<Json>();

  constructor(references: References) {
    this.#references = references;
  }

  /** The schema with copies of the templates that it refers to; the schema itself where that changes nothing. */
  bind(schema: JsonObject): JsonObject {
    const anchors = this.#anchorsOf(schema);
    return anchors.size === 0 ? schema : (this.#copy(schema, 'keywords', anchors) as JsonObject);
  }

  #anchorsOf(schema: JsonObject): Anchors {
    const holders = [...Object.values(objectOrEmpty(schema['$defs'])), schema].filter(isObject);
    const anchors = new Map<string, JsonObject>();
    for (const each of holders) {
      const reference = typeof each['$dynamicAnchor'] === 'string' ? this.#references.toAnchored(each) : undefined;
      if (reference !== undefined) anchors.set(String(each['$dynamicAnchor']), reference);
    }
    return anchors;
  }

  #copy(value: Json, meaning: MemberMeaning, anchors: Anchors): Json {
    if (typeof value !== 'object' || value === null || meaning === 'extension') return value;
    const bound = meaning === 'keywords' && isObject(value) ? this.#boundReferences(value, anchors) : noReferences;
    const members = mapMembers(value, meaning, ({ member, meaning: own }) => this.#copy(member, own, anchors));
    const isSame = Object.keys(value).every((key) => (members as JsonObject)[key] === (value as JsonObject)[key]);
    if (isSame && bound.size === 0) return value;
    const isSchema = meaning === 'keywords' && isObject(value);
    return copyOrigin(value, isSchema ? this.#withReferences(value, members as JsonObject, bound) : members);
  }

  /** What the references of a schema lead to where that depends on the anchors, by keyword. */
  #boundReferences(schema: JsonObject, anchors: Anchors): ReadonlyMap<string, JsonObject> {
    const bound = new Map<string, JsonObject>();
    const anchored = anchors.get(String(schema['$dynamicRef'] ?? '').replace(/^.*#/, ''));
    if (anchored !== undefined) bound.set('$dynamicRef', anchored);
    const template = typeof schema['$ref'] === 'string' ? this.#copyTarget(schema, anchors) : undefined;
    if (template !== undefined) bound.set('$ref', template);
    return bound;
  }

  #withReferences(schema: JsonObject, members: JsonObject, bound: ReadonlyMap<string, JsonObject>): JsonObject {
    const { $id: _id, allOf, ...others } = members as Record<string, Json>;
    for (const key of ['$ref', '$dynamicRef']) {
      if (bound.has(key)) delete others[key];
      else if (typeof others[key] === 'string') others[key] = this.#references.asPointer(schema, key);
    }
    const parts = [...(isArray(allOf) ? allOf : []), ...bound.values()];
    return parts.length === 0 ? others : { ...others, allOf: parts };
  }

  /** A copy of what a reference leads to, with the outermost anchors of each name. */
  #copyTarget(holder: JsonObject, anchors: Anchors): JsonObject | undefined {
    const target = this.#references.follow(holder);
    if (!isObject(target) || this.#open.has(target)) return undefined;
    this.#open.add(target);
    const copy = this.#copy(target, 'keywords', new Map([...this.#anchorsOf(target), ...anchors]));
    this.#open.delete(target);
    return copy === target ? undefined : (copy as JsonObject);
  }
}
