/** Regular languages as terms: compiled from the syntax trees of patterns, with Brzozowski's derivatives for the language after each character. */

import { getOrCompute } from '../../core/memo.ts';
import { undefinedOn } from '../generation-errors.ts';
import { type CodePoints, contains, intersect, noCodePoints, pointAt, rangesOf, scalarValues, subtract, unite } from './code-point-sets.ts';
import { isExact, isPlain, mayRequireStart, type Pattern, type PatternNode } from './pattern-syntax.ts';

/** Terms by their position: at the start of the text, or after a character. */
type ByPosition = readonly [atStart: Term, later: Term];

/** An index into a `ByPosition`. */
type Position = 0 | 1;

/** A repetition with `min` to `max` rounds left, and the rest after it. It is unfolded on demand. */
interface Loop {
  readonly body: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly rest: ByPosition;
  unfoldedOnce: ByPosition | undefined;
}

/** A language. `end` contains only the empty text; `step` one character of a set followed by a text of `next`. */
export type Term =
  | { readonly kind: 'none' | 'end' | 'all'; readonly id: number }
  | { readonly kind: 'step'; readonly id: number; readonly set: CodePoints; readonly next: Term }
  | { readonly kind: 'either' | 'both'; readonly id: number; readonly terms: readonly Term[] }
  | { readonly kind: 'not'; readonly id: number; readonly term: Term }
  | { readonly kind: 'loop'; readonly id: number; readonly loop: Loop; readonly position: Position; isBeingRead: boolean };

type TermWithoutId = Term extends infer Each ? (Each extends Term ? Omit<Each, 'id'> : never) : never;

/** Nested repetitions are unfolded to this depth. */
const maxUnfoldDepth = 300;

/** The automaton of a language is too large. */
export class LanguageTooLarge extends Error {
  override readonly name = 'LanguageTooLarge' as const;
}

/** The result of a call; `undefined` when it throws `LanguageTooLarge`. */
export function undefinedIfTooLarge<T>(find: () => T): T | undefined {
  return undefinedOn(find, LanguageTooLarge);
}

/** Creates terms in a normal form, so that a text leads through finitely many of them. */
export class TermFactory {
  readonly none: Term = { kind: 'none', id: 0 };
  readonly end: Term = { kind: 'end', id: 1 };
  readonly all: Term = { kind: 'all', id: 2 };
  readonly #terms = new Map<string, Term>();
  readonly #sets = new Map<string, { readonly id: number; readonly set: CodePoints }>();
  readonly #nodes = new Map<PatternNode, number>();
  /** The description of the texts in messages: the end of a sentence. */
  readonly #description: string;
  #work = Number.POSITIVE_INFINITY;
  #depth = 0;

  constructor(description: string) {
    this.#description = description;
  }

  /** The number of terms: a measure of memory. */
  get size(): number {
    return this.#terms.size;
  }

  /** Sets the limit of work from now on. One unit is about one visit of a term. */
  allow(work: number): void {
    this.#work = work;
  }

