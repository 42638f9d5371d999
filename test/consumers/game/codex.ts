/** The codex that players leaf through: the wiki's entries by type, their texts when they are opened, and a search. */

import type { Entry, EntryPage, EntrySummary, EntryType, ListQuery, Wiki } from './wiki.ts';

/** Every type of entry, in the order of the codex. */
export const typesByFrequency: readonly EntryType[] = ['creature', 'personaggio', 'luogo', 'reperto', 'arma', 'brand'];

/** Text that players see. */
export interface Codex {
  /** All entries by slug, as of the last refresh. */
  readonly entries: ReadonlyMap<string, EntrySummary>;
  /** Reads every list anew; what is gone from them is gone from the codex. */
  readonly refresh: () => Promise<void>;
  /** All entries of a type, through all pages. */
  readonly list: (type: EntryType) => Promise<readonly EntrySummary[]>;
  /** The first entries that the wiki finds. */
  readonly search: (text: string, type?: EntryType) => Promise<readonly EntrySummary[]>;
  /** An entry with its text; `undefined`, and gone from the codex, when there is none. It is read again only when the lists show a change. */
  readonly open: (slug: string) => Promise<Entry | undefined>;
}

/** A codex over a wiki. */
export function createCodex(wiki: Wiki, pageSize = 30): Codex {
  const entries = new Map<string, EntrySummary>();
  const opened = new Map<string, Entry>();
  const list = (type: EntryType): Promise<readonly EntrySummary[]> => readAll((page) => wiki.list({ type, limit: pageSize, page }));
  return {
    entries,
    list,
    refresh: async () => {
      // All lists are read before anything is replaced: if the wiki fails in the middle, the codex stays as it was.
      const fresh: EntrySummary[] = [];
      for (const type of typesByFrequency) fresh.push(...(await list(type)));
      entries.clear();
      for (const entry of fresh) entries.set(entry.slug, entry);
    },
    search: async (q, type) => {
      const query: ListQuery = type === undefined ? { q } : { type, q };
      return (await wiki.list(query))?.entries ?? [];
    },
    open: async (slug) => {
      const kept = opened.get(slug);
      if (kept !== undefined && kept.updated_at === entries.get(slug)?.updated_at) return kept;
      const entry = await wiki.entry(slug);
      opened.delete(slug);
      if (entry === undefined) entries.delete(slug);
      else opened.set(slug, entry);
      return entry;
    },
  };
}

/**
 * Every page of a list. The total may count other entries too, and a page past the end may be empty, missing or the last one again, so a list ends with a
 * page that is not full or brings nothing new.
 */
async function readAll(read: (page: number) => Promise<EntryPage | undefined>): Promise<readonly EntrySummary[]> {
  const found = new Map<string, EntrySummary>();
  for (let number = 1; ; number += 1) {
    const page = await read(number);
    const fresh = page?.entries.filter(({ slug }) => !found.has(slug)) ?? [];
    for (const entry of fresh) found.set(entry.slug, entry);
    if (page === undefined || fresh.length === 0 || page.entries.length < page.limit) return [...found.values()];
  }
}
