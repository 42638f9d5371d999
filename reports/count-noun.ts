/** Counts with their nouns. Every builder of sentences calls it, in reports and in the summaries of commands. */

/** Formats a number with a noun: `1 request`, `2 requests`. */
export function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
