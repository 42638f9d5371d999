import type { RandomNumbers } from '../sources/random-numbers.ts';

/** A way to draw texts, mostly or always accepted ones. */
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
 * The lengths of drawn texts: mostly up to `usual` above the shortest, sometimes up to `occasional` above it, at a boundary up to `reasonable`, and
 * rarely up to `rare`.
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
