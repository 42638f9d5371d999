/** A bounded cache of recently used values, for the mock's responses, routes, records, cursors and datasets. */

/**
 * Cache by key, in two halves. Used values move to the young half. When it is full, it becomes the old half, and the values of the former old half are
 * dropped. So the most recently used half is always kept, and a repeated use costs only one lookup.
 */
export class RecentCache<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngSize = 0;
  #oldSize = 0;

  /** Creates a cache in which the sum of the sizes is at most `most`. By default, each value has the size 1. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** True if the key has a value. This does not count as a use. */
  has(key: Key): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  /** Number of keys. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    const size = this.#sizeOf(old);
    this.#old.delete(key);
    this.#oldSize -= size;
    this.#place(key, old, size);
    return old;
  }

  /** Stores a value, unless it alone is larger than the cache. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const size = this.#sizeOf(value);
    if (size <= this.#most) this.#place(key, value, size);
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#youngSize -= this.#sizeOf(young);
      this.#young.delete(key);
    }
    const old = this.#old.get(key);
    if (old !== undefined) {
      this.#oldSize -= this.#sizeOf(old);
      this.#old.delete(key);
    }
  }

  clear(): void {
    this.#swapHalves();
    this.#dropOld();
  }

  #place(key: Key, value: Value, size: number): void {
    if (this.#youngSize + size > this.#most / 2) this.#swapHalves();
    if (this.#oldSize + this.#youngSize + size > this.#most) this.#dropOld();
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  #swapHalves(): void {
    this.#dropOld();
    this.#old = this.#young;
    this.#oldSize = this.#youngSize;
    this.#young = new Map();
    this.#youngSize = 0;
  }

  #dropOld(): void {
    this.#old = new Map();
    this.#oldSize = 0;
  }
}
