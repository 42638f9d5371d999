/**
 * Finds renamed entries of two maps: an entry that is gone and an added one with the same content. `compare-operations.ts`, `compare-parameters.ts`,
 * `compare-structure-keywords.ts` and `compare-document-roots.ts` call it for operations, parameters, properties and components, before they report what was
 * added or removed. It reports nothing.
 */

/** New keys by old key. Content that several removed or several added entries have pairs nothing; neither does `undefined`. */
export function pairRenamed<T>(
  old: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
  contentOf: (entry: T) => string | undefined,
): ReadonlyMap<string, string> {
  const keysByContent = (side: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): ReadonlyMap<string, readonly string[]> => {
    const keys = new Map<string, readonly string[]>();
    for (const [key, entry] of side) {
      const content = other.has(key) ? undefined : contentOf(entry);
      if (content !== undefined) keys.set(content, [...(keys.get(content) ?? []), key]);
    }
    return keys;
  };
  const added = keysByContent(next, old);
  return new Map(
    [...keysByContent(old, next)].flatMap(([content, [from, ...others]]) => {
      const [to, ...more] = added.get(content) ?? [];
      return from === undefined || to === undefined || others.length + more.length > 0 ? [] : [[from, to] as const];
    }),
  );
}
