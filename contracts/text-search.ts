/** Searching a list by text: the parameter for it, and texts worth searching for. */

import { isObject, type Json } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';
import type { Call } from './call.ts';
import { drawMeaningless } from './explore/texts.ts';
import type { Lab } from './lab.ts';
import { largestPage, type Universe } from './universe.ts';
import { callFor, isList, type ListOperation } from './walk.ts';

/** The parameter by which an operation searches for text. */
export function searchParameter(operation: Operation): string | undefined {
  return isList(operation) ? [...operation.collection.filters].find(([, filter]) => filter.operator === 'matches')?.[0] : undefined;
}

/** The call that searches a list. */
export function searchCall(lab: Lab, operation: ListOperation, text: string): Call {
  const name = searchParameter(operation);
  if (name === undefined) throw new TypeError(`${operation.id} of ${lab.contract.name} cannot be searched`);
  return callFor({ operation, values: { [name]: text }, limit: largestPage(operation) }, {});
}

/** Texts without meaning: one that begins like most records, in case only the beginning is looked at, and one that begins like nothing. */
export function meaninglessTexts({ seed, quick }: Lab, { records }: Universe): readonly string[] {
  const all = records.slice(0, 50).flatMap(textsOf).join('').toLowerCase();
  const often = [...'aeiourstn'].toSorted((left, right) => all.split(right).length - all.split(left).length)[0] ?? 'a';
  return drawMeaningless(seed, quick ? [often] : [often, 'q']);
}

/** Words shorter than this are left out by many searches. */
const shortest = 4;

/** The words of a text as they stand there, markup left out, the longest first. */
export function searchWords(text: string): readonly string[] {
  const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&[a-z0-9#]+;/gi, ' ');
  const words = plain.match(/\p{L}+/gu) ?? [];
  return [...new Set(words)].filter((word) => [...word].length >= shortest).toSorted((left, right) => right.length - left.length);
}

/** The texts of a record, those of many words first: titles and descriptions before levels and kinds. */
export function textsOf(record: Json): readonly string[] {
  const spaces = (text: string): number => text.split(/\s+/).length;
  return gatherTexts(record)
    .filter((text) => /\p{L}{4}/u.test(text))
    .toSorted((left, right) => spaces(right) - spaces(left));
}

function gatherTexts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).flatMap(gatherTexts) : [];
}
