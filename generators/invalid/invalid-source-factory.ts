/**
 * The source of invalid instances of every conjunction: its own faults and those of its parts, weighted so that each fault is equally
 * likely.
 */

import type { Json } from '../../core/json.ts';
import { toPointer } from '../../core/pointer.ts';
import { anything, type DomainUnion } from '../constraints/domain-union.ts';
import type { ConstraintConjunction } from '../constraints/schema-analysis.ts';
import { satisfiesAll } from '../constraints/validity.ts';
import { Exhausted, Unsatisfiable, Unsupported, undefinedOn } from '../generation-errors.ts';
import { getOrCompute } from '../memo.ts';
import { ArraySource } from '../sources/array-source.ts';
import { ChoiceSource, type DrawnInstance, drawContext, type InstanceSource } from '../sources/instance-source.ts';
import { ObjectSource } from '../sources/object-source.ts';
import { SeededRandom } from '../sources/scalar-generator.ts';
import type { SourceFactory } from '../sources/source-factory.ts';
import { type FaultLabel, type InvalidBranch, InvalidItemSource, InvalidSource, type LabelledSource, labelOf } from './invalid-source.ts';
import { FaultFinder, type SchemaFault } from './schema-faults.ts';

/** Faults are counted to this depth, so that each has the same probability. Deeper ones share theirs. */
const countedDepth = 5;
/** Instances of a fault that are tried before it counts as impossible. */
const trials = 6;
/** Faults of one conjunction at most. */
const maxFaults = 96;

/** Builds the source of invalid instances of each conjunction once. */
export class InvalidSourceFactory {
  readonly #factory: SourceFactory;
  readonly #sources = new Map<ConstraintConjunction, InvalidSource | undefined>();
  readonly #faultFinder: FaultFinder;
  readonly #faults = new Map<ConstraintConjunction, readonly SchemaFault[]>();
  readonly #weights = new Map<ConstraintConjunction, Map<number, number>>();
  readonly #distances = new Map<ConstraintConjunction, number>();
  readonly #faultSources = new Map<SchemaFault, InstanceSource | undefined>();

  /** Keywords that are never violated. */
  readonly #keptKeywords: ReadonlySet<string>;

  constructor(factory: SourceFactory, keptKeywords: readonly string[]) {
    this.#factory = factory;
    this.#faultFinder = new FaultFinder(factory.analysis);
    this.#keptKeywords = new Set(keptKeywords);
  }

  /** The invalid instances of a whole schema, checked with `isInvalid`; `undefined` when it rejects nothing. */
  rootOf(conjunction: ConstraintConjunction, isInvalid: (value: Json) => boolean): InvalidSource | undefined {
    const branches = this.#branchesOf(conjunction);
    return branches && new InvalidSource(branches, isInvalid, true);
  }

