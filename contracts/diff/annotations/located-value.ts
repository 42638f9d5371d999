/** Values of annotations as written, each with its place and its open questions. */

import type { SourceLocation } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { placeBelow } from '../../../core/openapi/source-positions.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';

/** A value as written, or its absence. */
export interface LocatedValue {
  /** The value; `undefined` if absent. */
  readonly value: Json | undefined;
  /** Place of the value, or of the nearest enclosing value. */
  readonly place: SourceLocation;
  /** Ids of the open questions in the value. */
  readonly questions: readonly string[];
  /** The value with each combination of answers filled in. Without open questions, the value itself; empty if the value is absent. */
  readonly possibleValues: readonly Json[];
}

/** Locates the value under a list of keys. */
export function locateValue(contract: Contract, holder: JsonObject, keys: readonly string[]): LocatedValue {
  const value = valueAt(holder, toPointer(keys));
  const questions = value === undefined ? [] : [...new Set(questionIdsIn(value))];
  return {
    value,
    place: placeBelow(contract.document.file, holder, keys),
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
  return printJson(value);
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
