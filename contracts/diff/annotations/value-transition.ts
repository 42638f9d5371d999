/**
 * Transition of an annotated value between two contracts: unchanged, changed, newly specified, or newly unspecified. `compare-annotation-keyword.ts` calls it
 * for each pair of values that it compares. It rates nothing.
 */

import type { Json } from '../../../core/json.ts';
import { isSameValue, isUnspecified, type LocatedValue } from './located-value.ts';

/**
 * Transition of a value between two contracts.
 *
 * - `same`: no change.
 * - `specified`: specified, or absent on one side. With the same open questions on both sides, there is a pair for each answer.
 * - `became-specified`: unspecified before, now specified. `isListed` is true if the old contract listed the new value as a possible answer.
 * - `became-unspecified`: specified before, at least in part, now unspecified.
 * - `other-question`: unspecified on both sides, by other points. `relation` compares the listed answers.
 */
export type ValueTransition =
  | { readonly kind: 'same' }
  | { readonly kind: 'specified'; readonly pairs: readonly (readonly [Json | undefined, Json | undefined])[] }
  | { readonly kind: 'became-specified'; readonly after: Json; readonly isListed: boolean }
  | { readonly kind: 'became-unspecified'; readonly before: Json; readonly afters: readonly Json[] }
  | { readonly kind: 'other-question'; readonly relation: 'same' | 'fewer' | 'other' };

/** Compares two values. `meansSame` is true if two different, fully specified values have the same meaning. */
export function transitionOf(old: LocatedValue, next: LocatedValue, meansSame: (before: Json, after: Json) => boolean): ValueTransition {
  const isAmong = (value: Json, values: readonly Json[]): boolean =>
    values.some((each) => isSameValue(each, value) || meansSame(each, value));
  const [before, after] = [old.possibleValues[0], next.possibleValues[0]];
  if (before === undefined || after === undefined) {
    return before === after ? { kind: 'same' } : { kind: 'specified', pairs: [[before, after]] };
  }
  if (isSameValue(old.value, next.value)) return { kind: 'same' };
  // With the same points on both sides, the values for the same answers belong together.
  if (old.questions.toSorted().join() === next.questions.toSorted().join())
    return {
      kind: 'specified',
      pairs: old.possibleValues.map((value, index) => [value, next.possibleValues[index] ?? after] as const),
    };
  if (next.questions.length === 0) return { kind: 'became-specified', after, isListed: isAmong(after, old.possibleValues) };
  const isWithdrawn = old.value !== undefined && !isUnspecified(old.value) && next.value !== undefined && isUnspecified(next.value);
  if (old.questions.length === 0 || isWithdrawn) return { kind: 'became-unspecified', before, afters: next.possibleValues };
  if (!next.possibleValues.every((value) => isAmong(value, old.possibleValues))) return { kind: 'other-question', relation: 'other' };
  return { kind: 'other-question', relation: old.possibleValues.every((value) => isAmong(value, next.possibleValues)) ? 'same' : 'fewer' };
}
