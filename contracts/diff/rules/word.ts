/** One word of the annotations in two contracts: what its change means, whether it was stated, left open or absent. */

import { type Affected, type Change, type Level, levels, type Witness } from '../../../core/change.ts';
import type { Contract } from '../../../core/contract.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import { isOpen, isSame, type Spot, show, spotAt, type Transition, transitionOf } from './spot.ts';

/** What a search for a witness came to, after so many candidates. */
export interface Search {
  readonly tried: number;
  readonly witness: Witness | undefined;
}

/** A search that there is nothing to try in. */
export const nothingTried: Search = { tried: 0, witness: undefined };

/** A difference at one place, before it is put together with others of the same cause, and before its witness is looked for. */
export interface Finding extends Omit<Change, 'fingerprint' | 'operation' | 'verdict' | 'tried' | 'witness'> {
  /** What it comes from: findings of one cause are one change. */
  readonly cause: string;
  /** Looks for what shows it; `undefined` where the evaluators cannot show it. */
  readonly search: (() => Search) | undefined;
}

/** A level with its reason: who breaks and how, or why nobody does. */
export type Verdict = readonly [level: Level, reason: string];

/** What the change of a stated value means. */
export interface Ruling {
  /** The rule that speaks, within the word's group: `limit-renamed`. */
  readonly rule: string;
  readonly level: Level;
  readonly reason: string;
  /** What changed, where the two values do not tell it. */
  readonly text?: string;
}

/** What it means that a value goes, comes or changes. Words that are required in the annotations neither go nor come. */
export interface Verdicts {
  readonly gone?: Verdict;
  readonly added?: Verdict;
  readonly changed: Verdict;
}

/** What it means that a list shrinks or grows whose order carries nothing. */
export interface SetVerdicts {
  readonly shorter: Verdict;
  readonly longer: Verdict;
}

/** Judges a change from one closed value to another; `undefined` when both mean the same. */
export type Judge = (before: Json | undefined, after: Json | undefined) => Ruling | undefined;

/** A word of the annotations, and what its changes mean. */
export interface Word {
  /** The first part of the identifiers of its changes. */
  readonly group: string;
  /** The word itself, for the identifiers of its changes; empty for the word that the group is about. */
  readonly key: string;
  /** The keys that lead to it from the operation, or from the root. */
  readonly keys: readonly string[];
  /** What it is: `the place of the records`. */
  readonly noun: string;
  readonly direction?: Change['direction'];
  /** Prints a value for sentences, where its JSON is not what a person would write. */
  readonly print?: (value: Json | undefined) => string;
  /** Whether its value is a place in a body: a client that looks in all places that were listed does not look in another one. */
  readonly isPlace?: boolean;
  /** Whether schemas have a say in what it means, so that it may change although it is written as before. */
  readonly isDerived?: boolean;
  /** What holds where the file says nothing. */
  readonly fallback?: Json;
  readonly judge: Judge | Verdicts | SetVerdicts;
  /** Looks for what shows the change from one closed value to another. */
  readonly search?: ((before: Json | undefined, after: Json | undefined) => Search) | undefined;
}

/** The words of one object of the annotations. */
export interface Table {
  readonly group: string;
  /** The keys that lead to the object. */
  readonly keys: readonly string[];
  /** Each is found below the object by its own key, unless it has others. */
  readonly words: readonly Entry[];
  /** Further keys of the object, which others compare. */
  readonly others?: readonly string[];
}

/** A word of a table. */
export type Entry = Omit<Word, 'group' | 'keys'> & Partial<Pick<Word, 'keys'>>;

/** Two objects that hold the same words, and the operations that these are about. */
export interface Ground {
  readonly old: Written;
  readonly next: Written;
  readonly operations: readonly string[];
  /** Where the words stand, when that is not clear from their keys: `query parameter limit`. */
  readonly location?: string;
}

/** An object of a contract as it is written, its questions open. */
export interface Written {
  readonly contract: Contract;
  readonly holder: JsonObject;
}

/** The graver of two rulings; the first where they are equal. */
export function graver<T extends { readonly level: Level }>(left: T, right: T): T {
  return levels.indexOf(right.level) < levels.indexOf(left.level) ? right : left;
}

/** A ruling of a rule. */
export function rule(name: string, [level, reason]: Verdict): Ruling {
  return { rule: name, level, reason };
}

/** A value as a list; of nothing, an empty one. */
export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
}

/** The object at a path of keys; an empty one where there is none. */
export function objectAt(holder: JsonObject, keys: readonly string[]): JsonObject {
  const found = valueAt(holder, toPointer(keys));
  return isObject(found) ? found : {};
}

/** The names of the members that an object at a path of keys has on either side. */
export function namesAt({ old, next }: Pick<Ground, 'old' | 'next'>, keys: readonly string[]): readonly string[] {
  return [...new Set([old, next].flatMap(({ holder }) => Object.keys(objectAt(holder, keys))))];
}

