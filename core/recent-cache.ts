/**
 * A bounded cache that drops the least recently used values. The mock keeps responses, routes, records, cursors and datasets in such caches
 * while it runs.
 */

/** Cache by key. The values that were not used for the longest time are dropped first. */
export class RecentCache<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  /** A map keeps the order in which its keys were set: the least recently used comes first. */
  readonly #values = new Map<Key, Value>();
  #size = 0;

  /** Creates a cache in which the sum of the sizes is at most `most`. By default, each value has the size 1. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** True if the key has a value. This does not count as a use. */
  has(key: Key): boolean {
    return this.#values.has(key);
  }

  /** Number of keys. */
  get size(): number {
    return this.#values.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Stores a value, unless it alone is larger than the cache. */
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
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#size -= this.#sizeOf(value);
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}
