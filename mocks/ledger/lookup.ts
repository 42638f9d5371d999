/** Finding records by a field: a table of hashes, a few bytes for each record. What it finds is a candidate, to be looked at. */

import type { Json } from '../../core/json.ts';

/** At most so many hundredths of the table are filled, so that a search ends soon. */
const fill = 60;

/** Values of a field, with the records that have them. */
export class Lookup {
  #table = new Int32Array(64);
  #hashes = new Uint32Array(64);
  #count = 0;

  /** Notes that a record has a value at some time. */
  add(value: Json | undefined, record: number): void {
    if ((this.#count + 1) * 100 > this.#table.length * fill) this.#grow();
    this.#insert(hash(value), record);
    this.#count += 1;
  }

  /** The records that may have a value, in the order in which they were noted. */
  *find(value: Json | undefined): Generator<number> {
    const wanted = hash(value);
    const mask = this.#table.length - 1;
    for (let place = wanted & mask; this.#table[place] !== 0; place = (place + 1) & mask)
      if (this.#hashes[place] === wanted) yield (this.#table[place] ?? 0) - 1;
  }

  #insert(hashed: number, record: number): void {
    const mask = this.#table.length - 1;
    let place = hashed & mask;
    while (this.#table[place] !== 0) place = (place + 1) & mask;
    this.#table[place] = record + 1;
    this.#hashes[place] = hashed;
  }

  #grow(): void {
    const [table, hashes] = [this.#table, this.#hashes];
    this.#table = new Int32Array(table.length * 2);
    this.#hashes = new Uint32Array(table.length * 2);
    // Records with one hash must keep their order, and a run of the table may wrap round its end.
    const order = [...table.keys()].filter((place) => table[place] !== 0).sort((left, right) => (table[left] ?? 0) - (table[right] ?? 0));
    for (const place of order) this.#insert(hashes[place] ?? 0, (table[place] ?? 0) - 1);
  }
}

/** Values of different types hash apart: `1` is not `'1'`. FNV-1a, and a last stir for tables of a power of two. */
function hash(value: Json | undefined): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  let state = typeof value === 'string' ? 0x811c9dc5 : 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  state ^= state >>> 15;
  return Math.imul(state, 0x2c1b3c6d) >>> 0;
}
