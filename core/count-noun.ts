/** Formats a number with a noun: `1 request`, `2 requests`. The plural always ends in `s`. */
export function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
