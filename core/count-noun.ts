/**
 * Counts with their nouns, such as `2 requests`. The builders and renderers of reports, the rules of `verify` and the progress of a run call it for each count
 * in a sentence. `mock-command.ts` calls it once for `--list-mutants`, and `record-pacts.ts` when the mock stops, for counts of interactions and of requests
 * left out. It knows no plural but that with `s`.
 */

/** Formats a number with a noun: `1 request`, `2 requests`. */
export function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
