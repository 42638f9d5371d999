/** What is known of a format beyond its check. */

/** A format as a language. */
export interface FormatShape {
  /** The text that everything shrinks to. */
  readonly simplest: string;
  /** Regular expressions of whole texts, all of them valid. The first is how the format usually looks. */
  readonly forms: readonly [string, ...string[]];
  /**
   * The length up to which the first form is drawn: its expression is simple and does not limit parts of the text, which longer texts must.
   * The further forms keep to the limits by themselves.
   */
  readonly usualLength?: number;
  /** A regular expression that every valid text matches, so that what it leaves empty is empty; absent when there is none worth writing. */
  readonly hull?: string;
  /** Valid texts that programs get wrong. */
  readonly edges: readonly string[];
  /** Texts that are not valid and look as if they were. */
  readonly wrong: readonly string[];
}
