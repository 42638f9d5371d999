/** Comparing schemas as wholes, where rules of keywords say nothing or not enough: in both directions, within bounds, and told what came of it. */

import type { HalfOfExchange, SearchedWholes } from '../../core/change.ts';
import { type Document, referred } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { type Position, positionOf } from '../../core/traverse.ts';
import type { Evidence, Use } from './draft.ts';
import type { SchemaPair } from './schema-edit.ts';
import type { Search } from './search.ts';

/** Bodies of at most so many pairs of schemas are always searched as wholes. */
const smallMost = 40;

/** How many pairs of schemas larger bodies may have together to be searched as wholes: in a comparison of hundreds of them, each takes its second. */
const pairsMost = 400;

/** Both directions: values that are lost to those who use the schemas, and values that are new to them. */
interface Outcome {
  readonly loss?: Evidence;
  readonly gain?: Evidence;
}

/** The comparisons of whole schemas of two contracts. */
export class Wholes {
  readonly #search: Search;
  readonly #same: SameSchemas;
  readonly #outcomes = new Map<SchemaPair, Map<HalfOfExchange, Outcome>>();
  readonly #leftOut = new Set<string>();
  #pairsSearched = 0;

  constructor(document: Document, search: Search) {
    this.#search = search;
    this.#same = new SameSchemas(document);
  }

  /** Whether two schemas are the same but for words. */
  areSame(old: Schema, next: Schema): boolean {
    return this.#same.areSame(old, next);
  }

  /** Whether a body of so many pairs is too large to be searched as a whole, after all that were. */
  isTooLarge(pair: SchemaPair, size: number): boolean {
    return size > smallMost && !this.#outcomes.has(pair) && this.#pairsSearched + size > pairsMost;
  }

  /** Remembers a body that differs and was not searched: whoever reads the result must be told. */
  leaveOut({ operation, location }: Use): void {
    this.#leftOut.add(`${operation}, ${location}`);
  }

  /**
   * Looks for a value that tells both schemas of a use apart; uses of the same pair in the same half share the search. The size is how many pairs it
   * reaches.
   */
  find(use: Use, { pair, size }: { readonly pair: SchemaPair; readonly size: number }, direction: 'loss' | 'gain'): Evidence {
    const ofPair = this.#outcomes.get(pair) ?? new Map<HalfOfExchange, Outcome>();
    if (!this.#outcomes.has(pair) && size > smallMost) this.#pairsSearched += size;
    this.#outcomes.set(pair, ofPair);
    const known = ofPair.get(use.direction) ?? {};
    const found = known[direction] ?? this.#search.findAny(use, direction === 'loss');
    ofPair.set(use.direction, { ...known, [direction]: found });
    return found;
  }

  /** What came of all of it. */
  get summary(): SearchedWholes {
    const searched = [...this.#outcomes.values()].flatMap((ofPair) => [...ofPair.values()]);
    const evidence = searched.flatMap(({ loss, gain }) => [loss, gain].filter((each) => each !== undefined));
    const countOf = (verdict: Evidence['verdict']): number => evidence.filter((each) => each.verdict === verdict).length;
    return {
      schemas: searched.length,
      witnessed: countOf('witnessed'),
      proved: countOf('proved'),
      unwitnessed: countOf('unwitnessed'),
      tried: evidence.reduce((sum, each) => sum + (each.verdict === 'unwitnessed' ? each.tried : 0), 0),
      leftOut: [...this.#leftOut],
    };
  }
}

/** Keywords that allow and refuse nothing where they stand, which have rules of their own, and names for what other schemas refer to. */
const wordless: ReadonlySet<string> = new Set([
  ...['title', 'description', '$comment', 'default', 'example', 'examples', 'deprecated', 'externalDocs', 'xml'],
  ...['readOnly', 'writeOnly', 'discriminator', 'contentSchema', 'contentMediaType', 'contentEncoding'],
  ...['$id', '$schema', '$defs', 'definitions', '$anchor'],
]);

/** Compares schemas of a document, each two of them once. */
class SameSchemas {
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
