/**
 * Sentences that begin with a capital. `preflight.ts` of `verify` calls it for a refusal to judge, `print-progress.ts` for the lines during a run, and
 * `diff-sentences.ts` for sentences about a change. `render-html.ts` calls it for the label of each command. It does not know names that must stay in lower
 * case.
 */

/** Capitalizes the first letter of a text. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
