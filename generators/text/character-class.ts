/** The character classes of ECMA-262: `\d`, `\w`, `\s`, the dot, and the properties of Unicode. */

import { type CodePoints, invert, unite } from './code-points.ts';

/** `\d` */
export const digits: CodePoints = [0x30, 0x39];

/** `\w`, without the flag i */
export const wordCharacters: CodePoints = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** `\s`: white space and line ends. Unicode has kept this list unchanged since its version 6.3. */
export const spaces: CodePoints = [
  ...[0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f],
  ...[0x3000, 0x3000, 0xfeff, 0xfeff],
];

/** `.`, without the flag s: everything but the ends of lines */
export const dot: CodePoints = invert([0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]);

/** The class that an escape such as `\d` or `\W` names, by its letter. */
export const escapedClasses: ReadonlyMap<string, CodePoints> = new Map([
  ['d', digits],
  ['D', invert(digits)],
  ['w', wordCharacters],
  ['W', invert(wordCharacters)],
  ['s', spaces],
  ['S', invert(spaces)],
]);

/**
 * Code points whose properties every supported engine knows alike: long assigned, from scripts that are complete. Newer Unicode versions assign
 * others, so a text that a property allows could otherwise differ from machine to machine.
 */
export const settledPoints: CodePoints = unite(
  ...[
    [0x0000, 0x0377],
    [0x0384, 0x038a],
    [0x038e, 0x03a1],
    [0x03a3, 0x052f],
    [0x0531, 0x0556],
    [0x05d0, 0x05ea],
    [0x0620, 0x06ff],
    [0x0904, 0x0939],
    [0x0958, 0x096f],
    [0x0e01, 0x0e3a],
    [0x10d0, 0x10fa],
    [0x1e00, 0x1f15],
    [0x2010, 0x205e],
    [0x20a0, 0x20b5],
    [0x2150, 0x2184],
    [0x2190, 0x22ff],
    [0x3000, 0x3029],
    [0x3041, 0x3096],
    [0x30a1, 0x30fa],
    [0x4e00, 0x4eff],
    [0xac00, 0xacff],
    [0xff01, 0xff5e],
    [0x10400, 0x1044f],
    [0x1d400, 0x1d454],
    [0x1f600, 0x1f64f],
  ],
);

const properties = new Map<string, CodePoints>();

/** The settled code points that have a property, such as `L` or `Script=Greek`. The engine is asked once for each. */
export function pointsWithProperty(property: string): CodePoints {
  const known = properties.get(property);
  if (known !== undefined) return known;
  const pattern = new RegExp(`^\\p{${property}}$`, 'u');
  const found: number[] = [];
  for (let i = 0; i < settledPoints.length; i += 2) {
    for (let point = settledPoints[i] ?? 0; point <= (settledPoints[i + 1] ?? 0); point += 1) {
      if (pattern.test(String.fromCodePoint(point))) found.push(point, point);
    }
  }
  const set = unite(found);
  properties.set(property, set);
  return set;
}
