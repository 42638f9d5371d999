/** Comparing schemas as wholes, where rules of keywords say nothing or not enough: in both directions, within bounds, and told what came of it. */

import type { HalfOfExchange, SearchedWholes } from '../../core/change.ts';
import { type Document, referred } from '../../core/document.ts';
import type { Json, JsonObject } from '../../core/json.ts';
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
  readonly #document: Document;
  readonly #same = new WeakMap<object, WeakMap<object, boolean>>();
  readonly #outcomes = new Map<SchemaPair, Map<HalfOfExchange, Outcome>>();
  readonly #leftOut = new Set<string>();
  #pairsSearched = 0;

  constructor(document: Document, search: Search) {
    this.#search = search;
    this.#document = document;
  }

  /** Whether both schemas say the same of values, reference by reference; words do not count, nor do the names of what is referred to. */
  areSame(old: Schema, next: Schema): boolean {
    const assumed: (readonly [object, object])[] = [];
    const found = this.#isSame(old, next, 'keywords', assumed);
    // Schemas that contain themselves are the same unless a difference is found on the way; only then does what was assumed not hold.
    if (!found) for (const [from, to] of assumed) if (this.#same.get(from)?.get(to) === true) this.#same.get(from)?.delete(to);
    return found;
  }

  #isSame(old: Json | undefined, next: Json | undefined, position: Position, assumed: (readonly [object, object])[]): boolean {
    if (old === next) return true;
    if (!isHolder(old) || !isHolder(next) || Array.isArray(old) !== Array.isArray(next)) return false;
    const ofOld = this.#same.get(old) ?? new WeakMap<object, boolean>();
    this.#same.set(old, ofOld);
    const known = ofOld.get(next);
    if (known !== undefined) return known;
    ofOld.set(next, true);
    assumed.push([old, next]);
    const isSchema = position === 'keywords' && !Array.isArray(old);
    const keysOf = (holder: object): readonly string[] => Object.keys(holder).filter((key) => !(isSchema && isWordless(key)));
    const isSameMember = (key: string): boolean => {
      // What a dynamic reference means depends on the way to it.
      if (!Object.hasOwn(next, key) || (isSchema && key === '$dynamicRef')) return false;
      const isReference = isSchema && key === '$ref';
      const [from, to] = [old, next].map((holder) => (isReference ? referred(this.#document, holder) : holder[key]));
      if (isReference || from === undefined) return this.#isSame(from, to, 'keywords', assumed);
      return this.#isSame(from, to, positionOf(position, Array.isArray(old) ? Number(key) : key, from), assumed);
    };
    const keys = keysOf(old);
    const found = keys.length === keysOf(next).length && keys.every(isSameMember);
    ofOld.set(next, found);
    return found;
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

function isWordless(keyword: string): boolean {
  return wordless.has(keyword) || keyword.startsWith('x-');
}

/** Whether a value has members or elements, which both are found by their keys. */
function isHolder(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