  #sourceOf(conjunction: ConstraintConjunction): InvalidSource | undefined {
    if (!this.#sources.has(conjunction)) {
      const branches = this.#branchesOf(conjunction);
      this.#sources.set(conjunction, branches && new InvalidSource(branches, (value) => !satisfiesAll(conjunction.constraints, value)));
    }
    return this.#sources.get(conjunction);
  }

  #branchesOf(conjunction: ConstraintConjunction): (() => readonly InvalidBranch[]) | undefined {
    if (this.#distance(conjunction) < Infinity) return () => this.#branches(conjunction);
    const unrestricted = this.#faultFinder
      .unrestrictedFaultsOf(conjunction.constraints)
      .filter((fault) => !this.#keptKeywords.has(fault.keyword));
    const branches = unrestricted
      .filter((fault) => this.#sourceOfFault(fault, conjunction) !== undefined)
      .map((fault) => this.#branchHere(fault, conjunction));
    return branches.length === 0 ? undefined : () => branches;
  }

  /** The number of faults in a conjunction and its parts, to some depth; 0 only when there are none. */
  #countFaults(conjunction: ConstraintConjunction, depth: number): number {
    if (this.#distance(conjunction) === Infinity) return 0;
    const known = getOrCompute(this.#weights, conjunction, () => new Map<number, number>());
    const weight = known.get(depth);
    if (weight !== undefined) return weight;
    // While a conjunction is counted, its recursive parts count as one.
    known.set(depth, 1);
    const parts = depth === 0 ? [] : this.#parts(conjunction).map((part) => part.conjunction);
    const sum = parts.reduce((total, part) => total + this.#countFaults(part, depth - 1), this.#faultsOf(conjunction).length);
    known.set(depth, Math.max(1, sum));
    return Math.max(1, sum);
  }

  /** Steps down to the nearest fault; infinite when there is none. */
  #distance(conjunction: ConstraintConjunction): number {
    return getOrCompute(this.#distances, conjunction, () => this.#findDistance(conjunction));
  }

  #findDistance(conjunction: ConstraintConjunction): number {
    const seen = new Set([conjunction]);
    let distance = 0;
    for (let level = [conjunction]; level.length > 0; distance += 1) {
      if (level.some((each) => this.#faultsOf(each).some((fault) => this.#sourceOfFault(fault, each) !== undefined))) break;
      const next = level.flatMap((each) => this.#parts(each).map((part) => part.conjunction)).filter((each) => !seen.has(each));
      if (next.length === 0) distance = Infinity;
      for (const each of next) seen.add(each);
      level = [...new Set(next)];
    }
    return distance;
  }

  #faultsOf(conjunction: ConstraintConjunction): readonly SchemaFault[] {
    return getOrCompute(this.#faults, conjunction, () => this.#findFaults(conjunction));
  }

  #findFaults(conjunction: ConstraintConjunction): readonly SchemaFault[] {
    // When no instance is valid, every instance is invalid.
    if (!this.#factory.isPossible(conjunction))
      return [{ path: '', keyword: 'false', problem: 'must not be present', union: () => anything }];
    const found = this.#faultFinder.faultsOf(conjunction.constraints).filter((fault) => !this.#keptKeywords.has(fault.keyword));
    // Large choices have hundreds of similar faults: an even selection is enough.
    const step = Math.ceil(found.length / maxFaults);
    return found.filter((_, index) => index % step === 0);
  }

  #branches(conjunction: ConstraintConjunction): readonly InvalidBranch[] {
    const here = this.#faultsOf(conjunction).map((fault) => this.#branchHere(fault, conjunction));
    const below = this.#parts(conjunction).map(
      (part): InvalidBranch => ({
        weight: this.#countFaults(part.conjunction, countedDepth - 1),
        distance: this.#distance(part.conjunction) + 1,
        source: () => {
          const invalid = this.#sourceOf(part.conjunction);
          return invalid && part.sourceWith(invalid);
        },
        label: part.label,
      }),
    );
    return [...here, ...below];
  }

  #branchHere(fault: SchemaFault, conjunction: ConstraintConjunction): InvalidBranch {
    return {
      weight: 1,
      distance: 0,
      source: () => this.#sourceOfFault(fault, conjunction),
      label: () => ({ path: fault.path, keyword: fault.keyword, problem: fault.problem }),
    };
  }

  #sourceOfFault(fault: SchemaFault, conjunction: ConstraintConjunction): InstanceSource | undefined {
    if (!this.#faultSources.has(fault)) {
      const exact = this.#trySource(fault.union, conjunction);
      this.#faultSources.set(fault, exact ?? (fault.relaxed && this.#trySource(fault.relaxed, conjunction)));
    }
    return this.#faultSources.get(fault);
  }

  /** The source of instances with a fault, unless there are none: another branch may accept what one rejects. */
  #trySource(union: () => DomainUnion, conjunction: ConstraintConjunction): InstanceSource | undefined {
    const open = (): InstanceSource | undefined => {
      const source = this.#factory.sourceOfUnion(union(), conjunction);
      const context = drawContext(new SeededRandom(1), undefined, trials * 4);
      const isInvalid = (instance: DrawnInstance): boolean => !satisfiesAll(conjunction.constraints, instance.value);
      // A domain may look possible and have no instance: a few attempts show it.
      const shows = isInvalid(source.simplest()) || Array.from({ length: trials }).some(() => isInvalid(source.draw(context, 1)));
      return shows ? source : undefined;
    };
    // Some faults are impossible, such as a text shorter than empty. The others remain.
    return undefinedOn(open, Unsatisfiable, Unsupported, Exhausted);
  }

  /** The parts of the arrays and objects of a conjunction. */
  #parts(conjunction: ConstraintConjunction): readonly InvalidPart[] {
    if (conjunction.constraints.length === 0 || !this.#factory.isPossible(conjunction)) return [];
    const source = this.#factory.sourceOf(conjunction);
    return (source instanceof ChoiceSource ? source.children() : [source]).flatMap((each): readonly InvalidPart[] => {
      if (each instanceof ObjectSource)
        return each.members().map((member) => ({
          conjunction: member.conjunction,
          sourceWith: (invalid) => each.replacing(member.name, invalid),
          label: (instance) => labelOf(instance, toPointer([member.name]), member.name),
        }));
      if (!(each instanceof ArraySource)) return [];
      const label = (instance: DrawnInstance): FaultLabel => (instance.source as LabelledSource).labelOf(instance);
      return Array.from({ length: each.positionCount }, (_, index) => {
        const isLast = index === each.positionCount - 1;
        return {
          conjunction: each.itemConjunction(index),
          sourceWith: (invalid) => new InvalidItemSource(each, invalid, index, isLast),
          label,
        };
      });
    });
  }
}

/** A part that can be invalid. */
interface InvalidPart {
  readonly conjunction: ConstraintConjunction;
  /** A source of whole instances in which this part is invalid. */
  readonly sourceWith: (invalid: InvalidSource) => InstanceSource;
  /** The fault of such an instance. */
  readonly label: (instance: DrawnInstance) => FaultLabel;
}
