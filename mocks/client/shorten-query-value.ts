/**
 * Shortens a value for the message of a client rule. `judge-request.ts`, `list-reads.ts` and `conditional-reads.ts` call it for cursors, tags and times that a
 * client has sent. Reports have `clip-text.ts`.
 */

/** Maximum length of a value in a message, in characters. */
const maxLength = 60;

/** Shortens a value in the middle, so that a long cursor fits into a sentence. */
export function shorten(value: string): string {
  return value.length <= maxLength ? value : `${value.slice(0, maxLength - 9)}…${value.slice(-8)}`;
}
