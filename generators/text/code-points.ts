/** Sets of Unicode code points as sorted ranges, with the operations of sets. */

/** Inclusive ranges, sorted, disjoint and not touching, one after the other: `[from, to, from, to, …]`. Equal sets have equal arrays. */
export type CodePoints = readonly number[];

/** The empty set. */
export const noCodePoints: CodePoints = [];

/** What a JSON text can consist of: every code point but the surrogates. */
export const scalarValues: CodePoints = [0, 0xd7ff, 0xe000, 0x10ffff];

/** The code points of the Basic Multilingual Plane that a JSON text can consist of: those that are one UTF-16 unit. */
export const basicPlane: CodePoints = [0, 0xd7ff, 0xe000, 0xffff];

const highest = 0x10ffff;

/** The set of one code point. */
export function onePoint(codePoint: number): CodePoints {
  return [codePoint, codePoint];
}

/** The set of the code points of a text. */
export function pointsOf(text: string): CodePoints {
  return unite(...[...text].map((character) => onePoint(character.codePointAt(0) ?? 0)));
}

/** What is in any of the sets. */
export function unite(...sets: readonly CodePoints[]): CodePoints {
  const pairs = sets.flatMap(rangesOf).sort((left, right) => left[0] - right[0]);
  const union: number[] = [];
  for (const [from, to] of pairs) {
    const last = union.at(-1);
    if (last !== undefined && from <= last + 1) union[union.length - 1] = Math.max(last, to);
    else union.push(from, to);
  }
  return union;
}

/** What is in both sets. */
export function intersect(left: CodePoints, right: CodePoints): CodePoints {
  const shared: number[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const [leftTo, rightTo] = [left[i + 1] ?? 0, right[j + 1] ?? 0];
    const from = Math.max(left[i] ?? 0, right[j] ?? 0);
    const to = Math.min(leftTo, rightTo);
    if (from <= to) shared.push(from, to);
    if (leftTo <= rightTo) i += 2;
    if (rightTo <= leftTo) j += 2;
  }
  return shared;
}

/** Every code point that is not in the set, surrogates included. */
export function invert(set: CodePoints): CodePoints {
  const rest: number[] = [];
  let next = 0;
  for (const [from, to] of rangesOf(set)) {
    if (next < from) rest.push(next, from - 1);
    next = to + 1;
  }
  if (next <= highest) rest.push(next, highest);
  return rest;
}

/** What is in the first set and not in the second. */
export function subtract(left: CodePoints, right: CodePoints): CodePoints {
  return intersect(left, invert(right));
}

/** Whether a code point is in the set. */
export function contains(set: CodePoints, codePoint: number): boolean {
  let low = 0;
  let high = set.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (codePoint > (set[2 * middle + 1] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return codePoint >= (set[2 * low] ?? Number.POSITIVE_INFINITY);
}

/** How many code points there are in the set. */
export function countPoints(set: CodePoints): number {
  let count = 0;
  for (let i = 0; i < set.length; i += 2) count += (set[i + 1] ?? 0) - (set[i] ?? 0) + 1;
  return count;
}

/** The code point at a position of the set, counted from 0 in ascending order. */
export function pointAt(set: CodePoints, index: number): number {
  let left = index;
  for (const [from, to] of rangesOf(set)) {
    if (left <= to - from) return from + left;
    left -= to - from + 1;
  }
  throw new RangeError(`a set of ${countPoints(set)} code points has none at ${index}; ask for one below its count`);
}

/** The set as pairs of first and last code point. */
export function rangesOf(set: CodePoints): readonly (readonly [from: number, to: number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < set.length; i += 2) pairs.push([set[i] ?? 0, set[i + 1] ?? 0]);
  return pairs;
}
