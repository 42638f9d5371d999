/** The deterministic automaton of a language, explored on demand: which lengths its texts have, and how a text of a length is drawn. */

import { recall } from '../recall.ts';
import type { Chance } from '../source/source.ts';
import { type CodePoints, pointAt, unite } from './code-points.ts';
import { drawCharacter, oddBits, plainBits, type Selection, selectionOf, spread, wantOf } from './taste.ts';
import { afterPoint, collectSets, countRanges, endsHere, splitAlphabet, type Term, type Terms } from './term.ts';

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
  readonly terms: Terms;
  readonly #alphabet: CodePoints;
  readonly #states = new Map<Term, State>();
  readonly #edges = new Map<State, readonly Edge[]>();
  readonly #parts = new Map<string, readonly CodePoints[]>();

  constructor(terms: Terms, language: Term, alphabet: CodePoints) {
    this.terms = terms;
    this.#alphabet = alphabet;
    this.start = this.#stateOf(language);
  }

  /** The ways out of a state, in the order of their first characters. Ways into languages that are plainly empty are left out. */
  edgesOf(state: State): readonly Edge[] {
    return recall(this.#edges, state, () => this.#findEdges(state));
  }

  #findEdges(state: State): readonly Edge[] {
    const byTerm = new Map<Term, CodePoints[]>();
    for (const part of this.#split(state.term)) {
      const term = afterPoint(this.terms, state.term, pointAt(part, 0));
      if (term === this.terms.none) continue;
      byTerm.set(term, [...(byTerm.get(term) ?? []), part]);
    }
    return [...byTerm].map(([term, parts]) => ({ set: this.terms.share(unite(...parts)).set, target: this.#stateOf(term) }));
  }

  #stateOf(term: Term): State {
    return recall(this.#states, term, () => ({ id: this.#states.size, term, ends: endsHere(this.terms, term) }));
  }

  #split(term: Term): readonly CodePoints[] {
    const sets = new Set<CodePoints>();
    collectSets(this.terms, term, sets);
    const key = [...sets]
      .map((set) => this.terms.share(set).id)
      .sort((left, right) => left - right)
      .join();
    return recall(this.#parts, key, () => {
      this.terms.spend(countRanges(sets));
      return splitAlphabet(this.#alphabet, sets);
    });
  }
}

/** The lengths of a language's texts, counted in code points. */
export class TextLengths {
  readonly #automaton: Automaton;
  /** For each length, the states in which a text of that length can be. */
  readonly #levels: (readonly State[])[];
  readonly #levelOf = new Map<string, number>();
  /** From here on, the levels repeat with this period. */
  #cycle: { readonly from: number; readonly period: number } | undefined;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#levels = [[automaton.start]];
    this.#levelOf.set(keyOf([automaton.start]), 0);
  }

  /** Whether there is a text of exactly this length. */
  has(length: number): boolean {
    return this.#levelAt(length).some((state) => state.ends);
  }

  /** The least length from `min` to `max`; `undefined` says that there is none. */
  first(min: number, max: number): number | undefined {
    for (let length = min; length <= max; length += 1) {
      if (this.has(length)) return length;
      if (this.#levelAt(length).length === 0) return undefined;
      if (this.#cycle !== undefined && length >= Math.max(min, this.#cycle.from) + this.#cycle.period) return undefined;
    }
    return undefined;
  }

  /** Each length from `min` to `max`. */
  between(min: number, max: number): readonly number[] {
    const found: number[] = [];
    for (let length = min; length <= max && this.#levelAt(length).length > 0; length += 1) {
      if (this.has(length)) found.push(length);
    }
    return found;
  }

  /** The greatest length from `min` to `max`. */
  last(min: number, max: number): number | undefined {
    // Texts may end long before `max`; the first level without a state says where.
    let length = max;
    for (let known = min; known <= max && this.#cycle === undefined; known += 1) {
      if (this.#levelAt(known).length === 0) length = known;
      if (length === known) break;
    }
    while (length >= min && !this.has(length)) length -= 1;
    return length < min ? undefined : length;
  }

  /** Whether no text is longer than this. */
  endsBefore(length: number): boolean {
    return this.#levelAt(length + 1).length === 0;
  }

  #levelAt(length: number): readonly State[] {
    while (this.#cycle === undefined && this.#levels.length <= length) this.#extend();
    const index = this.#cycle === undefined || length < this.#cycle.from ? length : this.#repeated(length, this.#cycle);
    return this.#levels[index] ?? [];
  }

  #repeated(length: number, { from, period }: { readonly from: number; readonly period: number }): number {
    return from + ((length - from) % period);
  }

  #extend(): void {
    const level = this.#levels.at(-1) ?? [];
    const targets = new Set<State>();
    for (const state of level) for (const { target } of this.#automaton.edgesOf(state)) targets.add(target);
    const next = [...targets];
    this.#automaton.terms.spend(1 + next.length);
    const key = keyOf(next);
    const seen = this.#levelOf.get(key);
    if (seen !== undefined) {
      this.#cycle = { from: seen, period: this.#levels.length - seen };
      return;
    }
    this.#levelOf.set(key, this.#levels.length);
    this.#levels.push(next);
  }
}

function keyOf(level: readonly State[]): string {
  return level
    .map(({ id }) => id)
    .sort((left, right) => left - right)
    .join();
}

/** A state with what was found out about it. */
interface Stop {
  readonly state: State;
  /** By number of characters: whether a text of so many leads from here to an end. */
  readonly reaches: (boolean | undefined)[];
  /** By number of characters left: where to go. */
  readonly exits: (Exits | undefined)[];
  /** Where to go however many are left, if that does not matter. */
  always: Exits | undefined;
  /** The exits of each choice of edges that was ever open: there are few, and many lengths share them. */
  readonly choices: Map<string, Exits>;
}

/** The ways that lead to an end in time: a power of two of them, in which each is as often as it is wanted. */
interface Exits {
  readonly ways: readonly Exit[];
  /** How many random bits choose the character; the bits above choose the way. */
  readonly characterBits: number;
  /** How many random bits a step takes altogether. */
  readonly bits: number;
}

interface Exit {
  readonly selection: Selection;
  readonly target: Stop;
}

/** A stop on the way, and which of its edges is tried next. */
interface Visit {
  readonly stop: Stop;
  readonly edges: readonly Edge[];
  next: number;
}

/** Walks of one automaton. */
export class Walk {
  readonly #automaton: Automaton;
  readonly #stops = new Map<State, Stop>();
  readonly #start: Stop;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#start = this.#stopOf(automaton.start);
  }

  /** Draws a text of exactly this many characters. There must be one: see `TextLengths`. */
  draw(length: number, chance: Chance): string {
    let stop = this.#start;
    let text = '';
    // Random numbers cost more than anything else here, so each is used up bit by bit.
    let luck = 0;
    let bits = 0;
    for (let left = length; left > 0; left -= 1) {
      const exits = stop.always ?? stop.exits[left] ?? this.#findExits(stop, left);
      if (bits < exits.bits) {
        luck = chance.nextInt(0, 0x3fffffff);
        bits = 30;
      }
      const { ways } = exits;
      const exit = ways[(luck >>> exits.characterBits) & (ways.length - 1)];
      if (exit === undefined) throw new RangeError(`no text of the language is ${length} long; ask for a length that it has`);
      text += drawCharacter(exit.selection, luck, chance);
      luck >>>= exits.bits;
      bits -= exits.bits;
      stop = exit.target;
    }
    return text;
  }

  /** The ways from a state that can still be ended after so many more characters. */
  exitsOf(state: State, left: number): readonly Edge[] {
    return this.#automaton.edgesOf(state).filter(({ target }) => this.#canReach(target, left - 1));
  }

  #findExits(stop: Stop, left: number): Exits {
    const edges = this.#automaton.edgesOf(stop.state);
    const open = edges.map(({ target }) => this.#canReach(target, left - 1));
    const exits = recall(stop.choices, open.join(), () => this.#makeExits(edges.filter((_, index) => open[index])));
    if (edges.every(({ target }) => this.#isFree(target))) stop.always = exits;
    else stop.exits[left] = exits;
    return exits;
  }

  #makeExits(edges: readonly Edge[]): Exits {
    const ways = shareOut(edges).map(({ set, target }) => ({ selection: selectionOf(set), target: this.#stopOf(target) }));
    const characterBits = ways.some(({ selection }) => selection.odd.length > 0) ? oddBits + plainBits : plainBits;
    return { ways, characterBits, bits: characterBits + 31 - Math.clz32(Math.max(1, ways.length)) };
  }

  /** Where a text may end and as well stay, every length is reached. */
  #isFree(state: State): boolean {
    return state.ends && this.#automaton.edgesOf(state).some(({ target }) => target === state);
  }

  #stopOf(state: State): Stop {
    return recall(this.#stops, state, () => ({ state, reaches: [], exits: [], always: undefined, choices: new Map() }));
  }

  /** Looks for a way through, deeper and deeper; what was found out stays known. A stack of its own keeps long texts from exhausting the engine's. */
  #canReach(goal: State, length: number): boolean {
    const path: Visit[] = [];
    let answer = this.#glance(goal, length, path);
    while (path.length > 0) {
      const here = path.at(-1);
      if (here === undefined) break;
      const left = length - path.length + 1;
      const edge = answer === true ? undefined : here.edges[here.next];
      if (edge === undefined) {
        answer = answer === true;
        here.stop.reaches[left] = answer;
        path.pop();
        continue;
      }
      here.next += 1;
      answer = this.#glance(edge.target, left - 1, path);
    }
    return answer === true;
  }

  /** What is known at once; otherwise the state is put on the path. */
  #glance(state: State, left: number, path: Visit[]): boolean | undefined {
    if (left === 0) return state.ends;
    const stop = this.#stopOf(state);
    const known = stop.reaches[left];
    if (known !== undefined) return known;
    if (this.#isFree(state)) return true;
    this.#automaton.terms.spend(1);
    path.push({ stop, edges: this.#automaton.edgesOf(state), next: 0 });
    return undefined;
  }
}

/** Repeats each way by how much it is wanted: half of the chance goes by ways, so that none starves, half by characters. */
function shareOut(edges: readonly Edge[]): readonly Edge[] {
  if (edges.length < 2) return edges;
  const wants = edges.map(({ set }) => wantOf(selectionOf(set)));
  const ways = sumOf(wants.map(({ way }) => way));
  const characters = Math.max(1, sumOf(wants.map((want) => want.characters)));
  const shares = edges.flatMap((edge, index) => {
    const want = wants[index] ?? { way: 0, characters: 0 };
    const share = Math.max(1, Math.floor((32 * want.way) / ways + (32 * want.characters) / characters));
    return Array.from({ length: share }, () => edge);
  });
  // The next power of two; the first ways come once more, which is too little to matter.
  return spread(shares, 1 << (32 - Math.clz32(shares.length - 1)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
