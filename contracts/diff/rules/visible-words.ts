/** Visibility: which records a caller may see, and how the read of a hidden one is answered. */

import { isObject, type Json } from '../../../core/json.ts';
import type { Visibility } from '../../../core/rules.ts';
import { judgeSet, judgeValue } from './judge.ts';
import { compareUnknownKeys, groundOf } from './list-words.ts';
import { isListPair, type ListPair, type Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { searchVisible } from './visible-witness.ts';
import { compareWord, type Word } from './word.ts';

/** Compares which records are shown. A visibility that is open as a whole, or that only one contract states, is compared as a whole. */
export function compareVisible(pair: Pair): readonly Finding[] {
  if (!isListPair(pair)) return [];
  const ground = groundOf(pair);
  const [before, after] = [writtenOf(pair.old.written), writtenOf(pair.next.written)];
  if (!isParted(before) || !isParted(after)) return compareWord(ground, wholeWord(pair));
  return [
    ...partWords(pair).flatMap((word) => compareWord(ground, word)),
    ...compareUnknownKeys(ground, ['x-collection', 'visible'], ['field', 'shown', 'hidden']),
  ];
}

function writtenOf(written: Pair['old']['written']): Json | undefined {
  const collection = written['x-collection'];
  return isObject(collection) ? collection['visible'] : undefined;
}

function isParted(value: Json | undefined): boolean {
  return isObject(value) && value['field'] !== undefined;
}

function wholeWord(pair: ListPair): Word {
  return {
    group: 'visible',
    key: '',
    keys: ['x-collection', 'visible'],
    noun: 'which records are shown',
    direction: 'response',
    judge: judgeValue('', {
      gone: ['risky', 'Records that were hidden may be listed, counted and found.'],
      added: ['breaking', 'Records that were listed may be hidden.'],
      changed: ['breaking', 'Other records are shown.'],
    }),
    search: (before, after) => searchVisible(pair, toVisibility(before), toVisibility(after)),
  };
}

function partWords(pair: ListPair): readonly Word[] {
  const [before, after] = [pair.old.operation.collection.visible, pair.next.operation.collection.visible];
  const part = (key: string, noun: string, judge: Word['judge'], isShown: boolean): Word => ({
    group: 'visible',
    key,
    keys: ['x-collection', 'visible', key],
    noun,
    direction: 'response',
    judge,
    ...(isShown ? { search: (old, next) => searchVisible(pair, withPart(before, key, old), withPart(after, key, next)) } : {}),
  });
  return [
    part(
      'field',
      'the field that decides which records are shown',
      judgeValue('field', { changed: ['breaking', 'Records that were shown may be hidden, as another field decides.'] }),
      true,
    ),
    part(
      'shown',
      'the values with which a record is shown',
      judgeSet('shown', {
        shorter: ['breaking', 'Records that were listed are hidden.'],
        longer: ['risky', 'Records that were hidden are listed, counted and found.'],
      }),
      true,
    ),
    part(
      'hidden',
      'the answer to the read of a hidden record',
      judgeValue('hidden', { changed: ['breaking', 'Clients that recognise a hidden record by its status meet another one.'] }),
      false,
    ),
  ];
}

function withPart(visible: Visibility | undefined, key: string, value: Json | undefined): Visibility | undefined {
  return visible === undefined || value === undefined ? visible : { ...visible, [key]: value };
}

function toVisibility(value: Json | undefined): Visibility | undefined {
  return isObject(value) ? (value as unknown as Visibility) : undefined;
}