  /**
   * Counts work.
   * @throws {LanguageTooLarge} past the limit.
   */
  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new LanguageTooLarge(`the automaton of a text that ${this.#description} is too large; simplify the pattern`);
  }

  /**
   * Runs a nested step.
   * @throws {LanguageTooLarge} when steps nest too deeply for the call stack.
   */
  nested<T>(work: () => T): T {
    this.#depth += 1;
    try {
      if (this.#depth > maxUnfoldDepth) this.spend(Number.POSITIVE_INFINITY);
      return work();
    } finally {
      this.#depth -= 1;
    }
  }

  /** One character of a set, then a text of `next`. */
  step(set: CodePoints, next: Term): Term {
    if (set.length === 0 || next === this.none) return this.none;
    const sharedSet = this.share(set);
    return this.#intern(`s${sharedSet.id},${next.id}`, { kind: 'step', set: sharedSet.set, next });
  }

  /** The union of languages. */
  either(languages: readonly Term[]): Term {
    return this.#combine('either', languages, this.none, this.all);
  }

  /** The intersection of languages. */
  both(languages: readonly Term[]): Term {
    return this.#combine('both', languages, this.all, this.none);
  }

  /** The complement of a language. Complements are pushed inwards, so that equal languages have fewer terms. */
  not(term: Term): Term {
    if (term === this.none) return this.all;
    if (term === this.all) return this.none;
    if (term.kind === 'not') return term.term;
    if (term.kind === 'either') return this.both(term.terms.map((each) => this.not(each)));
    if (term.kind === 'both') return this.either(term.terms.map((each) => this.not(each)));
    return this.#intern(`n${term.id}`, { kind: 'not', term });
  }

  /** A repetition. */
  loop(body: PatternNode, min: number, max: number, rest: ByPosition): ByPosition {
    const [startRest, laterRest] = rest;
    if (startRest === this.none && laterRest === this.none) return rest;
    const key = `l${this.#numberOf(body)},${min},${max},${startRest.id},${laterRest.id}`;
    const knownTerm = this.#terms.get(`${key}@0`);
    const loop: Loop = knownTerm?.kind === 'loop' ? knownTerm.loop : { body, min, max, rest, unfoldedOnce: undefined };
    const loopAt = (position: Position): Term => this.#intern(`${key}@${position}`, { kind: 'loop', loop, position, isBeingRead: false });
    if (startRest === laterRest && !mayRequireStart(body)) return atBothPositions(loopAt(0));
    // After one round there may be no continuation; then no round is possible.
    return [loopAt(0), laterRest === this.none ? this.none : loopAt(1)];
  }

  /** The shared array of a set, and its number. */
  share(set: CodePoints): { readonly id: number; readonly set: CodePoints } {
    return getOrCompute(this.#sets, set.join(), () => ({ id: this.#sets.size, set }));
  }

  #combine(kind: 'either' | 'both', languages: readonly Term[], neutralTerm: Term, absorbingTerm: Term): Term {
    this.spend(languages.length);
    const members = new Set<Term>();
    for (const term of languages) {
      if (term === absorbingTerm) return absorbingTerm;
      if (term.kind === kind) for (const innerTerm of term.terms) members.add(innerTerm);
      else if (term !== neutralTerm) members.add(term);
    }
    if (members.size > 1 && !this.#simplify(kind, members)) return absorbingTerm;
    const terms = [...members].sort((left, right) => left.id - right.id);
    const [only] = terms;
    if (only === undefined) return neutralTerm;
    if (terms.length === 1) return only;
    return this.#intern(`${kind === 'either' ? 'o' : 'a'}${terms.map(({ id }) => id).join()}`, { kind, terms });
  }

  /** Removes members that others make redundant. False when two members leave only the absorbing language. */
  #simplify(kind: 'either' | 'both', members: Set<Term>): boolean {
    const dualKind = kind === 'either' ? 'both' : 'either';
    for (const term of members) {
      if (term.kind === 'not' && members.has(term.term)) return false;
      if (term.kind === dualKind && term.terms.some((inner) => members.has(inner))) members.delete(term);
    }
    const steps = mergeSteps(kind === 'either' ? unite : intersect, members);
    if (kind === 'both' && isImpossible([...steps.values()], members.has(this.end))) return false;
    for (const [next, set] of steps) members.add(this.step(set, next));
    return true;
  }

  #intern(key: string, term: TermWithoutId): Term {
    return getOrCompute(this.#terms, key, (): Term => {
      this.spend(1);
      return { ...term, id: this.#terms.size + 3 };
    });
  }

  #numberOf(node: PatternNode): number {
    return getOrCompute(this.#nodes, node, () => this.#nodes.size);
  }
}

