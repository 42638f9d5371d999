/**
 * Italian words for the generated wiki of a made-up game, read from a file of the package when this module is loaded. The lengths of the lists matter: see the
 * types.
 */

import { readDatasetFile } from '../../../core/shipped-files.ts';

/** Types of entries. A type that occurs twice here is twice as frequent. */
export const typesByFrequency = ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma', 'creature', 'luogo'] as const;

/** A type of entry. */
export type EntryType = (typeof typesByFrequency)[number];

/**
 * Titles combine `first[n % 11]` with `second[n % 14]`, where `n` counts entries. The lengths 11 and 14 have no common divisor, so all 154 pairs occur before
 * one repeats.
 */
interface WikiTitleWords {
  /** 11 words. */
  readonly first: readonly string[];
  /** 14 words. */
  readonly second: readonly string[];
}

/** First and last syllables of made-up words. */
export type Syllables = readonly [readonly string[], readonly string[]];

/** The file. */
interface WikiWords {
  /** The first entries of every dataset. Their slugs are hard cases: accents, dots, apostrophes, and slugs that begin with another entry's slug. */
  readonly namedEntries: readonly { readonly title: string; readonly type: EntryType }[];
  readonly titleWords: Readonly<Record<EntryType, WikiTitleWords>>;
  /** First sentences of texts, by type. */
  readonly openings: Readonly<Record<EntryType, readonly string[]>>;
  /** Sentences that mention another entry by its `{title}` (HTML) and its `{path}` on the site. */
  readonly mentions: readonly string[];
  /** Paragraphs that later changes append to an entry. */
  readonly additions: readonly string[];
  /** Harmless script in the body of some entries. It runs in clients that show the body without sanitizing it. */
  readonly pastedScript: string;
  /**
   * Syllables of made-up words in titles of hidden entries. No other text contains these words, so a search that finds one has leaked a hidden entry. The
   * lengths 7 and 11 have no common divisor, which gives 77 different words.
   */
  readonly secretTitleSyllables: Syllables;
  /** Syllables of the made-up words in bodies of hidden entries. They differ from those in titles, so that a leak shows its field. */
  readonly secretBodySyllables: Syllables;
}

/** The words of the wiki. */
export const wikiWords: WikiWords = readDatasetFile('wiki') as WikiWords;

/** Index of the entry that always contains the script, so that every dataset has one. Other entries contain it at random. */
export const entryWithScript = 4;
