/** Trouble on request: the rules that hold for every request of a mock, those that a request brings along, and what each request meets of both. */

import { UsageError } from '../../core/errors.ts';
import { headerOf } from '../../core/exchange.ts';
import type { Passage } from '../weather.ts';
import { draw, RequestCounts } from './chance.ts';
import { readTrouble } from './parse.ts';
import { chooseDelay } from './quantity.ts';
import { type Happening, isMeant, type Rule, type RuleList } from './rule.ts';
import { checkSubjects, type Subjects } from './subject.ts';

/** The standing rules of a mock, which can be changed while it runs. A change begins the chances anew, so that it can be repeated. */
export interface Trouble {
  /** The rules that hold, as they were written. */
  readonly list: () => readonly string[];
  /** Puts rules in place of those that hold; `off`, or an empty list, leaves none. */
  readonly set: (rules: string | readonly string[]) => void;
  /** Lets rules hold beside those that hold already. */
  readonly add: (rules: string | readonly string[]) => void;
  /** Leaves no rule. */
  readonly clear: () => void;
  /** As it was when the mock was started. */
  readonly reset: () => void;
}

/** What a rule does to a request. */
export interface Blow {
  /** The rule, as it was written. */
  readonly rule: string;
  /** Whether the request asked for it itself. */
  readonly isOwn: boolean;
  readonly happening: Happening;
  /** How long the answer is held back, if that is what happens. */
  readonly delayMs: number;
}

/** What a request meets of all rules, or why the rules that it brings along cannot be read. */
export type Encounter = { readonly blows: readonly Blow[] } | { readonly refused: string };

/** Standing rules, and the one place where requests meet them. */
export interface TroubleSource extends Trouble {
  /** Each request is counted, so that a retry meets its own chance. */
  readonly meet: (passage: Passage) => Encounter;
}

/** The header by which a request brings rules for itself alone. */
const header = 'mock-trouble';

/**
 * The trouble of a mock, with the rules that it starts with.
 * @throws {UsageError} for a text that is no rule, or names what the mock does not have; `set` and `add` do the same, and change nothing then.
 */
export function createTrouble(seed: number, rules: string | readonly string[], subjects: () => Subjects): TroubleSource {
  const counts = new RequestCounts();
  const initial = readStanding(rules, subjects()).rules;
  let standing = initial;
  const change = (next: readonly Rule[]): void => {
    standing = next;
    counts.forget();
  };
  const meet = (passage: Passage): Encounter => {
    const text = headerOf(passage.request.headers, header);
    if (text === undefined && standing.length === 0) return noBlows;
    const own = text === undefined ? noRules : readOwn(text, subjects());
    if ('refused' in own) return own;
    const meant = [...(own.isOff ? [] : standing), ...own.rules].filter((rule) => isMeant(rule, passage.operation, passage.role));
    if (meant.length === 0) return noBlows;
    const request = counts.count(passage);
    return { blows: meant.flatMap((rule) => strike(seed, rule, request, own.rules.includes(rule))) };
  };
  return {
    list: () => standing.map((rule) => rule.text),
    set: (texts) => change(readStanding(texts, subjects()).rules),
    add: (texts) => {
      const { isOff, rules: added } = readStanding(texts, subjects());
      change([...(isOff ? [] : standing), ...added]);
    },
    clear: () => change([]),
    reset: () => change(initial),
    meet,
  };
}

const noRules: RuleList = { isOff: false, rules: [] };
const noBlows: Encounter = { blows: [] };

function readStanding(texts: string | readonly string[], subjects: Subjects): RuleList {
  const lists = (typeof texts === 'string' ? [texts] : requireTexts(texts)).map((text) => readChecked(text, subjects));
  return { isOff: lists.some(({ isOff }) => isOff), rules: lists.flatMap(({ rules }) => rules) };
}

/** A program in JavaScript has no compiler that tells it, and neither has a body of JSON. */
function requireTexts(texts: readonly string[]): readonly string[] {
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  throw new UsageError(`trouble: ${JSON.stringify(texts)} is neither a text nor a list of texts; write one such as "503 10%"`);
}

function readChecked(text: string, subjects: Subjects): RuleList {
  const list = readTrouble(text);
  for (const rule of list.rules) checkSubjects(rule, subjects);
  return list;
}

function readOwn(text: string, subjects: Subjects): RuleList | { readonly refused: string } {
  try {
    return readChecked(text, subjects);
  } catch (error) {
    if (error instanceof UsageError) return { refused: `Mock-Trouble: ${error.message}.` };
    throw error;
  }
}

function strike(seed: number, { text, share, happening }: Rule, request: string, isOwn: boolean): readonly Blow[] {
  const [decision, first, second] = draw(seed, text, request);
  if (decision >= share) return [];
  const delayMs = happening.kind === 'latency' ? chooseDelay(happening.delay, first, second) : 0;
  return [{ rule: text, isOwn, happening, delayMs }];
}
