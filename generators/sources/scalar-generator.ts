import type { RandomNumbers } from './random-numbers.ts';

/** Draws and shrinks numbers, or texts. */
export interface ScalarGenerator<T> {
  /**
   * The value at which shrinking ends. Of numbers, the one with the fewest decimals nearest to 0; of texts, the shortest one of simple letters, or the simplest
   * one of its format.
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
