/** Weights of the characters of a set: mostly letters and digits, sometimes characters that programs handle wrongly. */

import { getOrCompute } from '../../core/memo.ts';
import type { RandomNumbers } from '../sources/random-numbers.ts';
import {
  type CodePoints,
  countPoints,
  digits,
  intersect,
  lowerCase,
  pointAt,
  pointsOf,
  rangesOf,
  subtract,
  upperCase,
} from './code-point-sets.ts';

/** The characters of a set, by frequency. */
export interface CharacterWeights {
  /** Readable characters: none, or 128 entries in which frequent ones are repeated. */
  readonly readable: readonly string[];
  /** The number of distinct readable characters. */
  readonly readableCount: number;
  /** Sets of unusual characters, one for each kind. */
  readonly unusual: readonly { readonly set: CodePoints; readonly count: number }[];
}

const printablePoints: CodePoints = [0x20, 0x7e];

/** Kinds of characters that programs handle wrongly. Every Unicode version of the last decade knows them. */
const unusualKinds: readonly CodePoints[] = [
  [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  [0x22, 0x22, 0x27, 0x27, 0x5c, 0x5c],
  [0x09, 0x0a, 0x0d, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x2003, 0x2003, 0x3000, 0x3000, 0xfeff, 0xfeff],
  [0x00, 0x1f, 0x7f, 0x9f],
  [0xc0, 0x17f, 0x391, 0x3a1, 0x3a3, 0x3c9, 0x410, 0x44f, 0x1e00, 0x1e9f],
  [0x300, 0x36f, 0x200b, 0x200f, 0x202a, 0x202e],
  [0x5d0, 0x5ea, 0x627, 0x63a],
  [0x904, 0x939, 0x3041, 0x3096, 0x4e00, 0x4fff, 0xac00, 0xacff],
  [0x660, 0x669, 0xb2, 0xb3, 0x2160, 0x216b],
  [0x1f600, 0x1f64f, 0x1d400, 0x1d433, 0x20000, 0x2000f, 0x10fffe, 0x10ffff],
  [0x2013, 0x2044, 0x20a0, 0x20b5, 0x2190, 0x22ff, 0xfffd, 0xffff],
];

const weightsBySet = new WeakMap<CodePoints, CharacterWeights>();

/** The weights of a set that is not empty. */
export function characterWeights(set: CodePoints): CharacterWeights {
  return getOrCompute(weightsBySet, set, computeWeights);
}

/** The number of random bits that choose a readable character, and of those above that decide whether a character is unusual. */
const [readableBits, unusualBits] = [7, 5];

/** The number of random bits that `drawCharacter` uses. */
export const characterBits: number = readableBits + unusualBits;

/** Draws a character by the lowest `characterBits` random bits. */
export function drawCharacter({ readable, unusual }: CharacterWeights, randomBits: number, random: RandomNumbers): string {
  const isPlain = unusual.length === 0 || (readable.length > 0 && ((randomBits >>> readableBits) & 31) !== 0);
  return isPlain ? (readable[randomBits & 127] ?? '') : drawUnusual(unusual, random);
}

/** Returns `count` members of a list: a shorter list is repeated, a longer one is sampled at equal distances. */
export function spread<T>(list: readonly T[], count: number): readonly T[] {
  const members: T[] = [];
  for (let i = 0; i < count && list.length > 0; i += 1) {
    const member = list[list.length > count ? Math.floor((i * list.length) / count) : i % list.length];
    if (member !== undefined) members.push(member);
  }
  return members;
}

/**
 * The weight of a set as one transition among others (`transition`), and by its number of characters. Sets without readable characters have the
 * least.
 */
export function weightOf({ readable, readableCount }: CharacterWeights): { readonly transition: number; readonly characters: number } {
  if (readable.length === 0) return { transition: 1, characters: 0 };
  return { transition: readable.some((character) => /[A-Za-z0-9]/.test(character)) ? 8 : 4, characters: readableCount };
}

function computeWeights(set: CodePoints): CharacterWeights {
  const lowerLetters = charactersOf(intersect(set, lowerCase));
  const alphanumeric = [...lowerLetters, ...charactersOf(intersect(set, upperCase)), ...charactersOf(intersect(set, digits))];
  const signs = charactersOf(subtract(intersect(set, printablePoints), pointsOf(alphanumeric.join(''))));
  const readable = alphanumeric.length === 0 ? signs : [...alphanumeric, ...lowerLetters, ...commonSigns(signs)];
  const readablePoints = pointsOf(readable.join(''));
  const kinds = unusualKinds.map((kind) => subtract(intersect(set, kind), readablePoints)).filter((kind) => kind.length > 0);
  const unusual = readable.length === 0 && kinds.length === 0 ? [set] : kinds;
  return {
    readable: spread(readable, 1 << readableBits),
    readableCount: countPoints(readablePoints),
    unusual: unusual.map((kind) => ({ set: kind, count: countPoints(kind) })),
  };
}

/** Draws an unusual character: first a kind, then one of its characters. */
export function drawUnusual(unusual: CharacterWeights['unusual'], random: RandomNumbers): string {
  const kind = unusual[random.nextInt(0, unusual.length - 1)];
  return kind === undefined ? '' : String.fromCodePoint(pointAt(kind.set, random.nextInt(0, kind.count - 1)));
}

/** Selects frequent signs. A class with few signs uses all, such as the dots and hyphens of names. A class with many is free text with spaces. */
function commonSigns(signs: readonly string[]): readonly string[] {
  if (signs.length <= 12) return signs;
  return signs.includes(' ') ? [' ', ' ', ' '] : [];
}

function charactersOf(set: CodePoints): readonly string[] {
  return rangesOf(set).flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)));
}
