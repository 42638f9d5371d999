/** Paging: its style, its parameters, its places in the body, and what happens at its edges. */

import type { Json } from '../../../core/json.ts';
import { judgeSet, judgeValue, rule, type Verdicts } from './judge.ts';
import { compareUnknownKeys, groundOf, objectAt } from './list-words.ts';
import { searchCap, searchTotal } from './page-witness.ts';
import { isListPair, type Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { compareWord, type Word } from './word.ts';

/** Compares how a list is cut into pages. Of another style nothing can be compared but that it is another. */
export function comparePage(pair: Pair): readonly Finding[] {
  const ground = groundOf(pair);
  const style = compareWord(ground, styleWord);
  if (style.length > 0) return style;
  const known = [styleWord, ...pageWords].map(({ keys }) => keys[2] ?? '');
  return [
    ...pageWords.flatMap((word) => compareWord(ground, { ...word, ...searchOf(pair, word.key) })),
    ...compareUnknownKeys(ground, ['x-collection', 'page'], known),
    ...compareUnknownKeys(ground, ['x-collection', 'page', 'echo'], ['limit', 'page']),
  ];
}

/** The style of paging that an operation has as it is written. */
export function styleOf({ written }: Pair['old']): Json | undefined {
  return objectAt(written, ['x-collection', 'page'])['style'];
}

const styleWord: Word = {
  ...about('style', 'the style of paging'),
  direction: undefined,
  judge: judgeValue('style', { changed: ['breaking', 'Clients that walk the list in the old way do not get past its first page.'] }),
};

const pageWords: readonly Word[] = [
  parameter('limit', 'the parameter for the size of a page'),
  parameter('cursor', 'the parameter for the cursor'),
  parameter('page', 'the parameter for the number of the page'),
  parameter('offset', 'the parameter for the number of records to pass over'),
  place(['next'], 'the place of the next cursor', 'Clients look for the cursor at the old place, and stop after the first page.'),
  place(['more'], 'the place that tells of more pages', 'Clients look for it at the old place, and stop too early or never.'),
  place(['total'], 'the place of the total', 'Clients look for the total at the old place, and do not find it.'),
  place(['echo', 'limit'], 'the place that repeats the limit', 'Clients look for it at the old place, and do not find it.'),
  place(['echo', 'page'], 'the place that repeats the number of the page', 'Clients look for it at the old place, and do not find it.'),
  {
    ...about('fixed', 'the parameters that must stay as they are while paging'),
    direction: 'request',
    judge: judgeSet('fixed', {
      longer: ['breaking', 'Clients that change one of them from page to page, as they might, do not get what they ask for any more.'],
      shorter: ['compatible', 'Clients that leave them all as they are do so still.'],
    }),
  },
  { ...about('changed', 'the answer to a cursor whose filters have changed'), direction: 'request', judge: judgeChanged },
  {
    ...about('counts', 'what the total counts'),
    direction: 'response',
    judge: judgeValue('counts', { changed: ['breaking', 'Clients that work out the number of pages from the total get another number.'] }),
  },
  { ...about('cap', 'the largest limit that is served'), direction: 'request', fallback: null, judge: judgeCap },
  {
    ...about('beyond', 'the answer to a page past the last one'),
    direction: 'response',
    judge: judgeValue('beyond', { changed: ['breaking', 'Clients that walk until they are past the end do not recognise it.'] }),
  },
];

function searchOf(pair: Pair, key: string): Pick<Word, 'search'> {
  if (!isListPair(pair)) return {};
  if (key === 'counts') return { search: (before, after) => searchTotal(pair, before, after) };
  if (key === 'cap') return { search: (before, after) => searchCap(pair, before, after) };
  return {};
}

function judgeChanged(before: Json | undefined, after: Json | undefined): ReturnType<Word['judge']> {
  if (before === after) return undefined;
  if (before === 'refused') {
    return rule('changed-softened', ['risky', 'A mistake that was told before goes unnoticed: clients get other records than they think.']);
  }
  const reason =
    after === 'refused' ? 'Clients that change filters while paging are refused.' : 'The same request is answered with other records.';
  return rule('changed-hardened', ['breaking', reason]);
}

/** No cap is the largest of all. */
function judgeCap(before: Json | undefined, after: Json | undefined): ReturnType<Word['judge']> {
  const [old, next] = [before, after].map((cap) => (typeof cap === 'number' ? cap : Infinity));
  if (old === next || old === undefined || next === undefined) return undefined;
  if (next > old) return rule('cap-raised', ['compatible', 'Whoever asks for no more than the old cap gets the same as before.']);
  return rule('cap-lowered', ['breaking', 'Clients that ask for larger pages get shorter ones, and may take them for the last.']);
}

function about(key: string, noun: string): Pick<Word, 'group' | 'key' | 'keys' | 'noun'> {
  return { group: 'page', key, keys: ['x-collection', 'page', key], noun };
}

function parameter(key: string, noun: string): Word {
  const changed: Verdicts['changed'] = ['breaking', 'Clients send the old parameter, which does not do this any more.'];
  return { ...about(key, noun), direction: 'request', judge: judgeValue(key, { changed }) };
}

function place(keys: readonly string[], noun: string, reason: string): Word {
  const name = keys.join('-');
  const verdicts: Verdicts = { gone: ['breaking', reason], changed: ['breaking', reason] };
  return {
    ...about(name, noun),
    keys: ['x-collection', 'page', ...keys],
    direction: 'response',
    isPlace: true,
    judge: judgeValue(name, verdicts),
  };
}
