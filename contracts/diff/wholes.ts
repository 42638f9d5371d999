/** Comparing schemas as wholes, where rules of keywords say nothing or not enough: in both directions, within bounds, and told what came of it. */

import type { HalfOfExchange, SearchedWholes } from '../../core/change.ts';
import type { Document } from '../../core/document.ts';
import type { Schema } from '../../core/schema.ts';
import type { Evidence } from './draft.ts';
import { SameSchemas } from './same-schemas.ts';
import type { SchemaPair } from './schema-edit.ts';
import type { Search } from './search.ts';
import type { Use } from './use.ts';

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
