/** Pairs the entries of two maps by key. A missing entry and an added one with the same content are one renamed entry. */

import { getOrCompute } from '../../core/memo.ts';

/** An entry of both maps, or of one only. */
export type EntryPair<T> = {
  readonly key: string;
  /** The key in the new map. It differs if the entry was renamed. */
  readonly newKey: string;
} & ({ readonly old: T; readonly new: T | undefined } | { readonly old: undefined; readonly new: T });

/** Entries that belong together: first in the order of the old map, then the added ones. `contentFunctions` are those of `pairRenamed`. */
export function* pairEntries<T>(
  old: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
  ...contentFunctions: readonly ContentOf<T>[]
): Generator<EntryPair<T>> {
  const renamed = pairRenamed(old, next, ...contentFunctions);
  const newKeys = new Set(renamed.values());
  for (const [key, entry] of old) {
    const newKey = renamed.get(key) ?? key;
    yield { key, newKey, old: entry, new: next.get(newKey) };
  }
  for (const [key, entry] of next) if (!old.has(key) && !newKeys.has(key)) yield { key, newKey: key, old: undefined, new: entry };
}

type ContentOf<T> = (entry: T, key: string) => string | undefined;

/**
 * New keys by old key. Each function gives the content of an entry; the later ones pair what the earlier ones leave. Content pairs nothing if several removed
 * or several added entries have it, or if it is `undefined`.
 */
export function pairRenamed<T>(
  old: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
  ...contentFunctions: readonly ContentOf<T>[]
): ReadonlyMap<string, string> {
  const gone = new Map([...old].filter(([key]) => !next.has(key)));
  const added = new Map([...next].filter(([key]) => !old.has(key)));
  const renamed = new Map<string, string>();
  for (const contentOf of contentFunctions) {
    const addedByContent = groupKeys(added, contentOf);
    for (const [content, [from, ...others]] of groupKeys(gone, contentOf)) {
      const [to, ...more] = addedByContent.get(content) ?? [];
      if (from === undefined || to === undefined || others.length + more.length > 0) continue;
      renamed.set(from, to);
      gone.delete(from);
      added.delete(to);
    }
  }
  return renamed;
}

function groupKeys<T>(entries: ReadonlyMap<string, T>, contentOf: ContentOf<T>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, entry] of entries) {
    const content = contentOf(entry, key);
    if (content !== undefined) getOrCompute(groups, content, () => []).push(key);
  }
  return groups;
}
