/**
 * Sentences that begin with a capital. The preflight of `verify`, the progress of a run, the sentences of `diff` and the HTML page call it when they put a
 * lower-case text at the start of a sentence. It does not know names that must stay in lower case.
 */

/** Capitalizes the first letter of a text. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
