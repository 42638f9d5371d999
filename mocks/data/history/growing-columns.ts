/** Typed arrays that grow, for segments while they are built. They hold millions of numbers in little memory. */

/** Growing array of 32-bit integers. */
export class Int32Column {
  #values: Int32Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#values = new Int32Array(capacity);
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

  /** Returns the pushed values, without spare capacity. */
  toArray(): Int32Array {
    return this.#values.slice(0, this.#length);
  }
}

/** Growing array of 64-bit floating point numbers. */
export class Float64Column {
  #values: Float64Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#values = new Float64Array(capacity);
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

  /** Returns the pushed values, without spare capacity. */
  toArray(): Float64Array {
    return this.#values.slice(0, this.#length);
  }
}
