/** Errors: the toolkit could not judge. What was judged is a finding, and a finding is returned, never thrown. */

/** A position in a file; lines and columns count from 1. */
export interface SourceLocation {
  /** The path as the user gave it, or relative to the file that refers to it. */
  readonly file: string;
  /** The line, from 1 on. */
  readonly line: number;
  /** The column, from 1 on. */
  readonly column: number;
}

/** Prints a position the way editors and terminals link it: `file:line:column`. */
export function formatLocation(place: SourceLocation): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** A mistake in a contract file. The message names the place, the value and the way out. */
export class SpecError extends Error {
  override readonly name = 'SpecError' as const;
  /** Place of the mistake. */
  readonly place: SourceLocation;

  constructor(place: SourceLocation, message: string, options?: ErrorOptions) {
    super(`${formatLocation(place)}: ${message}`, options);
    this.place = place;
  }
}

/** A wrong argument, option or file name, given by the person who runs the toolkit. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}

/** Picks the known word that a mistyped one is most likely meant to be, or `undefined` when none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Short words are near to everything, so they must be nearer.
  let bestDistance = (word.length <= 4 ? 1 : Math.max(2, Math.floor(word.length / 4))) + 1;
  for (const candidate of known) {
    // Each letter more is a step more: what is far too long need not be compared letter by letter.
    if (Math.abs(word.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edit distance of Damerau and Levenshtein: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const exchanged = isExchanged ? (beforePrevious[j - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, exchanged, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[right.length] ?? 0;
}
