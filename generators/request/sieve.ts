/** Filters that come to an end. fast-check's own filter looks for a fitting value for ever. */

import { Arbitrary, type Random, type Stream, sample, type Value } from 'fast-check';
import { Exhausted } from '../source/source.ts';

/** How often a value is drawn until one fits. */
const patience = 1000;

/** The values of an arbitrary that fit. `what` names them in the error that ends a search without success. */
export function sieve<T>(arbitrary: Arbitrary<T>, fits: (value: T) => boolean, what: string): Arbitrary<T> {
  return new SieveArbitrary(arbitrary, fits, what);
}

/** Whether an arbitrary has values that fit, as far as a look at some dozens of them tells. */
export function hasFitting<T>(arbitrary: Arbitrary<T>, fits: (value: T) => boolean): boolean {
  return [4, 16, 40].some((numRuns) => sample(arbitrary, { seed: numRuns, numRuns }).some(fits));
}

class SieveArbitrary<T> extends Arbitrary<T> {
  readonly #inner: Arbitrary<T>;
  readonly #fits: (value: T) => boolean;
  readonly #what: string;

  constructor(inner: Arbitrary<T>, fits: (value: T) => boolean, what: string) {
    super();
    this.#inner = inner;
    this.#fits = fits;
    this.#what = what;
  }

  override generate(random: Random, biasFactor: number | undefined): Value<T> {
    for (let attempt = 0; attempt < patience; attempt += 1) {
      const drawn = this.#inner.generate(random, biasFactor);
      if (this.#fits(drawn.value)) return drawn;
    }
    throw new Exhausted(this.#what, patience);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#inner.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): Stream<Value<T>> {
    return this.#inner.shrink(value, context).filter((smaller) => this.#fits(smaller.value));
  }
}
