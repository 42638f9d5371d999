/** Full-text search of a list: its parameter, its requests, and texts to search for. Sends nothing. */

import { isObject, type Json } from '../../../core/json.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Call } from './call.ts';
import { firstPageCall } from './pagination/pagination.ts';
import { drawMeaninglessTexts } from './random-request-values.ts';
import type { RoundContext } from './round-context.ts';
import type { Snapshot } from './snapshot.ts';

/** The parameter by which an operation searches for text. */
export function searchParameter(operation: Operation): string | undefined {
  return isList(operation) ? [...operation.collection.filters].find(([, filter]) => filter.operator === 'matches')?.[0] : undefined;
}

/** The call that searches a list. */
export function searchCall(context: RoundContext, operation: ListOperation, text: string): Call {
  const name = searchParameter(operation);
  if (name === undefined) throw new TypeError(`${operation.id} of ${context.contract.name} cannot be searched`);
  return firstPageCall(operation, { [name]: text });
}

/** Texts that no record contains: one with a frequent first letter, for servers that compare only the first letter, and one with a rare first letter. */
export function meaninglessTexts({ seed, quick }: RoundContext, { records }: Snapshot): readonly string[] {
  const allText = records.slice(0, 50).flatMap(textsOf).join('').toLowerCase();
  const frequent = [...'aeiourstn'].toSorted((left, right) => allText.split(right).length - allText.split(left).length)[0] ?? 'a';
  return drawMeaninglessTexts(seed, quick ? [frequent] : [frequent, 'q']);
}

/** Minimum length of a word to search for, because many servers ignore shorter ones. */
const minLength = 4;

/** The words of a text without its markup, the longest first. */
export function searchWords(text: string): readonly string[] {
  const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&[a-z0-9#]+;/gi, ' ');
  const words = plain.match(/\p{L}+/gu) ?? [];
  return [...new Set(words)].filter((word) => [...word].length >= minLength).toSorted((left, right) => right.length - left.length);
}

/** The texts of a record, those with the most words first: titles and descriptions before enum values. */
export function textsOf(record: Json): readonly string[] {
  const countWords = (text: string): number => text.split(/\s+/).length;
  return gatherTexts(record)
    .filter((text) => /\p{L}{4}/u.test(text))
    .toSorted((left, right) => countWords(right) - countWords(left));
}

function gatherTexts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).flatMap(gatherTexts) : [];
}
