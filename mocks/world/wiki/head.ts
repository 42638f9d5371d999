/** What an entry of the wiki is called, and who may see it. Neither ever changes. */

import { type Chance, copies } from '../chance.ts';
import type { Era } from '../era.ts';
import { type EntryType, entryTypes, namedEntries, secretTitle, titleWords } from './words.ts';

/** What all entries are made from. */
export interface WikiSetting {
  readonly era: Era;
  readonly chance: Chance;
  /** The choices for what was brought in by imports. */
  readonly imports: Chance;
  /** How many entries there are when the era begins, and how much time lies between them, in milliseconds. */
  readonly stock: { readonly count: number; readonly gap: number };
}

/** What stays the same of an entry. */
export interface EntryHead {
  readonly title: string;
  readonly slug: string;
  readonly type: EntryType;
  readonly visibility: 'public' | 'team' | 'admin';
  /** The number of a hidden entry among the hidden ones; its secret words come from it. */
  readonly secret: number | undefined;
}

const hidden = ['team', 'team', 'team', 'admin', 'admin'] as const;
/** Cards of visibility: a number deals a place in `hidden`, everything else is public. */
const visibilityCards: readonly (number | undefined)[] = [...copies(33, undefined), ...hidden.keys()];
/** The places of each type. */
const twinsOf: ReadonlyMap<EntryType, readonly number[]> = new Map(
  entryTypes.map((type) => [type, [...entryTypes.keys()].filter((place) => entryTypes[place] === type)]),
);

/** Cards of type: places in `entryTypes`. */
const typeCards: readonly number[] = [...entryTypes.keys()];

/** The head of the entry of an index. */
export function makeHead({ chance }: WikiSetting, index: number): EntryHead {
  const named = namedEntries.get(index);
  if (named !== undefined) return { ...named, slug: makeSlug(named.title), visibility: 'public', secret: undefined };
  const card = chance.deal('type', index, typeCards);
  const type = entryTypes[card] ?? 'creature';
  const place = chance.deal('visibility', index, visibilityCards);
  const secret = place === undefined ? undefined : Math.floor(index / visibilityCards.length) * hidden.length + place;
  const title = makeTitle(chance, type, numberInType(type, card, index), secret);
  return { title, slug: makeSlug(title), type, visibility: place === undefined ? 'public' : (hidden[place] ?? 'admin'), secret };
}

/** How many words can be coined. */
const coinedWords = 77;

/** A word that nothing else in the wiki has in it: no two numbers below 77 have the same. */
export function coinWord([beginnings, endings]: readonly [readonly string[], readonly string[]], number: number): string {
  return `${beginnings[number % beginnings.length]}${endings[number % endings.length]}`;
}

/** How many entries of its type come before an entry; types that are dealt twice a round count twice a round. */
function numberInType(type: EntryType, card: number, index: number): number {
  const twins = twinsOf.get(type) ?? [card];
  return Math.floor(index / entryTypes.length) * twins.length + twins.indexOf(card);
}

/** The counts of first and second words have no common divisor, so counting both at once meets every pair before any comes again. */
function makeTitle(chance: Chance, type: EntryType, number: number, secret: number | undefined): string {
  const { first, second } = titleWords[type];
  const pairs = first.length * second.length;
  const start = chance.range(`first title ${type}`, 0, pairs - 1);
  const beginning = first[(start + number) % first.length];
  // In a wiki that is larger than its words reach, a number tells the next ones apart.
  const round = Math.floor(secret === undefined ? number / pairs : secret / coinedWords);
  const ending = secret === undefined ? second[(start + number) % second.length] : coinWord(secretTitle, secret);
  return `${beginning} ${ending}${round === 0 ? '' : ` ${round + 1}`}`;
}

/** Letters keep their accents; everything that parts words becomes a hyphen. */
function makeSlug(title: string): string {
  return title.toLowerCase().replace(/[ ’'&]+/g, '-');
}
