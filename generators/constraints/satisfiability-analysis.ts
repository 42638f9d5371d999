/**
 * Analyses one schema and all schemas below it: which conjunctions of constraints have instances, and the depth of the shallowest. `schema-arbitrary.ts`,
 * `invalid-arbitrary.ts` and `schema-inclusion.ts` create one before they draw or compare. `source-factory.ts`, `array-source.ts` and `object-source.ts` ask
 * about each part when sources are built and drawn from. `schema-faults.ts` asks while it lists faults. It draws nothing.
 */

import type { Json } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { RecursiveSchemas } from '../schema/recursive-schemas.ts';
import { type Constraint, constraintId, distinct } from './constraint.ts';
import { isSatisfiable, mergeListedValues, simplicity, sizeOf, splitDomain, type TypedDomain } from './domain-types-and-scalars.ts';
import type { DomainUnion } from './domain-union.ts';
import { Expansion } from './expand-constraints.ts';
import { type ArrayDomain, type Domain, itemConstraints, memberConstraints, prefixLength } from './instance-domain.ts';
import { candidateMembers, MemberNames } from './object-member-names.ts';
import { allowsName, satisfiesAll } from './validate-instance.ts';

/** Constraints that one value must meet together. Equal sets of constraints are the same object. */
export interface ConstraintConjunction {
  readonly constraints: readonly Constraint[];
  /** True if its instances can contain instances of the same conjunction, so that drawing needs a depth budget. */
  readonly isRecursive: boolean;
}

