/** Where a text holds a needle, whichever of its characters are escaped and how. */

import { beginsEscape, type Escape, escapesAt, type Notation } from './redaction-escape.ts';
import type { Needle } from './redaction-needle.ts';
import { type View, viewsOf } from './redaction-view.ts';

/** A needle that was found. */
export interface Finding {
  readonly needle: Needle;
  /** Positions in the original text. */
  readonly start: number;
  readonly end: number;
  /** The notations in which it is escaped, the outermost first. */
  readonly notations: readonly Notation[];
}

/** Needles by their first code unit. */
export type Needles = ReadonlyMap<number, readonly Needle[]>;

/** Sorts needles by where their search begins. */
export function groupByStart(needles: readonly Needle[]): Needles {
  const groups = new Map<number, Needle[]>();
  for (const needle of needles) {
    const unit = needle.text.charCodeAt(0);
    groups.set(unit, [...(groups.get(unit) ?? []), needle]);
  }
  return groups;
}

/** Every place where the text holds a needle, by views: first as it is written, then below its escapes. */
export function* findingsIn(text: string, needles: Needles): Generator<Finding, void, undefined> {
  if (needles.size === 0) return;
  for (const view of viewsOf(text)) yield* listFindings(view, needles);
}

/** A view that is being searched, and what was learnt about it on the way. */
interface Search {
  readonly view: View;
  /** The escapes at a position; they are read once. */
  readonly escapesAt: (at: number) => readonly Escape[];
  /** For each needle, the states from which it is known not to match. */
  readonly dead: ReadonlyMap<Needle, Set<number>>;
}

function listFindings(view: View, needles: Needles): readonly Finding[] {
  const found: Finding[] = [];
  const search = startSearch(view, needles);
  const possible = listPossible(search, needles);
  if (possible.size === 0) return found;
  for (let at = 0; at < view.text.length; at += 1) {
    for (const needle of needlesAt(search, at, possible)) {
      const finding = mayMatch(view.text, at, needle.text) ? findingAt(search, at, needle) : undefined;
      if (finding !== undefined) found.push(finding);
    }
  }
  return found;
}

function startSearch(view: View, needles: Needles): Search {
  const read: (readonly Escape[] | undefined)[] = [];
  return {
    view,
    escapesAt: (at) => {
      const found = read[at] ?? escapesAt(view.text, at);
      read[at] = found;
      return found;
    },
    dead: new Map([...needles.values()].flat().map((needle) => [needle, new Set()])),
  };
}

/** The needles of which every character stands somewhere in the text, plain or in an escape; most are ruled out by this alone. */
function listPossible({ view, escapesAt: escapes }: Search, needles: Needles): Needles {
  const present = new Uint8Array(0x10000);
  for (let at = 0; at < view.text.length; at += 1) {
    const unit = view.text.charCodeAt(at);
    present[unit] = 1;
    for (const { meaning } of beginsEscape(unit) ? escapes(at) : noEscapes)
      for (let index = 0; index < meaning.length; index += 1) present[meaning.charCodeAt(index)] = 1;
  }
  const isPossible = ({ text }: Needle): boolean => Array.from(text, (_, at) => text.charCodeAt(at)).every((unit) => present[unit] === 1);
  return groupByStart([...needles.values()].flat().filter(isPossible));
}

const none: readonly Needle[] = [];
const noEscapes: readonly Escape[] = [];

/** The needles whose first character stands at a position, plain or in an escape. */
function needlesAt({ view, escapesAt: escapes }: Search, at: number, needles: Needles): readonly Needle[] {
  const unit = view.text.charCodeAt(at);
  const plain = needles.get(unit) ?? none;
  const found = beginsEscape(unit) ? escapes(at) : [];
  if (found.length === 0) return plain;
  const units = new Set(found.map(({ meaning }) => meaning.charCodeAt(0)));
  units.delete(unit);
  return [...plain, ...[...units].flatMap((each) => needles.get(each) ?? none)];
}

/** Most places are told by their second character, long before anything is tried. */
function mayMatch(text: string, at: number, needle: string): boolean {
  const second = text.charCodeAt(at + 1);
  return beginsEscape(text.charCodeAt(at)) || beginsEscape(second) || needle.length < 2 || second === needle.charCodeAt(1);
}

