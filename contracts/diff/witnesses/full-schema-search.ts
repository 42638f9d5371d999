/**
 * Search for a value that only one of two complete schemas allows, within limits. `compare-contracts.ts` creates one for each comparison, and names the schemas
 * without a result at the end. `compare-schemas.ts` tests each used pair of schemas for equality, and searches if the edits of keywords do not decide the
 * effect. It leaves the search itself to `schema-witness-search.ts`.
 */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { canonicalText } from '../../../core/json-equality.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Schema } from '../../../core/openapi/applicable-schemas-and-types.ts';
import { type Document, followOnce } from '../../../core/openapi/document.ts';
import { type MemberMeaning, meaningOf } from '../../../core/openapi/document-members.ts';
import type { FullSchemaSearches } from '../../../core/results/diff-result.ts';
import type { SchemaPair } from '../schemas/schema-pair-and-edits.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';
import type { SchemaWitnessSearch } from './schema-witness-search.ts';
import type { SearchOutcome } from './search-outcome.ts';

/** Bodies with at most this number of schema pairs are always searched. */
const smallMax = 40;

/** Limit for the sum of schema pairs in all larger bodies together. Each search takes about a second. */
const searchedPairsMax = 400;

/** Full schema searches of one comparison. */
export class FullSchemaSearch {
  readonly #search: SchemaWitnessSearch;
  readonly #document: Document;
  /** Results of `areSame` for pairs of values, at any depth. */
  readonly #same = new WeakMap<object, WeakMap<object, boolean>>();
  /** Outcomes of each pair, by the half of the exchange and the kind of search. */
  readonly #outcomes = new Map<SchemaPair, Map<string, SearchOutcome>>();
  readonly #skipped = new Set<string>();
  readonly #undecided = new Set<string>();
  #pairsSearched = 0;

  constructor(document: Document, search: SchemaWitnessSearch) {
    this.#search = search;
    this.#document = document;
  }

  /** True if both schemas have the same text. Metadata and the names of reference targets do not count. */
  areSame(old: Schema, next: Schema): boolean {
    const assumed: (readonly [object, object])[] = [];
    const isSame = this.#isSame(old, next, 'keywords', assumed);
    // Recursive schemas are assumed equal until a difference is found; then the assumptions are dropped.
    if (!isSame) for (const [from, to] of assumed) if (this.#same.get(from)?.get(to) === true) this.#same.get(from)?.delete(to);
    return isSame;
  }

  #isSame(before: Json | undefined, after: Json | undefined, meaning: MemberMeaning, assumed: (readonly [object, object])[]): boolean {
    const [old, next] = meaning === 'keywords' ? [this.#target(before), this.#target(after)] : [before, after];
    if (old === next) return true;
    if (!isObjectOrArray(old) || !isObjectOrArray(next) || Array.isArray(old) !== Array.isArray(next)) return false;
    const ofOld = getOrCompute(this.#same, old, () => new WeakMap<object, boolean>());
    const earlierResult = ofOld.get(next);
    if (earlierResult !== undefined) return earlierResult;
    ofOld.set(next, true);
    assumed.push([old, next]);
    const isSchema = meaning === 'keywords' && !Array.isArray(old);
    const keysOf = (holder: object): readonly string[] => Object.keys(holder).filter((key) => !(isSchema && hasNoEffect(key)));
    const isSameMember = (key: string): boolean => {
      // The meaning of a dynamic reference depends on the path to it.
      if (!Object.hasOwn(next, key) || (isSchema && key === '$dynamicRef')) return false;
      const isReference = isSchema && key === '$ref';
      const [from, to] = [old, next].map((holder) => (isReference ? followOnce(this.#document, holder) : holder[key]));
      if (isReference || from === undefined) return this.#isSame(from, to, 'keywords', assumed);
      if (isSchema && unorderedKeywords.has(key)) return textOfSet(from) === textOfSet(to);
      return this.#isSame(from, to, meaningOf(meaning, Array.isArray(old) ? Number(key) : key, from), assumed);
    };
    const keys = keysOf(old);
    const isSame = keys.length === keysOf(next).length && keys.every(isSameMember);
    ofOld.set(next, isSame);
    return isSame;
  }

  /** The schema that a `$ref` without further constraints means; other values as they are. */
  #target(value: Json | undefined): Json | undefined {
    const seen = new Set<Json | undefined>();
    let target = value;
    while (isObject(target) && !seen.has(target) && Object.keys(target).every((key) => key === '$ref' || hasNoEffect(key))) {
      seen.add(target);
      target = followOnce(this.#document, target) ?? target;
    }
    return target;
  }

  /** True if the remaining limit is too small for a search. `size` is the number of schema pairs in the body. */
  isTooLarge(pair: SchemaPair, size: number): boolean {
    return size > smallMax && !this.#outcomes.has(pair) && this.#pairsSearched + size > searchedPairsMax;
  }

  /** Records the use of a pair that was too large to search. The report names it. */
  recordSkipped(use: SchemaUse): void {
    this.#skipped.add(nameUse(use));
  }

  /** Records the use of a changed pair without any result. The report names it. */
  recordUndecided(use: SchemaUse): void {
    this.#undecided.add(nameUse(use));
  }

  /**
   * Searches for a value that only one side allows. Uses of the same pair in the same direction share the result. `size` is the number of
   * pairs in the body.
   */
  find(use: SchemaUse, { pair, size }: { readonly pair: SchemaPair; readonly size: number }, kind: 'loss' | 'gain'): SearchOutcome {
    if (!this.#outcomes.has(pair) && size > smallMax) this.#pairsSearched += size;
    const ofPair = getOrCompute(this.#outcomes, pair, () => new Map<string, SearchOutcome>());
    return getOrCompute(ofPair, `${use.direction} ${kind}`, () => this.#search.findAnyWitness(use, kind === 'loss'));
  }

  /** The schemas for which a search had no result. */
  get summary(): FullSchemaSearches {
    return { undecided: [...this.#undecided], leftOut: [...this.#skipped] };
  }
}

function nameUse({ operation, location }: SchemaUse): string {
  return `${operation}, ${location}`;
}

/** Keywords that restrict no value or are compared as metadata, and names of reference targets. */
const keywordsWithoutEffect: ReadonlySet<string> = new Set([
  ...['title', 'description', '$comment', 'default', 'example', 'examples', 'deprecated', 'externalDocs', 'xml'],
  ...['readOnly', 'writeOnly', 'discriminator', 'contentSchema', 'contentMediaType', 'contentEncoding'],
  ...['$id', '$schema', '$defs', 'definitions', '$anchor'],
]);

function hasNoEffect(keyword: string): boolean {
  return keywordsWithoutEffect.has(keyword) || keyword.startsWith('x-');
}

/** Keywords whose value is a list without an order. */
const unorderedKeywords: ReadonlySet<string> = new Set(['enum', 'required', 'type']);

function textOfSet(value: Json | undefined): string {
  return [value ?? null].flat().map(canonicalText).toSorted().join();
}

/** True for objects and arrays. */
function isObjectOrArray(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