/** The conjunctions below one schema, each analysed once. */
export class SatisfiabilityAnalysis {
  readonly expansion: Expansion = new Expansion();
  readonly #recursive = new RecursiveSchemas();
  readonly #conjunctions = new Map<string, ConstraintConjunction>();
  readonly #depths = new Map<ConstraintConjunction, number>();
  readonly #unions = new Map<ConstraintConjunction, DomainUnion>();
  readonly #names = new WeakMap<Domain, MemberNames>();
  readonly #needsOf = {
    array: new WeakMap<Domain, readonly ConjunctionNeed[]>(),
    object: new WeakMap<Domain, readonly ConjunctionNeed[]>(),
  } as const;

  conjunction(constraints: readonly Constraint[]): ConstraintConjunction {
    const distinctConstraints = distinct(constraints);
    const key =
      distinctConstraints.length === 1 && distinctConstraints[0] !== undefined
        ? String(constraintId(distinctConstraints[0]))
        : distinctConstraints
            .map(constraintId)
            .sort((left, right) => left - right)
            .join();
    return getOrCompute(this.#conjunctions, key, () => ({
      constraints: distinctConstraints,
      isRecursive:
        distinctConstraints.length === 0 || distinctConstraints.some((constraint) => this.#recursive.has(constraint.location.origin)),
    }));
  }

  domainsOf(conjunction: ConstraintConjunction): DomainUnion {
    return getOrCompute(this.#unions, conjunction, ({ constraints }) => {
      const { domains, isTruncated } = this.expansion.intersectionOf(constraints);
      // Listed values are few, so each is validated as a whole.
      const validatedDomains = domains.map((domain) =>
        domain.values ? { ...domain, values: domain.values.filter((value) => satisfiesAll(constraints, value)) } : domain,
      );
      return { domains: validatedDomains.filter((domain) => domain.values?.length !== 0), isTruncated };
    });
  }

  names(domain: Domain): MemberNames {
    return getOrCompute(this.#names, domain, () => new MemberNames(domain.object, this.expansion));
  }

  /** The nesting depth of the shallowest instance; infinite when there is none. */
  minDepth(conjunction: ConstraintConjunction): number {
    const knownDepth = this.#depths.get(conjunction);
    if (knownDepth !== undefined) return knownDepth;
    this.#computeDepths(conjunction);
    return this.#depths.get(conjunction) ?? Infinity;
  }

  /** The non-empty types of each domain, shallowest first. */
  typedDomains(domains: readonly Domain[]): readonly TypedDomain[] {
    const typedDomains = mergeListedValues(domains).flatMap((domain) =>
      splitDomain(domain).map((kind) => ({ domain, kind, minDepth: this.#minDepthOf(domain, kind) })),
    );
    return typedDomains
      .filter((typedDomain) => typedDomain.minDepth < Infinity)
      .toSorted((left, right) => left.minDepth - right.minDepth || simplicity(left) - simplicity(right));
  }

  /** The impossible part that makes a conjunction impossible; only when it has a single domain of a single type. */
  missingPart(conjunction: ConstraintConjunction): ConstraintConjunction | undefined {
    const [domain, ...others] = this.domainsOf(conjunction).domains;
    const [kind, ...kinds] = domain === undefined ? [] : splitDomain(domain);
    if (domain === undefined || kind === undefined || others.length + kinds.length > 0) return undefined;
    const unmetNeeds = this.#needs(domain, kind).filter((need) => this.#shallowest(need, this.#depths) === Infinity);
    const parts = unmetNeeds.flatMap(conjunctionsOf);
    return parts.find((part) => this.minDepth(part) === Infinity);
  }

  /** True when no union was truncated, so that "no instance" is proved. */
  isCertain(root: ConstraintConjunction): boolean {
    const visited = new Set<ConstraintConjunction>([root]);
    for (const conjunction of visited) {
      const { domains, isTruncated } = this.domainsOf(conjunction);
      if (isTruncated) return false;
      const needs = domains.flatMap((domain) => splitDomain(domain).flatMap((kind) => this.#needs(domain, kind)));
      for (const part of needs.flatMap(conjunctionsOf)) visited.add(part);
    }
    return true;
  }

  #minDepthOf(domain: Domain, kind: TypedDomain['kind']): number {
    for (const need of this.#needs(domain, kind)) for (const conjunction of conjunctionsOf(need)) this.minDepth(conjunction);
    return this.#depthOf(domain, kind, this.#depths);
  }

  /**
   * Computes the depths of all conjunctions that one needs, as the least fixpoint: each is impossible until a shallower one makes it
   * possible. A conjunction that needs itself stays impossible.
   */
  #computeDepths(root: ConstraintConjunction): void {
    const pending = [root];
    const depths = new Map<ConstraintConjunction, number>();
    for (let conjunction = pending.pop(); conjunction !== undefined; conjunction = pending.pop()) {
      if (depths.has(conjunction) || this.#depths.has(conjunction)) continue;
      depths.set(conjunction, Infinity);
      const needs = this.domainsOf(conjunction).domains.flatMap((domain) =>
        splitDomain(domain).flatMap((kind) => this.#needs(domain, kind)),
      );
      for (const need of needs) pending.push(...conjunctionsOf(need));
    }
    const depthLookup = { get: (conjunction: ConstraintConjunction) => depths.get(conjunction) ?? this.#depths.get(conjunction) };
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const [conjunction, minDepth] of depths) {
        const domains = this.domainsOf(conjunction).domains;
        const shallowest = Math.min(
          ...domains.flatMap((domain) => splitDomain(domain).map((kind) => this.#depthOf(domain, kind, depthLookup))),
          Infinity,
        );
        if (shallowest < minDepth) isChanged = true;
        depths.set(conjunction, Math.min(shallowest, minDepth));
      }
    }
    for (const [conjunction, minDepth] of depths) this.#depths.set(conjunction, minDepth);
  }

  #depthOf(domain: Domain, kind: TypedDomain['kind'], depths: Pick<ReadonlyMap<ConstraintConjunction, number>, 'get'>): number {
    if (kind === 'number' || kind === 'string') return isSatisfiable(domain, kind) ? 0 : Infinity;
    if (kind === 'values') return Math.min(...(domain.values ?? []).map(depthOfValue));
    if (kind !== 'array' && kind !== 'object') return 0;
    if (kind === 'array' && domain.array.unique && this.#lacksDistinctItems(domain)) return Infinity;
    const needs = this.#needs(domain, kind);
    return 1 + Math.max(-1, ...needs.map((need) => this.#shallowest(need, depths)));
  }

  /** True when an array needs more distinct items than exist. */
  #lacksDistinctItems({ array }: Domain): boolean {
    if (array.requirements.some(({ constraint, min }) => min > 1 && min > this.#size(this.conjunction([constraint])))) return true;
    const length = prefixLength(array);
    return array.min > length && array.min > length + this.#size(this.conjunction(itemConstraints(array, length)));
  }

  /** The number of instances at most; infinite when they are not few. */
  #size(conjunction: ConstraintConjunction): number {
    const sizes = this.domainsOf(conjunction).domains.flatMap((domain) => splitDomain(domain).map((kind) => sizeOf(domain, kind)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  #needs(domain: Domain, kind: TypedDomain['kind']): readonly ConjunctionNeed[] {
    if (kind !== 'array' && kind !== 'object') return [];
    return getOrCompute(this.#needsOf[kind], domain, () => {
      const needs = kind === 'array' ? needsOfArray(domain) : needsOfObject(domain, this.names(domain));
      const toConjunctions = (list: readonly (readonly Constraint[])[]): readonly ConstraintConjunction[] =>
        list.map((constraints) => this.conjunction(constraints));
      return needs.map(({ count, single, repeatable, maxRepeats = Infinity }) => ({
        count,
        single: toConjunctions(single),
        repeatable: toConjunctions(repeatable),
        maxRepeats,
      }));
    });
  }

  /** Returns the smallest depth with which a need can be met; infinite if it cannot. */
  #shallowest(
    { count, single, repeatable, maxRepeats }: ConjunctionNeed,
    depths: Pick<ReadonlyMap<ConstraintConjunction, number>, 'get'>,
  ): number {
    const depthOf = (conjunction: ConstraintConjunction): number => depths.get(conjunction) ?? Infinity;
    const repeatedDepth = Math.min(Infinity, ...repeatable.map(depthOf));
    if (single.length === 0) return count > maxRepeats ? Infinity : repeatedDepth;
    const singleDepths = single.map(depthOf).toSorted((left, right) => left - right);
    if (count - singleDepths.filter((minDepth) => minDepth < Infinity).length > maxRepeats) return Infinity;
    const chosenDepths = singleDepths.slice(0, count).map((minDepth) => Math.min(minDepth, repeatedDepth));
    return Math.max(0, ...chosenDepths, chosenDepths.length < count ? repeatedDepth : 0);
  }
}

/** The nesting depth of a value. */
function depthOfValue(value: Json): number {
  return typeof value !== 'object' || value === null
    ? 0
    : 1 + Math.max(-1, ...Object.values(value).map((part: Json) => depthOfValue(part)));
}

function conjunctionsOf({ single, repeatable }: ConjunctionNeed): readonly ConstraintConjunction[] {
  return [...single, ...repeatable];
}

/** A need with conjunctions instead of lists of constraints. */
interface ConjunctionNeed {
  readonly count: number;
  readonly single: readonly ConstraintConjunction[];
  readonly repeatable: readonly ConstraintConjunction[];
  readonly maxRepeats: number;
}

/** A number of items or members that an array or object must have. Some of the candidates may be impossible. */
interface Need {
  readonly count: number;
  /** Candidates that can exist once each, such as declared members. */
  readonly single: readonly (readonly Constraint[])[];
  /** Candidates that can exist several times, such as members with generated names. */
  readonly repeatable: readonly (readonly Constraint[])[];
  /** Limit of repeatable candidates in total; unlimited if absent. */
  readonly maxRepeats?: number;
}

function needsOfArray({ array }: Domain): readonly Need[] {
  const length = prefixLength(array);
  const prefixNeeds = Array.from({ length: Math.min(array.min, length) }, (_, index) => needOne(itemConstraints(array, index)));
  const furtherNeeds = array.min > length ? [needOne(itemConstraints(array, length))] : [];
  const requirementNeeds = array.requirements
    .filter(({ min }) => min > 0)
    .map(({ constraint, min, from }) => ({ count: min, ...positionsFor(array, constraint, from) }));
  return [...prefixNeeds, ...furtherNeeds, ...requirementNeeds, ...(array.repeated ? [duplicateItems(array)] : [])];
}

function needsOfObject({ object }: Domain, names: MemberNames): readonly Need[] {
  const required = object.required.map((name) => (allowsName(object, name) ? needOne(memberConstraints(object, name)) : impossibleNeed));
  const isFull = object.required.length >= object.max;
  const requirementNeeds = object.requirements.map((requirement) => {
    // An object that is full of required members must meet the requirement with one of them.
    const suitableCandidates = candidateMembers(requirement, object, names).filter(({ name }) => !isFull || object.required.includes(name));
    return { count: 1, single: [], repeatable: suitableCandidates.map(({ constraints }) => constraints) };
  });
  const missingCount = object.min - object.required.length;
  if (missingCount <= 0) return [...required, ...requirementNeeds];
  const spareNames = names.declaredNames.filter((name) => !object.required.includes(name) && allowsName(object, name));
  const generatedMembers = names.samples(undefined, []).map((name) => memberConstraints(object, name));
  const single = spareNames.map((name) => memberConstraints(object, name));
  const maxRepeats = Math.max(0, names.capacity - spareNames.length);
  return [...required, ...requirementNeeds, { count: missingCount, single, repeatable: generatedMembers, maxRepeats }];
}

function needOne(constraints: readonly Constraint[]): Need {
  return { count: 1, single: [], repeatable: [constraints] };
}

const impossibleNeed: Need = { count: 1, single: [], repeatable: [] };

function positionsFor(array: ArrayDomain, constraint: Constraint, from: number): Pick<Need, 'single' | 'repeatable'> {
  const length = Math.min(prefixLength(array), array.max);
  const prefixPositions = Array.from({ length: Math.max(0, length - from) }, (_, index) =>
    distinct([...itemConstraints(array, from + index), constraint]),
  );
  const firstPosition = Math.max(length, from);
  return {
    single: prefixPositions,
    repeatable: firstPosition < array.max ? [distinct([...itemConstraints(array, firstPosition), constraint])] : [],
  };
}

/** Returns the need of two equal items: at some two positions, the constraints of both must be possible together. */
function duplicateItems(array: ArrayDomain): Need {
  const positions = Math.min(prefixLength(array) + 2, array.max);
  const pairs = Array.from({ length: positions }, (_, left) =>
    Array.from({ length: positions - left - 1 }, (_unused, offset) =>
      distinct([...itemConstraints(array, left), ...itemConstraints(array, left + 1 + offset)]),
    ),
  );
  return { count: 1, single: [], repeatable: pairs.flat() };
}
