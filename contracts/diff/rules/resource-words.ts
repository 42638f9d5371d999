/** Single reads: where the record stands in the body, and by which parameters it is named. */

import type { Json } from '../../../core/json.ts';
import { judgeValue } from './judge.ts';
import { compareUnknownKeys, groundOf, objectAt } from './list-words.ts';
import { searchLookup } from './lookup-witness.ts';
import type { Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { compareWord, type Word } from './word.ts';

/** Compares what a single read reads. */
export function compareResource(pair: Pair): readonly Finding[] {
  const ground = groundOf(pair);
  const keys = ['x-resource', 'by'];
  const names = new Set([...Object.keys(objectAt(pair.old.written, keys)), ...Object.keys(objectAt(pair.next.written, keys))]);
  return [
    ...[placeWord, viewWord].flatMap((word) => compareWord(ground, word)),
    ...[...names].flatMap((name) => compareWord(ground, byWord(pair, name))),
    ...compareUnknownKeys(ground, ['x-resource'], ['name', 'at', 'view', 'by']),
  ];
}

const placeWord: Word = {
  group: 'read',
  key: 'at',
  keys: ['x-resource', 'at'],
  noun: 'the place of what is read in the body',
  direction: 'response',
  isPlace: true,
  judge: judgeValue('at', { changed: ['breaking', 'Clients look for it at the old place, and do not find it.'] }),
};

const viewWord: Word = {
  group: 'read',
  key: 'view',
  keys: ['x-resource', 'view'],
  noun: 'which view of the thing this is',
  direction: undefined,
  judge: judgeValue('view', {
    gone: ['risky', 'It is not promised any more that this is there whenever the other views of it are.'],
    changed: ['risky', 'It may be a view of another thing, or only have another name.'],
  }),
};

function byWord(pair: Pair, name: string): Word {
  return {
    group: 'read',
    key: 'by',
    keys: ['x-resource', 'by', name],
    noun: `the field that ${name} names the record by`,
    direction: 'request',
    isPlace: true,
    judge: judgeValue('by', {
      gone: ['breaking', `Clients that name the record by ${name} do not find it.`],
      added: ['compatible', 'It is one way more of naming the record.'],
      changed: ['breaking', 'The same value names another record, or none.'],
    }),
    search: (before, after) => searchLookup(pair, name, toField(before), toField(after)),
  };
}

function toField(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