/** Merges the steps of a term that lead to the same language. */
function mergeSteps(merge: (left: CodePoints, right: CodePoints) => CodePoints, members: Set<Term>): ReadonlyMap<Term, CodePoints> {
  const steps = new Map<Term, CodePoints>();
  for (const term of members) {
    if (term.kind !== 'step') continue;
    const mergedSet = steps.get(term.next);
    steps.set(term.next, mergedSet === undefined ? term.set : merge(mergedSet, term.set));
    members.delete(term);
  }
  return steps;
}

/** True when no character is in every set; a text that must also end has none. */
function isImpossible(sets: readonly CodePoints[], mustEnd: boolean): boolean {
  if (sets.length === 0) return false;
  const [first = noCodePoints, ...others] = sets;
  return mustEnd || others.reduce(intersect, first).length === 0;
}

const anyTextNode: PatternNode = { kind: 'repeat', body: { kind: 'set', set: scalarValues }, min: 0, max: Number.POSITIVE_INFINITY };

/**
 * Compiles the language of the texts in which a pattern matches. For an inexact pattern (see `isExact`), the result is a superset.
 */
export function compileSearch(terms: TermFactory, pattern: Pattern): Term {
  const search: PatternNode = { kind: 'sequence', parts: [anyTextNode, pattern.root] };
  return compileNode(terms, search, atBothPositions(terms.all))[0];
}

/** The language of one text. */
export function compileLiteral(terms: TermFactory, text: string): Term {
  return [...text].reduceRight((rest: Term, character) => {
    const point = character.codePointAt(0) ?? 0;
    return terms.step([point, point], rest);
  }, terms.end);
}

/** A repetition with one round unfolded. */
function unfoldLoop(terms: TermFactory, loop: Loop): ByPosition {
  loop.unfoldedOnce ??= unfoldOnce(terms, loop);
  return loop.unfoldedOnce;
}

function unfoldOnce(terms: TermFactory, { body, min, max, rest }: Loop): ByPosition {
  const round = compileNode(terms, body, compileRepeat(terms, body, Math.max(0, min - 1), max - 1, rest));
  return min > 0 ? round : eitherByPosition(terms, rest, round);
}

function compileNode(terms: TermFactory, node: PatternNode, rest: ByPosition): ByPosition {
  switch (node.kind) {
    case 'set':
      return atBothPositions(terms.step(node.set, rest[1]));
    case 'sequence':
      return node.parts.reduceRight((following, part) => compileNode(terms, part, following), rest);
    case 'choice':
      return eitherByPosition(terms, ...node.options.map((option) => compileNode(terms, option, rest)));
    case 'repeat':
      return compileRepeat(terms, node.body, node.min, node.max, rest);
    case 'start':
      return [rest[0], terms.none];
    case 'end':
      return bothByPosition(terms, atBothPositions(terms.end), rest);
    case 'ahead':
      return compileAhead(terms, node.body, node.negative, rest);
    case 'behind':
    case 'boundary':
      return rest;
    case 'reference':
      return compileReference(terms, node.groups[node.group], rest);
  }
}

function compileRepeat(terms: TermFactory, body: PatternNode, min: number, max: number, rest: ByPosition): ByPosition {
  return max === 0 ? rest : terms.loop(body, min, max, rest);
}

/** Look-ahead constrains the whole rest. Negating a superset would exclude too much, so an inexact body is left out. */
function compileAhead(terms: TermFactory, body: PatternNode, negative: boolean, rest: ByPosition): ByPosition {
  if (!negative) return bothByPosition(terms, compileNode(terms, body, atBothPositions(terms.all)), rest);
  if (!isExact(body)) return rest;
  const [atStart, later] = compileNode(terms, body, atBothPositions(terms.all));
  return bothByPosition(terms, [terms.not(atStart), terms.not(later)], rest);
}

/** A back-reference repeats the match of its group, or is empty. The language of the group approximates it. */
function compileReference(terms: TermFactory, group: PatternNode | undefined, rest: ByPosition): ByPosition {
  const body = group !== undefined && isPlain(group) ? group : anyTextNode;
  return eitherByPosition(terms, rest, compileNode(terms, body, rest));
}

