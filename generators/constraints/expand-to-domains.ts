/**
 * Expands constraints to unions of domains: the disjunctive normal form of a schema or of its complement. Each is expanded once, when it is first needed; those
 * on items and members are not expanded with their array or object.
 */

import { Unsupported } from '../generation-errors.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import { omit } from '../schema/located-schema.ts';
import { combiningKeywordsOf, constraintsOf } from './combining-keywords.ts';
import { type Constraint, constraintId, fails, satisfies } from './constraint.ts';
import { type DomainUnion, emptyUnion, unionOf, unite, universalUnion } from './domain-union.ts';
import { type Domain, intersect } from './instance-domain.ts';
import { keywordDomain, partsInPlace, unevaluatedItems, unevaluatedProperties, violationsOf } from './instance-keywords.ts';
import { prune } from './prune-domain.ts';

/** A product of two unions keeps this many domains, some for each set of types. */
const maxProduct = 64;

/** Pairs of domains that may be intersected, unless `allow` says otherwise. A million take about three seconds. */
const defaultPairs = 5_000_000;

/** Expands each constraint once. */
export class Expansion {
  readonly #unions = new Map<number, DomainUnion>();
  readonly #expanding = new Set<number>();
  #pairsLeft = defaultPairs;

  /** Sets how many pairs of domains may be intersected from now on. */
  allow(pairCount: number): void {
    this.#pairsLeft = pairCount;
  }

  /** How many pairs of domains may still be intersected; below zero past the limit. */
  get pairsLeft(): number {
    return this.#pairsLeft;
  }

  /**
   * The intersection of two unions: every domain of one with every domain of the other. Of a large product, a few of each set of types.
   * @throws {Unsupported} past the limit of pairs.
   */
  intersect(left: DomainUnion, right: DomainUnion): DomainUnion {
    this.#countPairs(left, right);
    const domains = left.domains.flatMap((leftDomain) =>
      right.domains.flatMap((rightDomain) => prune(intersect(leftDomain, rightDomain)) ?? []),
    );
    const union = { domains, isTruncated: left.isTruncated || right.isTruncated };
    // Unions whose domains exclude each other, such as branches with different constants, stay as small as they were.
    const isGrowing = domains.length > Math.max(left.domains.length, right.domains.length);
    return limited(union, isGrowing && left.domains.length > 1 && right.domains.length > 1);
  }

  #countPairs(left: DomainUnion, right: DomainUnion): void {
    this.#pairsLeft -= left.domains.length * right.domains.length;
    if (this.#pairsLeft < 0) throw new Unsupported('#', 'anyOf', 'the alternatives of the schemas combine in too many ways');
  }

  /** The domains of the instances that meet a constraint. */
  domainsOf(constraint: Constraint): DomainUnion {
    const id = constraintId(constraint);
    const cachedUnion = this.#unions.get(id);
    if (cachedUnion !== undefined) return cachedUnion;
    // A schema that refers to itself at the same instance adds no constraint.
    if (this.#expanding.has(id)) return constraint.holds ? universalUnion : emptyUnion;
    this.#expanding.add(id);
    try {
      const union = constraint.holds ? this.#satisfying(constraint.location) : notEvaluating(this.#failing(constraint.location));
      this.#unions.set(id, union);
      return union;
    } finally {
      this.#expanding.delete(id);
    }
  }

  /** The domains of the instances that meet all constraints. Small unions come first: they prune the others. */
  intersectionOf(constraints: readonly Constraint[]): DomainUnion {
    const parts = constraints.map((constraint) => this.domainsOf(constraint));
    return parts
      .toSorted((left, right) => left.domains.length - right.domains.length)
      .reduce((union, part) => this.intersect(union, part), universalUnion);
  }

  #satisfying(location: LocatedSchema): DomainUnion {
    if (typeof location.schema === 'boolean') return location.schema ? universalUnion : emptyUnion;
    let union = this.intersect(universalUnion, unionOf(keywordDomain(location)));
    for (const part of partsInPlace(location)) union = this.intersect(union, this.domainsOf(satisfies(part)));
    for (const { alternatives } of combiningKeywordsOf(location)) union = this.#chooseOne(union, alternatives.map(constraintsOf));
    return this.#addUnevaluated(location, union, false);
  }

  /** The instances of a union that meet all constraints of one of the lists. */
  #chooseOne(union: DomainUnion, constraintLists: readonly (readonly Constraint[])[]): DomainUnion {
    const parts = constraintLists.map((list) => list.reduce((part, constraint) => this.#restrict(part, constraint), union));
    return limited(unite(parts), union.domains.length > 1 && parts.length > 1);
  }

  #restrict(union: DomainUnion, { location, holds }: Constraint): DomainUnion {
    return holds ? this.intersect(union, this.domainsOf(satisfies(location))) : this.#subtract(union, location);
  }

