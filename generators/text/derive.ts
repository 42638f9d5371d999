/** Reads languages character by character: whether the empty text belongs, what is left after one character, and which characters differ. */

import { type CodePoints, contains, intersect, pointAt, rangesOf, subtract } from './code-points.ts';
import { unfoldLoop } from './compile.ts';
import type { Term, Terms } from './term.ts';

/** Whether the empty text belongs to the language. */
export function endsHere(terms: Terms, term: Term): boolean {
  terms.spend(1);
  switch (term.kind) {
    case 'none':
    case 'step':
      return false;
    case 'end':
    case 'all':
      return true;
    case 'either':
      return term.terms.some((each) => endsHere(terms, each));
    case 'both':
      return term.terms.every((each) => endsHere(terms, each));
    case 'not':
      return !endsHere(terms, term.term);
    case 'loop':
      return inside(terms, term, false, () => endsHere(terms, unfoldLoop(terms, term.loop)[term.context]));
  }
}

/** What may follow a character: Brzozowski's derivative. */
export function afterPoint(terms: Terms, term: Term, point: number): Term {
  terms.spend(1);
  switch (term.kind) {
    case 'none':
    case 'end':
      return terms.none;
    case 'all':
      return term;
    case 'step':
      return contains(term.set, point) ? term.next : terms.none;
    case 'either':
      return terms.either(term.terms.map((each) => afterPoint(terms, each, point)));
    case 'both':
      return terms.both(term.terms.map((each) => afterPoint(terms, each, point)));
    case 'not':
      return terms.not(afterPoint(terms, term.term, point));
    case 'loop':
      return inside(terms, term, terms.none, () => afterPoint(terms, unfoldLoop(terms, term.loop)[term.context], point));
  }
}

/** The sets that a first character is asked for: what they do not tell apart, the language does not either. */
export function collectSets(terms: Terms, term: Term, found: Set<CodePoints>): void {
  terms.spend(1);
  if (term.kind === 'step') found.add(term.set);
  else if (term.kind === 'not') collectSets(terms, term.term, found);
  else if (term.kind === 'either' || term.kind === 'both') for (const each of term.terms) collectSets(terms, each, found);
  else if (term.kind === 'loop') {
    inside(terms, term, undefined, () => collectSets(terms, unfoldLoop(terms, term.loop)[term.context], found));
  }
}

/** Splits an alphabet into the parts that a few sets tell apart. */
export function splitAlphabet(alphabet: CodePoints, sets: Iterable<CodePoints>): readonly CodePoints[] {
  let parts: readonly CodePoints[] = [alphabet];
  for (const set of sets) {
    parts = parts.flatMap((part) => [intersect(part, set), subtract(part, set)]).filter((part) => part.length > 0);
  }
  return parts
    .map((part) => ({ part, first: pointAt(part, 0) }))
    .sort((a, b) => a.first - b.first)
    .map(({ part }) => part);
}

/** How many ranges the sets have together: a measure of the work to split an alphabet by them. */
export function countRanges(sets: Iterable<CodePoints>): number {
  let count = 0;
  for (const set of sets) count += rangesOf(set).length;
  return count;
}

/**
 * A loop that meets itself before a character was read goes round without reading, which adds nothing: the engine refuses such a round,
 * and a language that only narrows itself has no more than it had.
 */
function inside<T>(terms: Terms, term: Term & { readonly kind: 'loop' }, again: T, read: () => T): T {
  if (term.busy) return again;
  term.busy = true;
  try {
    return terms.nested(read);
  } finally {
    term.busy = false;
  }
}
