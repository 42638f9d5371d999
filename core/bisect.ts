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
