/** Remembers what was made for a key, so that the same question gets the same object each time. */

/** A maker that makes each thing once, and forgets the thing that was not asked for the longest when there are more than `most`. */
export function remember<T>(make: (key: string) => T, most: number = Number.POSITIVE_INFINITY): (key: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    // A map keeps the order in which its keys were set: the last one asked for goes to the end.
    if (most < Number.POSITIVE_INFINITY) made.delete(key);
    made.set(key, known);
    const [oldest] = made.keys();
    if (made.size > most && oldest !== undefined) made.delete(oldest);
    return known.value;
  };
}
