/** Remembers what was made for a key, so that the same question gets the same object each time. */

/** A maker that makes each thing once. */
export function remember<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
