/**
 * The interface of generators of numbers and texts, with what both need: seeded random numbers, and the smallest conflict for a message.
 * number/ and text/ implement it; typed-domain.ts creates and caches the generators.
 */

/** A seeded pseudo-random generator: equal seeds give equal numbers on every machine. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns an integer from `min` to `max`, both included. Of ranges wider than 2^32, only the lower 2^32 integers occur. */
  nextInt(min: number, max: number): number {
    // Marsaglia's 32-bit xorshift, after a step that separates neighbouring seeds.
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    let mixed = this.#state;
    mixed ^= mixed << 13;
    mixed ^= mixed >>> 17;
    mixed ^= mixed << 5;
    return min + ((mixed >>> 0) % (max - min + 1));
  }
}

/** Random integers: from fast-check, or seeded. */
export type RandomNumbers = Pick<SeededRandom, 'nextInt'>;

/** Draws and shrinks numbers, or texts. */
export interface ScalarGenerator<T> {
  /**
   * The end of shrinking: the number with the fewest decimals nearest to 0; the shortest text of simple letters, or the simplest of its
   * format.
   */
  readonly simplest: T;
  /** Draws a value. With a bias, one of so many draws is a boundary value. */
  readonly draw: (random: RandomNumbers, bias: number | undefined) => T;
  /** True for a value that every validator accepts: a multiple must be one in exact decimals and in doubles. */
  readonly accepts: (value: T) => boolean;
  /** Upper limit of the number of values; infinite if there are many. */
  readonly size: number;
  /** Simpler accepted values, the simplest first; none for `simplest`. Every chain of them ends. */
  readonly shrink: (value: T) => Iterable<T>;
}

/** A generator, or the reason why there is none: the domain is empty, or no value was found although some may exist. */
export type ScalarResult<T> =
  | { readonly kind: 'generator'; readonly generator: ScalarGenerator<T> }
  | { readonly kind: 'empty'; readonly why: string }
  | { readonly kind: 'unsupported'; readonly keyword: string; readonly why: string };

/** Decides whether to draw a boundary value: one of `bias` draws. */
export function isAtEdge(random: RandomNumbers, bias: number | undefined): boolean {
  return bias !== undefined && random.nextInt(1, bias) === 1;
}
