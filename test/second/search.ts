/** Knows which entries a text search finds: in which fields, in which case, as part of a text or word by word. */

import type { EntryRow } from './data-entries.ts';
import type { Setup } from './setup.ts';

/** The predicate of a search. */
export function searcher(setup: Setup, q: string): (entry: EntryRow) => boolean {
  if (setup.faulty('q-finds-nothing')) return () => false;
  const fold = (text: string): string => (setup.choice('q-case') === 'folded' ? text.toLowerCase() : text);
  const searched = (entry: EntryRow): string =>
    fold(setup.choice('q-fields') === 'title' ? entry.title : `${entry.title} ${plain(entry.body)}`);
  const wanted = fold(q.trim());
  if (setup.choice('q-style') === 'substring') return (entry) => searched(entry).includes(wanted);
  const words = wordsOf(wanted);
  return (entry) => {
    const present = new Set(wordsOf(searched(entry)));
    return words.length > 0 && words.every((word) => present.has(word));
  };
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** The text of a body without its marks. */
function plain(body: string): string {
  return body.replace(/<[^>]*>/g, ' ').replaceAll('&mdash;', ' ');
}
