/** Finds the known word that is most similar to a mistyped one; `undefined` if none is similar. */
export function nearest(word: string, knownWords: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Any two short words are a few edits apart, so short words allow one edit only.
  let bestDistance = (word.length <= 4 ? 1 : Math.max(2, Math.floor(word.length / 4))) + 1;
  for (const candidate of knownWords) {
    // The difference in length is a lower bound of the distance.
    if (Math.abs(word.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Advice for a mistyped word: `did you mean X?` if a known word is similar, otherwise another advice. */
export function didYouMean(word: string, knownWords: Iterable<string>, otherwise: string): string {
  const suggestion = nearest(word, knownWords);
  return suggestion === undefined ? otherwise : `did you mean ${suggestion}?`;
}

/** Computes the edit distance of Damerau and Levenshtein: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replacementCost = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const swapCost = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : replacementCost;
      current.push(Math.min(replacementCost, swapCost, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[right.length] ?? 0;
}
