/** Draws texts of a given length by walking through an automaton, never into a place from which the length cannot be reached. */

import type { Chance } from '../source/dice.ts';
import type { Automaton, Edge, State } from './automaton.ts';
import { drawCharacter, oddBits, plainBits, type Selection, selectionOf, spread, wantOf } from './taste.ts';

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
    const choice = open.join();
    const exits = stop.choices.get(choice) ?? this.#makeExits(edges.filter((_, index) => open[index]));
    stop.choices.set(choice, exits);
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
    let stop = this.#stops.get(state);
    if (stop === undefined) {
      stop = { state, reaches: [], exits: [], always: undefined, choices: new Map() };
      this.#stops.set(state, stop);
    }
    return stop;
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
    this.#automaton.spend(1);
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
