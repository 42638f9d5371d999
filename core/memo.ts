/** Values that are computed once and kept. Nothing is forgotten one by one: keys that clients can choose need a limit, or a cache that drops old values. */

/** A map, weak or not. */
interface Cache<K, V> {
  readonly has: (key: K) => boolean;
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** Returns the cached value of a key, or computes it. `undefined` is a value like any other. */
export function getOrCompute<K, V>(cache: Cache<K, V>, key: K, make: (key: K) => V): V {
  const cachedValue = cache.get(key);
  if (cachedValue !== undefined || cache.has(key)) return cachedValue as V;
  const value = make(key);
  cache.set(key, value);
  return value;
}

/** Returns a function that keeps its results by key. When it has `limit` results, it forgets them all. */
export function memoize<K, V>(make: (key: K) => V, limit: number = Number.POSITIVE_INFINITY): (key: K) => V {
  const results = new Map<K, V>();
  return (key) => {
    const cachedValue = results.get(key);
    if (cachedValue !== undefined || results.has(key)) return cachedValue as V;
    const value = make(key);
    if (results.size >= limit) results.clear();
    results.set(key, value);
    return value;
  };
}

/** Returns a function that computes a value on the first call. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
