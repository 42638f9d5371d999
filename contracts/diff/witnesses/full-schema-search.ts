/**
 * Searches two complete schemas for a value that only one allows, where the edited keywords alone decide nothing. Such a search takes about a second, so
 * their number is limited.
 */

import { getOrCompute } from '../../../core/memo.ts';
import type { FullSchemaSearches } from '../../../core/results/diff-result.ts';
import { printPlace } from '../exchange-place.ts';
import type { SchemaPair } from '../schemas/schema-pair.ts';
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
  /** Outcomes of each pair, by the half of the exchange and the kind of search. */
  readonly #outcomes = new Map<SchemaPair, Map<string, SearchOutcome>>();
  readonly #skipped = new Set<string>();
  readonly #undecided = new Set<string>();
  #pairsSearched = 0;

  constructor(search: SchemaWitnessSearch) {
    this.#search = search;
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

function nameUse({ operation, at }: SchemaUse): string {
  return `${operation}, ${printPlace(at)}`;
}
