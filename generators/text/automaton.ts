/** The deterministic automaton of a language, found as far as somebody walks. */

import { type CodePoints, pointAt, unite } from './code-points.ts';
import { afterPoint, collectSets, countRanges, endsHere, splitAlphabet } from './derive.ts';
import type { Term, Terms } from './term.ts';

/** Characters that lead from one state to one other. */
export interface Edge {
  readonly set: CodePoints;
  readonly target: State;
}

/** A place in the automaton: the language of what may follow. */
export interface State {
  readonly id: number;
  readonly term: Term;
  /** Whether the text may end here. */
  readonly ends: boolean;
}

/** Finds states and their edges when they are asked for. */
export class Automaton {
  readonly start: State;
  readonly #terms: Terms;
  readonly #alphabet: CodePoints;
  readonly #states = new Map<Term, State>();
  readonly #edges = new Map<State, readonly Edge[]>();
  readonly #parts = new Map<string, readonly CodePoints[]>();

  constructor(terms: Terms, language: Term, alphabet: CodePoints) {
    this.#terms = terms;
    this.#alphabet = alphabet;
    this.start = this.#stateOf(language);
  }

  /** How much memory the automaton takes, in terms. */
  get size(): number {
    return this.#terms.size;
  }

  /** Sets how much work may be done from now on. */
  allow(work: number): void {
    this.#terms.allow(work);
  }

  /**
   * Counts work done on the automaton's behalf.
   * @throws {LanguageTooLarge} when it is more than was allowed.
   */
  spend(work: number): void {
    this.#terms.spend(work);
  }

  /** The ways out of a state, in the order of their first characters. Ways into languages that are plainly empty are left out. */
  edgesOf(state: State): readonly Edge[] {
    const known = this.#edges.get(state);
    if (known !== undefined) return known;
    const byTerm = new Map<Term, CodePoints[]>();
    for (const part of this.#split(state.term)) {
      const term = afterPoint(this.#terms, state.term, pointAt(part, 0));
      if (term === this.#terms.none) continue;
      byTerm.set(term, [...(byTerm.get(term) ?? []), part]);
    }
    const edges = [...byTerm].map(([term, parts]) => ({ set: this.#terms.share(unite(...parts)).set, target: this.#stateOf(term) }));
    this.#edges.set(state, edges);
    return edges;
  }

  #stateOf(term: Term): State {
    const known = this.#states.get(term);
    if (known !== undefined) return known;
    const state = { id: this.#states.size, term, ends: endsHere(this.#terms, term) };
    this.#states.set(term, state);
    return state;
  }

  #split(term: Term): readonly CodePoints[] {
    const sets = new Set<CodePoints>();
    collectSets(this.#terms, term, sets);
    const key = [...sets]
      .map((set) => this.#terms.share(set).id)
      .sort((left, right) => left - right)
      .join();
    let parts = this.#parts.get(key);
    if (parts === undefined) {
      this.#terms.spend(countRanges(sets));
      parts = splitAlphabet(this.#alphabet, sets);
      this.#parts.set(key, parts);
    }
    return parts;
  }
}
