/**
 * Binary search in sorted sequences. Lookups of file positions, code points, page starts, secrets, and versions in the stores of the mock call it. The
 * condition is theirs, so it knows no data.
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
