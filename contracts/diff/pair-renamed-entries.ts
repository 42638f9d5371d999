/**
 * Finds renamed entries of two maps: an entry that is gone and an added one with the same content. `list-documented-operations.ts`, `compare-parameters.ts`,
 * `compare-content.ts`, `compare-structure-keywords.ts` and `compare-document-roots.ts` call it for operations, parameters, media types, properties and
 * components, before they report what was added or removed. It reports nothing.
 */

import { getOrCompute } from '../../core/memo.ts';

/**
 * New keys by old key. Of several functions that give the content of an entry, the later ones pair what is left. Content that several removed or several added
 * entries have pairs nothing; neither does `undefined`.
 */
export function pairRenamed<T>(
  old: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
  ...contentFunctions: readonly ((entry: T) => string | undefined)[]
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

function groupKeys<T>(
  entries: ReadonlyMap<string, T>,
  contentOf: (entry: T) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, entry] of entries) {
    const content = contentOf(entry);
    if (content !== undefined) getOrCompute(groups, content, () => []).push(key);
  }
  return groups;
}
