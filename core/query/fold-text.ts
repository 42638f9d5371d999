/**
 * Case folding and removal of accents, for searches that ignore both (`fold` of a filter). `query.ts` folds texts while it searches, and `visibility-rules.ts`
 * chooses search words with it. It compares nothing.
 */

/** Returns the text in lower case and without accents: decomposed (Unicode NFD), without combining marks. */
export function foldText(text: string): string {
  // Most texts are ASCII and have no accents.
  const bare = /\P{ASCII}/u.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
  return bare.toLowerCase();
}
