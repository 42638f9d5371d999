/**
 * Sentences that begin with a capital. `preflight.ts` of `verify` calls it before the first check, for a refusal to judge, and `print-progress.ts` for lines
 * during a run. When a report is written, `diff-sentences.ts` calls it for sentences about a change, `render-html.ts` for the label of each command. It does
 * not know names that must stay in lower case.
 */

/** Capitalizes the first letter of a text. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
