/** Which of two texts is simpler, and how to come from one to simpler ones. */

import { rankOf } from './taste.ts';

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
