/** Columns of numbers that grow: millions of them in a row of memory, instead of as many objects. */

/** Whole numbers of 32 bits. */
export class Integers {
  #values: Int32Array;
  #length = 0;

  constructor(room = 256) {
    this.#values = new Int32Array(room);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** Pushed values, without spare capacity. */
  finish(): Int32Array {
    return this.#values.slice(0, this.#length);
  }
}

/** Numbers of 64 bits. */
export class Numbers {
  #values: Float64Array;
  #length = 0;

  constructor(room = 256) {
    this.#values = new Float64Array(room);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** Pushed values, without spare capacity. */
  finish(): Float64Array {
    return this.#values.slice(0, this.#length);
  }
}
