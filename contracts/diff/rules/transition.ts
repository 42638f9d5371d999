/** What became of a written value from one contract to the other: stated, left open, answered, withdrawn. */

import type { Json } from '../../../core/json.ts';
import { canonical, isSame, type Spot } from './spot.ts';

/**
 * What became of a value.
 *
 * - `same`: nothing.
 * - `stated`: both contracts state it, or one lacks it. Where both leave the same questions open, there is a pair for each answer.
 * - `answered`: it was left open, and is stated; `isListed` tells whether by one of the answers that the old contract listed.
 * - `opened`: it was stated, and is left open.
 * - `reasked`: both leave it open, and not by the same questions; `relation` compares the answers that are listed.
 */
export type Transition =
  | { readonly kind: 'same' }
  | { readonly kind: 'stated'; readonly pairs: readonly (readonly [Json | undefined, Json | undefined])[] }
  | { readonly kind: 'answered'; readonly after: Json; readonly isListed: boolean }
  | { readonly kind: 'opened'; readonly before: Json; readonly afters: readonly Json[] }
  | { readonly kind: 'reasked'; readonly relation: 'same' | 'fewer' | 'other' };

/** Compares two written values, by what makes two closed values mean the same. */
export function transitionOf(old: Spot, next: Spot, meansSame: (before: Json, after: Json) => boolean): Transition {
  const isAmong = (value: Json, values: readonly Json[]): boolean => values.some((each) => isSame(each, value) || meansSame(each, value));
  const [before, after] = [old.readings[0], next.readings[0]];
  if (before === undefined || after === undefined) {
    return before === after ? { kind: 'same' } : { kind: 'stated', pairs: [[before, after]] };
  }
  if (isSame(old.value, next.value)) return { kind: 'same' };
  if (canonical(old.questions.toSorted()) === canonical(next.questions.toSorted())) return { kind: 'stated', pairs: toPairs(old, next) };
  if (next.questions.length === 0) return { kind: 'answered', after, isListed: isAmong(after, old.readings) };
  if (old.questions.length === 0) return { kind: 'opened', before, afters: next.readings };
  return { kind: 'reasked', relation: relationOf(old.readings, next.readings, isAmong) };
}

/** The same questions were open before and after: the same answers to them lead to values that belong together. */
function toPairs(old: Spot, next: Spot): readonly (readonly [Json | undefined, Json | undefined])[] {
  return old.readings.map((reading, index) => [reading, next.readings[index] ?? next.readings[0]] as const);
}

function relationOf(
  before: readonly Json[],
  after: readonly Json[],
  isAmong: (value: Json, values: readonly Json[]) => boolean,
): 'same' | 'fewer' | 'other' {
  if (!after.every((value) => isAmong(value, before))) return 'other';
  return before.every((value) => isAmong(value, after)) ? 'same' : 'fewer';
}
