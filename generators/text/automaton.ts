/**
 * The deterministic automaton of a regular language, explored on demand: its transitions, the lengths of its texts, and draws of one length. It is kept with its
 * language across queries and draws, and any step may end with `LanguageTooLarge`, when the work that the language allows is spent.
 */

import { getOrCompute } from '../../core/memo.ts';
import type { RandomNumbers } from '../sources/random-numbers.ts';
import { type CharacterWeights, characterBits, characterWeights, drawCharacter, spread, weightOf } from './character-weights.ts';
import { type CodePoints, pointAt, unite } from './code-point-sets.ts';
import { afterPoint, collectSets, countRanges, endsHere, splitAlphabet, type Term, type TermFactory } from './regular-language-terms.ts';

/** Characters that lead to the same state. */
export interface StateTransition {
  readonly set: CodePoints;
  readonly target: AutomatonState;
}

/** A state: the language of the texts that may follow. */
export interface AutomatonState {
  readonly id: number;
  readonly term: Term;
  /** True when the text may end here. */
  readonly isEnd: boolean;
}

/** Finds states and transitions on demand. */
export class Automaton {
  readonly start: AutomatonState;
  readonly terms: TermFactory;
  readonly #alphabet: CodePoints;
  readonly #states = new Map<Term, AutomatonState>();
  readonly #transitions = new Map<AutomatonState, readonly StateTransition[]>();
  readonly #splits = new Map<string, readonly CodePoints[]>();

  constructor(terms: TermFactory, language: Term, alphabet: CodePoints) {
    this.terms = terms;
    this.#alphabet = alphabet;
    this.start = this.#stateOf(language);
  }

