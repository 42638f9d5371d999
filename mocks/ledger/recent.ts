/** What was used last, within bounds. */

/** Values by key; the ones that were not used for longest are forgotten once all together are too large. */
export class Recent<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #values = new Map<Key, Value>();
  #size = 0;

  /** `most` bounds the sum of the sizes; each value counts as one unless told otherwise. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Keeps a value. One that is too large by itself is not kept. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const size = this.#sizeOf(value);
    if (size > this.#most) return;
    this.#values.set(key, value);
    this.#size += size;
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#most) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const known = this.#values.get(key);
    if (known === undefined) return;
    this.#values.delete(key);
    this.#size -= this.#sizeOf(known);
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}
