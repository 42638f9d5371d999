/** Helpers for values that are computed once and cached. */

/** A map, weak or not. */
interface Cache<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** Returns the cached value of a key, or computes it. `undefined` is not cached. */
export function getOrCompute<K, V>(cache: Cache<K, V>, key: K, make: (key: K) => V): V {
  const existing = cache.get(key);
  if (existing !== undefined) return existing;
  const value = make(key);
  cache.set(key, value);
  return value;
}

/** Returns a function that computes a value on the first call. */
export function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
