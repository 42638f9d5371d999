/**
 * Typed arrays that grow. The index and its segments keep millions of numbers in them in little memory, while they are built and when they
 * are read.
 */

/** A growing array of numbers. */
export class GrowingColumn<Values extends Int32Array | Float64Array> {
  readonly #create: (length: number) => Values;
  #values: Values;
  #length = 0;

  /** `create` makes an array of a length. */
  constructor(create: (length: number) => Values) {
    this.#create = create;
    this.#values = create(256);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#create(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** Returns the pushed values, without spare capacity. */
  toArray(): Values {
    return this.#values.slice(0, this.#length) as Values;
  }
}

/** Creates a growing array of 32-bit integers. */
export function int32Column(): GrowingColumn<Int32Array> {
  return new GrowingColumn((length) => new Int32Array(length));
}

/** Creates a growing array of 64-bit floating point numbers. */
export function float64Column(): GrowingColumn<Float64Array> {
  return new GrowingColumn((length) => new Float64Array(length));
}
