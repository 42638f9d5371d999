/** Sets of Unicode code points as sorted ranges, with set operations and the character classes of ECMA-262. */

import { bisect } from '../../core/bisect.ts';
import { getOrCompute } from '../../core/memo.ts';

/** Inclusive ranges, sorted, disjoint and not touching, one after the other: `[from, to, from, to, …]`. Equal sets have equal arrays. */
export type CodePoints = readonly number[];

/** The empty set. */
export const noCodePoints: CodePoints = [];

/** The code points of JSON strings: all but surrogates. */
export const scalarValues: CodePoints = [0, 0xd7ff, 0xe000, 0x10ffff];

/** The code points of JSON strings that are one UTF-16 unit. */
export const basicPlane: CodePoints = [0, 0xd7ff, 0xe000, 0xffff];

const highestPoint = 0x10ffff;

/** The set of a single code point. */
export function onePoint(codePoint: number): CodePoints {
  return [codePoint, codePoint];
}

/** The set of the code points of a text. */
export function pointsOf(text: string): CodePoints {
  return unite(...[...text].map((character) => onePoint(character.codePointAt(0) ?? 0)));
}

/** The union of sets. */
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

/** The intersection of two sets. */
export function intersect(left: CodePoints, right: CodePoints): CodePoints {
  const sharedRanges: number[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const [leftTo, rightTo] = [left[i + 1] ?? 0, right[j + 1] ?? 0];
    const from = Math.max(left[i] ?? 0, right[j] ?? 0);
    const to = Math.min(leftTo, rightTo);
    if (from <= to) sharedRanges.push(from, to);
    if (leftTo <= rightTo) i += 2;
    if (rightTo <= leftTo) j += 2;
  }
  return sharedRanges;
}

/** Every code point that is not in the set, surrogates included. */
export function invert(set: CodePoints): CodePoints {
  const ranges: number[] = [];
  let next = 0;
  for (const [from, to] of rangesOf(set)) {
    if (next < from) ranges.push(next, from - 1);
    next = to + 1;
  }
  if (next <= highestPoint) ranges.push(next, highestPoint);
  return ranges;
}

/** The code points of the first set that are not in the second. */
export function subtract(left: CodePoints, right: CodePoints): CodePoints {
  return intersect(left, invert(right));
}

/** True when a set contains a code point. */
export function contains(set: CodePoints, codePoint: number): boolean {
  const range = bisect(set.length / 2, (index) => codePoint <= (set[2 * index + 1] ?? 0));
  return codePoint >= (set[2 * range] ?? Number.POSITIVE_INFINITY);
}

/** The number of code points in a set. */
export function countPoints(set: CodePoints): number {
  let count = 0;
  for (let i = 0; i < set.length; i += 2) count += (set[i + 1] ?? 0) - (set[i] ?? 0) + 1;
  return count;
}

/** The code point at a position of the set, counted from 0 in ascending order. */
export function pointAt(set: CodePoints, index: number): number {
  let remainingIndex = index;
  for (const [from, to] of rangesOf(set)) {
    if (remainingIndex <= to - from) return from + remainingIndex;
    remainingIndex -= to - from + 1;
  }
  throw new RangeError(`a set of ${countPoints(set)} code points has none at ${index}; ask for one below its count`);
}

/** The set as pairs of first and last code point. */
export function rangesOf(set: CodePoints): readonly (readonly [from: number, to: number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < set.length; i += 2) pairs.push([set[i] ?? 0, set[i + 1] ?? 0]);
  return pairs;
}

/** `a` to `z` */
export const lowerCase: CodePoints = [0x61, 0x7a];

/** `A` to `Z` */
export const upperCase: CodePoints = [0x41, 0x5a];

/** `\d` */
export const digits: CodePoints = [0x30, 0x39];

/** `\w`, without the flag i */
const wordCharacters: CodePoints = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** `\s`: white space and line ends. Unicode has not changed this list since version 6.3. */
const whiteSpace: CodePoints = [
  ...[0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f],
  ...[0x3000, 0x3000, 0xfeff, 0xfeff],
];

/** `.`, without the flag s: everything but line ends */
export const anyInLine: CodePoints = invert([0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]);

/** The class of an escape such as `\d` or `\W`, by its letter. */
export const escapedClasses: ReadonlyMap<string, CodePoints> = new Map([
  ['d', digits],
  ['D', invert(digits)],
  ['w', wordCharacters],
  ['W', invert(wordCharacters)],
  ['s', whiteSpace],
  ['S', invert(whiteSpace)],
]);

/**
 * Code points whose properties all supported engines agree on. Newer Unicode versions assign others, so texts could differ between
 * machines.
 */
export const stablePoints: CodePoints = [
  ...[0x0000, 0x0377, 0x0384, 0x038a, 0x038e, 0x03a1, 0x03a3, 0x052f, 0x0531, 0x0556],
  ...[0x05d0, 0x05ea, 0x0620, 0x06ff, 0x0904, 0x0939, 0x0958, 0x096f, 0x0e01, 0x0e3a],
  ...[0x10d0, 0x10fa, 0x1e00, 0x1f15, 0x2010, 0x205e, 0x20a0, 0x20b5, 0x2150, 0x2184],
  ...[0x2190, 0x22ff, 0x3000, 0x3029, 0x3041, 0x3096, 0x30a1, 0x30fa, 0x4e00, 0x4eff],
  ...[0xac00, 0xacff, 0xff01, 0xff5e, 0x10400, 0x1044f, 0x1d400, 0x1d454, 0x1f600, 0x1f64f],
];

const properties = new Map<string, CodePoints>();

/** The stable code points with a property, such as `L` or `Script=Greek`. The engine is asked once for each property. */
export function pointsWithProperty(property: string): CodePoints {
  return getOrCompute(properties, property, () => {
    const pattern = new RegExp(`^\\p{${property}}$`, 'u');
    const points: number[] = [];
    for (const [from, to] of rangesOf(stablePoints))
      for (let point = from; point <= to; point += 1) if (pattern.test(String.fromCodePoint(point))) points.push(point, point);
    return unite(points);
  });
}
