/**
 * Unions of domains: the disjunctive normal form of a schema. expand-constraints.ts builds them, and the analyses of schemas and faults
 * read them. Intersecting two unions intersects every pair of their domains and drops the empty ones, up to a limit.
 */

import type { Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import {
  bitOfValue,
  type Constraint,
  constraintId,
  type Domain,
  everything,
  intersect,
  isContradiction,
  memberConstraints,
  type TypeName,
  typeBits,
} from './domain.ts';
import { typeAndValueKeywords } from './keyword-domains.ts';

/** Removes the types without instances from a domain; `undefined` if the domain is empty. */
export function prune(original: Domain): Domain | undefined {
  const domain = original.excluded.length === 0 ? original : withoutEmpty(original);
  let types = domain.types;
  for (const [name, bit] of Object.entries(typeBits)) {
    if ((types & bit) !== 0 && isImpossible[name as TypeName](domain)) types &= ~bit;
  }
  const values = domain.values?.filter((value) => (types & bitOfValue(value)) !== 0 && isWithinBounds(domain, value));
  if (values !== undefined) types &= values.reduce<number>((bits, value) => bits | bitOfValue(value), 0);
  if (types === 0) return undefined;
  return { ...domain, types, values };
}

/** Raises the minimum to 1 when the empty array or object is excluded. */
function withoutEmpty(domain: Domain): Domain {
  const { excluded, array, object } = domain;
  const isExcluded = (empty: Json): boolean => excluded.some((value) => typeof value === 'object' && equal(value, empty));
  const least = { array: array.min === 0 && isExcluded([]) ? 1 : array.min, object: object.min === 0 && isExcluded({}) ? 1 : object.min };
  if (least.array === array.min && least.object === object.min) return domain;
  return { ...domain, array: { ...array, min: least.array }, object: { ...object, min: least.object } };
}

/** True if constraints contradict each other by their types or listed values, or because one is the opposite of another. A quick test. */
export function areContradictory(constraints: readonly Constraint[]): boolean {
  if (constraints.length < 2) return constraints.some(isContradiction);
  const ids = new Set(constraints.map(constraintId));
  if (constraints.some((constraint) => isContradiction(constraint) || ids.has(-constraintId(constraint)))) return true;
  const [first, ...others] = constraints.flatMap(typeAndValueDomainsOf);
  if (first === undefined || others.length === 0) return false;
  let joined: Domain | undefined = first;
  for (const other of others) joined = joined && prune(intersect(joined, other));
  return joined === undefined;
}

const isImpossible: Readonly<Record<TypeName, (domain: Domain) => boolean>> = {
  null: () => false,
  boolean: () => false,
  number: ({ number: { low, high, integer, fractional, multiples, notMultiples, formats, notFormats } }) =>
    low.value > high.value ||
    (low.value === high.value && (low.open || high.open)) ||
    (integer && fractional) ||
    haveCommon(multiples, notMultiples) ||
    haveCommon(formats, notFormats),
  string: ({ text }) =>
    text.minLength > text.maxLength || haveCommon(text.formats, text.notFormats) || haveCommon(text.patterns, text.notPatterns),
  array: ({ array }) =>
    array.min > array.max ||
    (array.unique && array.repeated) ||
    array.requirements.some(({ min, max, from }) => min > Math.min(max, array.max - from)),
  object: ({ object }) => {
    if (object.min > object.max || object.required.length > object.max) return true;
    return object.applicators.length > 0 && object.required.some((name) => areContradictory(memberConstraints(object, name)));
  },
};

function haveCommon<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length > 0 && right.length > 0 && left.some((each) => right.includes(each));
}

/** Checks a listed value against bounds and lengths. The inside of arrays and objects is checked when the value is drawn. */
function isWithinBounds({ number, text, excluded }: Domain, value: Json): boolean {
  if (typeof value === 'number') {
    const { low, high, integer, fractional } = number;
    const isWithin = low.open ? value > low.value : value >= low.value;
    return isWithin && (high.open ? value < high.value : value <= high.value) && !(Number.isInteger(value) ? fractional : integer);
  }
  if (excluded.includes(value)) return false;
  if (typeof value !== 'string') return true;
  const length = [...value].length;
  return length >= text.minLength && length <= text.maxLength;
}

function typeAndValueDomainsOf(constraint: Constraint): readonly Domain[] {
  return getOrCompute(constraint.holds ? domainsOfSatisfied : domainsOfFailed, constraint.location, () =>
    typeAndValueDomains(constraint, 8),
  );
}

