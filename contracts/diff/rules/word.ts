/** One word of the annotations in two contracts: what its change means, whether it was stated, left open or absent. */

import type { Affected, HalfOfExchange, Level } from '../../../core/change.ts';
import type { Contract } from '../../../core/contract.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { type Finding, graver, type Search } from './rule-change.ts';
import { isOpen, isSame, type Spot, show, spotAt } from './spot.ts';
import { type Transition, transitionOf } from './transition.ts';

/** What the change of a stated value means. */
export interface Ruling {
  /** The rule that speaks, within the word's group: `limit-renamed`. */
  readonly rule: string;
  readonly level: Level;
  /** Who breaks and how, or why nobody does: a sentence. */
  readonly reason: string;
  /** What changed, where the two values do not tell it. */
  readonly text?: string;
}

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
  readonly direction: HalfOfExchange | undefined;
  /** Prints a value for sentences, where its JSON is not what a person would write. */
  readonly print?: (value: Json | undefined) => string;
  /** Whether its value is a place in a body: a client that looks in all places that were listed does not look in another one. */
  readonly isPlace?: boolean;
  /** Whether schemas have a say in what it means, so that it may change although it is written as before. */
  readonly isDerived?: boolean;
  /** What holds where the file says nothing. */
  readonly fallback?: Json;
  /** `undefined` when both values mean the same. */
  readonly judge: (before: Json | undefined, after: Json | undefined) => Ruling | undefined;
  /** Looks for what shows the change from one closed value to another. */
  readonly search?: (before: Json | undefined, after: Json | undefined) => Search;
}

/** Two objects that hold the same words, and the operations that these are about. */
export interface Ground {
  readonly old: { readonly contract: Contract; readonly holder: JsonObject };
  readonly next: { readonly contract: Contract; readonly holder: JsonObject };
  readonly operations: readonly string[];
  /** Where the words stand, when that is not clear from their keys: `query parameter limit`. */
  readonly location?: string;
}

/** What changed in a word, in so many findings: none or one. */
export function compareWord(ground: Ground, word: Word): readonly Finding[] {
  const old = spotAt(ground.old.contract, ground.old.holder, word.keys);
  const next = spotAt(ground.next.contract, ground.next.holder, word.keys);
  return compareSpots(ground, word, old, next);
}

/** The same for values that were looked up elsewhere than where the word's keys lead. */
export function compareSpots(ground: Pick<Ground, 'operations' | 'location'>, word: Word, old: Spot, next: Spot): readonly Finding[] {
  const meansSame = (before: Json, after: Json): boolean => (word.judge(before, after)?.level ?? 'documentation') === 'documentation';
  const transition = transitionOf(orElse(old, word), orElse(next, word), meansSame);
  const told = tell(word, transition.kind === 'same' && word.isDerived === true ? pairUp(old, next) : transition, old, next);
  if (told === undefined) return [];
  const { rule, search, ...rest } = told;
  const id = `${word.group}/${rule}`;
  const [before, after] = [toSide(old), toSide(next)];
  const cause = old.questions.length + next.questions.length > 0 ? [old.questions, next.questions] : [before.place, after.place];
  const finding = {
    id,
    operations: ground.operations,
    direction: word.direction,
    location: [ground.location ?? '', locationOf(word.keys)].filter((part) => part !== '').join(', '),
    before,
    after,
    affects: affectedBy(rest.level),
    cause: JSON.stringify([id, cause, before.value ?? null, after.value ?? null, rest.text]),
    search: search === undefined ? undefined : () => placing(search(), old, next),
    ...rest,
  };
  return [finding];
}

/** The name of a rule about a word; where the word is the group itself, it is not said twice. */
export function named(key: string, what: string): string {
  return key === '' ? what : `${key}-${what}`;
}

/** Where a word stands, for readers: `x-collection, page.limit`. */
export function locationOf([word = '', ...keys]: readonly string[]): string {
  return keys.length === 0 ? word : `${word}, ${keys.join('.')}`;
}

/** Whom a change of a level hits, as far as the level tells. */
export function affectedBy(level: Level): readonly Affected[] {
  return level === 'breaking' || level === 'risky' ? ['clients'] : [];
}

type Told = Ruling & Pick<Finding, 'text' | 'search'>;

function tell(word: Word, transition: Transition, old: Spot, next: Spot): (Told & Partial<Pick<Finding, 'affects'>>) | undefined {
  const { noun, key, print = show } = word;
  switch (transition.kind) {
    case 'same':
      return undefined;
    case 'stated':
      return tellStated(word, transition.pairs, old, next);
    case 'answered':
      return {
        ...answeredRuling(word, transition.isListed),
        text: `${noun}: left open before (${old.questions.join(', ')}), now stated as ${print(transition.after)}`,
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
        ...reaskedRuling(word, transition.relation),
        text: `${noun}: left open before (${old.questions.join(', ')}), and now by another question (${next.questions.join(', ')})`,
        search: undefined,
      };
  }
}

function tellStated(
  word: Word,
  pairs: readonly (readonly [Json | undefined, Json | undefined])[],
  old: Spot,
  next: Spot,
): Told | undefined {
  const judged = pairs.flatMap(([before, after]) => {
    const ruling = word.judge(before, after);
    return ruling === undefined ? [] : [{ ...ruling, before, after }];
  });
  const [first, ...others] = judged;
  if (first === undefined) return undefined;
  const { before, after, ...ruling } = others.reduce(graver, first);
  const { search } = word;
  const isShown = search !== undefined && (ruling.level === 'breaking' || ruling.level === 'risky');
  return { ...ruling, text: ruling.text ?? sentence(word, old, next), search: isShown ? () => search(before, after) : undefined };
}

function sentence({ noun, print = show }: Word, old: Spot, next: Spot): string {
  if (next.value === undefined) return `${noun}: ${print(old.value)} is no longer stated`;
  if (old.value === undefined) return `${noun}: ${print(next.value)} is stated now`;
  return `${noun} changed from ${print(old.value)} to ${print(next.value)}`;
}

function answeredRuling({ key, isPlace }: Word, isListed: boolean): Ruling {
  const rule = named(key, 'stated');
  if (isListed)
    return { rule, level: 'compatible', reason: 'It is one of the answers that the old contract listed, so clients are prepared.' };
  const reason = 'It is none of the answers that the old contract listed; clients that are prepared for those only do not expect it.';
  return { rule, level: isPlace === true ? 'breaking' : 'risky', reason };
}

function reaskedRuling({ key, isPlace }: Word, relation: 'same' | 'fewer' | 'other'): Ruling {
  const rule = named(key, 'asked-otherwise');
  if (relation === 'same') return { rule, level: 'documentation', reason: 'The answers that are listed are the same.' };
  if (relation === 'fewer')
    return { rule, level: 'compatible', reason: 'Every answer that is left was listed before, so clients are prepared.' };
  const reason = 'Answers are listed that were not before; clients that are prepared for those only do not expect them.';
  return { rule, level: isPlace === true ? 'breaking' : 'risky', reason };
}

/** Where a value is left open, a server may do what any of the answers says: the first that shows a difference will do. */
function searchEach({ search }: Word, { before, afters }: Extract<Transition, { kind: 'opened' }>): (() => Search) | undefined {
  if (search === undefined) return undefined;
  return () => {
    let tried = 0;
    for (const after of afters) {
      const result = search(before, after);
      tried += result.tried;
      if (result.witness !== undefined) return { tried, witness: result.witness };
    }
    return { tried, witness: undefined };
  };
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

function toSide({ value, place }: Spot): Finding['before'] {
  return { value, place };
}
