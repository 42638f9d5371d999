/** Sources: where drafts of instances come from. Unlike arbitraries they carry no wrapping, so that a large instance is drawn fast. */

import type { Json } from '../../core/json.ts';
import type { Chance } from './dice.ts';

/** A drawn value that remembers where it came from, so that it can be made smaller. */
export interface Draft {
  readonly value: Json;
  readonly source: Source;
  /** What the source needs to know to shrink the value. */
  readonly parts?: unknown;
}

/** How freely to draw. */
export interface Manner {
  readonly chance: Chance;
  /** fast-check's: boundary values come with a probability of one in so many; `undefined` for no preference. */
  readonly bias: number | undefined;
  /** How many more attempts may fail, in all parts of the instance together: parts that try again inside parts that try again would never end. */
  readonly patience: { left: number };
}

/** How many attempts may fail while one instance is drawn. */
const attempts = 400;

/** A manner of drawing one instance. */
export function mannerOf(chance: Chance, bias?: number, patience: number = attempts): Manner {
  return { chance, bias, patience: { left: patience } };
}

/**
 * Takes note of an attempt that failed.
 * @throws {Exhausted} when there were too many.
 */
export function tryAgain({ patience }: Manner, what: string): void {
  patience.left -= 1;
  if (patience.left < 0) throw new Exhausted(what, attempts);
}

/** Draws instances, and makes drawn ones smaller. */
export interface Source {
  /** How many values there are, as far as that is known to be few; otherwise infinite. */
  readonly size: number;
  /** The sources of its parts. */
  readonly children: () => readonly Source[];
  /**
   * Draws an instance. `fuel` is what is left for schemas that contain themselves: below 1 only the lowest forms of those are drawn.
   */
  readonly draw: (manner: Manner, fuel: number) => Draft;
  /** The instance that shrinking ends at when everything is allowed. */
  readonly simplest: () => Draft;
  /** Smaller instances, the boldest first. */
  readonly shrink: (draft: Draft) => Iterable<Draft>;
}

/** Whether to draw a boundary value now. */
export function isAtEdge({ chance, bias }: Manner): boolean {
  return bias !== undefined && chance.nextInt(1, bias) === 1;
}

/** Nothing suitable was drawn in many attempts. Another seed may do better; a schema that asks for this often should be told to its author. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted' as const;

  constructor(what: string, attempts: number) {
    super(`${what} was not found in ${attempts} attempts; narrow the schema so that its parts fit each other more often`);
  }
}

/** What is made, unless nothing suitable is found in many attempts. */
export function unlessExhausted<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Exhausted) return undefined;
    throw error;
  }
}
