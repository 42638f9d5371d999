/**
 * Terms: regular languages written as formulas, each made once, so that equal formulas are the same object. A term says what may follow from here on,
 * which lets look-ahead be what it means: `both(X then anything, the rest)`.
 */

import { type CodePoints, intersect, noCodePoints, unite } from './code-points.ts';
import type { PatternNode } from './pattern-node.ts';

/** What may follow, by what stands before: nothing, a word character (`\w`), another character. */
export type ByContext = readonly [atStart: Term, afterWord: Term, afterOther: Term];

/** A position in a `ByContext`. */
export type Context = 0 | 1 | 2;

/** A repetition that still has `min` to `max` rounds to go, and what follows it. It is unfolded only when somebody looks. */
export interface Loop {
  readonly body: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly rest: ByContext;
  unfolded: ByContext | undefined;
}

/** A language. `end` holds the empty text alone; `step` one character of a set and then a text of the next language. */
export type Term =
  | { readonly kind: 'none' | 'end' | 'all'; readonly id: number }
  | { readonly kind: 'step'; readonly id: number; readonly set: CodePoints; readonly next: Term }
  | { readonly kind: 'either' | 'both'; readonly id: number; readonly terms: readonly Term[] }
  | { readonly kind: 'not'; readonly id: number; readonly term: Term }
  | { readonly kind: 'loop'; readonly id: number; readonly loop: Loop; readonly context: Context; busy: boolean };

type TermWithoutId = Term extends infer Each ? (Each extends Term ? Omit<Each, 'id'> : never) : never;

/** Repetitions within repetitions are unfolded up to this depth. */
const deepest = 300;

/** Work on a language went beyond what is reasonable: its automaton is too large. */
export class LanguageTooLarge extends Error {
  override readonly name = 'LanguageTooLarge' as const;
}

/** Makes terms. Formulas are kept in a normal form, so that the terms met while reading a text are finitely many. */
export class Terms {
  readonly none: Term = { kind: 'none', id: 0 };
  readonly end: Term = { kind: 'end', id: 1 };
  readonly all: Term = { kind: 'all', id: 2 };
  readonly #known = new Map<string, Term>();
  readonly #sets = new Map<string, { readonly id: number; readonly set: CodePoints }>();
  readonly #nodes = new Map<PatternNode, number>();
  /** What the texts are, for messages: the end of a sentence. */
  readonly #wanted: string;
  #work = Number.POSITIVE_INFINITY;
  #depth = 0;

  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** How many terms there are: a measure of the memory they take. */
  get size(): number {
    return this.#known.size;
  }

  /** Sets how much work may be done from now on; one unit is about a look at one term. */
  allow(work: number): void {
    this.#work = work;
  }

