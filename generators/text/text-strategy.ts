/**
 * A way to draw strings that are meant to be accepted. When a generator is built, the strategies are tried best first, and the first that is accepted often
 * enough is kept; then it draws once per value.
 */

import type { RandomNumbers } from '../sources/random-numbers.ts';

export interface TextStrategy {
  /** True when every text is accepted; otherwise each is checked. */
  readonly isReliable: boolean;
  /** All texts, the simplest first, when they are few. */
  readonly all: readonly string[] | undefined;
  /** True when `all` is complete, so that an empty list proves that there is no text. */
  readonly isComplete: boolean;
  /** Candidates for the simplest text, best first. */
  readonly simplest: () => Iterable<string>;
  readonly draw: (random: RandomNumbers, bias: number | undefined) => string;
}

/**
 * How long drawn strings are. Above the minimum: usually up to `usual`, sometimes up to `occasional`. In all: up to `reasonable` at a boundary, rarely up
 * to `rare`.
 */
export const drawnLengths = { usual: 10, occasional: 40, reasonable: 1_000, rare: 10_000 } as const;

/** A random member. */
export function pick<T>(from: readonly [T, ...(readonly T[])], random: RandomNumbers): T {
  return from[random.nextInt(0, from.length - 1)] ?? from[0];
}

/** A type guard for lists with members. */
export function isFilled<T>(list: readonly T[]): list is readonly [T, ...(readonly T[])] {
  return list.length > 0;
}
