/** Compares one annotation keyword of two contracts, rates the change and words it. Keywords and their ratings come in as data; none is known here. */

import { type Json, printJson } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import { type AffectedParty, type Change, type ChangeLevel, changeLevels } from '../../../core/results/diff-result.ts';
import { describeValueChange } from '../describe-value-change.ts';
import type { Difference } from '../difference.ts';
import { type ExchangePlace, printPlace } from '../exchange-place.ts';
import { type SearchOutcome, searchInTurn, unwitnessed } from '../witnesses/search-outcome.ts';
import type { AnnotatedObject, AnnotationContext } from './annotated-operation-pair.ts';
import { isUnspecified, type LocatedValue, locateValue, printAnnotation } from './located-value.ts';

/** A level, and one sentence on the affected clients. */
export type LevelAndReason = readonly [level: ChangeLevel, reason: string];

/** The rating of a changed value. */
export interface RatedChange {
  /** Rule within the keyword's group: `limit-renamed`. */
  readonly rule: string;
  readonly level: ChangeLevel;
  readonly reason: string;
  /** Sentence on the change, where the two values do not show it. */
  readonly text?: string;
}

/** Ratings for an added, removed or changed value. A keyword that the annotation requires needs only `changed`. */
export interface ValueRatings {
  readonly removed?: LevelAndReason;
  readonly added?: LevelAndReason;
  readonly changed: LevelAndReason;
}

/** Ratings for an unordered list that loses or gains members. */
export interface ListRatings {
  readonly shorter: LevelAndReason;
  readonly longer: LevelAndReason;
}

/** Rates a change between two fully specified values; `undefined` if both mean the same. */
export type RateChange = (before: Json | undefined, after: Json | undefined) => RatedChange | undefined;

/** An annotation keyword, and what its changes mean for clients. */
export interface AnnotationKeyword {
  /** First part of change ids. */
  readonly group: string;
  /** Second part of change ids; empty if the group names the keyword. */
  readonly key: string;
  /** Keys from the operation, or from the root, to the keyword. */
  readonly keys: readonly string[];
  /** Noun for sentences: `the place of the records`. */
  readonly noun: string;
  readonly direction?: Change['direction'];
  /** Prints a value in sentences, where JSON is hard to read. */
  readonly print?: (value: Json | undefined) => string;
  /** Sentence on a value that is now unspecified, where the noun does not make a short one. */
  readonly openText?: string;
  /** Sentences on an added or removed value, where the noun does not make short ones. */
  readonly texts?: { readonly added: string; readonly removed: string };
  /** True if the value is a JSON Pointer into a body. Clients that know the old places do not find another one. */
  readonly isPlace?: boolean;
  /** True if the meaning depends on schemas, so it may change while the text stays the same. */
  readonly isDerived?: boolean;
  /** Value that applies if the file has none. */
  readonly fallback?: Json;
  /** Names of parameters and JSON Pointers that a change of the keyword is about. */
  readonly names?: readonly string[];
  readonly rate: RateChange | ValueRatings | ListRatings;
  /** Searches for a witness of a change between two fully specified values. */
  readonly search?: ((before: Json | undefined, after: Json | undefined) => SearchOutcome) | undefined;
}

/** The keywords of one annotation object. */
interface KeywordTable {
  readonly group: string;
  /** Keys to the object. */
  readonly keys: readonly string[];
  /** The keywords. Each stands under its own key unless it has `keys`. */
  readonly keywords: readonly KeywordRow[];
}

/** A keyword in a table. */
export type KeywordRow = Omit<AnnotationKeyword, 'group' | 'keys'> & Partial<Pick<AnnotationKeyword, 'keys'>>;

/** The more severe of two ratings; the first if they are equal. */
export function moreSevere<T extends { readonly level: ChangeLevel }>(left: T, right: T): T {
  return changeLevels.indexOf(right.level) < changeLevels.indexOf(left.level) ? right : left;
}

/** The rating of a change, from the name of its rule. */
export function toRating(name: string, [level, reason]: LevelAndReason): RatedChange {
  return { rule: name, level, reason };
}

