/**
 * A bounded cache, which drops values that were not used recently. Used values move to the young half; when that is full, it becomes the old half, and the
 * former old half is dropped. One map in the order of use takes several times as long, since it finds its oldest key behind all deleted ones.
 */
export class RecentCache<Key, Value> {
  readonly #halfSize: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngSize = 0;

  /** Creates a cache in which the sum of the sizes is at most `most`. By default, each value has the size 1. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#halfSize = most / 2;
    this.#sizeOf = sizeOf;
  }

  /** True if the key has a value. This does not count as a use. */
  has(key: Key): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Stores a value, unless it alone is larger than half of the cache. */
  set(key: Key, value: Value): void {
    const size = this.#sizeOf(value);
    if (size > this.#halfSize) {
      this.delete(key);
      return;
    }
    const replaced = this.#young.get(key);
    if (replaced !== undefined) this.#youngSize -= this.#sizeOf(replaced);
    if (this.#youngSize + size > this.#halfSize) this.#retire();
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#youngSize -= this.#sizeOf(young);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#retire();
    this.#retire();
  }

  /** Drops the old half, and begins a new young half. */
  #retire(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngSize = 0;
  }
}
