/** The order of texts from simple to complex, and the shrinking of texts along it. */

import { getOrCompute } from '../../core/memo.ts';
import { type CodePoints, contains, digits, intersect, lowerCase, rangesOf, subtract, upperCase } from './code-point-sets.ts';

/** Ranks characters from simple to unusual: lower case, upper case, digits, other printable ASCII, the rest, control characters. */
export function rankOf(point: number): number {
  if (contains(lowerCase, point)) return point - 0x61;
  if (contains(upperCase, point)) return 26 + point - 0x41;
  if (contains(digits, point)) return 52 + point - 0x30;
  return point < 0x20 || (point >= 0x7f && point <= 0x9f) ? 0x200000 + point : 0x100 + point;
}

/** At most this many characters of a set are ordered. */
export const maxOrdered = 256;

const orderedPoints = new WeakMap<CodePoints, readonly number[]>();

/** The simplest characters of a set, ordered by rank. */
export function simplestPoints(set: CodePoints): readonly number[] {
  return getOrCompute(orderedPoints, set, orderPoints);
}

function orderPoints(set: CodePoints): readonly number[] {
  const alphanumeric = [lowerCase, upperCase, digits];
  const controls: CodePoints = [0x00, 0x1f, 0x7f, 0x9f];
  const otherPoints = [...alphanumeric, controls].reduce(subtract, set);
  const points: number[] = [];
  for (const part of [...alphanumeric.map((kind) => intersect(set, kind)), otherPoints, intersect(set, controls)]) {
    for (const [from, to] of rangesOf(part)) {
      for (let point = from; point <= to && points.length < maxOrdered; point += 1) points.push(point);
    }
  }
  return points;
}

/**
 * Compares two texts; negative when the first is simpler: shorter, or of equal length and simpler at the first difference. Finitely many
 * texts are simpler than any text, so shrinking ends.
 */
export function compareTexts(left: string, right: string): number {
  return comparePoints(pointsIn(left), pointsIn(right));
}

/**
 * Simpler accepted texts, the best first: the simplest, then those with a piece removed, then those with one simpler character. Nothing is simpler
 * than `simplest`, whatever its length.
 */
export function* shrinkText(text: string, simplest: string, accepts: (text: string) => boolean): Generator<string> {
  if (text === simplest) return;
  if (accepts(simplest)) yield simplest;
  yield* simplify(text, simplest, accepts);
}

/** Simpler accepted texts that differ from a text in one piece or character. */
export function* simplify(text: string, excluded: string, accepts: (text: string) => boolean): Generator<string> {
  const points = pointsIn(text);
  let lastText = excluded;
  for (const candidate of candidatesBelow(points)) {
    const shrunkText = String.fromCodePoint(...candidate);
    // Removing either of two equal neighbours gives the same text.
    if (shrunkText === lastText || shrunkText === excluded || comparePoints(candidate, points) >= 0) continue;
    lastText = shrunkText;
    if (accepts(shrunkText)) yield shrunkText;
  }
}

function* candidatesBelow(points: readonly number[]): Generator<readonly number[]> {
  // A long text first loses long pieces; single characters follow when it is shorter.
  const smallestSize = Math.max(1, points.length >> 8);
  for (let size = points.length >> 1; size >= smallestSize; size >>= 1) {
    for (let position = points.length - size; position >= 0; position -= size)
      yield [...points.slice(0, position), ...points.slice(position + size)];
  }
  for (const [position, point] of points.entries()) {
    for (const simpler of simplerThan(point)) yield [...points.slice(0, position), simpler, ...points.slice(position + 1)];
  }
}

/** The simplest character of each kind that is simpler than a character, and its predecessor. */
function simplerThan(point: number): readonly number[] {
  const rank = rankOf(point);
  return [0x61, 0x41, 0x30, 0x20, point - 1].filter((candidate) => isScalar(candidate) && rankOf(candidate) < rank);
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
