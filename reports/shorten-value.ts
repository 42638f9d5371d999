/** Shortens JSON values for people: the relevant part stays, and omissions are marked. JSON reports hold the whole values. */

import { isObject, type Json, printJson } from '../core/json.ts';
import { fromPointer } from '../core/pointer.ts';
import { clip } from './clip-text.ts';

/** Limits for objects and lists at each level of a value, for its depth, and for texts. */
const membersMax = 12;
const itemsMax = 5;
const depthMax = 8;
const stringMax = 200;

/** Prints a value in one line; `nothing` for an absent value. */
export function printShort(value: Json | undefined, limit: number): string {
  return value === undefined ? 'nothing' : clip(printJson(shortenAround(value)), limit);
}

/** Shortens long texts, lists and objects. The target of the pointer stays, with all its ancestors. */
export function shortenAround(value: Json, pointer = ''): Json {
  return shortenJson(value, fromPointer(pointer), depthMax);
}

/** Keeps the target of a pointer and its ancestors; all other parts become counts. */
export function focus(value: Json, pointer: string): Json {
  return focusOn(value, fromPointer(pointer));
}

/** Returns true if an excerpt has less than the value. */
export function isShortened(value: Json, short: Json): boolean {
  return printJson(value) !== printJson(short);
}

function focusOn(value: Json, [key, ...rest]: readonly string[]): Json {
  if (key === undefined || typeof value !== 'object' || value === null) return shortenAround(value);
  if (isObject(value)) {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    const more = Object.keys(value).length - 1;
    if (member === undefined) return shortenAround(value);
    return Object.fromEntries([[key, focusOn(member, rest)], ...(more === 0 ? [] : [['…', `${more} more`] as const])]);
  }
  const [list, index] = [value as readonly Json[], Number(key)];
  const item = list[index];
  const omittedNote = (number: number): readonly Json[] => (number <= 0 ? [] : [`… ${number} more`]);
  return item === undefined ? shortenAround(value) : [...omittedNote(index), focusOn(item, rest), ...omittedNote(list.length - index - 1)];
}

function shortenJson(value: Json, path: readonly string[], depth: number): Json {
  if (typeof value === 'string') return shortenText(value);
  if (typeof value !== 'object' || value === null) return value;
  // The path of the pointer is followed to its end, at any depth.
  if (depth <= 0 && path.length === 0) return isObject(value) ? '… an object' : '… a list';
  return isObject(value) ? shortenObject(value, path, depth) : shortenList(value as readonly Json[], path, depth);
}

function shortenText(text: string): string {
  return text.length <= stringMax ? text : `${clip(text, stringMax - 40)} (${text.length} characters)`;
}

function shortenObject(value: Readonly<Record<string, Json>>, [key, ...rest]: readonly string[], depth: number): Json {
  const names = Object.keys(value);
  const included = names.filter((name, index) => index < membersMax || name === key);
  const members = included.map((name): readonly [string, Json] => [
    shortenText(name),
    shortenJson(value[name] ?? null, name === key ? rest : [], depth - 1),
  ]);
  const more = names.length - included.length;
  // fromEntries defines own members, so a member called __proto__ stays a member.
  return Object.fromEntries(more === 0 ? members : [...members, ['…', `${more} more`]]);
}

function shortenList(list: readonly Json[], [key, ...rest]: readonly string[], depth: number): Json {
  const included = list.flatMap((_, index) => (index < itemsMax || String(index) === key ? [index] : []));
  const items = included.map((index) => shortenJson(list[index] ?? null, String(index) === key ? rest : [], depth - 1));
  const more = list.length - included.length;
  return more === 0 ? items : [...items.slice(0, itemsMax), `… ${more} more`, ...items.slice(itemsMax)];
}
