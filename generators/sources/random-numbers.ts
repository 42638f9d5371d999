/** Random integers: seeded ones for repeatable trials, and the interface that they share with those of fast-check. */

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

/** Decides whether to draw a boundary value: one of `bias` draws. */
export function isAtEdge(random: RandomNumbers, bias: number | undefined): boolean {
  return bias !== undefined && random.nextInt(1, bias) === 1;
}
