/**
 * Binary search in sorted sequences. `source-positions.ts` finds the line of each place with it, `query.ts` the start of each page, and `redact-secrets.ts`
 * each place in a rewritten text. `code-point-sets.ts` finds a character when texts are generated, and the stores of the mock find versions when a request
 * reads an index. The condition is the caller's, so it knows no data.
 */

/** Returns the first number from 0 on for which a condition holds; `length` if it never holds. It must hold for all later numbers too. */
export function bisect(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
