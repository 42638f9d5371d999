/** Knows how to draw repeatable numbers: the same seed and the same place always give the same draw. */

/** A whole number of 32 bits that depends on each of the parts and looks unrelated to them. */
export function draw(...parts: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const part of parts) {
    state = Math.imul(state ^ (part | 0), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return state >>> 0;
}

/** The member of the list that a draw points at. */
export function pick<T>(list: readonly T[], drawn: number): T {
  const member = list[drawn % list.length];
  if (member === undefined) throw new Error('There is nothing to pick from: give pick a list with at least one member');
  return member;
}

/** The numbers 0 to count - 1 in a shuffled order. */
export function shuffled(count: number, seed: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = draw(seed, last, 71) % (last + 1);
    const held = numbers[last] ?? 0;
    numbers[last] = numbers[other] ?? 0;
    numbers[other] = held;
  }
  return numbers;
}
