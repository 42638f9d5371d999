/** Sources: where drafts of instances come from. Unlike arbitraries they carry no wrapping, so that a large instance is drawn fast. */

import type { Json } from '../../core/json.ts';
import { unless } from '../outcome.ts';
import { equal } from '../schema/equality.ts';

/** A drawn value that remembers where it came from, so that it can be made smaller. */
export interface Draft {
  readonly value: Json;
  readonly source: Source;
  /** What the source needs to know to shrink the value. */
  readonly parts?: unknown;
}

/** How freely to draw. */
export interface Manner {
  readonly chance: Chance;
  /** fast-check's: boundary values come with a probability of one in so many; `undefined` for no preference. */
  readonly bias: number | undefined;
  /** How many more attempts may fail, in all parts of the instance together: parts that try again inside parts that try again would never end. */
  readonly patience: { left: number };
}

/** How many attempts may fail while one instance is drawn. */
const attempts = 400;

/** A manner of drawing one instance. */
export function mannerOf(chance: Chance, bias?: number, patience: number = attempts): Manner {
  return { chance, bias, patience: { left: patience } };
}

/**
 * Takes note of an attempt that failed.
 * @throws {Exhausted} when there were too many.
 */
export function tryAgain({ patience }: Manner, what: string): void {
  patience.left -= 1;
  if (patience.left < 0) throw new Exhausted(what, attempts);
}

/** Draws instances, and makes drawn ones smaller. */
export interface Source {
  /** How many values there are, as far as that is known to be few. */
  readonly size?: number;
  /** The sources of its parts, where it has any. */
  readonly children?: () => readonly Source[];
  /**
   * Draws an instance. `fuel` is what is left for schemas that contain themselves: below 1 only the lowest forms of those are drawn.
   */
  readonly draw: (manner: Manner, fuel: number) => Draft;
  /** The instance that shrinking ends at when everything is allowed. */
  readonly simplest: () => Draft;
  /** Smaller instances, the boldest first. */
  readonly shrink: (draft: Draft) => Iterable<Draft>;
}

/** Whether to draw a boundary value now: one of so many draws is for those. */
export function isAtEdge(chance: Chance, bias: number | undefined): boolean {
  return bias !== undefined && chance.nextInt(1, bias) === 1;
}

/** Nothing suitable was drawn in many attempts. Another seed may do better; a schema that asks for this often should be told to its author. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted' as const;

  constructor(what: string, attempts: number) {
    super(`${what} was not found in ${attempts} attempts; narrow the schema so that its parts fit each other more often`);
  }
}

/** What is made, unless nothing suitable is found in many attempts. */
export function unlessExhausted<T>(make: () => T): T | undefined {
  return unless(make, Exhausted);
}

/** Numbers that look like chance and are the same for the same seed, on every machine. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from `min` to `max`, both included. Ranges wider than 2^32 are cut to that. */
  nextInt(min: number, max: number): number {
    // Marsaglia's xorshift with 32 bits, after a step that makes neighbouring seeds differ.
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    let mixed = this.#state;
    mixed ^= mixed << 13;
    mixed ^= mixed >>> 17;
    mixed ^= mixed << 5;
    return min + ((mixed >>> 0) % (max - min + 1));
  }
}

/** Where chance comes from: fast-check's generator, or dice. */
export type Chance = Pick<Dice, 'nextInt'>;

/** Where numbers or texts come from. */
export interface Scalars<T> {
  /** What shrinking ends at: the number with the fewest digits that is nearest to 0; the shortest text of the plainest letters, or the plainest of a format. */
  readonly simplest: T;
  /** Draws a value; with a bias one of so many draws goes to the edges. */
  readonly draw: (chance: Chance, bias: number | undefined) => T;
  /** Judges a value as all validators would: multiples are multiples in exact decimals and in doubles. */
  readonly accepts: (value: T) => boolean;
  /** How many values there are at most; infinite when they are many. */
  readonly size: number;
  /** Simpler values that are accepted, the boldest first; none for `simplest`. Going on with any of them comes to an end. */
  readonly shrink: (value: T) => Iterable<T>;
}

/** Numbers or texts, or the reason why there are none: no value has all the facts, or none was found though there may be some. */
export type Opened<T> =
  | { readonly kind: 'source'; readonly source: Scalars<T> }
  | { readonly kind: 'empty'; readonly why: string }
  | { readonly kind: 'unsupported'; readonly keyword: string; readonly why: string };

/** Facts that clash, without those that do not matter: leaves out fact after fact, as long as no value has what is left. */
export function clashOf<Facts extends object>(
  facts: Facts,
  free: Facts,
  keys: readonly (keyof Facts)[],
  isEmpty: (facts: Facts) => boolean,
): Facts {
  let left = facts;
  const tryWith = (key: keyof Facts, value: unknown): void => {
    const relaxed = { ...left, [key]: value };
    if (isEmpty(relaxed)) left = relaxed;
  };
  for (const key of keys) {
    const value = facts[key];
    if (!Array.isArray(value)) tryWith(key, free[key]);
    else
      for (const part of value)
        tryWith(
          key,
          (left[key] as readonly unknown[]).filter((each) => each !== part),
        );
  }
  return left;
}

/** A source of numbers or texts. */
export class ScalarSource<T extends Json> implements Source {
  readonly size: number;
  readonly #scalars: Scalars<T>;
  readonly #simplest: Draft;

  constructor(scalars: Scalars<T>) {
    this.#scalars = scalars;
    this.size = scalars.size;
    this.#simplest = { value: scalars.simplest, source: this };
  }