/** A value as a list; empty for `undefined`. */
export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
}

/** Compares the keywords of a table. */
export function compareKeywordRows(context: AnnotationContext, { group, keys, keywords: rows }: KeywordTable): readonly Difference[] {
  return rows.flatMap((keyword) => compareKeyword(context, { ...keyword, group, keys: [...keys, ...(keyword.keys ?? [keyword.key])] }));
}

/** Compares a keyword. Returns at most one difference for each affected operation. */
export function compareKeyword(context: AnnotationContext, keyword: AnnotationKeyword): readonly Difference[] {
  const locate = ({ contract, holder }: AnnotatedObject): LocatedValue => locateValue(contract, holder, keyword.keys);
  return compareLocated(context, keyword, locate(context.old), locate(context.new));
}

/** Compares two located values, of a keyword or derived from several. */
export function compareLocated(
  context: Pick<AnnotationContext, 'operations' | 'part'>,
  keyword: AnnotationKeyword,
  old: LocatedValue,
  next: LocatedValue,
): readonly Difference[] {
  const rate = ratingOf(keyword);
  const meansSame = (before: Json, after: Json): boolean => (rate(before, after)?.level ?? 'documentation') === 'documentation';
  const transition = transitionOf(withFallback(old, keyword), withFallback(next, keyword), meansSame);
  const described = describeTransition(
    keyword,
    rate,
    transition.kind === 'same' && keyword.isDerived === true ? pairPossibleValues(old, next) : transition,
    old,
    next,
  );
  if (described === undefined) return [];
  const { rule: name, findWitness: search, ...rest } = described;
  const id = `${keyword.group}/${name}`;
  const sideOf = ({ value, place }: LocatedValue): Difference['before'] => ({ value, place });
  const edited = old.questions.length + next.questions.length > 0 ? [old.questions, next.questions] : [old.place, next.place];
  const { part } = context;
  const at: ExchangePlace = { ...(part === undefined ? {} : { part }), annotation: keyword.keys };
  const difference: Difference = {
    id,
    operation: undefined,
    direction: keyword.direction,
    at,
    changedItem: printPlace(at),
    before: sideOf(old),
    after: sideOf(next),
    affects: rest.level === 'breaking' || rest.level === 'risky' ? ['clients'] : rest.level === 'security' ? ['server'] : [],
    // Several operations may share the places, and several keywords the questions.
    edit: printJson([edited, old.value ?? null, next.value ?? null, rest.text]),
    findWitness: search && (() => withPlace(search(), old, next)),
    ...(keyword.names === undefined ? {} : { names: keyword.names }),
    ...rest,
  };
  return context.operations.length === 0 ? [difference] : context.operations.map((operation) => ({ ...difference, operation }));
}

function ratingOf({ key, rate }: AnnotationKeyword): RateChange {
  if (typeof rate === 'function') return rate;
  return 'shorter' in rate ? rateList(key, rate) : rateValue(key, rate);
}

/** Rates single values. */
export function rateValue(key: string, { removed, added, changed }: ValueRatings): RateChange {
  const byDefaultRemoved: LevelAndReason = ['breaking', 'The contract no longer promises this, and clients may rely on it.'];
  const byDefaultAdded: LevelAndReason = ['compatible', 'The contract promises more than before.'];
  return (before, after) => {
    if (isSameValue(before, after)) return undefined;
    if (after === undefined) return toRating(ruleName(key, 'removed'), removed ?? byDefaultRemoved);
    return before === undefined ? toRating(ruleName(key, 'added'), added ?? byDefaultAdded) : toRating(ruleName(key, 'changed'), changed);
  };
}

/** Rates lists. A list that loses and gains members gets the more severe rating. */
function rateList(key: string, { shorter, longer }: ListRatings): RateChange {
  return (before, after) => {
    const [old, next] = [toList(before), toList(after)];
    const isShorter = old.some((member) => !isAmong(member, next));
    const isLonger = next.some((member) => !isAmong(member, old));
    if (isShorter && (!isLonger || shorter[0] === 'breaking')) return toRating(`${key}-value-removed`, shorter);
    return isLonger ? toRating(`${key}-value-added`, longer) : undefined;
  };
}

