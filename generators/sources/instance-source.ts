/**
 * Sources, which draw instances and shrink them. Only the source of a whole schema is wrapped in an arbitrary of fast-check; those of its parts need no
 * wrapper.
 */

import type { Json } from '../../core/json.ts';
import type { ConstraintConjunction, SatisfiabilityAnalysis } from '../constraints/satisfiability-analysis.ts';
import { Exhausted } from '../generation-errors.ts';
import type { RandomNumbers } from './random-numbers.ts';

/** A drawn value with what is needed to shrink it. */
export interface DrawnInstance {
  readonly value: Json;
  readonly source: InstanceSource;
  /** Data of the source for shrinking, such as the drawn items. */
  readonly parts?: unknown;
}

/** The state of drawing one instance: randomness, bias and remaining retries. */
export interface DrawContext {
  readonly random: RandomNumbers;
  /** fast-check's bias factor: one of `bias` draws is a boundary value; `undefined` for none. */
  readonly bias: number | undefined;
  /** Failed attempts left for all parts of the instance together. Nested retries would otherwise multiply without end. */
  readonly retries: { left: number };
}

/** Failed attempts allowed for one instance. */
const maxRetries = 400;

/** The context for drawing one instance. */
export function drawContext(random: RandomNumbers, bias?: number, retries: number = maxRetries): DrawContext {
  return { random, bias, retries: { left: retries } };
}

/**
 * Counts a failed attempt.
 * @throws {Exhausted} when there were too many.
 */
export function countRetry({ retries }: DrawContext, what: string): void {
  retries.left -= 1;
  if (retries.left < 0) throw new Exhausted(what, maxRetries);
}

/** Draws instances and shrinks them. */
export interface InstanceSource {
  /** The number of values, when it is known to be small. */
  readonly size?: number;
  /** The sources of its parts. */
  readonly children?: () => readonly InstanceSource[];
  /** Draws an instance. `depthBudget` is the nesting left for recursive schemas: below 1 only their shallowest domains are drawn. */
  readonly draw: (context: DrawContext, depthBudget: number) => DrawnInstance;
  /** The instance that shrinking ends at when every instance fails. */
  readonly simplest: () => DrawnInstance;
  /** Smaller instances, the smallest first. */
  readonly shrink: (instance: DrawnInstance) => Iterable<DrawnInstance>;
}

/** The sources of the parts of an instance. */
export interface PartFactory {
  readonly analysis: SatisfiabilityAnalysis;
  /**
   * The source of the instances of a conjunction.
   * @throws {Unsatisfiable} when there are none.
   * @throws {Unsupported} when they cannot be generated.
   */
  readonly sourceOf: (conjunction: ConstraintConjunction) => InstanceSource;
  /** True when a conjunction has instances. */
  readonly isPossible: (conjunction: ConstraintConjunction) => boolean;
}

/** Yields the members to remove from a list: first as many as allowed, then half of them, down to one, from the end. */
export function* removals<T>(list: readonly T[], limit: number): Iterable<readonly T[]> {
  for (let chunk = Math.min(limit, list.length); chunk >= 1; chunk = Math.floor(chunk / 2)) {
    for (let end = list.length; end - chunk >= 0; end -= chunk) yield list.slice(end - chunk, end);
  }
}
