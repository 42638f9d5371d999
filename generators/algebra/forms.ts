/** Forms of instances, and how they are joined: all pairs of them without those that nothing can be, unless they are too many. */

import type { Json } from '../../core/json.ts';
import { recall } from '../recall.ts';
import { equal } from '../schema/equality.ts';
import type { Site } from '../schema/site.ts';
import {
  type Alternative,
  bitOfValue,
  type Claim,
  claimId,
  everything,
  isAbsurd,
  meet,
  memberClaims,
  type TypeName,
  typeBits,
} from './facts.ts';
import { plainKeywords } from './keywords.ts';

/** The alternative without the types that nothing of it can have, or `undefined` when none is left. */
export function prune(given: Alternative): Alternative | undefined {
  const alternative = given.except.length === 0 ? given : withoutEmpty(given);
  let types = alternative.types;
  for (const [name, bit] of Object.entries(typeBits)) {
    if ((types & bit) !== 0 && isImpossible[name as TypeName](alternative)) types &= ~bit;
  }
  const values = alternative.values?.filter((value) => (types & bitOfValue(value)) !== 0 && fits(alternative, value));
  if (values !== undefined) types &= values.reduce<number>((bits, value) => bits | bitOfValue(value), 0);
  if (types === 0) return undefined;
  return { ...alternative, types, values };
}

/** Where the empty array or object is excluded, others have at least one part. */
function withoutEmpty(alternative: Alternative): Alternative {
  const { except, array, object } = alternative;
  const isExcluded = (empty: Json): boolean => except.some((value) => typeof value === 'object' && equal(value, empty));
  const least = { array: array.min === 0 && isExcluded([]) ? 1 : array.min, object: object.min === 0 && isExcluded({}) ? 1 : object.min };
  if (least.array === array.min && least.object === object.min) return alternative;
  return { ...alternative, array: { ...array, min: least.array }, object: { ...object, min: least.object } };
}

/** Whether claims clash plainly: by their types and listed values, or because one of them is the opposite of another. */
export function clash(claims: readonly Claim[]): boolean {
  if (claims.length < 2) return claims.some(isAbsurd);
  const ids = new Set(claims.map(claimId));
  if (claims.some((claim) => isAbsurd(claim) || ids.has(-claimId(claim)))) return true;
  const known = claims.flatMap(plainFactsOf);
  const [first, ...others] = known;
  if (first === undefined || others.length === 0) return false;
  let joined: Alternative | undefined = first;
  for (const other of others) joined = joined && prune(meet(joined, other));
  return joined === undefined;
}

const isImpossible: Readonly<Record<TypeName, (alternative: Alternative) => boolean>> = {
  null: () => false,
  boolean: () => false,
  number: ({ number: { low, high, integer, fractional, multiples, notMultiples, formats, notFormats } }) =>
    low.value > high.value ||
    (low.value === high.value && (low.open || high.open)) ||
    (integer && fractional) ||
    share(multiples, notMultiples) ||
    share(formats, notFormats),
  string: ({ text }) => text.minLength > text.maxLength || share(text.formats, text.notFormats) || share(text.patterns, text.notPatterns),
  array: ({ array }) =>
    array.min > array.max ||
    (array.unique && array.repeated) ||
    array.demands.some(({ min, max, from }) => min > Math.min(max, array.max - from)),
  object: ({ object }) => {
    if (object.min > object.max || object.required.length > object.max) return true;
    return object.scopes.length > 0 && object.required.some((name) => clash(memberClaims(object, name)));
  },
};

/** Whether two lists have something in common. */
function share<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length > 0 && right.length > 0 && left.some((each) => right.includes(each));
}

/** Whether a listed value agrees with the facts about numbers and lengths; what it is made of is looked at when it is drawn. */
function fits({ number, text, except }: Alternative, value: Json): boolean {
  if (typeof value === 'number') {
    const { low, high, integer, fractional } = number;
    const isWithin = low.open ? value > low.value : value >= low.value;
    return isWithin && (high.open ? value < high.value : value <= high.value) && !(Number.isInteger(value) ? fractional : integer);
  }
  if (except.includes(value)) return false;
  if (typeof value !== 'string') return true;
  const length = [...value].length;
  return length >= text.minLength && length <= text.maxLength;
}

