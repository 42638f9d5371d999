/** Drawing from arbitraries with their shrinking contexts, and following shrinking paths. */

import fc, { Arbitrary, type Random, type Stream, type Value } from 'fast-check';

/** The number of values, and the seed. */
export interface Drawing {
  readonly seed: number;
  readonly count: number;
}

/** Draws values, with the preference for boundary values that properties have. */
export function draw<T>(arbitrary: Arbitrary<T>, { seed, count }: Drawing): readonly T[] {
  return fc.sample(arbitrary, { seed, numRuns: count });
}

/** Draws values together with the contexts from which they can be shrunk. */
export function drawShrinkable<T>(arbitrary: Arbitrary<T>, drawing: Drawing): readonly Value<T>[] {
  const listener = new Listener(arbitrary);
  draw(listener, drawing);
  return listener.heard;
}

/** One shrinking path from a drawn value. */
export interface Walk<T> {
  /** The values of the path, the drawn one first. */
  readonly path: readonly T[];
  /** Candidates that were not followed. */
  readonly passed: readonly T[];
  /** True when the path reached a value that does not shrink further. */
  readonly isEnded: boolean;
}

/** Follows one shrinking path. At each step it takes the candidate at an index, or the last one. */
export function walkDown<T>(arbitrary: Arbitrary<T>, start: Value<T>, indexAt: (step: number) => number, mostSteps: number): Walk<T> {
  const path = [start.value_];
  const passed: T[] = [];
  let current = start;
  for (let step = 0; step < mostSteps; step += 1) {
    const candidates = firstOf(arbitrary.shrink(current.value_, current.context), indexAt(step) + 1);
    const next = candidates.pop();
    if (next === undefined) return { path, passed, isEnded: true };
    passed.push(...candidates.map((candidate) => candidate.value_));
    path.push(next.value_);
    current = next;
  }
  return { path, passed, isEnded: false };
}

/** Takes only as many as are wanted: what a stream is asked for it makes. */
function firstOf<T>(stream: Stream<T>, count: number): T[] {
  const found: T[] = [];
  while (found.length < count) {
    const next = stream.next();
    if (next.done === true) break;
    found.push(next.value);
  }
  return found;
}

/** Passes on what another arbitrary draws, and records it. */
class Listener<T> extends Arbitrary<T> {
  readonly heard: Value<T>[] = [];
  readonly #arbitrary: Arbitrary<T>;

  constructor(arbitrary: Arbitrary<T>) {
    super();
    this.#arbitrary = arbitrary;
  }

  override generate(random: Random, biasFactor: number | undefined): Value<T> {
    const value = this.#arbitrary.generate(random, biasFactor);
    this.heard.push(value);
    return value;
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): Stream<Value<T>> {
    return this.#arbitrary.shrink(value, context);
  }
}
