/** Values that are computed once and kept. */

/** A map, weak or not. */
interface Cache<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** The value of a key, computed on the first call. `undefined` is computed again each time. */
export function getOrCompute<K, V>(cache: Cache<K, V>, key: K, make: (key: K) => V): V {
  const existing = cache.get(key);
  if (existing !== undefined) return existing;
  const made = make(key);
  cache.set(key, made);
  return made;
}

/** A value that is computed on the first call. */
export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
