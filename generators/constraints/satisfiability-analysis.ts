/**
 * Analyses one schema and all schemas below it: which conjunctions of constraints have instances, and how deep the shallowest one is. Each conjunction is
 * analysed once, when it is first needed, which is before its instances are drawn.
 */

import type { Json } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { RecursiveSchemas } from '../schema/recursive-schemas.ts';
import { type Constraint, constraintId, distinct } from './constraint.ts';
import type { DomainUnion } from './domain-union.ts';
import { Expansion } from './expand-to-domains.ts';
import { type ArrayDomain, type Domain, itemConstraints, memberConstraints, type ObjectDomain, prefixLength } from './instance-domain.ts';
import { candidateMembers, MemberNames } from './object-member-names.ts';
import { isSatisfiable, mergeListedValues, simplicity, sizeOf, splitDomain, type TypedDomain } from './typed-domain.ts';
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
    array: new WeakMap<Domain, readonly Need[]>(),
    object: new WeakMap<Domain, readonly Need[]>(),
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
    const unmetNeeds = this.#needs(domain, kind).filter((need) => depthOfNeed(need, this.#depths) === Infinity);
    const parts = unmetNeeds.flatMap(conjunctionsOf);
    return parts.find((part) => this.minDepth(part) === Infinity);
  }

  /** True when no union was truncated, so that "no instance" is proved. */
  isCertain(root: ConstraintConjunction): boolean {
    const visited = new Set<ConstraintConjunction>([root]);
    for (const conjunction of visited) {
      if (this.domainsOf(conjunction).isTruncated) return false;
      for (const part of this.#partsOf(conjunction)) visited.add(part);
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
      pending.push(...this.#partsOf(conjunction));
    }
    const depthLookup = { get: (conjunction: ConstraintConjunction) => depths.get(conjunction) ?? this.#depths.get(conjunction) };
    // Parts come after what needs them, so backwards one round settles all but recursive ones.
    const partsFirst = [...depths.keys()].reverse();
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const conjunction of partsFirst) {
        const minDepth = depths.get(conjunction) ?? Infinity;
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
    return 1 + Math.max(-1, ...needs.map((need) => depthOfNeed(need, depths)));
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

  /** The conjunctions of the parts that the instances of a conjunction need. */
  #partsOf(conjunction: ConstraintConjunction): readonly ConstraintConjunction[] {
    const { domains } = this.domainsOf(conjunction);
    return domains.flatMap((domain) => splitDomain(domain).flatMap((kind) => this.#needs(domain, kind).flatMap(conjunctionsOf)));
  }

  #needs(domain: Domain, kind: TypedDomain['kind']): readonly Need[] {
    if (kind !== 'array' && kind !== 'object') return [];
    return getOrCompute(this.#needsOf[kind], domain, () =>
      kind === 'array' ? this.#needsOfArray(domain.array) : this.#needsOfObject(domain.object, this.names(domain)),
    );
  }

  #needsOfArray(array: ArrayDomain): readonly Need[] {
    const length = prefixLength(array);
    const positions = Array.from({ length: Math.min(array.min, length + 1) }, (_, index) => index);
    const requirements = array.requirements.filter(({ min }) => min > 0);
    return [
      ...positions.map((index) => ({ count: 1, candidates: [this.#candidate(itemConstraints(array, index))] })),
      ...requirements.map(({ constraint, min, from }) => ({ count: min, candidates: this.#positionsFor(array, constraint, from) })),
      ...(array.repeated ? [{ count: 1, candidates: this.#duplicateItems(array) }] : []),
    ];
  }

  #needsOfObject(object: ObjectDomain, names: MemberNames): readonly Need[] {
    const isFull = object.required.length >= object.max;
    const missingCount = object.min - object.required.length;
    const memberCandidate = (name: string): Candidate => this.#candidate(memberConstraints(object, name));
    return [
      ...object.required.map((name) => ({ count: 1, candidates: allowsName(object, name) ? [memberCandidate(name)] : [] })),
      ...object.requirements.map((requirement) => ({
        count: 1,
        candidates: candidateMembers(requirement, object, names)
          // An object that is full of required members must meet the requirement with one of them.
          .filter(({ name }) => !isFull || object.required.includes(name))
          .map(({ constraints }) => this.#candidate(constraints)),
      })),
      ...(missingCount > 0 ? [{ count: missingCount, candidates: this.#spareMembers(object, names) }] : []),
    ];
  }

  /** The members that an object can have besides the required ones: declared ones and those with generated names. */
  #spareMembers(object: ObjectDomain, names: MemberNames): readonly Candidate[] {
    const spareNames = names.declaredNames.filter((name) => !object.required.includes(name) && allowsName(object, name));
    const generatedMembers = {
      conjunctions: names.samples(undefined, []).map((name) => this.conjunction(memberConstraints(object, name))),
      times: Math.max(0, names.capacity - spareNames.length),
    };
    return [...spareNames.map((name) => this.#candidate(memberConstraints(object, name))), generatedMembers];
  }

  /** The positions of items that meet a constraint: each of the prefix once, and all later ones. */
  #positionsFor(array: ArrayDomain, constraint: Constraint, from: number): readonly Candidate[] {
    const firstAfterPrefix = Math.max(Math.min(prefixLength(array), array.max), from);
    const candidateAt = (index: number, times: number): Candidate => this.#candidate([...itemConstraints(array, index), constraint], times);
    return [
      ...Array.from({ length: firstAfterPrefix - from }, (_, index) => candidateAt(from + index, 1)),
      ...(firstAfterPrefix < array.max ? [candidateAt(firstAfterPrefix, Infinity)] : []),
    ];
  }

  /** Two equal items at some two positions: the constraints of both must be possible together. */
  #duplicateItems(array: ArrayDomain): readonly Candidate[] {
    const positions = Array.from({ length: Math.min(prefixLength(array) + 2, array.max) }, (_, index) => itemConstraints(array, index));
    return positions.flatMap((left, index) => positions.slice(index + 1).map((right) => this.#candidate([...left, ...right])));
  }

  #candidate(constraints: readonly Constraint[], times = 1): Candidate {
    return { conjunctions: [this.conjunction(constraints)], times };
  }
}

/** Returns the smallest depth with which a need can be met; infinite if it cannot. */
function depthOfNeed({ count, candidates }: Need, depths: Pick<ReadonlyMap<ConstraintConjunction, number>, 'get'>): number {
  const depthOf = ({ conjunctions }: Candidate): number => Math.min(Infinity, ...conjunctions.map((each) => depths.get(each) ?? Infinity));
  const depthsOfCandidates = candidates.map((candidate) => [depthOf(candidate), candidate.times] as const);
  let missingCount = count;
  for (const [depth, times] of depthsOfCandidates.toSorted(([left], [right]) => left - right)) {
    missingCount -= times;
    if (missingCount <= 0) return depth;
  }
  return Infinity;
}

/** The nesting depth of a value. */
function depthOfValue(value: Json): number {
  return typeof value !== 'object' || value === null
    ? 0
    : 1 + Math.max(-1, ...Object.values(value).map((part: Json) => depthOfValue(part)));
}

function conjunctionsOf({ candidates }: Need): readonly ConstraintConjunction[] {
  return candidates.flatMap(({ conjunctions }) => conjunctions);
}

/** A number of items or members that an array or object must have. */
interface Need {
  readonly count: number;
  readonly candidates: readonly Candidate[];
}

/** Items or members that each meet one of some conjunctions. They may all be impossible. */
interface Candidate {
  readonly conjunctions: readonly ConstraintConjunction[];
  /** The number of them that can exist: one for a declared member, several for members with generated names. */
  readonly times: number;
}
