/** Text as a search compares it where neither case nor accents count. */

/** The text in lower case and without accents: what is left of it when it is decomposed (Unicode NFD) and its marks are taken away. */
export function foldText(text: string): string {
  // ASCII has no accents, and most texts are nothing else.
  const bare = /\P{ASCII}/u.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
  return bare.toLowerCase();
}
