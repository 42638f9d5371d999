/** Sets of numbers below a bound: a list as long as they are few, and a bit for every number from then on. */

import { Integers } from './growing.ts';

/** Numbers that are added in their order. */
export class Places {
  readonly #count: number;
  #numbers: Integers | undefined = new Integers(2);
  #bits = new Uint32Array(0);
  #last = -1;
  #length = 0;

  /** A set of numbers from 0 up to, and without, `count`. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Adds a number that is not less than those before. */
  add(number: number): void {
    if (number === this.#last) return;
    this.#last = number;
    this.#length += 1;
    if (this.#numbers === undefined) {
      setBit(this.#bits, number);
      return;
    }
    this.#numbers.push(number);
    if (this.#length * 32 > this.#count) this.#spread(this.#numbers);
  }

  /** Sets the bits of all numbers in a row. */
  mark(bits: Uint32Array): void {
    for (const number of this.#numbers?.finish() ?? []) setBit(bits, number);
    for (let place = 0; place < this.#bits.length; place += 1) bits[place] = (bits[place] ?? 0) | (this.#bits[place] ?? 0);
  }

  #spread(numbers: Integers): void {
    this.#bits = new Uint32Array(Math.ceil(this.#count / 32));
    for (const number of numbers.finish()) setBit(this.#bits, number);
    this.#numbers = undefined;
  }
}

/** Leaves the bits that another row has as well. */
export function intersect(bits: Uint32Array, other: Uint32Array): void {
  for (let place = 0; place < bits.length; place += 1) bits[place] = (bits[place] ?? 0) & (other[place] ?? 0);
}

/** Whether the bit of a number is set. */
export function hasBit(bits: Uint32Array, number: number): boolean {
  return ((bits[number >> 5] ?? 0) & (1 << (number & 31))) !== 0;
}

function setBit(bits: Uint32Array, number: number): void {
  bits[number >> 5] = (bits[number >> 5] ?? 0) | (1 << (number & 31));
}
