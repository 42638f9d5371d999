/** Open questions themselves: their words, their choices, and the choice that the mock takes. What they stand for is compared where they stand. */

import type { Json } from '../../../core/json.ts';
import type { Question } from '../../../core/profile.ts';
import { judgeValue, rule, type Verdict } from './judge.ts';
import { compareUnknownKeys, objectAt } from './list-words.ts';
import type { Pair } from './pair.ts';
import type { Finding } from './rule-change.ts';
import { listMarks } from './schema-marks.ts';
import { isSame, show } from './spot.ts';
import { compareWord, type Ground, type Ruling, type Word } from './word.ts';

const word = 'x-unspecified';

/** Compares the questions. One that stands somewhere comes or goes there; one that is only asked comes or goes here. */
export function compareQuestions(ground: Ground, pairs: readonly Pair[]): readonly Finding[] {
  const { old, next } = ground;
  const ids = new Set([...old.contract.questions.keys(), ...next.contract.questions.keys()]);
  return [...ids].flatMap((id) => {
    const [before, after] = [old.contract.questions.get(id), next.contract.questions.get(id)];
    if (isSame(objectAt(old.holder, [word])[id], objectAt(next.holder, [word])[id])) return [];
    if (before !== undefined && after !== undefined) return compareQuestion(ground, pairs, before, after);
    const isAsked = (before ?? after)?.pointers.length === 0;
    return isAsked ? compareWord({ ...ground, operations: [] }, askedWord(id)) : [];
  });
}

/** The operations that a question is about: those where it stands, by way of shared schemas too, or all of them. */
function operationsOf({ id, pointers }: Question, pairs: readonly Pair[]): readonly string[] {
  const isRoot = pointers.some((pointer) => pointer.startsWith('/x-'));
  const isAbout = ({ next }: Pair): boolean =>
    isRoot ||
    pointers.some((pointer) => pointer.startsWith(`${next.operation.pointer}/`)) ||
    listMarks(next).some(({ word: mark, value }) => mark === word && value === id);
  return pairs.filter(isAbout).map(({ name }) => name);
}

function compareQuestion(ground: Ground, pairs: readonly Pair[], before: Question, after: Question): readonly Finding[] {
  const { id } = after;
  const reached = { ...ground, operations: operationsOf(after, pairs) };
  const unread: Verdict = ['documentation', 'The answers are the same; only the words are others.'];
  const wording = (key: string, noun: string): Word => ({
    ...about(id, key, `${noun} ${id}`),
    judge: judgeValue(key, { changed: unread, gone: unread, added: unread }),
  });
  return [
    ...compareWord(reached, wording('question', 'the words of the question')),
    ...compareWord(reached, wording('source', 'the source of the question')),
    ...compareWord(reached, mockWord(after)),
    ...compareWord(reached, choicesWord(before, after)),
    ...compareUnknownKeys(reached, [word, id], ['question', 'source', 'mock', 'choices']),
  ];
}

function askedWord(id: string): Word {
  const reason = 'It is only asked; nothing that is promised depends on it.';
  const verdict: Verdict = ['documentation', reason];
  const judge = judgeValue('', { gone: verdict, added: verdict, changed: verdict });
  return { group: 'question', key: '', keys: [word, id], noun: `the question ${id}`, direction: undefined, judge };
}

function mockWord({ id, choices }: Question): Word {
  const changed: Verdict =
    choices.size === 0
      ? ['documentation', 'It only tells what the mock does; nothing is promised.']
      : ['risky', 'The mock answers otherwise unless a profile says so: programs that were only tried with the mock may stumble.'];
  return { ...about(id, 'mock', `what the mock takes for ${id}`), judge: judgeValue('mock', { changed }) };
}

function choicesWord(before: Question, after: Question): Word {
  return { ...about(after.id, 'choices', `the choices of ${after.id}`), judge: () => judgeChoices(before, after) };
}

function judgeChoices(before: Question, after: Question): Ruling {
  const [old, next] = [[...before.choices.values()], [...after.choices.values()]];
  const isAmong = (value: Json, values: readonly Json[]): boolean => values.some((each) => isSame(each, value));
  const added = next.filter((value) => !isAmong(value, old));
  const isNarrower = old.some((value) => !isAmong(value, next));
  if (old.length === 0) return rule('choices-listed', ['compatible', 'The answers are listed now; before, any was possible.']);
  if (next.length === 0) return rule('choices-gone', ['risky', 'Any answer is possible now; before, they were listed.']);
  if (added.length > 0) {
    const reason = `Clients that are prepared for the listed answers may meet ${added.map(show).join(', ')} as well.`;
    return rule('choices-more', [added.every(isPlace) ? 'breaking' : 'risky', reason]);
  }
  if (isNarrower)
    return rule('choices-fewer', ['compatible', 'Clients that are prepared for all the answers are prepared for those that are left.']);
  return rule('choices-renamed', ['risky', 'The answers are the same, but profiles that name them by their old names are refused.']);
}

/** A place where something may stand: whoever does not know it does not look there. */
function isPlace(value: Json): boolean {
  return typeof value === 'string' && (value === '' || value.startsWith('/'));
}

function about(id: string, key: string, noun: string): Omit<Word, 'judge'> {
  return { group: 'question', key, keys: [word, id, key], noun, direction: undefined };
}
