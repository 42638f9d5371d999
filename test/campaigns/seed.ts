/** Numbers that look random and are the same for the same seed: unsigned, of 32 bits. */
export function numbersOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return (again ^ (again >>> 14)) >>> 0;
  };
}