  /**
   * Counts work.
   * @throws {LanguageTooLarge} when more is done than was allowed.
   */
  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0)
      throw new LanguageTooLarge(`a text that ${this.#wanted} takes too large an automaton to be made; write the pattern more simply`);
  }

  /**
   * Does something inside of something alike.
   * @throws {LanguageTooLarge} when that is nested too deep for the engine's stack.
   */
  nested<T>(work: () => T): T {
    this.#depth += 1;
    try {
      if (this.#depth > deepest) this.spend(Number.POSITIVE_INFINITY);
      return work();
    } finally {
      this.#depth -= 1;
    }
  }

  /** One character of a set, then a text of the next language. */
  step(set: CodePoints, next: Term): Term {
    if (set.length === 0 || next === this.none) return this.none;
    const shared = this.share(set);
    return this.#intern(`s${shared.id},${next.id}`, { kind: 'step', set: shared.set, next });
  }

  /** The union of languages. */
  either(given: readonly Term[]): Term {
    return this.#combine('either', given, this.none, this.all);
  }

  /** The intersection of languages. */
  both(given: readonly Term[]): Term {
    return this.#combine('both', given, this.all, this.none);
  }

  /** Every text that is not of a language. Complements are pushed inwards, so that one language has fewer formulas. */
  not(term: Term): Term {
    if (term === this.none) return this.all;
    if (term === this.all) return this.none;
    if (term.kind === 'not') return term.term;
    if (term.kind === 'either') return this.both(term.terms.map((each) => this.not(each)));
    if (term.kind === 'both') return this.either(term.terms.map((each) => this.not(each)));
    return this.#intern(`n${term.id}`, { kind: 'not', term });
  }

  /** A repetition, by what stands before it. */
  loop(body: PatternNode, min: number, max: number, rest: ByContext, contextFree: boolean): ByContext {
    const [atFirst, afterWord, afterOther] = rest;
    // Once something was read there may be no way out; then there is no way in either.
    const isClosed = afterWord === this.none && afterOther === this.none;
    if (isClosed && atFirst === this.none) return [this.none, this.none, this.none];
    const key = `l${this.#numberOf(body)},${min},${max},${atFirst.id},${afterWord.id},${afterOther.id}`;
    const known = this.#known.get(`${key}@0`);
    const loop: Loop = known?.kind === 'loop' ? known.loop : { body, min, max, rest, unfolded: undefined };
    const at = (context: Context): Term => this.#intern(`${key}@${context}`, { kind: 'loop', loop, context, busy: false });
    const atStart = at(0);
    if (contextFree && atFirst === afterWord && afterWord === afterOther) return [atStart, atStart, atStart];
    return isClosed ? [atStart, this.none, this.none] : [atStart, at(1), at(2)];
  }

  /** The one array that stands for a set, and its number. */
  share(set: CodePoints): { readonly id: number; readonly set: CodePoints } {
    const key = set.join();
    let shared = this.#sets.get(key);
    if (shared === undefined) {
      shared = { id: this.#sets.size, set };
      this.#sets.set(key, shared);
    }
    return shared;
  }

  #combine(kind: 'either' | 'both', given: readonly Term[], neutral: Term, absorbing: Term): Term {
    this.spend(given.length);
    const flat = new Set<Term>();
    for (const term of given) {
      if (term === absorbing) return absorbing;
      if (term.kind === kind) for (const inner of term.terms) flat.add(inner);
      else if (term !== neutral) flat.add(term);
    }
    if (flat.size > 1 && !this.#simplify(kind, flat)) return absorbing;
    const terms = [...flat].sort((left, right) => left.id - right.id);
    const [only] = terms;
    if (only === undefined) return neutral;
    if (terms.length === 1) return only;
    return this.#intern(`${kind === 'either' ? 'o' : 'a'}${terms.map(({ id }) => id).join()}`, { kind, terms });
  }

  /** Removes what other members make superfluous. False when two members leave nothing but the absorbing language. */
  #simplify(kind: 'either' | 'both', flat: Set<Term>): boolean {
    const dual = kind === 'either' ? 'both' : 'either';
    for (const term of flat) {
      if (term.kind === 'not' && flat.has(term.term)) return false;
      if (term.kind === dual && term.terms.some((inner) => flat.has(inner))) flat.delete(term);
    }
    const steps = mergeSteps(kind === 'either' ? unite : intersect, flat);
    if (kind === 'both' && isImpossible([...steps.values()], flat.has(this.end))) return false;
    for (const [next, set] of steps) flat.add(this.step(set, next));
    return true;
  }

  #intern(key: string, term: TermWithoutId): Term {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.spend(1);
    const made: Term = { ...term, id: this.#known.size + 3 };
    this.#known.set(key, made);
    return made;
  }

  #numberOf(node: PatternNode): number {
    const number = this.#nodes.get(node) ?? this.#nodes.size;
    this.#nodes.set(node, number);
    return number;
  }
}

/** Takes the steps out of a formula: those that lead to the same language become one. */
function mergeSteps(merge: (left: CodePoints, right: CodePoints) => CodePoints, flat: Set<Term>): ReadonlyMap<Term, CodePoints> {
  const steps = new Map<Term, CodePoints>();
  for (const term of flat) {
    if (term.kind !== 'step') continue;
    const other = steps.get(term.next);
    steps.set(term.next, other === undefined ? term.set : merge(other, term.set));
    flat.delete(term);
  }
  return steps;
}

/** Whether no text can begin with a character of every set; a text that must be empty begins with none. */
function isImpossible(sets: readonly CodePoints[], ends: boolean): boolean {
  if (sets.length === 0) return false;
  const [first = noCodePoints, ...others] = sets;
  return ends || others.reduce(intersect, first).length === 0;
}
