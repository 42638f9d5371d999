/** Finding records by a field: a table of hashes, a few bytes for each record. What it finds is a candidate, to be looked at. */

import type { Json } from '../../core/json.ts';
import { Integers } from './growing.ts';

/** The values of a field with the records that have them, while they are gathered. */
export class LookupDraft {
  readonly #hashes = new Integers();
  readonly #records = new Integers();

  /** Notes that a record has a value at some time. */
  add(value: Json | undefined, record: number): void {
    this.#hashes.push(hash(value));
    this.#records.push(record);
  }

  finish(): Lookup {
    return new Lookup(this.#hashes.finish(), this.#records.finish());
  }
}

/** Finds the records that have a value. Open addressing: the places after a hash's own are searched until one is empty. */
export class Lookup {
  readonly #hashes: Int32Array;
  readonly #records: Int32Array;
  /** Numbers of entries, from 1 on; 0 is an empty place. */
  readonly #table: Int32Array;

  /** Takes the hashes of values and the records that have them, in the same order. */
  constructor(hashes: Int32Array, records: Int32Array) {
    this.#hashes = hashes;
    this.#records = records;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, hashes.length * 1.5))));
    const mask = this.#table.length - 1;
    for (let entry = 0; entry < hashes.length; entry += 1) {
      let place = (hashes[entry] ?? 0) & mask;
      while (this.#table[place] !== 0) place = (place + 1) & mask;
      this.#table[place] = entry + 1;
    }
  }

  /** The records that may have a value, in the order in which they were noted. */
  *find(value: Json | undefined): Generator<number> {
    const wanted = hash(value);
    const mask = this.#table.length - 1;
    for (let place = wanted & mask; this.#table[place] !== 0; place = (place + 1) & mask) {
      const entry = (this.#table[place] ?? 0) - 1;
      if (this.#hashes[entry] === wanted) yield this.#records[entry] ?? 0;
    }
  }
}

/** Values of different types hash apart: `1` is not `'1'`. FNV-1a, and a last stir for tables of a power of two. */
function hash(value: Json | undefined): number {
  const isText = typeof value === 'string';
  const text = isText ? value : String(typeof value === 'object' ? JSON.stringify(value) : value);
  let state = isText ? 0x811c9dc5 : 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  state ^= state >>> 15;
  return Math.imul(state, 0x2c1b3c6d) | 0;
}
