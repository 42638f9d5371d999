/**
 * Merges the sorted versions of several segments. `history-index.ts` creates a merge when a request needs a page or a selection of records, and
 * reads the versions in order. It reads the columns of a segment, and no record: `history-index.ts` does.
 */

import { compareVersions, type IndexDesign } from './index-design.ts';
import type { Segment } from './segment.ts';

/** A version in the index. */
export interface RunPosition {
  readonly segment: Segment;
  readonly version: number;
}

/** Condition on a column of a segment: its number must be from `least` to `most`, both included. */
export interface Limit {
  readonly values: Float64Array;
  readonly least: number;
  readonly most: number;
}

/** Choice of versions. */
interface Selector {
  /** By class: true if the filters for single values choose it. */
  readonly matches: readonly boolean[];
  readonly limits: readonly Limit[];
  /** True for a version after which none is within the limits. */
  readonly isPast: (version: number) => boolean;
}

/** The selected versions of one segment, from a number on. */
export class RunReader {
  readonly segment: Segment;
  version: number;
  readonly #selector: Selector;

  constructor(segment: Segment, from: number, selector: Selector) {
    this.segment = segment;
    this.version = from;
    this.#selector = selector;
    this.#skip();
  }

  get isAtEnd(): boolean {
    return this.version >= this.segment.records.length;
  }

  /** Moves to the next version. */
  step(): void {
    this.version += 1;
    this.#skip();
  }

  /** Moves on to the next selected version. */
  #skip(): void {
    const end = this.segment.records.length;
    while (this.version < end && !this.#isSelected()) this.version = this.#selector.isPast(this.version) ? end : this.version + 1;
  }

  /** It is a loop without closures, since it reads each version of a page several times. */
  #isSelected(): boolean {
    const { matches, limits } = this.#selector;
    if (matches[this.segment.classes[this.version] as number] === false) return false;
    for (const limit of limits) {
      const value = limit.values[this.version] as number;
      if (!(value >= limit.least && value <= limit.most)) return false;
    }
    return true;
  }
}

/** Returns a function that gives the next version of all runs; `undefined` at the end. There are few runs, so each call looks at all of them. */
export function mergeRuns(readers: readonly RunReader[], order: IndexDesign['order']): () => RunPosition | undefined {
  const compare = (left: RunReader, right: RunReader): number =>
    compareVersions(order, left.segment.keys, left.version, right.segment.keys, right.version);
  return () => {
    let first: RunReader | undefined;
    for (const reader of readers) if (!reader.isAtEnd && (first === undefined || compare(reader, first) < 0)) first = reader;
    if (first === undefined) return undefined;
    const { segment, version } = first;
    first.step();
    return { segment, version };
  };
}