/** What a claim says plainly, worked out once. */
function plainFactsOf(claim: Claim): readonly Alternative[] {
  return recall(claim.holds ? satisfied : failed, claim.site, () => plainFacts(claim, 8));
}

const satisfied = new WeakMap<Site, readonly Alternative[]>();
const failed = new WeakMap<Site, readonly Alternative[]>();

/** What a claim says by type and listed values alone, through references that stand beside nothing else. */
function plainFacts({ site, holds }: Claim, depth: number): readonly Alternative[] {
  const keywords = Object.keys(site.keywords).filter((keyword) => telling.has(keyword));
  if (!holds) {
    const [keyword] = keywords;
    if (keyword === undefined || keywords.length > 1 || depth === 0) return [];
    if (keyword === '$ref') return plainFacts({ site: site.target('$ref'), holds }, depth - 1);
    const broken = plainKeywords.find(({ names }) => names[0] === keyword)?.breaches(site) ?? [];
    return broken.length === 1 ? broken.map((breach) => breach.alternative) : [];
  }
  const own = plainKeywords.filter(({ names }) => names.some((name) => name in site.keywords)).map((keyword) => keyword.facts(site));
  if (depth === 0) return own;
  const inside = keywords.includes('$ref') ? [site.target('$ref')] : [];
  const parts = [...inside, ...site.list('allOf')];
  return [...own, ...parts.flatMap((part) => plainFacts({ site: part, holds }, depth - 1))];
}

/** Annotations do not matter for what fails a schema; every other keyword does. */
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  '$comment',
  '$id',
  '$schema',
]);

const telling = { has: (keyword: string): boolean => !annotations.has(keyword) && !keyword.startsWith('x-') };

/** Every form that instances can take; with `isCut`, only some of them, because there were too many. */
export interface Forms {
  readonly list: readonly Alternative[];
  readonly isCut: boolean;
}

/** More forms than this are not multiplied out: enough of them are kept that none of the types is lost. */
const limit = 64;

/** More pairs of forms than this are not joined: of each side so many are kept that they stay below it. */
const joinedMost = 256;
const pairsMost = joinedMost ** 2;

/** The form of whatever there is. */
export const anything: Forms = formOf(everything);
/** The form of nothing. */
export const nothing: Forms = formOf();

/** Some forms, which are all that there are. */
export function formOf(...list: readonly Alternative[]): Forms {
  return { list, isCut: false };
}

/** Forms combine in more ways than there was work allowed for. */
export class TooManyForms extends Error {
  override readonly name = 'TooManyForms' as const;
}

/** Joins forms, as long as there is work allowed for it. */
export class Products {
  #work = Infinity;

  /** Allows so many pairs of forms to be joined from now on; a million take about three seconds. */
  allow(pairs: number): void {
    this.#work = pairs;
  }

  /**
   * Every form of either, joined with every form of the other; of too many, a few of each.
   * @throws {TooManyForms} when it is more work than was allowed.
   */
  product(left: Forms, right: Forms): Forms {
    const isTooMuch = left.list.length * right.list.length > pairsMost;
    const isCut = left.isCut || right.isCut || isTooMuch;
    const [ones, others] = isTooMuch ? [cut(left.list, joinedMost), cut(right.list, joinedMost)] : [left.list, right.list];
    this.#work -= ones.length * others.length;
    if (this.#work < 0) throw new TooManyForms('the choices of the schemas combine in more ways than can be tried');
    const list = ones.flatMap((one) => others.flatMap((other) => prune(meet(one, other)) ?? []));
    const isProduct = ones.length > 1 && others.length > 1;
    return isProduct && list.length > limit ? { list: cut(list, limit), isCut: true } : { list, isCut };
  }
}

/** The forms of any. */
export function union(parts: readonly Forms[]): Forms {
  return { list: parts.flatMap((part) => part.list), isCut: parts.some((part) => part.isCut) };
}

/** At most so many forms, a few for each set of types, the first ones of each. */
function cut(list: readonly Alternative[], most: number): readonly Alternative[] {
  if (list.length <= most) return list;
  const byTypes = new Map<number, Alternative[]>();
  for (const form of list) byTypes.set(form.types, [...(byTypes.get(form.types) ?? []), form]);
  const share = Math.max(1, Math.floor(most / byTypes.size));
  return [...byTypes.values()].flatMap((forms) => forms.slice(0, share));
}