/** True if a list holds an equal value. */
export function isAmong(value: Json, values: readonly Json[]): boolean {
  return values.some((each) => isSameValue(each, value));
}

/** Name of a rule; without the key if the group already names the keyword. */
function ruleName(key: string, what: string): string {
  return key === '' ? what : `${key}-${what}`;
}

type DescribedChange = RatedChange & Pick<Difference, 'text' | 'findWitness'> & { readonly affects?: readonly AffectedParty[] };

function describeTransition(
  keyword: AnnotationKeyword,
  rate: RateChange,
  transition: ValueTransition,
  old: LocatedValue,
  next: LocatedValue,
): DescribedChange | undefined {
  const { noun, key, print = printAnnotation } = keyword;
  switch (transition.kind) {
    case 'same':
      return undefined;
    case 'specified':
      return describeSpecified(keyword, rate, transition.pairs, old, next);
    case 'became-specified':
      return {
        ...toRating(
          ruleName(key, 'specified'),
          transition.isListed
            ? ['compatible', 'It is one of the answers that the old contract listed, so clients are prepared.']
            : [
                keyword.isPlace === true ? 'breaking' : 'risky',
                'The old contract did not list this answer, so clients may not be prepared for it.',
              ],
        ),
        text: `${noun} is now stated: ${print(transition.after)}`,
        affects: transition.isListed ? ['server'] : ['clients'],
        findWitness: undefined,
      };
    case 'became-unspecified':
      return {
        rule: ruleName(key, 'left-unspecified'),
        level: 'breaking',
        text: keyword.openText ?? `${noun} is no longer stated; it was ${print(transition.before)}`,
        reason: 'The contract no longer promises this: a server that behaves differently now conforms.',
        findWitness: searchEachValue(keyword, transition),
      };
    case 'other-question':
      return {
        ...toRating(ruleName(key, 'other-question'), ratingsOfNewQuestion(keyword)[transition.relation]),
        text: `${noun} is still open, under another question: ${next.questions.join(', ')} instead of ${old.questions.join(', ')}`,
        findWitness: undefined,
      };
  }
}

function ratingsOfNewQuestion({
  isPlace,
}: AnnotationKeyword): Readonly<Record<Extract<ValueTransition, { kind: 'other-question' }>['relation'], LevelAndReason>> {
  return {
    same: ['documentation', 'The listed answers are the same.'],
    fewer: ['compatible', 'All remaining answers were listed before, so clients are prepared.'],
    other: [isPlace === true ? 'breaking' : 'risky', 'Some listed answers are new, and clients may not be prepared for them.'],
  };
}

function describeSpecified(
  { noun, print = printAnnotation, search, texts }: AnnotationKeyword,
  rate: RateChange,
  pairs: Extract<ValueTransition, { kind: 'specified' }>['pairs'],
  old: LocatedValue,
  next: LocatedValue,
): DescribedChange | undefined {
  const [first, ...others] = pairs.flatMap(([oldParts, newParts]) => {
    const rating = rate(oldParts, newParts);
    return rating === undefined ? [] : [{ ...rating, before: oldParts, after: newParts }];
  });
  if (first === undefined) return undefined;
  const { before, after, ...rating } = others.reduce(moreSevere, first);
  const isShown = search !== undefined && (rating.level === 'security' || rating.level === 'breaking' || rating.level === 'risky');
  const [was, is] = [old, next].map(({ value }) => (value === undefined ? undefined : print(value)));
  const special = before === undefined ? texts?.added : after === undefined ? texts?.removed : undefined;
  const sentence = special ?? describeValueChange(noun, was, is);
  return { ...rating, text: rating.text ?? sentence, findWitness: isShown ? () => search(before, after) : undefined };
}

/** Searches with each listed answer until one gives a witness. A server may choose any answer, so one witness is enough. */
function searchEachValue(
  { search }: AnnotationKeyword,
  { before, afters }: Extract<ValueTransition, { kind: 'became-unspecified' }>,
): (() => SearchOutcome) | undefined {
  return search && (() => searchInTurn(afters.map((after) => () => search(before, after))) ?? unwitnessed);
}

