/** Text as a search compares it where neither case nor accents count. */

/** The text in lower case and without accents: what is left of it when it is decomposed (Unicode NFD) and its marks are taken away. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