  draw({ chance, bias }: Manner): Draft {
    return { value: this.#scalars.draw(chance, bias), source: this };
  }

  simplest(): Draft {
    return this.#simplest;
  }

  *shrink(draft: Draft): Iterable<Draft> {
    // What comes back is what was drawn here, so it is of the type that is drawn here.
    for (const value of this.#scalars.shrink(draft.value as T)) yield { value, source: this };
  }
}

/** A source of listed values: the first is the simplest, as whoever wrote the list will have meant it. */
export class ValuesSource implements Source {
  readonly size: number;
  readonly #values: readonly Json[];

  /** `values` is not empty. */
  constructor(values: readonly Json[]) {
    this.#values = values;
    this.size = values.length;
  }

  draw({ chance }: Manner): Draft {
    return this.#draft(this.#values.length === 1 ? 0 : chance.nextInt(0, this.#values.length - 1));
  }

  simplest(): Draft {
    return this.#draft(0);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const index = this.#values.findIndex((value) => equal(value, draft.value));
    for (let smaller = 0; smaller < index; smaller += 1) yield this.#draft(smaller);
  }

  #draft(index: number): Draft {
    const value = this.#values[index] ?? null;
    // Whoever gets an instance may change it; the schema must stay as it is.
    return { value: typeof value === 'object' && value !== null ? structuredClone(value) : value, source: this };
  }
}

/** One of the sources to choose from. */
export interface Branch {
  readonly source: Source;
  readonly height: number;
  /** Branches of one group share the probability of the group, so that many forms of one type do not hide the others. */
  readonly group: string;
}

/** Chooses a group, then a branch of it. Branches are sorted: the first is the simplest. */
export class ChoiceSource implements Source {
  readonly #branches: readonly Branch[];
  readonly #groups: readonly (readonly number[])[];
  /** The branches to choose from when instances must stop to nest. */
  readonly #lowest: readonly number[];
  readonly #isRecursive: boolean;

  constructor(branches: readonly Branch[], isRecursive: boolean) {
    this.#branches = branches;
    this.#isRecursive = isRecursive;
    const indexes = branches.map((_, index) => index);
    const groups = new Set(branches.map((branch) => branch.group));
    this.#groups = [...groups].map((group) => indexes.filter((index) => branches[index]?.group === group));
    const lowest = Math.min(...branches.map((branch) => branch.height));
    this.#lowest = indexes.filter((index) => branches[index]?.height === lowest);
  }

  get size(): number {
    return this.#branches.reduce((sum, branch) => sum + (branch.source.size ?? Infinity), 0);
  }

  children(): readonly Source[] {
    return this.#branches.map((branch) => branch.source);
  }

  draw(manner: Manner, fuel: number): Draft {
    const { chance } = manner;
    const isSpent = this.#isRecursive && fuel < 1;
    const group = (isSpent ? this.#lowest : pick(this.#groups, chance)) ?? [];
    const index = pick(group, chance) ?? 0;
    const drawn = unlessExhausted(() => this.#at(index).draw(manner, fuel));
    if (drawn !== undefined) return this.#wrap(index, drawn);
    // A branch may have no instance after all; then the simplest of the others that has one takes its place.
    const others = [...(isSpent ? this.#lowest : this.#branches.keys())].filter((other) => other !== index);
    return this.#first(others, (source) => source.draw(manner, fuel));
  }

  simplest(): Draft {
    return this.#first(this.#branches.keys(), (source) => source.simplest());
  }

  #first(indexes: Iterable<number>, make: (source: Source) => Draft): Draft {
    for (const index of indexes) {
      const made = unlessExhausted(() => make(this.#at(index)));
      if (made !== undefined) return this.#wrap(index, made);
    }
    throw new Exhausted('an instance of any of the forms that a schema allows', this.#branches.length);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const { index, inner } = draft.parts as Chosen;
    for (let simpler = 0; simpler < index; simpler += 1) {
      const smaller = unlessExhausted(() => this.#at(simpler).simplest());
      // Forms overlap: the same value as of a simpler form is not smaller.
      if (smaller !== undefined && !equal(smaller.value, draft.value)) yield this.#wrap(simpler, smaller);
    }
    for (const smaller of inner.source.shrink(inner)) yield this.#wrap(index, smaller);
  }

  #at(index: number): Source {
    const branch = this.#branches[index];
    if (branch === undefined) throw new RangeError(`there is no branch ${index} of ${this.#branches.length}`);
    return branch.source;
  }

  #wrap(index: number, inner: Draft): Draft {
    return { value: inner.value, source: this, parts: { index, inner } satisfies Chosen };
  }
}

interface Chosen {
  readonly index: number;
  readonly inner: Draft;
}

function pick<T>(list: readonly T[], chance: Manner['chance']): T | undefined {
  return list.length === 1 ? list[0] : list[chance.nextInt(0, list.length - 1)];
}

/** So many of the members of a list, chosen by chance. */
export function takeSome<T>(list: readonly T[], count: number, chance: Chance): readonly T[] {
  if (count >= list.length) return list;
  const rest = [...list];
  for (let index = 0; index < count; index += 1) {
    const other = chance.nextInt(index, rest.length - 1);
    [rest[index], rest[other]] = [rest[other] as T, rest[index] as T];
  }
  return rest.slice(0, count);
}

/** Which members of a list to leave out, the boldest first: so many as may go, then halves of that, down to single ones; from the end on. */
export function* removals<T>(list: readonly T[], most: number): Iterable<readonly T[]> {
  for (let chunk = Math.min(most, list.length); chunk >= 1; chunk = Math.floor(chunk / 2)) {
    for (let end = list.length; end - chunk >= 0; end -= chunk) yield list.slice(end - chunk, end);
  }
}