function atBothPositions(term: Term): ByPosition {
  return [term, term];
}

function eitherByPosition(terms: TermFactory, ...languages: readonly ByPosition[]): ByPosition {
  const unionAt = (position: Position): Term => terms.either(languages.map((language) => language[position]));
  return [unionAt(0), unionAt(1)];
}

function bothByPosition(terms: TermFactory, ...languages: readonly ByPosition[]): ByPosition {
  const intersectionAt = (position: Position): Term => terms.both(languages.map((language) => language[position]));
  return [intersectionAt(0), intersectionAt(1)];
}

/** True when the language contains the empty text. */
export function endsHere(terms: TermFactory, term: Term): boolean {
  terms.spend(1);
  switch (term.kind) {
    case 'none':
    case 'step':
      return false;
    case 'end':
    case 'all':
      return true;
    case 'either':
      return term.terms.some((each) => endsHere(terms, each));
    case 'both':
      return term.terms.every((each) => endsHere(terms, each));
    case 'not':
      return !endsHere(terms, term.term);
    case 'loop':
      return readLoop(terms, term, false, () => endsHere(terms, unfoldLoop(terms, term.loop)[term.position]));
  }
}

/** The language after a character: Brzozowski's derivative. */
export function afterPoint(terms: TermFactory, term: Term, point: number): Term {
  terms.spend(1);
  switch (term.kind) {
    case 'none':
    case 'end':
      return terms.none;
    case 'all':
      return term;
    case 'step':
      return contains(term.set, point) ? term.next : terms.none;
    case 'either':
      return terms.either(term.terms.map((each) => afterPoint(terms, each, point)));
    case 'both':
      return terms.both(term.terms.map((each) => afterPoint(terms, each, point)));
    case 'not':
      return terms.not(afterPoint(terms, term.term, point));
    case 'loop':
      return readLoop(terms, term, terms.none, () => afterPoint(terms, unfoldLoop(terms, term.loop)[term.position], point));
  }
}

/** The sets that distinguish first characters. */
export function collectSets(terms: TermFactory, term: Term, sets: Set<CodePoints>): void {
  terms.spend(1);
  if (term.kind === 'step') sets.add(term.set);
  else if (term.kind === 'not') collectSets(terms, term.term, sets);
  else if (term.kind === 'either' || term.kind === 'both') for (const each of term.terms) collectSets(terms, each, sets);
  else if (term.kind === 'loop') {
    readLoop(terms, term, undefined, () => collectSets(terms, unfoldLoop(terms, term.loop)[term.position], sets));
  }
}

/** Splits an alphabet into the parts that some sets distinguish. */
export function splitAlphabet(alphabet: CodePoints, sets: Iterable<CodePoints>): readonly CodePoints[] {
  let parts: readonly CodePoints[] = [alphabet];
  for (const set of sets) {
    parts = parts.flatMap((part) => [intersect(part, set), subtract(part, set)]).filter((part) => part.length > 0);
  }
  return parts
    .map((part) => ({ part, first: pointAt(part, 0) }))
    .sort((a, b) => a.first - b.first)
    .map(({ part }) => part);
}

/** The number of ranges of the sets: a measure of the work of splitting by them. */
export function countRanges(sets: Iterable<CodePoints>): number {
  let count = 0;
  for (const set of sets) count += rangesOf(set).length;
  return count;
}

/** Stops the recursion of a loop that reaches itself without reading a character. Such a round has the result `onRepeat`. */
function readLoop<T>(terms: TermFactory, term: Term & { readonly kind: 'loop' }, onRepeat: T, read: () => T): T {
  if (term.isBeingRead) return onRepeat;
  term.isBeingRead = true;
  try {
    return terms.nested(read);
  } finally {
    term.isBeingRead = false;
  }
}
