/** Chance without luck: what a die shows depends on a seed and on what the die is thrown for, never on how often it was thrown before. */

/** Subject of a random choice: the kind of thing, its number, a field. */
export type SeedPart = string | number;

/** Choices for one thing. Each field has a die of its own, so a new field moves no other. */
export class Chance {
  private readonly state: number;

  constructor(state: number) {
    this.state = state;
  }

  /** A whole number from `least` to `most`, both included. */
  range(field: SeedPart, least: number, most: number): number {
    return least + this.roll(field, most - least + 1);
  }

  /** One of the values; a value that stands there twice comes twice as often. */
  pick<T>(field: SeedPart, values: readonly T[]): T {
    return valueAt(values, this.roll(field, values.length), field);
  }

  /** True with a probability in percent. */
  happens(field: SeedPart, percent: number): boolean {
    return this.roll(field, 100) < percent;
  }

  /**
   * One of the values, as if they were dealt like cards: every run of as many indexes as there are values deals each value once, in an
   * order of its own. So what is rare is still never lacking.
   */
  deal<T>(field: SeedPart, index: number, values: readonly T[]): T {
    return dealOne(stir(this.state, field), index, values, field);
  }

  /** The choices for a part of the thing. */
  of(...parts: readonly SeedPart[]): Chance {
    return new Chance(parts.reduce(stir, this.state));
  }

  private roll(field: SeedPart, sides: number): number {
    return finish(stir(this.state, field)) % sides;
  }
}

/** The choices for one thing, in the dataset that the seed chooses. */
export function createChance(seed: number, ...parts: readonly SeedPart[]): Chance {
  // A seed may have more than 32 bits; its upper half counts as well.
  return new Chance(parts.reduce(stir, stirNumber(stirNumber(0x9e3779b9, seed), Math.floor(seed / 0x1_0000_0000))));
}

/** So many cards of one kind, to be dealt with others. */
export function copies<T>(count: number, value: T): readonly T[] {
  return new Array<T>(count).fill(value);
}

/** The round that was dealt last of each list of values. Indexes mostly come in turn, so that one shuffle serves a whole round. */
const dealt = new WeakMap<readonly unknown[], { readonly state: number; readonly round: number; readonly shuffled: readonly unknown[] }>();

/** Takes the index's place of the round that it lies in. */
function dealOne<T>(state: number, index: number, values: readonly T[], field: SeedPart): T {
  const round = Math.floor(index / values.length);
  let latest = dealt.get(values);
  if (latest?.state !== state || latest.round !== round) {
    latest = { state, round, shuffled: shuffle(state, round, values, field) };
    dealt.set(values, latest);
  }
  return valueAt(latest.shuffled as readonly T[], index - round * values.length, field);
}

/** The values in the order of a round (Fisher and Yates). */
function shuffle<T>(state: number, round: number, values: readonly T[], field: SeedPart): readonly T[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = finish(stirNumber(stirNumber(state, round), last)) % (last + 1);
    const moved = valueAt(shuffled, last, field);
    shuffled[last] = valueAt(shuffled, other, field);
    shuffled[other] = moved;
  }
  return shuffled;
}

function valueAt<T>(values: readonly T[], index: number, field: SeedPart): T {
  if (index in values) return values[index] as T;
  throw new RangeError(`nothing can be chosen for ${field}: the list has ${values.length} values; give it at least one`);
}

function stir(state: number, part: SeedPart): number {
  return typeof part === 'number' ? stirNumber(state, part) : stirText(state, part);
}

/** Text and numbers stir differently, so that `1` and `'1'` are different parts. */
function stirText(state: number, text: string): number {
  let stirred = state ^ 0x5bd1e995;
  for (let index = 0; index < text.length; index += 1) stirred = Math.imul(stirred ^ text.charCodeAt(index), 0x01000193);
  return stirNumber(stirred, text.length);
}

function stirNumber(state: number, value: number): number {
  return finish(Math.imul(state ^ value, 0x85ebca6b) + 0x27d4eb2f);
}

/** Spreads every bit over all 32, and gives a number that is not negative. */
function finish(state: number): number {
  const first = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b);
  return (second ^ (second >>> 16)) >>> 0;
}
