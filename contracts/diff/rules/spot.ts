/** A value of the annotations as it is written: where it stands, which questions it leaves open, and every closed value that it may come to. */

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
