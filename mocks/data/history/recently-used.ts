/** Bounded cache of the most recently used values. */

/**
 * Values by key. They stand in two halves: what is used goes into the young one, and when that has grown to half of what may be kept it becomes the old
 * one, whose own values are then forgotten. So what was used lately is never forgotten, and using it again costs one look.
 */
export class Recent<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngSize = 0;
  #oldSize = 0;

  /** `most` bounds the sum of the sizes; each value counts as one unless told otherwise. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** True when a value is kept; the test does not count as a use. */
  has(key: Key): boolean {
    return this.#young.has(key) || this.#old.has(key);
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

  /** Keeps a value. One that is too large by itself is not kept. */
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
    this.#growOld();
    this.#forgetOld();
  }

  #place(key: Key, value: Value, size: number): void {
    if (this.#youngSize + size > this.#most / 2) this.#growOld();
    if (this.#oldSize + this.#youngSize + size > this.#most) this.#forgetOld();
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  #growOld(): void {
    this.#forgetOld();
    this.#old = this.#young;
    this.#oldSize = this.#youngSize;
    this.#young = new Map();
    this.#youngSize = 0;
  }

  #forgetOld(): void {
    this.#old = new Map();
    this.#oldSize = 0;
  }
}
