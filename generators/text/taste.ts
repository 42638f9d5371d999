/** Which characters of a set are drawn: mostly letters and digits, now and then those that trip programs up. And which text is simpler than another. */

import { recall } from '../recall.ts';
import type { Chance } from '../source/source.ts';
import { type CodePoints, contains, countPoints, intersect, pointAt, pointsOf, rangesOf, subtract } from './code-points.ts';

/** The characters of a set, sorted by how often they are wanted. */
export interface Selection {
  /** Readable ones: none, or a hundred and twenty-eight, in which each is as often as it is wanted. */
  readonly plain: readonly string[];
  /** How many different ones are readable. */
  readonly variety: number;
  /** Sets of others, one for each kind that the set has. */
  readonly odd: readonly { readonly set: CodePoints; readonly count: number }[];
}

const lowerCase: CodePoints = [0x61, 0x7a];
const upperCase: CodePoints = [0x41, 0x5a];
const decimal: CodePoints = [0x30, 0x39];
const printable: CodePoints = [0x20, 0x7e];

/** Kinds of characters that programs get wrong. Only ranges that every Unicode version of the last decade knows. */
const oddKinds: readonly CodePoints[] = [
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

const selections = new WeakMap<CodePoints, Selection>();

/** What is drawn from a set that is not empty. */
export function selectionOf(set: CodePoints): Selection {
  return recall(selections, set, select);
}

/** Random bits that choose a readable character. */
export const plainBits = 7;

/** Random bits that decide whether a character is odd; they stand above the others. */
export const oddBits = 5;

/** Draws a character; `luck` has as many random bits as the constants say, those above do not matter. */
export function drawCharacter({ plain, odd }: Selection, luck: number, chance: Chance): string {
  const isPlain = odd.length === 0 || (plain.length > 0 && ((luck >>> plainBits) & 31) !== 0);
  return isPlain ? (plain[luck & 127] ?? '') : drawOdd(odd, chance);
}

/** Repeats the members of a list until there are so many; of a longer list it takes members at equal distances. */
export function spread<T>(list: readonly T[], count: number): readonly T[] {
  const all: T[] = [];
  for (let i = 0; i < count && list.length > 0; i += 1) {
    const member = list[list.length > count ? Math.floor((i * list.length) / count) : i % list.length];
    if (member !== undefined) all.push(member);
  }
  return all;
}

/** How much a selection is wanted: as one way among others, and by its characters. What holds no readable character is wanted least. */
export function wantOf({ plain, variety }: Selection): { readonly way: number; readonly characters: number } {
  if (plain.length === 0) return { way: 1, characters: 0 };
  return { way: plain.some((character) => /[A-Za-z0-9]/.test(character)) ? 8 : 4, characters: variety };
}

/** Orders characters from the simplest to the strangest: small letters, capitals, digits, other printable ASCII, the rest, control characters. */
export function rankOf(point: number): number {
  if (contains(lowerCase, point)) return point - 0x61;
  if (contains(upperCase, point)) return 26 + point - 0x41;
  if (contains(decimal, point)) return 52 + point - 0x30;
  return point < 0x20 || (point >= 0x7f && point <= 0x9f) ? 0x200000 + point : 0x100 + point;
}

/** As many characters of a set are put in order at most. */
export const orderedAtMost = 256;

const ordered = new WeakMap<CodePoints, readonly number[]>();

/** The simplest characters of a set in the order of `rankOf`; of a large set only the first. */
export function simplestPoints(set: CodePoints): readonly number[] {
  return recall(ordered, set, orderPoints);
}

function orderPoints(set: CodePoints): readonly number[] {
  const alphanumeric = [lowerCase, upperCase, decimal];
  const controls: CodePoints = [0x00, 0x1f, 0x7f, 0x9f];
  const rest = [...alphanumeric, controls].reduce(subtract, set);
  const points: number[] = [];
  for (const part of [...alphanumeric.map((kind) => intersect(set, kind)), rest, intersect(set, controls)]) {
    for (const [from, to] of rangesOf(part)) {
      for (let point = from; point <= to && points.length < orderedAtMost; point += 1) points.push(point);
    }
  }
  return points;
}

function select(set: CodePoints): Selection {
  const small = charactersOf(intersect(set, lowerCase));
  const alphanumeric = [...small, ...charactersOf(intersect(set, upperCase)), ...charactersOf(intersect(set, decimal))];
  const signs = charactersOf(subtract(intersect(set, printable), pointsOf(alphanumeric.join(''))));
  const plain = alphanumeric.length === 0 ? signs : [...alphanumeric, ...small, ...beside(signs)];
  const readable = pointsOf(plain.join(''));
  const kinds = oddKinds.map((kind) => subtract(intersect(set, kind), readable)).filter((kind) => kind.length > 0);
  const odd = plain.length === 0 && kinds.length === 0 ? [set] : kinds;
  return {
    plain: spread(plain, 1 << plainBits),
    variety: countPoints(readable),
    odd: odd.map((kind) => ({ set: kind, count: countPoints(kind) })),
  };
}

function drawOdd(odd: Selection['odd'], chance: Chance): string {
  const kind = odd[chance.nextInt(0, odd.length - 1)];
  return kind === undefined ? '' : String.fromCodePoint(pointAt(kind.set, chance.nextInt(0, kind.count - 1)));
}

/** A class with few signs is about them, such as the dots and hyphens of names; a class with many is any text, in which words are apart. */
function beside(signs: readonly string[]): readonly string[] {
  if (signs.length <= 12) return signs;
  return signs.includes(' ') ? [' ', ' ', ' '] : [];
}

function charactersOf(set: CodePoints): readonly string[] {
  return rangesOf(set).flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)));
}

