/**
 * Values of annotations as written, with their place and unspecified points; and the transition of a value between two contracts. The
 * compare-*-keywords.ts files beside it and the witness searches call it. A value with unspecified points stands for several possible values.
 */

import type { SourceLocation } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { placeBelow } from '../../../core/openapi/document.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';

/** A value as written, or its absence. */
export interface LocatedValue {
  /** The value; `undefined` if absent. */
  readonly value: Json | undefined;
  /** Place of the value, or of the nearest enclosing value. */
  readonly place: SourceLocation;
  /** Ids of the unspecified points in the value. */
  readonly questions: readonly string[];
  /** The value with each combination of answers filled in. Without unspecified points, the value itself; empty if the value is absent. */
  readonly possibleValues: readonly Json[];
}

/** Locates the value under a list of keys. */
export function locateValue(contract: Contract, holder: JsonObject, keys: readonly string[]): LocatedValue {
  const value = valueAt(holder, toPointer(keys));
  const questions = value === undefined ? [] : [...new Set(questionIdsIn(value))];
  return {
    value,
    place: placeBelow(contract.document, holder, keys),
    questions,
    possibleValues: possibleValuesOf(contract, value, questions),
  };
}

/** A value in a sentence. */
export function printAnnotation(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (isUnspecified(value)) return `unspecified (${value.unspecified})`;
  if (typeof value === 'string') return value === '' ? "''" : value;
  if (Array.isArray(value) && value.every((member) => typeof member === 'string')) return value.length === 0 ? 'none' : value.join(', ');
  return JSON.stringify(value);
}

/** True if two values are equal; the order of members does not count. */
export function isSameValue(left: Json | undefined, right: Json | undefined): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

/** JSON text with sorted members. */
export function canonicalJson(value: Json | undefined): string {
  if (value === undefined) return '';
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1))) : member,
  );
}

/** True if the whole value is unspecified. */
export function isUnspecified(value: Json): value is { readonly unspecified: string } {
  return isObject(value) && typeof value['unspecified'] === 'string' && Object.keys(value).length === 1;
}

function* questionIdsIn(value: Json): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (isUnspecified(value)) yield value.unspecified;
  else for (const member of Object.values(value)) yield* questionIdsIn(member as Json);
}

/** Limit of possible values, against contracts whose answers multiply. */
const possibleValuesMax = 200;

function possibleValuesOf(contract: Contract, value: Json | undefined, questions: readonly string[]): readonly Json[] {
  if (value === undefined) return [];
  let possibleValues: readonly Json[] = [value];
  for (const id of questions) {
    const choices = [...(contract.questions.get(id)?.choices.values() ?? [])];
    possibleValues = possibleValues.flatMap((each) => choices.map((choice) => fillInAnswer(each, id, choice))).slice(0, possibleValuesMax);
  }
  return possibleValues;
}

function fillInAnswer(value: Json, id: string, choice: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isUnspecified(value)) return value.unspecified === id ? choice : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((member) => fillInAnswer(member, id, choice));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillInAnswer(member as Json, id, choice)]));
}

/**
 * Transition of a value between two contracts.
 *
 * - `same`: no change.
 * - `specified`: specified, or absent on one side. With the same unspecified points on both sides, there is a pair for each answer.
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
  if (canonicalJson(old.questions.toSorted()) === canonicalJson(next.questions.toSorted()))
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