  /** The transitions of a state, ordered by first character. Those into languages known to be empty are left out. */
  transitionsOf(state: AutomatonState): readonly StateTransition[] {
    return getOrCompute(this.#transitions, state, () => this.#findTransitions(state));
  }

  #findTransitions(state: AutomatonState): readonly StateTransition[] {
    const byTerm = new Map<Term, CodePoints[]>();
    for (const part of this.#split(state.term)) {
      const term = afterPoint(this.terms, state.term, pointAt(part, 0));
      if (term === this.terms.none) continue;
      byTerm.set(term, [...(byTerm.get(term) ?? []), part]);
    }
    return [...byTerm].map(([term, parts]) => ({ set: this.terms.share(unite(...parts)).set, target: this.#stateOf(term) }));
  }

  #stateOf(term: Term): AutomatonState {
    return getOrCompute(this.#states, term, () => ({ id: this.#states.size, term, isEnd: endsHere(this.terms, term) }));
  }

  #split(term: Term): readonly CodePoints[] {
    const sets = new Set<CodePoints>();
    collectSets(this.terms, term, sets);
    const key = [...sets]
      .map((set) => this.terms.share(set).id)
      .sort((left, right) => left - right)
      .join();
    return getOrCompute(this.#splits, key, () => {
      this.terms.spend(countRanges(sets));
      return splitAlphabet(this.#alphabet, sets);
    });
  }
}

/** The lengths of the texts of a language, in code points. */
export class TextLengths {
  readonly #automaton: Automaton;
  /** For each length, the states that texts of this length can reach. */
  readonly #levels: (readonly AutomatonState[])[];
  readonly #levelOf = new Map<string, number>();
  /** The first repeated level, and the period of the repetition. */
  #cycle: { readonly from: number; readonly period: number } | undefined;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#levels = [[automaton.start]];
    this.#levelOf.set(keyOf([automaton.start]), 0);
  }

  /** True when a text of exactly this length exists. */
  has(length: number): boolean {
    return this.#levelAt(length).some((state) => state.isEnd);
  }

  /** The smallest length from `min` to `max`; `undefined` when there is none. */
  first(min: number, max: number): number | undefined {
    for (let length = min; length <= max; length += 1) {
      if (this.has(length)) return length;
      if (this.#levelAt(length).length === 0) return undefined;
      if (this.#cycle !== undefined && length >= Math.max(min, this.#cycle.from) + this.#cycle.period) return undefined;
    }
    return undefined;
  }

  /** All lengths from `min` to `max`. */
  between(min: number, max: number): readonly number[] {
    const lengths: number[] = [];
    for (let length = min; length <= max && this.#levelAt(length).length > 0; length += 1) {
      if (this.has(length)) lengths.push(length);
    }
    return lengths;
  }

  /** The greatest length from `min` to `max`. */
  last(min: number, max: number): number | undefined {
    // Texts may end long before `max`: the first level without states shows where.
    let length = max;
    for (let checkedLength = min; checkedLength <= max && this.#cycle === undefined; checkedLength += 1) {
      if (this.#levelAt(checkedLength).length === 0) length = checkedLength;
      if (length === checkedLength) break;
    }
    while (length >= min && !this.has(length)) length -= 1;
    return length < min ? undefined : length;
  }

  /** True when no text is longer. */
  endsBefore(length: number): boolean {
    return this.#levelAt(length + 1).length === 0;
  }

  #levelAt(length: number): readonly AutomatonState[] {
    while (this.#cycle === undefined && this.#levels.length <= length) this.#extend();
    const index = this.#cycle === undefined || length < this.#cycle.from ? length : this.#repeated(length, this.#cycle);
    return this.#levels[index] ?? [];
  }

  #repeated(length: number, { from, period }: { readonly from: number; readonly period: number }): number {
    return from + ((length - from) % period);
  }

  #extend(): void {
    const level = this.#levels.at(-1) ?? [];
    const targets = new Set<AutomatonState>();
    for (const state of level) for (const { target } of this.#automaton.transitionsOf(state)) targets.add(target);
    const nextLevel = [...targets];
    this.#automaton.terms.spend(1 + nextLevel.length);
    const key = keyOf(nextLevel);
    const repeatedLevel = this.#levelOf.get(key);
    if (repeatedLevel !== undefined) {
      this.#cycle = { from: repeatedLevel, period: this.#levels.length - repeatedLevel };
      return;
    }
    this.#levelOf.set(key, this.#levels.length);
    this.#levels.push(nextLevel);
  }
}

function keyOf(level: readonly AutomatonState[]): string {
  return level
    .map(({ id }) => id)
    .sort((left, right) => left - right)
    .join();
}

/** A state with what is known about its continuations. */
interface SamplingState {
  readonly state: AutomatonState;
  /** By number of characters: true when a text of so many leads from here to an end. */
  readonly canEnd: (boolean | undefined)[];
  /** By number of characters left: the transitions that can still reach an end, repeated by weight to a power of two of them. */
  readonly nextTransitions: (readonly WeightedTransition[] | undefined)[];
  /** The weighted transitions of each set of open transitions. There are few sets, shared by many lengths. */
  readonly choices: Map<string, readonly WeightedTransition[]>;
}

interface WeightedTransition {
  readonly weights: CharacterWeights;
  readonly target: SamplingState;
}

/** A node on the search path, and its next untried transition. */
interface PathStep {
  readonly node: SamplingState;
  readonly transitions: readonly StateTransition[];
  nextIndex: number;
}

/** Draws texts of one automaton. */
export class TextSampler {
  readonly #automaton: Automaton;
  readonly #samplingStates = new Map<AutomatonState, SamplingState>();
  readonly #start: SamplingState;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#start = this.#samplingStateOf(automaton.start);
  }

  /** Draws a text of exactly this many characters. It must exist: see `TextLengths`. */
  draw(length: number, random: RandomNumbers): string {
    let node = this.#start;
    let text = '';
    for (let charactersLeft = length; charactersLeft > 0; charactersLeft -= 1) {
      const transitions = node.nextTransitions[charactersLeft] ?? this.#findNext(node, charactersLeft);
      // Random numbers are the most expensive part, so one chooses the transition and the character.
      const randomBits = random.nextInt(0, 0x3fffffff);
      const transition = transitions[(randomBits >>> characterBits) & (transitions.length - 1)];
      if (transition === undefined) throw new RangeError(`no text of the language is ${length} long; ask for a length that it has`);
      text += drawCharacter(transition.weights, randomBits, random);
      node = transition.target;
    }
    return text;
  }

  /** The transitions from a state that can still end after so many characters. */
  transitionsToEnd(state: AutomatonState, charactersLeft: number): readonly StateTransition[] {
    return this.#automaton.transitionsOf(state).filter(({ target }) => this.#canReach(target, charactersLeft - 1));
  }

  #findNext(node: SamplingState, charactersLeft: number): readonly WeightedTransition[] {
    const transitions = this.#automaton.transitionsOf(node.state);
    const openTransitions = transitions.filter(({ target }) => this.#canReach(target, charactersLeft - 1));
    const key = openTransitions.map(({ target }) => target.id).join();
    node.nextTransitions[charactersLeft] = getOrCompute(node.choices, key, () =>
      repeatByWeight(openTransitions).map(({ set, target }) => ({ weights: characterWeights(set), target: this.#samplingStateOf(target) })),
    );
    return node.nextTransitions[charactersLeft];
  }

  /** True for a state that is an end and leads to itself: it reaches every length. */
  #isFree(state: AutomatonState): boolean {
    return state.isEnd && this.#automaton.transitionsOf(state).some(({ target }) => target === state);
  }

  #samplingStateOf(state: AutomatonState): SamplingState {
    return getOrCompute(this.#samplingStates, state, () => ({ state, canEnd: [], nextTransitions: [], choices: new Map() }));
  }

  /**
   * Depth-first search for an end at exactly this length; results are kept. An explicit stack keeps long texts from overflowing the call
   * stack.
   */
  #canReach(goal: AutomatonState, length: number): boolean {
    const path: PathStep[] = [];
    let result = this.#lookUp(goal, length, path);
    while (path.length > 0) {
      const step = path.at(-1);
      if (step === undefined) break;
      const charactersLeft = length - path.length + 1;
      const transition = result === true ? undefined : step.transitions[step.nextIndex];
      if (transition === undefined) {
        result = result === true;
        step.node.canEnd[charactersLeft] = result;
        path.pop();
        continue;
      }
      step.nextIndex += 1;
      result = this.#lookUp(transition.target, charactersLeft - 1, path);
    }
    return result === true;
  }

  /** Returns the known result, or `undefined` after it put the state on the path. */
  #lookUp(state: AutomatonState, charactersLeft: number, path: PathStep[]): boolean | undefined {
    if (charactersLeft === 0) return state.isEnd;
    const node = this.#samplingStateOf(state);
    const knownResult = node.canEnd[charactersLeft];
    if (knownResult !== undefined) return knownResult;
    if (this.#isFree(state)) return true;
    this.#automaton.terms.spend(1);
    path.push({ node, transitions: this.#automaton.transitionsOf(state), nextIndex: 0 });
    return undefined;
  }
}

/** Repeats each transition by weight. Half of the probability is shared by transition, so that each occurs, and half by number of characters. */
function repeatByWeight(transitions: readonly StateTransition[]): readonly StateTransition[] {
  if (transitions.length < 2) return transitions;
  const weights = transitions.map(({ set }) => weightOf(characterWeights(set)));
  const transitionSum = sumOf(weights.map(({ transition }) => transition));
  const characterSum = Math.max(1, sumOf(weights.map((weight) => weight.characters)));
  const repeatedTransitions = transitions.flatMap((transition, index) => {
    const transitionWeight = weights[index] ?? { transition: 0, characters: 0 };
    const share = Math.max(
      1,
      Math.floor((32 * transitionWeight.transition) / transitionSum + (32 * transitionWeight.characters) / characterSum),
    );
    return Array.from({ length: share }, () => transition);
  });
  // Rounded up to a power of two: the first transitions get a negligible extra share.
  return spread(repeatedTransitions, 1 << (32 - Math.clz32(repeatedTransitions.length - 1)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
