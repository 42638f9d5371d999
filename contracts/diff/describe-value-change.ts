/** Words for a value that was added, removed or changed, in ids and sentences. */

import { type Json, printJson } from '../../core/json.ts';

/** Longest JSON text in a sentence, in characters. */
const jsonMax = 60;

/** A value in a sentence, shortened if it is long. */
export function showJson(value: Json): string {
  const text = printJson(value);
  return text.length > jsonMax ? `${text.slice(0, jsonMax - 3)}…` : text;
}

/** Sentence on a value that was added, removed or changed. */
export function describeValueChange(what: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${what} was added: ${after ?? ''}`;
  if (after === undefined) return `${what} was removed: ${before}`;
  return `${what} changed from ${before} to ${after}`;
}

/** Sentence on a JSON value that was added, removed or changed. */
export function describeJsonChange(what: string, before: Json | undefined, after: Json | undefined): string {
  return describeValueChange(what, before === undefined ? undefined : showJson(before), after === undefined ? undefined : showJson(after));
}

/** Kind of edit, as ids and sentences name it. */
export type ChangeVerb = 'added' | 'removed' | 'changed';

/** Kind of edit between two optional values. */
export function changeVerb(before: unknown, after: unknown): ChangeVerb {
  return before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
}

/** A keyword in an id: `allow-reserved`. */
export function toKebab(keyword: string): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Predicate of a value that has to be one of a list now: "limited to 1" would read as a maximum. */
export function nowLimitedTo(values: readonly string[]): string {
  return `can now only be ${listNames(values, 'or')}`;
}

/** Predicate of a value that had to be one of a list. */
export function noLongerLimitedTo(values: readonly string[], isPlural: boolean): string {
  return `${isPlural ? 'are' : 'is'} no longer limited to ${values.length === 1 ? 'the value ' : ''}${listNames(values, 'and')}`;
}

/** Number of names in a sentence. */
const namesMax = 4;

/** Names in a sentence: `a, b or 38 more`. */
export function listNames(names: readonly string[], word: 'and' | 'or'): string {
  const more = names.length - namesMax;
  // "1 more" would take as much room as the name.
  const shown = more <= 1 ? names : [...names.slice(0, namesMax), `${more} more`];
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} ${word} ${last}`;
}
