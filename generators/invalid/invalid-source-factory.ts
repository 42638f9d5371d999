/**
 * Builds sources of invalid examples: values with exactly one known fault, at the value itself or in one of its parts. `invalid-arbitrary.ts` creates one
 * factory for each schema. `schema-faults.ts` lists the faults; `invalid-source.ts` draws the values.
 */

import type { Json } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { toPointer } from '../../core/pointer.ts';
import { type DomainUnion, universalUnion } from '../constraints/domain-union.ts';
import type { ConstraintConjunction } from '../constraints/satisfiability-analysis.ts';
import { satisfiesAll } from '../constraints/validate-instance.ts';
import { Exhausted, Unsatisfiable, Unsupported, undefinedIfExhausted, undefinedOn } from '../generation-errors.ts';
import { ArraySource } from '../sources/array-source.ts';
import { ChoiceSource } from '../sources/choice-source.ts';
import { type DrawnInstance, drawContext, type InstanceSource } from '../sources/instance-source.ts';
import { ObjectSource } from '../sources/object-source.ts';
import { SeededRandom } from '../sources/random-numbers.ts';
import type { SourceFactory } from '../sources/source-factory.ts';
import { type FaultLabel, type InvalidBranch, InvalidItemSource, InvalidSource, type LabelledSource, labelOf } from './invalid-source.ts';
import { FaultFinder, type SchemaFault } from './schema-faults.ts';

/** Faults are counted to this depth, so that each has the same probability. Deeper faults share one probability. */
const countedDepth = 5;
/** Number of drawn instances, all valid, after which a fault counts as impossible. */
const trials = 6;
/** Limit of faults of one conjunction. */
const maxFaults = 96;

/** Builds the sources of invalid instances of conjunctions (constraints that one value must meet together), each once. */
export class InvalidSourceFactory {
  readonly #validSources: SourceFactory;
  readonly #sources = new Map<ConstraintConjunction, InvalidSource | undefined>();
  readonly #faultFinder: FaultFinder;
  readonly #faults = new Map<ConstraintConjunction, readonly SchemaFault[]>();
  readonly #weights = new Map<ConstraintConjunction, Map<number, number>>();
  readonly #distances = new Map<ConstraintConjunction, number>();
  readonly #faultSources = new Map<SchemaFault, InstanceSource | undefined>();

  /** Keywords that are never violated. */
  readonly #keptKeywords: ReadonlySet<string>;

  /** `validSources` builds the valid parts around a fault. */
  constructor(validSources: SourceFactory, keptKeywords: readonly string[]) {
    this.#validSources = validSources;
    this.#faultFinder = new FaultFinder(validSources.analysis);
    this.#keptKeywords = new Set(keptKeywords);
  }

  /** Returns the source of invalid instances of a whole schema, checked with `isInvalid`; `undefined` if no fault was found. */
  rootOf(conjunction: ConstraintConjunction, isInvalid: (value: Json) => boolean): InvalidSource | undefined {
    const branches = this.#lazyBranches(conjunction);
    return branches && new InvalidSource(branches, isInvalid, true);
  }

