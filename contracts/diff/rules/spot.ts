/**
 * A value of the annotations as it is written: where it stands, which questions it leaves open, and every closed value that it may come to; and what
 * became of it from one contract to the other.
 */

import type { Contract } from '../../../core/contract.ts';
import { placeBelow } from '../../../core/document.ts';
import type { Place } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';

/** A written value, or the lack of one. */
export interface Spot {
  /** As it is written; `undefined` where nothing stands. */
  readonly value: Json | undefined;
  /** Where it stands, or where the nearest thing around it does. */
  readonly place: Place;
  /** The questions that it leaves open. */
  readonly questions: readonly string[];
  /** What it may be once they are answered; one value where none is open, and none where nothing stands. */
  readonly readings: readonly Json[];
}

/** The value that is written at a path of keys below an object. */
export function spotAt(contract: Contract, holder: JsonObject, keys: readonly string[]): Spot {
  const value = valueAt(holder, toPointer(keys));
  const questions = value === undefined ? [] : [...new Set(listQuestions(value))];
  return { value, place: placeBelow(contract.document, holder, keys), questions, readings: readingsOf(contract, value, questions) };
}

/** A value for a sentence. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (isOpen(value)) return `left open (${value.unspecified})`;
  if (typeof value === 'string') return value === '' ? "''" : value;
  if (Array.isArray(value) && value.every((member) => typeof member === 'string')) return value.length === 0 ? 'none' : value.join(', ');
  return JSON.stringify(value);
}

/** Whether two values are the same, whatever the order of their members. */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  return canonical(left) === canonical(right);
}

/** Text that is the same for the same value, whatever the order of its members. */
export function canonical(value: Json | undefined): string {
  if (value === undefined) return '';
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1))) : member,
  );
}

/** Whether a value is left open as a whole. */
export function isOpen(value: Json): value is { readonly unspecified: string } {
  return isObject(value) && typeof value['unspecified'] === 'string' && Object.keys(value).length === 1;
}

function* listQuestions(value: Json): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (isOpen(value)) yield value.unspecified;
  else for (const member of Object.values(value)) yield* listQuestions(member as Json);
}

/** More answers than this together are not told apart; no contract has so many. */
const most = 200;

function readingsOf(contract: Contract, value: Json | undefined, questions: readonly string[]): readonly Json[] {
  if (value === undefined) return [];
  let readings: readonly Json[] = [value];
  for (const id of questions) {
    const choices = [...(contract.questions.get(id)?.choices.values() ?? [])];
    readings = readings.flatMap((reading) => choices.map((choice) => answer(reading, id, choice))).slice(0, most);
  }
  return readings;
}

function answer(value: Json, id: string, choice: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isOpen(value)) return value.unspecified === id ? choice : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((member) => answer(member, id, choice));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, answer(member as Json, id, choice)]));
}

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
  // The same questions are open before and after: the same answers to them lead to values that belong together.
  if (canonical(old.questions.toSorted()) === canonical(next.questions.toSorted()))
    return { kind: 'stated', pairs: old.readings.map((reading, index) => [reading, next.readings[index] ?? after] as const) };
  if (next.questions.length === 0) return { kind: 'answered', after, isListed: isAmong(after, old.readings) };
  if (old.questions.length === 0) return { kind: 'opened', before, afters: next.readings };
  if (!next.readings.every((value) => isAmong(value, old.readings))) return { kind: 'reasked', relation: 'other' };
  return { kind: 'reasked', relation: old.readings.every((value) => isAmong(value, next.readings)) ? 'same' : 'fewer' };
}