function findingAt(search: Search, at: number, needle: Needle): Finding | undefined {
  const { text, layers, origin } = search.view;
  const match = needle.isWord ? matchWord(search.view, at, needle.text) : matchFrom(search, at, needle);
  if (match === undefined) return undefined;
  const start = needle.before === 1 && isBase64(text.charCodeAt(at - 1)) ? at - 1 : at;
  const end = needle.after === 1 && isBase64(text.charCodeAt(match.end)) ? match.end + 1 : match.end;
  return { needle, start: origin(start), end: origin(end), notations: [...new Set([...layers, ...match.notations])] };
}

/** How far a match has come. */
interface State {
  /** Position in the needle. */
  readonly matched: number;
  /** Position in the text. */
  readonly at: number;
  readonly notations: readonly Notation[];
}

interface Match {
  readonly end: number;
  readonly notations: readonly Notation[];
}

/** More dead states are forgotten: they lie behind by then. */
const deadMax = 50_000;

/**
 * Matches a needle from a position on. Where an escape begins, each of its readings and the plain character are tried. No state is tried twice, neither
 * here nor from a later position, so the work is bounded by the length of the needle times that of the text, whatever the text is made to be.
 */
function matchFrom(search: Search, at: number, needle: Needle): Match | undefined {
  const { text } = search.view;
  const first = walkPlain(search, { matched: 0, at, notations: [] }, needle.text);
  if (first.matched === needle.text.length) return { end: first.at, notations: [] };
  if (!beginsEscape(text.charCodeAt(first.at))) return undefined;
  const dead = search.dead.get(needle) ?? new Set();
  const tried: number[] = [];
  const waiting = [first];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    const reached = walkPlain(search, state, needle.text);
    if (reached.matched === needle.text.length) {
      // What was tried on the way to a match is not dead.
      for (const key of tried) dead.delete(key);
      return { end: reached.at, notations: reached.notations };
    }
    const key = reached.at * needle.text.length + reached.matched;
    if (!beginsEscape(text.charCodeAt(reached.at)) || dead.has(key)) continue;
    tried.push(key);
    dead.add(key);
    waiting.push(...statesAfter(search, reached, needle.text));
  }
  if (dead.size > deadMax) dead.clear();
  return undefined;
}

/** Goes on while plain characters agree, up to where an escape begins. */
function walkPlain(search: Search, { matched, at, notations }: State, needle: string): State {
  const { text } = search.view;
  let length = 0;
  for (; matched + length < needle.length; length += 1) {
    const unit = text.charCodeAt(at + length);
    if (unit !== needle.charCodeAt(matched + length) || (beginsEscape(unit) && search.escapesAt(at + length).length > 0)) break;
  }
  return { matched: matched + length, at: at + length, notations };
}

/** The states after the character at which an escape may begin; the plain reading is tried first, being last. */
function statesAfter(search: Search, { matched, at, notations }: State, needle: string): readonly State[] {
  const escaped = search
    .escapesAt(at)
    .filter(({ meaning }) => needle.startsWith(meaning, matched))
    .map(({ meaning, length, notation }) => ({ matched: matched + meaning.length, at: at + length, notations: [...notations, notation] }));
  const isSame = search.view.text.charCodeAt(at) === needle.charCodeAt(matched);
  return isSame ? [...escaped, { matched: matched + 1, at: at + 1, notations }] : escaped;
}

/** A word stands between characters that are neither letters nor digits. */
function matchWord({ text, layers }: View, at: number, word: string): Match | undefined {
  const end = at + word.length;
  if (layers.length > 0 || !text.startsWith(word, at)) return undefined;
  return isAlphanumeric(text.charCodeAt(at - 1)) || isAlphanumeric(text.charCodeAt(end)) ? undefined : { end, notations: [] };
}

function isAlphanumeric(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

/** Both alphabets of RFC 4648. */
function isBase64(unit: number): boolean {
  return isAlphanumeric(unit) || unit === 0x2b || unit === 0x2f || unit === 0x2d || unit === 0x5f;
}
