/** Chance without fast-check: for what must be tried out before anything is drawn, always in the same way. */

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