/** Adds the place of the keyword to a witness: its place in the refusing contract, or in the new one if both contracts answer. */
function withPlace(outcome: SearchOutcome, old: LocatedValue, next: LocatedValue): SearchOutcome {
  if (outcome.verdict !== 'witnessed') return outcome;
  const { witness } = outcome;
  return { ...outcome, witness: { ...witness, place: witness.place ?? (witness.refusedBy === 'old' ? old : next).place } };
}

/**
 * Pairs of possible values for an unchanged text whose meaning depends on schemas. An unspecified value promises nothing, so it has no
 * pairs.
 */
function pairPossibleValues(old: LocatedValue, next: LocatedValue): ValueTransition {
  const isPromisedByBoth = old.value !== undefined && !isUnspecified(old.value) && isSameValue(old.possibleValues, next.possibleValues);
  if (!isPromisedByBoth) return { kind: 'same' };
  return { kind: 'specified', pairs: old.possibleValues.map((value, index) => [value, next.possibleValues[index]] as const) };
}

/** Gives an absent value the fallback as its only possible value. */
function withFallback(located: LocatedValue, { fallback }: AnnotationKeyword): LocatedValue {
  return located.value === undefined && fallback !== undefined ? { ...located, possibleValues: [fallback] } : located;
}

/**
 * Transition of a value between two contracts.
 *
 * - `same`: no change.
 * - `specified`: specified, or absent on one side. With the same open questions on both sides, there is a pair for each answer.
 * - `became-specified`: unspecified before, now specified. `isListed` is true if the old contract listed the new value as a possible answer.
 * - `became-unspecified`: specified before, at least in part, now unspecified.
 * - `other-question`: unspecified on both sides, by other points. `relation` compares the listed answers.
 */
type ValueTransition =
  | { readonly kind: 'same' }
  | { readonly kind: 'specified'; readonly pairs: readonly (readonly [Json | undefined, Json | undefined])[] }
  | { readonly kind: 'became-specified'; readonly after: Json; readonly isListed: boolean }
  | { readonly kind: 'became-unspecified'; readonly before: Json; readonly afters: readonly Json[] }
  | { readonly kind: 'other-question'; readonly relation: 'same' | 'fewer' | 'other' };

/** Compares two values. `meansSame` is true if two different, fully specified values have the same meaning. */
function transitionOf(old: LocatedValue, next: LocatedValue, meansSame: (before: Json, after: Json) => boolean): ValueTransition {
  const hasEquivalent = (value: Json, values: readonly Json[]): boolean =>
    values.some((each) => isSameValue(each, value) || meansSame(each, value));
  const [before, after] = [old.possibleValues[0], next.possibleValues[0]];
  if (before === undefined || after === undefined) {
    return before === after ? { kind: 'same' } : { kind: 'specified', pairs: [[before, after]] };
  }
  if (isSameValue(old.value, next.value)) return { kind: 'same' };
  // With the same points on both sides, the values for the same answers belong together.
  if (old.questions.toSorted().join() === next.questions.toSorted().join())
    return {
      kind: 'specified',
      pairs: old.possibleValues.map((value, index) => [value, next.possibleValues[index] ?? after] as const),
    };
  if (next.questions.length === 0) return { kind: 'became-specified', after, isListed: hasEquivalent(after, old.possibleValues) };
  const isWithdrawn = old.value !== undefined && !isUnspecified(old.value) && next.value !== undefined && isUnspecified(next.value);
  if (old.questions.length === 0 || isWithdrawn) return { kind: 'became-unspecified', before, afters: next.possibleValues };
  if (!next.possibleValues.every((value) => hasEquivalent(value, old.possibleValues))) return { kind: 'other-question', relation: 'other' };
  return {
    kind: 'other-question',
    relation: old.possibleValues.every((value) => hasEquivalent(value, next.possibleValues)) ? 'same' : 'fewer',
  };
}
