/** Marks in schemas that come, go or change where the schema itself stays. */

import { isObject, type Json } from '../../../core/json.ts';
import { toPointer } from '../../../core/pointer.ts';
import { type Schema, schemasAt } from '../../../core/schema.ts';
import { judgeValue, type Verdicts } from './judge.ts';
import type { Half, Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { listSites, type Mark, type Site } from './schema-marks.ts';
import type { Spot } from './spot.ts';
import { compareSpots, type Word } from './word.ts';

/** Compares the marks of the schemas of an operation. What stands in a schema that comes or goes comes and goes with it, and is told there. */
export function compareMarks(pair: Pair): readonly Finding[] {
  const after = listSites(pair.next);
  return listSites(pair.old).flatMap((old) => {
    const next = after.find((each) => each.name === old.name);
    return next === undefined ? [] : compareSites(pair, old, next);
  });
}

function compareSites(pair: Pair, old: Site, next: Site): readonly Finding[] {
  const [before, after] = [index(old.marks), index(next.marks)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    const mark = was ?? is;
    if (mark === undefined) return [];
    const [oldSpot, nextSpot] = [spotOf(pair.old, old, mark, was), spotOf(pair.next, next, mark, is)];
    if (oldSpot === undefined || nextSpot === undefined) return [];
    const location = [old.name, print(mark.path)].filter((part) => part !== '').join(', ');
    return compareSpots({ operations: [pair.name], location }, wordOf(mark, old), oldSpot, nextSpot);
  });
}

/** By word and path: at one place there is one of each word. */
function index(marks: readonly Mark[]): ReadonlyMap<string, Mark> {
  return new Map(marks.map((mark) => [JSON.stringify([mark.word, mark.path]), mark]));
}

/** The mark, or the schema that lacks it; `undefined` where nothing is said about such a value at all. */
function spotOf({ contract }: Half, site: Site, mark: Mark, own: Mark | undefined): Spot | undefined {
  const { document } = contract;
  if (own !== undefined) {
    return { value: own.value, place: document.place(own.holder, own.word), questions: [], readings: [own.value] };
  }
  const holder = schemasAt(document, site.schema as Schema, pointerOf(mark.path)).find(isObject);
  return holder === undefined ? undefined : { value: undefined, place: document.place(holder), questions: [], readings: [] };
}

function pointerOf(path: readonly string[]): string {
  return toPointer(path.map((key) => (key === '[]' ? '0' : key)));
}

/** A path as people write it: `items[].state`. */
function print(path: readonly string[]): string {
  return path.map((key, at) => (key === '[]' || at === 0 ? key : `.${key}`)).join('');
}

function wordOf({ word, path }: Mark, { direction }: Site): Word {
  // A shared schema is reached on many paths, and what changes in it is one change: only the last name is the same on all of them.
  const what = path.findLast((key) => key !== '[]') ?? 'the value';
  const isPersonal = word === 'x-personal';
  return {
    group: 'schema',
    key: isPersonal ? 'personal' : 'question',
    keys: [word],
    noun: isPersonal ? `the mark of ${what} as personal` : `the question beside ${what}`,
    direction,
    judge: isPersonal ? judgeValue('personal', personal) : judgeQuestion,
  };
}

const personal: Verdicts = {
  gone: ['risky', 'Reports and journals show the value, whoever it is about.'],
  added: ['documentation', 'Reports and journals hide the value unless they are asked for it.'],
  changed: ['documentation', 'Reports and journals treat it as before.'],
};

function judgeQuestion(before: Json | undefined, after: Json | undefined): ReturnType<Word['judge']> {
  return judgeValue('question', {
    gone: ['compatible', 'It is not open any more; what the schema beside it allows is told there.'],
    added: ['risky', 'The schema may say more than servers keep to: which of the answers holds is left open.'],
    changed: ['documentation', 'Another question is asked about the same value; what the schema allows is told there.'],
  })(before, after);
}
