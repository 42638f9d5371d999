/** Words for a value that was added, removed or changed, in ids and sentences. */

import type { Json } from '../../core/json.ts';

/** Longest JSON text in a sentence, in characters. */
const jsonMax = 60;

/** A value in a sentence, shortened if it is long. */
export function showJson(value: Json): string {
  const text = JSON.stringify(value);
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