/**
 * Compares two texts: negative when the first is simpler. A shorter text is simpler; of two texts of one length the one whose first different
 * character is simpler. Below any text there are only finitely many others, so whoever only goes down comes to an end.
 */
export function compareTexts(left: string, right: string): number {
  return comparePoints(pointsIn(left), pointsIn(right));
}

/**
 * Simpler texts that are accepted, the most hopeful first: the simplest, then with pieces cut out, then with single characters made simpler.
 * Nothing is simpler than `simplest`, whatever its length.
 */
export function* shrinkText(text: string, simplest: string, accepts: (text: string) => boolean): Generator<string> {
  if (text === simplest) return;
  if (accepts(simplest)) yield simplest;
  yield* simplify(text, simplest, accepts);
}

/** Texts near a text that are simpler and accepted. */
export function* simplify(text: string, except: string, accepts: (text: string) => boolean): Generator<string> {
  const points = pointsIn(text);
  let last = except;
  for (const candidate of candidatesBelow(points)) {
    const shrunk = String.fromCodePoint(...candidate);
    // Of equal characters side by side it does not matter which goes.
    if (shrunk === last || shrunk === except || comparePoints(candidate, points) >= 0) continue;
    last = shrunk;
    if (accepts(shrunk)) yield shrunk;
  }
}

function* candidatesBelow(points: readonly number[]): Generator<readonly number[]> {
  // A long text loses long pieces first; single characters are tried when it has become shorter.
  const smallest = Math.max(1, points.length >> 8);
  for (let size = points.length >> 1; size >= smallest; size >>= 1) {
    for (let at = points.length - size; at >= 0; at -= size) yield [...points.slice(0, at), ...points.slice(at + size)];
  }
  for (const [at, point] of points.entries()) {
    for (const simpler of simplerThan(point)) yield [...points.slice(0, at), simpler, ...points.slice(at + 1)];
  }
}

/** A letter, a capital, a digit: the simplest of each kind that is simpler than the character, and the one just before it. */
function simplerThan(point: number): readonly number[] {
  const rank = rankOf(point);
  return [0x61, 0x41, 0x30, 0x20, point - 1].filter((other) => isScalar(other) && rankOf(other) < rank);
}

function isScalar(point: number): boolean {
  return point >= 0 && (point < 0xd800 || point > 0xdfff);
}

function pointsIn(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function comparePoints(left: readonly number[], right: readonly number[]): number {
  if (left.length !== right.length) return left.length - right.length;
  for (const [index, point] of left.entries()) {
    const difference = rankOf(point) - rankOf(right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
