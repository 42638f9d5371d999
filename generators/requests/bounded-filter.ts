/** Filters of arbitraries that give up after many rejected values, where the filter of fast-check would loop forever. */

import { Arbitrary, type Random, type Stream, sample, type Value } from 'fast-check';
import { Exhausted } from '../generation-errors.ts';

/** Draws of a value until one is accepted. */
const maxAttempts = 1000;

/** The accepted values of an arbitrary. Unlike `filter`, it ends with `Exhausted`, whose message names `what`. */
export function boundedFilter<T>(arbitrary: Arbitrary<T>, accepts: (value: T) => boolean, what: string): Arbitrary<T> {
  return new BoundedFilter(arbitrary, accepts, what);
}

/** True when an arbitrary has accepted values among some dozens. */
export function hasAccepted<T>(arbitrary: Arbitrary<T>, accepts: (value: T) => boolean): boolean {
  return [4, 16, 40].some((numRuns) => sample(arbitrary, { seed: numRuns, numRuns }).some(accepts));
}

class BoundedFilter<T> extends Arbitrary<T> {
  readonly #inner: Arbitrary<T>;
  readonly #accepts: (value: T) => boolean;
  readonly #what: string;

  constructor(inner: Arbitrary<T>, accepts: (value: T) => boolean, what: string) {
    super();
    this.#inner = inner;
    this.#accepts = accepts;
    this.#what = what;
  }

  override generate(random: Random, biasFactor: number | undefined): Value<T> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const candidate = this.#inner.generate(random, biasFactor);
      if (this.#accepts(candidate.value)) return candidate;
    }
    throw new Exhausted(this.#what, maxAttempts);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#inner.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): Stream<Value<T>> {
    return this.#inner.shrink(value, context).filter((smaller) => this.#accepts(smaller.value));
  }
}