/** Compares the words of a table, and tells what changed beside them: what it means is not known here, but it must not go by in silence. */
export function compareTable(ground: Ground, table: Table): readonly Finding[] {
  const known = table.words.map((word) => word.keys?.[0] ?? word.key);
  return [...compareWords(ground, table), ...compareUnknownKeys(ground, table.keys, [...known, ...(table.others ?? [])])];
}

/** Compares the words of a table. */
export function compareWords(ground: Ground, { group, keys, words }: Table): readonly Finding[] {
  return words.flatMap((word) => compareWord(ground, { ...word, group, keys: [...keys, ...(word.keys ?? [word.key])] }));
}

/** The keys of an annotation that no rule here knows. */
export function compareUnknownKeys(ground: Ground, keys: readonly string[], known: readonly string[]): readonly Finding[] {
  const unknown = namesAt(ground, keys).filter((key) => !known.includes(key));
  return unknown.flatMap((key) => compareUnknown(ground, [...keys, key]));
}

/** Compares a word whose meaning is not known here. */
export function compareUnknown(ground: Ground, keys: readonly string[]): readonly Finding[] {
  const verdict: Verdict = ['risky', 'What it means is not known here; whoever relies on it should look.'];
  const judge = { gone: verdict, added: verdict, changed: verdict };
  return compareWord(ground, { group: 'annotation', key: '', keys, noun: `the annotation ${keys.join('.')}`, judge });
}

/** What changed in a word, in so many findings: none or one. */
export function compareWord(ground: Ground, word: Word): readonly Finding[] {
  const spotOf = ({ contract, holder }: Written): Spot => spotAt(contract, holder, word.keys);
  return compareSpots(ground, word, spotOf(ground.old), spotOf(ground.next));
}

/** The same for values that were looked up elsewhere than where the word's keys lead. */
export function compareSpots(ground: Pick<Ground, 'operations' | 'location'>, word: Word, old: Spot, next: Spot): readonly Finding[] {
  const judge = judgeOf(word);
  const meansSame = (before: Json, after: Json): boolean => (judge(before, after)?.level ?? 'documentation') === 'documentation';
  const transition = transitionOf(orElse(old, word), orElse(next, word), meansSame);
  const told = tell(word, judge, transition.kind === 'same' && word.isDerived === true ? pairUp(old, next) : transition, old, next);
  if (told === undefined) return [];
  const { rule: name, search, ...rest } = told;
  const id = `${word.group}/${name}`;
  const sideOf = ({ value, place }: Spot): Finding['before'] => ({ value, place });
  const cause = old.questions.length + next.questions.length > 0 ? [old.questions, next.questions] : [old.place, next.place];
  const [first = '', ...keys] = word.keys;
  const where = keys.length === 0 ? first : `${first}, ${keys.join('.')}`;
  return [
    {
      id,
      operations: ground.operations,
      direction: word.direction,
      location: [ground.location ?? '', where].filter((part) => part !== '').join(', '),
      before: sideOf(old),
      after: sideOf(next),
      affects: rest.level === 'breaking' || rest.level === 'risky' ? ['clients'] : [],
      cause: JSON.stringify([id, cause, old.value ?? null, next.value ?? null, rest.text]),
      search: search === undefined ? undefined : () => placing(search(), old, next),
      ...rest,
    },
  ];
}

function judgeOf({ key, judge }: Word): Judge {
  if (typeof judge === 'function') return judge;
  return 'shorter' in judge ? judgeSet(key, judge) : judgeValue(key, judge);
}

/** The judge of a single value. */
export function judgeValue(key: string, { gone, added, changed }: Verdicts): Judge {
  const withdrawn: Verdict = ['breaking', 'A promise is withdrawn, and clients may rely on it.'];
  const promised: Verdict = ['compatible', 'It is one promise more.'];
  return (before, after) => {
    if (isSame(before, after)) return undefined;
    if (after === undefined) return rule(named(key, 'gone'), gone ?? withdrawn);
    return before === undefined ? rule(named(key, 'added'), added ?? promised) : rule(named(key, 'changed'), changed);
  };
}

/** The judge of a list. What shrinks and grows at once does the graver of the two. */
function judgeSet(key: string, { shorter, longer }: SetVerdicts): Judge {
  return (before, after) => {
    const [old, next] = [toList(before), toList(after)];
    const isShorter = old.some((member) => !isAmong(member, next));
    const isLonger = next.some((member) => !isAmong(member, old));
    if (isShorter && (!isLonger || shorter[0] === 'breaking')) return rule(`${key}-shorter`, shorter);
    return isLonger ? rule(`${key}-longer`, longer) : undefined;
  };
}

/** Whether a value is one of several. */
export function isAmong(value: Json, values: readonly Json[]): boolean {
  return values.some((each) => isSame(each, value));
}

