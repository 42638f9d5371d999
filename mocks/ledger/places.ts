/** Sets of whole numbers from 0 on: a list as long as they are few, and a bit for every number from then on. */

import { Integers } from './growing.ts';

/** Fewer numbers than these stay a list. */
const leastBits = 128;

/** Numbers that are added in their order. */
export class Places {
  #numbers: Integers | undefined = new Integers(2);
  #bits: Uint32Array = new Uint32Array(0);
  #last = -1;
  #length = 0;

  /** Adds a number that is not less than those before. */
  add(number: number): void {
    if (number === this.#last) return;
    this.#last = number;
    this.#length += 1;
    if (this.#numbers === undefined) {
      this.#reach(number);
      setBit(this.#bits, number);
      return;
    }
    this.#numbers.push(number);
    if (this.#length > leastBits && this.#length * 32 > number) this.#spread(this.#numbers);
  }

  /** Sets the bits of all numbers in a row that has room for them. */
  mark(bits: Uint32Array): void {
    for (const number of this.#numbers?.finish() ?? []) setBit(bits, number);
    const length = Math.min(bits.length, this.#bits.length);
    for (let place = 0; place < length; place += 1) bits[place] = (bits[place] ?? 0) | (this.#bits[place] ?? 0);
  }

  #spread(numbers: Integers): void {
    this.#numbers = undefined;
    this.#reach(this.#last);
    for (const number of numbers.finish()) setBit(this.#bits, number);
  }

  /** Makes room for a number. */
  #reach(number: number): void {
    if (number >> 5 < this.#bits.length) return;
    const larger = rowOf(Math.ceil((number + 1) * 1.5));
    larger.set(this.#bits);
    this.#bits = larger;
  }
}

/** A row of so many bits, none of which is set. */
export function rowOf(count: number): Uint32Array {
  return new Uint32Array(Math.ceil(count / 32));
}

/** Leaves the bits that another row has as well. */
export function intersect(bits: Uint32Array, other: Uint32Array): void {
  for (let place = 0; place < bits.length; place += 1) bits[place] = (bits[place] ?? 0) & (other[place] ?? 0);
}

/** Whether the bit of a number is set. */
export function hasBit(bits: Uint32Array, number: number): boolean {
  return ((bits[number >> 5] ?? 0) & (1 << (number & 31))) !== 0;
}

/** Sets the bit of a number in a row that has room for it. */
export function setBit(bits: Uint32Array, number: number): void {
  bits[number >> 5] = (bits[number >> 5] ?? 0) | (1 << (number & 31));
}
