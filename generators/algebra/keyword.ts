/** A keyword as both of its sides: what an instance is like that satisfies it, and every way to fail it. */

import type { Site } from '../schema/site.ts';
import type { Alternative } from './facts.ts';

/** One way to fail a keyword. */
export interface Breach {
  readonly keyword: string;
  /** What is wrong with such an instance, as a clause without a subject: `is above 100`. */
  readonly change: string;
  /** What such an instance is like. */
  readonly alternative: Alternative;
}

/** A keyword that speaks of the instance itself or of its members. Keywords that join schemas are in `expansion.ts`. */
export interface Keyword {
  /** The keywords that it is spelled with; it is there when the first one is, or any where `any` says so. */
  readonly names: readonly string[];
  readonly facts: (site: Site) => Alternative;
  readonly breaches: (site: Site) => readonly Breach[];
}
