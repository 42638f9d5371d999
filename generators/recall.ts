/** What is worked out once and kept. */

/** A map of what is known, weak or not. */
interface Known<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** What is known of a key; worked out when it is first asked for. */
export function recall<K, V>(known: Known<K, V>, key: K, make: (key: K) => V): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make(key);
  known.set(key, made);
  return made;
}

/** What is made when it is first wanted. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