/** The name of a rule about a word; where the word is the group itself, it is not said twice. */
function named(key: string, what: string): string {
  return key === '' ? what : `${key}-${what}`;
}

type Told = Ruling & Pick<Finding, 'text' | 'search'> & { readonly affects?: readonly Affected[] };

function tell(word: Word, judge: Judge, transition: Transition, old: Spot, next: Spot): Told | undefined {
  const { noun, key, print = show } = word;
  const asked = `left open before (${old.questions.join(', ')})`;
  switch (transition.kind) {
    case 'same':
      return undefined;
    case 'stated':
      return tellStated(word, judge, transition.pairs, old, next);
    case 'answered':
      return {
        ...rule(
          named(key, 'stated'),
          transition.isListed
            ? ['compatible', 'It is one of the answers that the old contract listed, so clients are prepared.']
            : [
                word.isPlace === true ? 'breaking' : 'risky',
                'It is none of the answers that the old contract listed; clients that are prepared for those only do not expect it.',
              ],
        ),
        text: `${noun}: ${asked}, now stated as ${print(transition.after)}`,
        affects: transition.isListed ? ['server'] : ['clients'],
        search: undefined,
      };
    case 'opened':
      return {
        rule: named(key, 'left-open'),
        level: 'breaking',
        text: `${noun}: ${print(transition.before)} before, now left open (${next.questions.join(', ')})`,
        reason: 'A promise is withdrawn: clients that relied on it meet servers that do otherwise and are right.',
        search: searchEach(word, transition),
      };
    case 'reasked':
      return {
        ...rule(named(key, 'asked-otherwise'), reasked(word)[transition.relation]),
        text: `${noun}: ${asked}, and now by another question (${next.questions.join(', ')})`,
        search: undefined,
      };
  }
}

function reasked({ isPlace }: Word): Readonly<Record<Extract<Transition, { kind: 'reasked' }>['relation'], Verdict>> {
  return {
    same: ['documentation', 'The answers that are listed are the same.'],
    fewer: ['compatible', 'Every answer that is left was listed before, so clients are prepared.'],
    other: [
      isPlace === true ? 'breaking' : 'risky',
      'Answers are listed that were not before; clients that are prepared for those only do not expect them.',
    ],
  };
}

function tellStated(
  { noun, print = show, search }: Word,
  judge: Judge,
  pairs: Extract<Transition, { kind: 'stated' }>['pairs'],
  old: Spot,
  next: Spot,
): Told | undefined {
  const [first, ...others] = pairs.flatMap(([before, after]) => {
    const ruling = judge(before, after);
    return ruling === undefined ? [] : [{ ...ruling, before, after }];
  });
  if (first === undefined) return undefined;
  const { before, after, ...ruling } = others.reduce(graver, first);
  const isShown = search !== undefined && (ruling.level === 'breaking' || ruling.level === 'risky');
  const sentence =
    next.value === undefined
      ? `${noun}: ${print(old.value)} is no longer stated`
      : old.value === undefined
        ? `${noun}: ${print(next.value)} is stated now`
        : `${noun} changed from ${print(old.value)} to ${print(next.value)}`;
  return { ...ruling, text: ruling.text ?? sentence, search: isShown ? () => search(before, after) : undefined };
}

/** Where a value is left open, a server may do what any of the answers says: the first that shows a difference will do. */
function searchEach({ search }: Word, { before, afters }: Extract<Transition, { kind: 'opened' }>): (() => Search) | undefined {
  return search && (() => searchInTurn(afters.map((after) => () => search(before, after))));
}

/** Searches one after the other until one has a witness. */
export function searchInTurn(searches: Iterable<() => Search>): Search {
  let tried = 0;
  for (const search of searches) {
    const result = search();
    tried += result.tried;
    if (result.witness !== undefined) return { tried, witness: result.witness };
  }
  return { tried, witness: undefined };
}

/** What refuses a request says so where the word stands; where both contracts answer, it is the new one that answers otherwise. */
function placing({ tried, witness }: Search, old: Spot, next: Spot): Search {
  if (witness === undefined) return { tried, witness };
  return { tried, witness: { ...witness, place: witness.place ?? (witness.refusedBy === 'old' ? old : next).place } };
}

/** What is written alike, once for each answer to what it leaves open. Where that is all of it, nothing is promised of how it works. */
function pairUp(old: Spot, next: Spot): Transition {
  const isPromised = old.value !== undefined && !isOpen(old.value) && isSame(old.readings, next.readings);
  if (!isPromised) return { kind: 'same' };
  return { kind: 'stated', pairs: old.readings.map((reading, index) => [reading, next.readings[index]] as const) };
}

/** What the file does not say is as good as stated where something holds all the same. */
function orElse(spot: Spot, { fallback }: Word): Spot {
  return spot.value === undefined && fallback !== undefined ? { ...spot, readings: [fallback] } : spot;
}
