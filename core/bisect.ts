/** Binary search: returns the first index below `length` at which a condition holds, or `length`. Where it holds, it must hold at all later indexes too. */
export function bisect(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
