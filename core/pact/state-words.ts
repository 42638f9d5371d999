/** The words of provider states: nouns in the singular and the plural, conditions on fields, and the forms of a sentence. */

import type { Json } from '../json.ts';
import { fromPointer, toPointer } from '../pointer.ts';

/** A condition as it is written in the name of a state. */
export interface FieldConditionText {
  readonly field: string;
  readonly value: string;
}

/** A sentence about records, or about what exists once, as far as its words tell. */
type StateWords =
  | { readonly form: 'some'; readonly noun: string; readonly where: readonly FieldConditionText[] }
  | { readonly form: 'more'; readonly noun: string; readonly where: readonly FieldConditionText[]; readonly more: number }
  | { readonly form: 'none'; readonly noun: string }
  | { readonly form: 'absent'; readonly noun: string; readonly field: string; readonly value: string | undefined };

/** Reads a sentence; `undefined` when it has none of the forms. */
export function parseStateName(text: string): StateWords | undefined {
  const [, absentNoun, field, value] = /^no (\S+) has (?:the |this |that )?(\S+)(?: (.+))?$/i.exec(text) ?? [];
  if (absentNoun !== undefined && field !== undefined) {
    return { form: 'absent', noun: absentNoun, field, value: value === undefined ? undefined : unquote(value) };
  }
  const [, noneNoun] = /^no (\S+) exists?$/i.exec(text) ?? [];
  if (noneNoun !== undefined) return { form: 'none', noun: noneNoun };
  const [, number, manyNoun, manyWhere] = /^more than (\d+) (\S+)(?: with (.+))? exists?$/i.exec(text) ?? [];
  if (manyNoun !== undefined) return withWhere(manyWhere, (where) => ({ form: 'more', noun: manyNoun, where, more: Number(number) }));
  const [, published] = /^(?:the |an? )?(\S+) is published$/i.exec(text) ?? [];
  if (published !== undefined) return { form: 'some', noun: published, where: [] };
  const [, noun, where] = /^(?:the |an? |some )?(\S+)(?: with (.+))? exists?$/i.exec(text) ?? [];
  return noun === undefined ? undefined : withWhere(where, (conditions) => ({ form: 'some', noun, where: conditions }));
}

/** A noun in both numbers: `entries` and `entry`, `boxes` and `box`, `things` and `thing`. */
export function nounsOf(noun: string): { readonly singular: string; readonly plural: string } {
  const singular = /[^aeiou]ies$/i.test(noun)
    ? noun.replace(/ies$/i, 'y')
    : /(?:s|x|z|ch|sh)es$/i.test(noun)
      ? noun.slice(0, -2)
      : /[^s]s$/i.test(noun)
        ? noun.slice(0, -1)
        : noun;
  if (singular !== noun) return { singular, plural: noun };
  if (/[^aeiou]y$/i.test(noun)) return { singular, plural: noun.replace(/y$/i, 'ies') };
  return { singular, plural: /(?:s|x|z|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s` };
}

/** The JSON Pointer of a field that is written as a name, a dotted path or a pointer. */
export function fieldPointer(field: string): string {
  return field.startsWith('/') ? field : toPointer(field.split('.'));
}

/** Conditions as the name of a state says them: ` with status ready and service.table null`. Values that no plain words say are left to the parameters. */
export function formatConditions(where: Readonly<Record<string, Json>>): string {
  const parts = Object.entries(where).flatMap(([pointer, value]) => {
    const field = nameOf(pointer);
    return field === undefined || !isPlain(value) ? [] : [`${field} ${value === null ? 'null' : String(value)}`];
  });
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
}

function nameOf(pointer: string): string | undefined {
  const keys = fromPointer(pointer);
  return keys.length > 0 && keys.every((key) => isWord(key)) ? keys.join('.') : undefined;
}

function isPlain(value: Json): boolean {
  if (typeof value === 'string') return /^[\w.:+-]+$/.test(value) && value.toLowerCase() !== 'and';
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

/** The word between two conditions is part of none of them. */
function isWord(text: string): boolean {
  return /^[\w-]+$/.test(text) && text.toLowerCase() !== 'and';
}

function withWhere(text: string | undefined, make: (where: readonly FieldConditionText[]) => StateWords): StateWords | undefined {
  const where = text === undefined ? [] : readConditions(text);
  return where === undefined ? undefined : make(where);
}

/** `status ready and name "Salt and Pepper"`: a value in quotes may hold anything. */
function readConditions(text: string): readonly FieldConditionText[] | undefined {
  const pieces = text.match(/(?:"[^"]*"|'[^']*'|\S+)/g) ?? [];
  const conditions: string[][] = [[]];
  for (const piece of pieces) {
    if (/^and$/i.test(piece)) conditions.push([]);
    else conditions.at(-1)?.push(piece);
  }
  const read = conditions.map(([field, ...value]) => ({ field: field ?? '', value: unquote(value.join(' ')) }));
  return read.every(({ field, value }) => field !== '' && value !== '') ? read : undefined;
}

function unquote(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
