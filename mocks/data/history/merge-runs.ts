/** Merges the sorted runs of several classes and segments. `history-index.ts` reads a page through it. */

import type { IndexDesign } from './index-design.ts';
import type { Segment } from './segment.ts';
import { compareKeys } from './sort-versions.ts';
import type { Limits, VersionRun } from './version-run.ts';

/** A version in the index. */
export interface RunPosition {
  readonly segment: Segment;
  readonly version: number;
}

/** Reader of one run, which stops only at versions within the limits. */
export class RunReader {
  readonly segment: Segment;
  /** Values of the first sort key, if they are numbers. */
  readonly numbers: Float64Array | undefined;
  readonly #run: VersionRun;
  readonly #limits: Limits;
  #place: number;

  constructor(segment: Segment, run: VersionRun, limits: Limits, from: number) {
    const [first] = segment.keys;
    this.segment = segment;
    this.numbers = first instanceof Float64Array ? first : undefined;
    this.#run = run;
    this.#limits = limits;
    this.#place = run.next(from, limits);
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#run.length;
  }

  get version(): number {
    return this.#run.versions[this.#place] ?? 0;
  }

  /** Moves to the next version. */
  step(): void {
    this.#place = this.#run.next(this.#place + 1, this.#limits);
  }
}

/** Merge of several runs: a heap of their readers, with the first version on top. */
export class RunMerge {
  readonly #heap: RunReader[];
  readonly #order: IndexDesign['order'];
  readonly #sign: 1 | -1;

  constructor(readers: readonly RunReader[], order: IndexDesign['order']) {
    this.#order = order;
    this.#sign = order[0]?.sign ?? 1;
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
    const one = left.version;
    const other = right.version;
    if (left.numbers !== undefined && right.numbers !== undefined) {
      // Fast path: the first key nearly always decides.
      const first = left.numbers[one] as number;
      const second = right.numbers[other] as number;
      if (first < second) return -this.#sign;
      if (first > second) return this.#sign;
    }
    return this.#compareKeys(left, one, right, other);
  }

  #compareKeys(left: RunReader, one: number, right: RunReader, other: number): number {
    for (let index = 0; index < this.#order.length; index += 1) {
      const compared = compareKeys(left.segment.keys[index]?.[one], right.segment.keys[index]?.[other]);
      if (compared !== 0) return compared * (this.#order[index]?.sign ?? 1);
    }
    return 0;
  }
}