const domainsOfSatisfied = new WeakMap<LocatedSchema, readonly Domain[]>();
const domainsOfFailed = new WeakMap<LocatedSchema, readonly Domain[]>();

/** The domains that the types and listed values of a constraint describe. Only references and `allOf` are followed; `depth` bounds them. */
function typeAndValueDomains({ location, holds }: Constraint, depth: number): readonly Domain[] {
  const keywords = Object.keys(location.keywords).filter((keyword) => assertions.has(keyword));
  if (!holds) {
    const [keyword] = keywords;
    if (keyword === undefined || keywords.length > 1 || depth === 0) return [];
    if (keyword === '$ref') return typeAndValueDomains({ location: location.target('$ref'), holds }, depth - 1);
    const broken = typeAndValueKeywords.find(({ names }) => names[0] === keyword)?.violations(location) ?? [];
    return broken.length === 1 ? broken.map((violation) => violation.domain) : [];
  }
  const own = typeAndValueKeywords
    .filter(({ names }) => names.some((name) => name in location.keywords))
    .map((keyword) => keyword.domain(location));
  if (depth === 0) return own;
  const inside = keywords.includes('$ref') ? [location.target('$ref')] : [];
  const parts = [...inside, ...location.list('allOf')];
  return [...own, ...parts.flatMap((part) => typeAndValueDomains({ location: part, holds }, depth - 1))];
}

/** Keywords that no instance fails. */
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

const assertions = { has: (keyword: string): boolean => !annotations.has(keyword) && !keyword.startsWith('x-') };

/** A union of domains. When `isTruncated`, domains were left out because there were too many. */
export interface DomainUnion {
  readonly domains: readonly Domain[];
  readonly isTruncated: boolean;
}

/** A product of two unions keeps this many domains, some for each set of types. */
const productLimit = 64;

/** More pairs of domains than this are not intersected: each side is cut to `operandLimit` domains first. */
const operandLimit = 256;
const pairLimit = operandLimit ** 2;

/** The union that holds every instance. */
export const anything: DomainUnion = unionOf(everything);
/** The union without instances. */
export const nothing: DomainUnion = unionOf();

/** A complete union of some domains. */
export function unionOf(...domains: readonly Domain[]): DomainUnion {
  return { domains, isTruncated: false };
}

/** Domains combine in more ways than the work limit allows. */
export class TooManyDomains extends Error {
  override readonly name = 'TooManyDomains' as const;
}

/** Intersects unions within a limit of work. */
export class UnionIntersection {
  #work = Infinity;

  /** Sets how many pairs of domains may be intersected from now on. A million take about three seconds. */
  allow(pairs: number): void {
    this.#work = pairs;
  }

  /**
   * The intersection of two unions: every domain of one with every domain of the other. Of too many, a few of each.
   * @throws {TooManyDomains} past the limit of work.
   */
  intersect(left: DomainUnion, right: DomainUnion): DomainUnion {
    const isTooMuch = left.domains.length * right.domains.length > pairLimit;
    const isTruncated = left.isTruncated || right.isTruncated || isTooMuch;
    const [ones, others] = isTooMuch
      ? [truncate(left.domains, operandLimit), truncate(right.domains, operandLimit)]
      : [left.domains, right.domains];
    this.#work -= ones.length * others.length;
    if (this.#work < 0) throw new TooManyDomains('the alternatives of the schemas combine in too many ways');
    const domains = ones.flatMap((one) => others.flatMap((other) => prune(intersect(one, other)) ?? []));
    const isProduct = ones.length > 1 && others.length > 1;
    return isProduct && domains.length > productLimit
      ? { domains: truncate(domains, productLimit), isTruncated: true }
      : { domains, isTruncated };
  }
}

/** The union of unions. */
export function unite(parts: readonly DomainUnion[]): DomainUnion {
  return { domains: parts.flatMap((part) => part.domains), isTruncated: parts.some((part) => part.isTruncated) };
}

/** Keeps about `limit` domains: the first ones of each set of types. */
function truncate(list: readonly Domain[], limit: number): readonly Domain[] {
  if (list.length <= limit) return list;
  const byTypes = new Map<number, Domain[]>();
  for (const domain of list) byTypes.set(domain.types, [...(byTypes.get(domain.types) ?? []), domain]);
  const share = Math.max(1, Math.floor(limit / byTypes.size));
  return [...byTypes.values()].flatMap((domains) => domains.slice(0, share));
}
