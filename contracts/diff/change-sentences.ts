/**
 * Parts of sentences about changes that all comparisons share. The compare-*.ts files build their sentences by it while they compare. Reports print
 * these sentences as they are.
 */

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