  /** The union without the instances of a schema. Domains that are disjoint from it stay unchanged. */
  #subtract(union: DomainUnion, location: LocatedSchema): DomainUnion {
    const excluded = this.domainsOf(satisfies(location));
    this.#countPairs(union, excluded);
    const isDisjoint = (domain: Domain): boolean =>
      !excluded.isTruncated && excluded.domains.every((other) => prune(intersect(domain, other)) === undefined);
    const disjoint = union.domains.filter(isDisjoint);
    if (disjoint.length === union.domains.length) return union;
    const overlapping = { domains: union.domains.filter((domain) => !disjoint.includes(domain)), isTruncated: union.isTruncated };
    return unite([{ domains: disjoint, isTruncated: union.isTruncated }, this.intersect(overlapping, this.domainsOf(fails(location)))]);
  }

  /** Adds `unevaluatedProperties` and `unevaluatedItems`. With `isBroken`, adds the opposite of one of them. */
  #addUnevaluated(location: LocatedSchema, before: DomainUnion, isBroken: boolean, keyword?: string): DomainUnion {
    let union = before;
    for (const [name, state] of [
      ['unevaluatedProperties', unevaluatedProperties] as const,
      ['unevaluatedItems', unevaluatedItems] as const,
    ]) {
      if (location.keywords[name] === undefined || (keyword !== undefined && keyword !== name)) continue;
      const limitedDomains = union.domains.map((domain) => prune(intersect(domain, state(location, domain, isBroken))));
      union = { domains: limitedDomains.filter((domain) => domain !== undefined), isTruncated: union.isTruncated };
    }
    return union;
  }

  /** The domains of the instances that fail a schema: those that fail one of its keywords. */
  #failing(location: LocatedSchema): DomainUnion {
    if (typeof location.schema === 'boolean') return location.schema ? emptyUnion : universalUnion;
    const domains = violationsOf(location)
      .map((violation) => prune(violation.domain))
      .filter((domain) => domain !== undefined);
    const partUnions = partsInPlace(location).map((part) => this.domainsOf(fails(part)));
    return unite([unionOf(...domains), ...partUnions, ...this.failuresOf(location).map(({ union }) => union())]);
  }

  /** The ways to fail the keywords that combine schemas, and those about unevaluated parts. */
  failuresOf(location: LocatedSchema): readonly CombinedFailure[] {
    const combined = combiningKeywordsOf(location).flatMap(({ names, failures }) =>
      failures.map(({ keyword, problem, lists }) => ({
        names,
        keyword,
        problem,
        union: () => unite(lists.map((constraints) => this.intersectionOf(constraints))),
      })),
    );
    const unevaluated = ['unevaluatedProperties', 'unevaluatedItems'].filter((keyword) => location.keywords[keyword] !== undefined);
    const withoutUnevaluated = omit(location, unevaluated);
    return [
      ...combined,
      ...unevaluated.map((keyword) => ({
        names: [keyword],
        keyword,
        problem: 'has an unevaluated part',
        union: () => this.#addUnevaluated(location, this.#satisfying(withoutUnevaluated), true, keyword),
      })),
    ];
  }
}

/** Limits a union that is the product of others. */
function limited(union: DomainUnion, isProduct: boolean): DomainUnion {
  const isTooLarge = isProduct && union.domains.length > maxProduct;
  return isTooLarge ? { domains: firstOfEachType(union.domains), isTruncated: true } : union;
}

/** Keeps about `maxProduct` domains: the first ones of each set of types. */
function firstOfEachType(domains: readonly Domain[]): readonly Domain[] {
  const typeSets = [...new Set(domains.map(({ types }) => types))];
  const share = Math.max(1, Math.floor(maxProduct / typeSets.length));
  return typeSets.flatMap((types) => domains.filter((domain) => domain.types === types).slice(0, share));
}

/** One way to fail a keyword that combines schemas. */
interface CombinedFailure {
  /** The keywords that are read together. */
  readonly names: readonly string[];
  readonly keyword: string;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  readonly union: () => DomainUnion;
}

/** A schema that the instance fails evaluates none of its parts. */
function notEvaluating(union: DomainUnion): DomainUnion {
  return { domains: union.domains.map(notEvaluatingDomain), isTruncated: union.isTruncated };
}

function notEvaluatingDomain(domain: Domain): Domain {
  const { array, object } = domain;
  if (array.applicators.length + array.requirements.length + object.applicators.length === 0) return domain;
  return {
    ...domain,
    array: {
      ...array,
      applicators: array.applicators.map((applicator) => ({ ...applicator, evaluates: false })),
      requirements: array.requirements.map((requirement) => ({ ...requirement, evaluates: false })),
    },
    object: { ...object, applicators: object.applicators.map((applicator) => ({ ...applicator, evaluates: false })) },
  };
}
