/** Whether two schemas are the same but for words: where they are, there is nothing to search for. */

import type { Document } from '../../core/document.ts';
import { referred } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { type Position, positionOf } from '../../core/traverse.ts';

/** Keywords that allow and refuse nothing where they stand, which have rules of their own, and names for what other schemas refer to. */
const wordless: ReadonlySet<string> = new Set([
  ...['title', 'description', '$comment', 'default', 'example', 'examples', 'deprecated', 'externalDocs', 'xml'],
  ...['readOnly', 'writeOnly', 'discriminator', 'contentSchema', 'contentMediaType', 'contentEncoding'],
  ...['$id', '$schema', '$defs', 'definitions', '$anchor'],
]);

/** Compares schemas of a document, each two of them once. */
export class SameSchemas {
  readonly #document: Document;
  readonly #known = new WeakMap<object, WeakMap<object, boolean>>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Whether both say the same of values, reference by reference; words do not count, nor do the names of what is referred to. */
  areSame(old: Schema, next: Schema): boolean {
    const assumed: (readonly [object, object])[] = [];
    const found = this.#same(old, next, 'keywords', assumed);
    // Schemas that contain themselves are the same unless a difference is found on the way; only then does what was assumed not hold.
    if (!found) for (const [from, to] of assumed) if (this.#known.get(from)?.get(to) === true) this.#known.get(from)?.delete(to);
    return found;
  }

  #same(old: Json | undefined, next: Json | undefined, position: Position, assumed: (readonly [object, object])[]): boolean {
    if (old === next) return true;
    if (typeof old !== 'object' || typeof next !== 'object' || old === null || next === null) return false;
    const ofOld = this.#known.get(old) ?? new WeakMap<object, boolean>();
    this.#known.set(old, ofOld);
    const known = ofOld.get(next);
    if (known !== undefined) return known;
    ofOld.set(next, true);
    assumed.push([old, next]);
    const same = (from: Json | undefined, to: Json | undefined, at: Position): boolean => this.#same(from, to, at, assumed);
    const found = Array.isArray(old)
      ? Array.isArray(next) && sameElements(old, next, position, same)
      : isObject(old) && isObject(next) && this.#sameMembers(old, next, position, same);
    if (!found) ofOld.set(next, false);
    return found;
  }

  #sameMembers(old: JsonObject, next: JsonObject, position: Position, same: Same): boolean {
    const isSchema = position === 'keywords';
    const keysOf = (holder: JsonObject): readonly string[] => Object.keys(holder).filter((key) => !(isSchema && isWordless(key)));
    const [before, after] = [keysOf(old), keysOf(next)];
    if (before.length !== after.length) return false;
    return before.every((key) => {
      const [from, to] = [old[key], next[key]];
      if (from === undefined || !Object.hasOwn(next, key)) return false;
      // What a dynamic reference means depends on the way to it.
      if (isSchema && key === '$dynamicRef') return false;
      if (isSchema && key === '$ref') return same(referred(this.#document, old), referred(this.#document, next), 'keywords');
      return same(from, to, positionOf(position, key, from));
    });
  }
}

/** How what lies below is compared. */
type Same = (old: Json | undefined, next: Json | undefined, position: Position) => boolean;

function sameElements(old: readonly Json[], next: readonly Json[], position: Position, same: Same): boolean {
  return old.length === next.length && old.every((each, index) => same(each, next[index], positionOf(position, index, each)));
}

function isWordless(keyword: string): boolean {
  return wordless.has(keyword) || keyword.startsWith('x-');
}