  #sourceOf(conjunction: ConstraintConjunction): InvalidSource | undefined {
    if (!this.#sources.has(conjunction)) {
      const branches = this.#lazyBranches(conjunction);
      this.#sources.set(conjunction, branches && new InvalidSource(branches, (value) => !satisfiesAll(conjunction.constraints, value)));
    }
    return this.#sources.get(conjunction);
  }

  #lazyBranches(conjunction: ConstraintConjunction): (() => readonly InvalidBranch[]) | undefined {
    if (this.#distance(conjunction) < Infinity) return () => this.#listBranches(conjunction);
    // No keyword can be violated alone, so several may be violated together.
    const unrestrictedFaults = this.#faultFinder
      .unrestrictedFaultsOf(conjunction.constraints)
      .filter((fault) => !this.#keptKeywords.has(fault.keyword));
    const branches = unrestrictedFaults
      .filter((fault) => this.#sourceOfFault(fault, conjunction) !== undefined)
      .map((fault) => this.#branchHere(fault, conjunction));
    return branches.length === 0 ? undefined : () => branches;
  }

  /** Counts the faults of a conjunction and its parts, to some depth; 0 only if there are none at any depth. */
  #countFaults(conjunction: ConstraintConjunction, depth: number): number {
    if (this.#distance(conjunction) === Infinity) return 0;
    const weightByDepth = getOrCompute(this.#weights, conjunction, () => new Map<number, number>());
    const weight = weightByDepth.get(depth);
    if (weight !== undefined) return weight;
    // While a conjunction is counted, its recursive parts count as one.
    weightByDepth.set(depth, 1);
    const parts = depth === 0 ? [] : this.#parts(conjunction).map((part) => part.conjunction);
    const sum = parts.reduce((total, part) => total + this.#countFaults(part, depth - 1), this.#faultsOf(conjunction).length);
    weightByDepth.set(depth, Math.max(1, sum));
    return Math.max(1, sum);
  }

  /** Nesting depth of the nearest fault: 0 at the instance itself; infinite if there is none. */
  #distance(conjunction: ConstraintConjunction): number {
    return getOrCompute(this.#distances, conjunction, () => this.#findDistance(conjunction));
  }

  #findDistance(conjunction: ConstraintConjunction): number {
    const visited = new Set([conjunction]);
    let distance = 0;
    for (let level = [conjunction]; level.length > 0; distance += 1) {
      if (level.some((parent) => this.#faultsOf(parent).some((fault) => this.#sourceOfFault(fault, parent) !== undefined))) break;
      const partConjunctions = level.flatMap((parent) => this.#parts(parent).map((part) => part.conjunction));
      const nextLevel = new Set(partConjunctions.filter((part) => !visited.has(part)));
      if (nextLevel.size === 0) distance = Infinity;
      for (const part of nextLevel) visited.add(part);
      level = [...nextLevel];
    }
    return distance;
  }

  #faultsOf(conjunction: ConstraintConjunction): readonly SchemaFault[] {
    return getOrCompute(this.#faults, conjunction, () => this.#findFaults(conjunction));
  }

  #findFaults(conjunction: ConstraintConjunction): readonly SchemaFault[] {
    // If no instance is valid, every instance is invalid.
    if (!this.#validSources.isPossible(conjunction))
      return [{ path: '', keyword: 'false', problem: 'must not be present', union: () => universalUnion }];
    const faults = this.#faultFinder.faultsOf(conjunction.constraints).filter((fault) => !this.#keptKeywords.has(fault.keyword));
    // Large choices have hundreds of similar faults: an even selection is enough.
    const step = Math.ceil(faults.length / maxFaults);
    return faults.filter((_, index) => index % step === 0);
  }

  #listBranches(conjunction: ConstraintConjunction): readonly InvalidBranch[] {
    const ownBranches = this.#faultsOf(conjunction).map((fault) => this.#branchHere(fault, conjunction));
    const partBranches = this.#parts(conjunction).map(
      (part): InvalidBranch => ({
        weight: this.#countFaults(part.conjunction, countedDepth - 1),
        distance: this.#distance(part.conjunction) + 1,
        source: () => {
          const invalidSource = this.#sourceOf(part.conjunction);
          return invalidSource && part.sourceWith(invalidSource);
        },
        label: part.label,
      }),
    );
    return [...ownBranches, ...partBranches];
  }

  #branchHere(fault: SchemaFault, conjunction: ConstraintConjunction): InvalidBranch {
    return {
      weight: 1,
      distance: 0,
      source: () => this.#sourceOfFault(fault, conjunction),
      label: () => ({ path: fault.path, keyword: fault.keyword, problem: fault.problem }),
    };
  }

  /** Returns the source of instances with a fault; `undefined` if there are none. */
  #sourceOfFault(fault: SchemaFault, conjunction: ConstraintConjunction): InstanceSource | undefined {
    if (!this.#faultSources.has(fault)) {
      const exactSource = this.#trySource(fault.union, conjunction);
      this.#faultSources.set(fault, exactSource ?? (fault.relaxed && this.#trySource(fault.relaxed, conjunction)));
    }
    return this.#faultSources.get(fault);
  }

  /**
   * Returns the source of the instances of a union that violate a conjunction; `undefined` if none was found. A fault may be impossible: another branch of an
   * `anyOf` may accept the value, or the fault contradicts itself, such as a text shorter than empty.
   */
  #trySource(union: () => DomainUnion, conjunction: ConstraintConjunction): InstanceSource | undefined {
    const openSource = (): InstanceSource | undefined => {
      const source = this.#validSources.sourceOfUnion(union(), conjunction);
      const context = drawContext(new SeededRandom(1), undefined, trials * 4);
      const isInvalid = (instance: DrawnInstance | undefined): boolean =>
        instance !== undefined && !satisfiesAll(conjunction.constraints, instance.value);
      // A union may have no instance although its constraints do not contradict each other visibly. One of its domains may have some all the same.
      const isSimplestInvalid = (branch: InstanceSource): boolean => isInvalid(undefinedIfExhausted(() => branch.simplest()));
      const hasInvalid =
        alternativesOf(source).some(isSimplestInvalid) || Array.from({ length: trials }).some(() => isInvalid(source.draw(context, 1)));
      return hasInvalid ? source : undefined;
    };
    return undefinedOn(openSource, Unsatisfiable, Unsupported, Exhausted);
  }

  /** Lists the parts of the arrays and objects of a conjunction. */
  #parts(conjunction: ConstraintConjunction): readonly InvalidPart[] {
    if (conjunction.constraints.length === 0 || !this.#validSources.isPossible(conjunction)) return [];
    const source = this.#validSources.sourceOf(conjunction);
    return alternativesOf(source).flatMap((wholeSource): readonly InvalidPart[] => {
      if (wholeSource instanceof ObjectSource)
        return wholeSource.members().map((member) => ({
          conjunction: member.conjunction,
          sourceWith: (invalid) => wholeSource.replacing(member.name, invalid),
          label: (instance) => labelOf(instance, toPointer([member.name]), member.name),
        }));
      if (!(wholeSource instanceof ArraySource)) return [];
      const label = (instance: DrawnInstance): FaultLabel => (instance.source as LabelledSource).labelOf(instance);
      return Array.from({ length: wholeSource.positionCount }, (_, index) => {
        const isLast = index === wholeSource.positionCount - 1;
        return {
          conjunction: wholeSource.itemConjunction(index),
          sourceWith: (invalid) => new InvalidItemSource(wholeSource, invalid, index, isLast),
          label,
        };
      });
    });
  }
}

/** The sources that a source chooses from; the source itself if it makes no choice. */
function alternativesOf(source: InstanceSource): readonly InstanceSource[] {
  return source instanceof ChoiceSource ? source.children() : [source];
}

/** A member or item that can be invalid. */
interface InvalidPart {
  /** The constraints on the part. */
  readonly conjunction: ConstraintConjunction;
  /** Returns a source of whole instances with an invalid part from `invalid`. */
  readonly sourceWith: (invalid: InvalidSource) => InstanceSource;
  /** Returns the fault of such an instance. */
  readonly label: (instance: DrawnInstance) => FaultLabel;
}
