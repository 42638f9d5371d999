/** Lists: where their records stand, what identifies a record, and whether an operation is a list at all. */

import type { Json, JsonObject } from '../../../core/json.ts';
import { judgeValue } from './judge.ts';
import type { Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { compareWord, type Ground, type Word } from './word.ts';

/** The ground of an operation that both contracts have. */
export function groundOf({ name, old, next }: Pair): Ground {
  return {
    old: { contract: old.contract, holder: old.written },
    next: { contract: next.contract, holder: next.written },
    operations: [name],
  };
}

/** Whether an operation is annotated by a word in both contracts, or in one of them only, which is a change by itself. */
export function compareWhole(pair: Pair, key: 'x-collection' | 'x-resource'): readonly Finding[] {
  const [before, after] = [pair.old.written[key], pair.next.written[key]];
  if ((before === undefined) === (after === undefined)) return [];
  const isList = key === 'x-collection';
  const judge = judgeValue('', {
    gone: [
      'breaking',
      `The contract promises no longer that ${isList ? 'the list is complete, sorted, filtered and paged' : 'this reads one thing'}.`,
    ],
    added: ['compatible', 'The contract promises more than before.'],
    changed: ['risky', 'The annotation is another one.'],
  });
  const noun = isList ? 'what the operation lists' : 'what the operation reads';
  const word: Word = { group: isList ? 'list' : 'read', key: '', keys: [key], noun, direction: undefined, print: () => key, judge };
  return compareWord(groundOf(pair), word);
}

/** Compares where records stand, what identifies them and what versions them. */
export function compareListPlaces(pair: Pair): readonly Finding[] {
  return listWords.flatMap((word) => compareWord(groundOf(pair), { ...word, keys: ['x-collection', word.key] }));
}

/** The keys of an annotation that no rule here knows: their changes must not go by in silence. */
export function compareUnknownKeys(ground: Ground, keys: readonly string[], known: readonly string[]): readonly Finding[] {
  const members = (holder: JsonObject): readonly string[] => Object.keys(objectAt(holder, keys));
  const all = new Set([...members(ground.old.holder), ...members(ground.next.holder)]);
  return [...all].filter((key) => !known.includes(key)).flatMap((key) => compareWord(ground, unknownWord([...keys, key])));
}

/** The object at a path of keys; an empty one where there is none. */
export function objectAt(holder: JsonObject, keys: readonly string[]): JsonObject {
  const found = keys.reduce<Json | undefined>((value, key) => (isMembers(value) ? value[key] : undefined), holder);
  return isMembers(found) ? found : {};
}

/** A word whose meaning is not known here. */
export function unknownWord(keys: readonly string[]): Word {
  const reason = 'What it means is not known here; whoever relies on it should look.';
  return {
    group: 'annotation',
    key: '',
    keys,
    noun: `the annotation ${keys.join('.')}`,
    direction: undefined,
    judge: judgeValue('', { gone: ['risky', reason], added: ['risky', reason], changed: ['risky', reason] }),
  };
}

function isMembers(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const listWords: readonly Word[] = [
  {
    ...bodyPlace('items', 'the place of the records in the body'),
    judge: judgeValue('items', { changed: ['breaking', 'Clients look for the records at the old place, and find none.'] }),
  },
  {
    ...bodyPlace('head', 'the place of what stands beside the records'),
    judge: judgeValue('head', { changed: ['breaking', 'Clients look for it at the old place, and do not find it.'] }),
  },
  {
    ...field('key', 'the field that identifies a record'),
    judge: judgeValue('key', { changed: ['breaking', 'Clients that keep records under the old field take them for others.'] }),
  },
  {
    ...field('version', 'the field that changes whenever a record does'),
    judge: judgeValue('version', {
      gone: ['breaking', 'Clients that keep a copy cannot tell any more what has changed.'],
      changed: ['breaking', 'Clients that keep the old field as their checkpoint miss changes.'],
    }),
  },
];

function bodyPlace(key: string, noun: string): Omit<Word, 'judge'> {
  return { group: 'list', key, keys: [], noun, direction: 'response', isPlace: true };
}

function field(key: string, noun: string): Omit<Word, 'judge'> {
  return { group: 'list', key, keys: [], noun, direction: 'response', isPlace: true };
}
