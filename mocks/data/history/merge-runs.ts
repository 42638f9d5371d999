/** Reading several runs at once, in the order of the list. */

import type { IndexDesign } from './index-design.ts';
import type { Segment } from './segment.ts';
import { compareKeys } from './sort-versions.ts';
import type { Limits, Run } from './version-run.ts';

/** A place in the index. */
export interface RunPosition {
  readonly segment: Segment;
  readonly version: number;
}

/** A run that is being read: it stands at a version that keeps the limits. */
export class Head {
  readonly segment: Segment;
  /** The first key of the order by version, where it is a number. */
  readonly numbers: Float64Array | undefined;
  readonly #run: Run;
  readonly #limits: Limits;
  #place: number;

  constructor(segment: Segment, run: Run, limits: Limits, from: number) {
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

  /** Goes on to the next version. */
  step(): void {
    this.#place = this.#run.next(this.#place + 1, this.#limits);
  }
}

/** The runs of several classes and segments as one: a heap of their heads, the first of all on top. */
export class Merge {
  readonly #heap: Head[];
  readonly #order: IndexDesign['order'];
  readonly #sign: 1 | -1;

  constructor(heads: readonly Head[], order: IndexDesign['order']) {
    this.#order = order;
    this.#sign = order[0]?.sign ?? 1;
    this.#heap = heads.toSorted((left, right) => this.#compare(left, right));
  }

  /** The next version of all; `undefined` at the end. */
  take(): RunPosition | undefined {
    const [first] = this.#heap;
    if (first === undefined) return undefined;
    const spot = { segment: first.segment, version: first.version };
    first.step();
    if (first.isAtEnd) {
      const last = this.#heap.pop();
      if (last !== undefined && last !== first) this.#heap[0] = last;
    }
    this.#sink();
    return spot;
  }

  /** Moves the head on top down to where it belongs. */
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

  #isBefore(one: Head | undefined, other: Head | undefined): boolean {
    return one !== undefined && other !== undefined && this.#compare(one, other) < 0;
  }

  #compare(left: Head, right: Head): number {
    const one = left.version;
    const other = right.version;
    if (left.numbers !== undefined && right.numbers !== undefined) {
      // The first key decides nearly always.
      const first = left.numbers[one] as number;
      const second = right.numbers[other] as number;
      if (first < second) return -this.#sign;
      if (first > second) return this.#sign;
    }
    return this.#compareKeys(left, one, right, other);
  }

  #compareKeys(left: Head, one: number, right: Head, other: number): number {
    for (let index = 0; index < this.#order.length; index += 1) {
      const compared = compareKeys(left.segment.keys[index]?.[one], right.segment.keys[index]?.[other]);
      if (compared !== 0) return compared * (this.#order[index]?.sign ?? 1);
    }
    return 0;
  }
}
