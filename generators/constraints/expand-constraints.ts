/**
 * Expands constraints to unions of domains: the disjunctive normal form of a schema or of its complement. Each analysis of a schema
 * (`satisfiability-analysis.ts`) has one expansion. `object-member-names.ts` expands the constraints on names, and `schema-faults.ts` the rest of a schema
 * beside each fault. Items and members are not expanded with their array or object, but when they are needed.
 */

import { Unsupported } from '../generation-errors.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import { omit } from '../schema/located-schema.ts';
import { type Constraint, constraintId, fails, satisfies } from './constraint.ts';
import { type DomainUnion, emptyUnion, unionOf, unite, universalUnion } from './domain-union.ts';
import { type Domain, intersect } from './instance-domain.ts';
import {
  dependencies,
  keywordDomain,
  partsInPlace,
  unevaluatedItems,
  unevaluatedProperties,
  violationsOf,
  withMembers,
  withoutMember,
} from './keyword-domains-and-violations.ts';
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

  /**
   * The intersection of two unions: every domain of one with every domain of the other. Of a large product, a few of each set of types.
   * @throws {Unsupported} past the limit of pairs.
   */
  intersect(left: DomainUnion, right: DomainUnion): DomainUnion {
    this.#pairsLeft -= left.domains.length * right.domains.length;
    if (this.#pairsLeft < 0) throw new Unsupported('#', 'anyOf', 'the alternatives of the schemas combine in too many ways');
    const domains = left.domains.flatMap((leftDomain) =>
      right.domains.flatMap((rightDomain) => prune(intersect(leftDomain, rightDomain)) ?? []),
    );
    const isTooLarge = left.domains.length > 1 && right.domains.length > 1 && domains.length > maxProduct;
    return {
      domains: isTooLarge ? firstOfEachType(domains) : domains,
      isTruncated: isTooLarge || left.isTruncated || right.isTruncated,
    };
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
    union = this.#addChoices(location, union);
    if (location.keywords['not'] !== undefined) union = this.#subtract(union, location.at('not'));
    return this.#addUnevaluated(location, this.#addDependencies(location, union), false);
  }

  #addChoices(location: LocatedSchema, before: DomainUnion): DomainUnion {
    const { keywords } = location;
    let union = before;
    if (keywords['anyOf'] !== undefined)
      union = this.intersect(union, unite(location.list('anyOf').map((branch) => this.domainsOf(satisfies(branch)))));
    if (keywords['oneOf'] !== undefined) {
      const branches = location.list('oneOf');
      const exclusiveBranches = branches.map((branch) => {
        const others = branches.filter((other) => other !== branch);
        if (branches.length - others.length > 1) return emptyUnion;
        return others.reduce((rest, other) => this.#subtract(rest, other), this.intersect(union, this.domainsOf(satisfies(branch))));
      });
      union = unite(exclusiveBranches);
    }
    if (keywords['if'] === undefined) return union;
    const condition = location.at('if');
    const [then, otherwise] = (['then', 'else'] as const).map((keyword) =>
      keywords[keyword] === undefined ? universalUnion : this.domainsOf(satisfies(location.at(keyword))),
    );
    const whenTrue = this.intersect(this.intersect(union, this.domainsOf(satisfies(condition))), then ?? universalUnion);
    return unite([whenTrue, this.intersect(this.#subtract(union, condition), otherwise ?? universalUnion)]);
  }

  /** The union without the instances of a schema. Domains that are disjoint from it stay unchanged. */
  #subtract(union: DomainUnion, location: LocatedSchema): DomainUnion {
    const excluded = this.domainsOf(satisfies(location));
    const isDisjoint = (domain: Domain): boolean =>
      !excluded.isTruncated && excluded.domains.every((other) => prune(intersect(domain, other)) === undefined);
    const disjoint = union.domains.filter(isDisjoint);
    if (disjoint.length === union.domains.length) return union;
    const overlapping = { domains: union.domains.filter((domain) => !disjoint.includes(domain)), isTruncated: union.isTruncated };
    return unite([{ domains: disjoint, isTruncated: union.isTruncated }, this.intersect(overlapping, this.domainsOf(fails(location)))]);
  }

  #addDependencies(location: LocatedSchema, before: DomainUnion): DomainUnion {
    let union = before;
    for (const domains of dependencies(location)) union = this.intersect(union, unionOf(...domains));
    for (const [name, schema] of location.map('dependentSchemas')) {
      const withName = this.intersect(unionOf(withMembers([name])), this.domainsOf(satisfies(schema)));
      union = this.intersect(union, unite([unionOf(withoutMember(location, name)), withName]));
    }
    return union;
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
    return unite([unionOf(...domains), ...partUnions, ...this.failingChoices(location).map(({ union }) => union())]);
  }

  /** The ways to fail the keywords that combine schemas, and those about unevaluated parts. */
  failingChoices(location: LocatedSchema): readonly FailingChoice[] {
    const { keywords } = location;
    const choices: FailingChoice[] = [];
    const add = (keyword: string, problem: string, union: () => DomainUnion): unknown => choices.push({ keyword, problem, union });
    if (keywords['anyOf'] !== undefined)
      add('anyOf', 'matches none of the schemas', () => this.intersectionOf(location.list('anyOf').map(fails)));
    if (keywords['oneOf'] !== undefined) {
      const branches = location.list('oneOf');
      add('oneOf', 'matches none of the schemas', () => this.intersectionOf(branches.map(fails)));
      add('oneOf', 'matches two of the schemas', () => unite(pairs(branches).map((pair) => this.intersectionOf(pair.map(satisfies)))));
    }
    if (keywords['not'] !== undefined) add('not', 'matches the forbidden schema', () => this.domainsOf(satisfies(location.at('not'))));
    if (keywords['if'] !== undefined && keywords['then'] !== undefined)
      add('then', 'matches `if` but not `then`', () => this.intersectionOf([satisfies(location.at('if')), fails(location.at('then'))]));
    if (keywords['if'] !== undefined && keywords['else'] !== undefined)
      add('else', 'matches neither `if` nor `else`', () => this.intersectionOf([fails(location.at('if')), fails(location.at('else'))]));
    for (const [name, schema] of location.map('dependentSchemas')) {
      const withName = unionOf(withMembers([name]));
      add('dependentSchemas', `has ${name} but does not match its dependent schema`, () =>
        this.intersect(withName, this.domainsOf(fails(schema))),
      );
    }
    for (const keyword of ['unevaluatedProperties', 'unevaluatedItems']) {
      if (keywords[keyword] === undefined) continue;
      const withoutUnevaluated = omit(location, ['unevaluatedProperties', 'unevaluatedItems']);
      add(keyword, 'has an unevaluated part', () => this.#addUnevaluated(location, this.#satisfying(withoutUnevaluated), true, keyword));
    }
    return choices;
  }
}

/** Keeps about `maxProduct` domains: the first ones of each set of types. */
function firstOfEachType(domains: readonly Domain[]): readonly Domain[] {
  const typeSets = [...new Set(domains.map(({ types }) => types))];
  const share = Math.max(1, Math.floor(maxProduct / typeSets.length));
  return typeSets.flatMap((types) => domains.filter((domain) => domain.types === types).slice(0, share));
}

/** One way to fail a keyword that combines schemas. */
interface FailingChoice {
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

function pairs<T>(list: readonly T[]): readonly (readonly [T, T])[] {
  return list.flatMap((first, index) => list.slice(index + 1).map((second) => [first, second] as const));
}
