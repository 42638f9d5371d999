/** Drafts: ways to draw texts that mostly or always have what is wanted. */

import type { Chance } from '../source/dice.ts';

/** A way to draw texts. */
export interface Draft {
  /** Whether every text drawn is accepted; otherwise the draws are judged. */
  readonly isSure: boolean;
  /** Every text there can be, the simplest first, when they are few. */
  readonly all: readonly string[] | undefined;
  /** Whether `all` leaves nothing out, so that where it is empty nothing is left. */
  readonly isWhole: boolean;
  /** Candidates for the simplest text, the best first. */
  readonly simplest: () => Iterable<string>;
  readonly draw: (chance: Chance, biasFactor: number | undefined) => string;
}

/** Whether this draw is one of those that go to the edges. */
export function wantsEdge(chance: Chance, biasFactor: number | undefined): boolean {
  return biasFactor !== undefined && chance.nextInt(1, biasFactor) === 1;
}

/** One of several, each as likely. */
export function pick<T>(from: readonly [T, ...(readonly T[])], chance: Chance): T {
  return from[chance.nextInt(0, from.length - 1)] ?? from[0];
}

/** Whether a list has members, as its type. */
export function isFilled<T>(list: readonly T[]): list is readonly [T, ...(readonly T[])] {
  return list.length > 0;
}
