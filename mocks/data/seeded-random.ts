/**
 * Random choices for generated data: hashes of the seed, the record and the field, so that none depends on earlier ones. Renaming a field changes its data.
 */

/** Part of a choice's identity: a kind of record, its number, or a field. */
export type SeedPart = string | number;

/** Random choices for one record. Fields are independent, so a new field changes no other. */
export class Chance {
  private readonly state: number;

  constructor(state: number) {
    this.state = state;
  }

  /** Chooses a whole number from `least` to `most`, both included. */
  range(field: SeedPart, least: number, most: number): number {
    return least + this.roll(field, most - least + 1);
  }

  /** Chooses one of the values. A value that occurs twice is twice as likely. */
  pick<T>(field: SeedPart, values: readonly T[]): T {
    return elementAt(values, this.roll(field, values.length), field);
  }

  /** True with a probability in percent. */
  happens(field: SeedPart, percent: number): boolean {
    return this.roll(field, 100) < percent;
  }

  /**
   * Chooses the value of an index as if the values were cards: each round of `values.length` indexes deals every value once, in a new order. So rare values
   * are never missing.
   */
  deal<T>(field: SeedPart, index: number, values: readonly T[]): T {
    return dealOne(mix(this.state, field), index, values, field);
  }

  /** Derives the choices for a part of the record. */
  of(...parts: readonly SeedPart[]): Chance {
    return new Chance(parts.reduce(mix, this.state));
  }

  private roll(field: SeedPart, count: number): number {
    return spreadBits(mix(this.state, field)) % count;
  }
}

/** Creates the choices for one record in the dataset of a seed. */
export function createChance(seed: number, ...parts: readonly SeedPart[]): Chance {
  // A seed may have more than 32 bits; the upper half is mixed in too.
  return new Chance(parts.reduce(mix, mixNumber(mixNumber(0x9e3779b9, seed), Math.floor(seed / 0x1_0000_0000))));
}

/** Returns a number of equal cards for `deal`. */
export function copies<T>(count: number, value: T): readonly T[] {
  return new Array<T>(count).fill(value);
}

/** The last shuffled round of each list of values, because indexes mostly come in order and share a round. */
const lastShuffles = new WeakMap<
  readonly unknown[],
  { readonly state: number; readonly round: number; readonly shuffled: readonly unknown[] }
>();

/** Returns the card of an index, from the round of the index. */
function dealOne<T>(state: number, index: number, values: readonly T[], field: SeedPart): T {
  const round = Math.floor(index / values.length);
  let lastShuffle = lastShuffles.get(values);
  if (lastShuffle?.state !== state || lastShuffle.round !== round) {
    lastShuffle = { state, round, shuffled: shuffle(state, round, values, field) };
    lastShuffles.set(values, lastShuffle);
  }
  return elementAt(lastShuffle.shuffled as readonly T[], index - round * values.length, field);
}

/** Shuffles the values for a round (Fisher–Yates). */
function shuffle<T>(state: number, round: number, values: readonly T[], field: SeedPart): readonly T[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const position = spreadBits(mixNumber(mixNumber(state, round), last)) % (last + 1);
    const moved = elementAt(shuffled, last, field);
    shuffled[last] = elementAt(shuffled, position, field);
    shuffled[position] = moved;
  }
  return shuffled;
}

function elementAt<T>(values: readonly T[], index: number, field: SeedPart): T {
  if (index in values) return values[index] as T;
  throw new RangeError(`nothing can be chosen for ${field}: the list has ${values.length} values; give it at least one`);
}

function mix(state: number, part: SeedPart): number {
  return typeof part === 'number' ? mixNumber(state, part) : mixText(state, part);
}

/** Mixes texts and numbers differently, so that `1` and `'1'` are different parts. */
function mixText(state: number, text: string): number {
  let mixed = state ^ 0x5bd1e995;
  for (let index = 0; index < text.length; index += 1) mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193);
  return mixNumber(mixed, text.length);
}

function mixNumber(state: number, value: number): number {
  return spreadBits(Math.imul(state ^ value, 0x85ebca6b) + 0x27d4eb2f);
}

/** Spreads every bit over all 32 bits. Returns a number of at least 0. */
function spreadBits(state: number): number {
  const first = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b);
  return (second ^ (second >>> 16)) >>> 0;
}
