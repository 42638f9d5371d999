/** Merges the sorted versions of several classes and segments. `history-index.ts` reads a page through it. */

import { compareKeys, type IndexDesign } from './index-design.ts';
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

/** Reader of the versions of one class, which stops only at those within the limits. */
export class RunReader {
  readonly segment: Segment;
  readonly #versions: Int32Array;
  readonly #limits: readonly Limit[];
  #place = 0;

  constructor(segment: Segment, versions: Int32Array, limits: readonly Limit[]) {
    this.segment = segment;
    this.#versions = versions;
    this.#limits = limits;
    this.#skip();
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#versions.length;
  }

  get version(): number {
    return this.#versions[this.#place] ?? 0;
  }

  /** Moves to the next version. */
  step(): void {
    this.#place += 1;
    this.#skip();
  }

  /** Moves on to the next version within the limits. */
  #skip(): void {
    while (!this.isAtEnd && !this.#isWithin(this.version)) this.#place += 1;
  }

  /** It is a loop without closures, since it reads each version of a page several times. */
  #isWithin(version: number): boolean {
    for (const limit of this.#limits) {
      const value = limit.values[version] as number;
      if (!(value >= limit.least && value <= limit.most)) return false;
    }
    return true;
  }
}

/** Merge of several runs: a heap of their readers, with the first version on top. */
export class RunMerge {
  readonly #heap: RunReader[];
  readonly #order: IndexDesign['order'];

  constructor(readers: readonly RunReader[], order: IndexDesign['order']) {
    this.#order = order;
    this.#heap = readers.toSorted((left, right) => this.#compare(left, right));
  }

  /** Returns the next version of all runs; `undefined` at the end. */
  take(): RunPosition | undefined {
    const [first] = this.#heap;
    if (first === undefined) return undefined;
    const position = { segment: first.segment, version: first.version };
    first.step();
    if (first.isAtEnd) {
      const last = this.#heap.pop();
      if (last !== undefined && last !== first) this.#heap[0] = last;
    }
    this.#sink();
    return position;
  }

  /** Restores the heap after its top has changed. */
  #sink(): void {
    const heap = this.#heap;
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      let least = place;
      if (this.#isBefore(heap[left], heap[least])) least = left;
      if (this.#isBefore(heap[left + 1], heap[least])) least = left + 1;
      if (least === place) return;
      const upper = heap[place];
      const lower = heap[least];
      if (upper === undefined || lower === undefined) return;
      heap[place] = lower;
      heap[least] = upper;
      place = least;
    }
  }

  #isBefore(one: RunReader | undefined, other: RunReader | undefined): boolean {
    return one !== undefined && other !== undefined && this.#compare(one, other) < 0;
  }

  #compare(left: RunReader, right: RunReader): number {
    for (let index = 0; index < this.#order.length; index += 1) {
      const compared = compareKeys(left.segment.keys[index]?.[left.version], right.segment.keys[index]?.[right.version]);
      if (compared !== 0) return compared * (this.#order[index]?.sign ?? 1);
    }
    return 0;
  }
}
