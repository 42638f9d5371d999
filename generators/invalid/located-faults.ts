/**
 * Lists the faults of a schema at all places of an instance when a generator of invalid examples is built. Each has a source of whole instances with the fault
 * there, which may turn out to be empty.
 */

import { getOrCompute, lazy } from '../../core/memo.ts';
import { toPointer } from '../../core/pointer.ts';
import type { Constraint } from '../constraints/constraint.ts';
import { type DomainUnion, unionOf, universalUnion } from '../constraints/domain-union.ts';
import { type Domain, domainOfType, intersect, itemConstraints, memberConstraints, prefixLength } from '../constraints/instance-domain.ts';
import type { ConstraintConjunction } from '../constraints/satisfiability-analysis.ts';
import { allowsName } from '../constraints/validate-instance.ts';
import { Exhausted, Unsatisfiable, Unsupported, undefinedOn } from '../generation-errors.ts';
import type { InstanceSource } from '../sources/instance-source.ts';
import type { SourceFactory } from '../sources/source-factory.ts';
import type { LocatedFault } from './invalid-source.ts';
import { ReplacedPartSource } from './replaced-part-source.ts';
import { FaultFinder, type SchemaFault } from './schema-faults.ts';

/** No further places are searched after this many faults. */
const maxFaults = 2000;

/** The instance itself, or a part of it. */
interface Place {
  readonly conjunction: ConstraintConjunction;
  /** JSON Pointer into the instance. */
  readonly path: string;
  /** The conjunctions of the places around it. */
  readonly around: readonly ConstraintConjunction[];
  /** Returns a source of whole instances whose part at this place comes from `part`; `undefined` if there are none. */
  readonly wrap: (part: InstanceSource) => InstanceSource | undefined;
}

/** A member or item that instances of a domain can have. */
interface Part {
  readonly key: string | number;
  readonly constraints: readonly Constraint[];
  /** The instances of the domain that have the part. */
  readonly whole: Domain;
}

/** Lists the faults that violate only one keyword, those near the root first. */
export function listLocatedFaults(factory: SourceFactory, root: ConstraintConjunction): readonly LocatedFault[] {
  const faultFinder = new FaultFinder(factory.analysis);
  const faultsOf = new Map<ConstraintConjunction, readonly SchemaFault[]>();
  const faults: LocatedFault[] = [];
  const places: Place[] = [{ conjunction: root, path: '', around: [], wrap: (part) => part }];
  // The parts of a place come after all places of its depth.
  for (const place of places) {
    const { conjunction } = place;
    const isPossible = factory.isPossible(conjunction);
    const ownFaults = getOrCompute(faultsOf, conjunction, () =>
      isPossible ? faultFinder.faultsOf(conjunction.constraints) : [anyInstance],
    );
    faults.push(...ownFaults.map((fault) => locate(factory, fault, place)));
    if (faults.length >= maxFaults) break;
    if (isPossible) places.push(...placesWithin(factory, place));
  }
  return faults;
}

/** Lists faults whose instances may violate the rest of the schema too. Used if no keyword can be violated alone. */
export function listUnrestrictedFaults(factory: SourceFactory, root: ConstraintConjunction): readonly LocatedFault[] {
  const place: Place = { conjunction: root, path: '', around: [], wrap: (part) => part };
  return new FaultFinder(factory.analysis).unrestrictedFaultsOf(root.constraints).map((fault) => locate(factory, fault, place));
}

/** If no instance is valid, every instance is invalid. */
const anyInstance: SchemaFault = { path: '', keyword: 'false', problem: 'must not be present', union: () => universalUnion };

function locate(
  factory: SourceFactory,
  { path: step, keyword, problem, union, relaxed }: SchemaFault,
  { conjunction, path, wrap }: Place,
): LocatedFault {
  const sources = [union, ...(relaxed === undefined ? [] : [relaxed])].map((instances) => () => {
    const source = openSource(factory, instances, conjunction);
    return source && wrap(source);
  });
  return { path: path + step, keyword, problem, sources };
}

/** The source of the instances of a union; `undefined` if there are none. */
function openSource(factory: SourceFactory, union: () => DomainUnion, conjunction: ConstraintConjunction): InstanceSource | undefined {
  return undefinedOn(() => factory.sourceOfUnion(union(), conjunction), Unsatisfiable, Unsupported, Exhausted);
}

/** The members and items of a place. */
function placesWithin(factory: SourceFactory, { conjunction, path, around, wrap }: Place): readonly Place[] {
  const { analysis } = factory;
  const isRepeated = around.filter((outer) => outer === conjunction).length > 1;
  // A recursive part is entered once. Anything may be in a part without constraints.
  if (isRepeated || conjunction.constraints.length === 0) return [];
  const parts = analysis
    .typedDomains(analysis.domainsOf(conjunction).domains)
    .flatMap(({ domain, kind }) => (kind === 'array' ? itemsOf(domain) : kind === 'object' ? membersOf(factory, domain) : []));
  return parts.map(({ key, constraints, whole }) => {
    const wholeSource = lazy(() => openSource(factory, () => unionOf(whole), conjunction));
    return {
      conjunction: analysis.conjunction(constraints),
      path: path + toPointer([key]),
      around: [...around, conjunction],
      wrap: (part) => {
        const source = wholeSource();
        return source && wrap(new ReplacedPartSource(source, key, part));
      },
    };
  });
}

/** The items with constraints of their own, and the first two of the others. */
function itemsOf(domain: Domain): readonly Part[] {
  const length = Math.min(prefixLength(domain.array) + 2, domain.array.max);
  return Array.from({ length }, (_, index) => ({
    key: index,
    constraints: itemConstraints(domain.array, index),
    whole: intersect(domain, domainOfType('array', { array: { min: index + 1 } })),
  }));
}

/** The declared members and, if there are schemas for others, a few with generated names. */
function membersOf({ analysis }: SourceFactory, domain: Domain): readonly Part[] {
  const { object } = domain;
  const names = analysis.names(domain);
  const allowsMembers = object.applicators.some(({ rest, patterned }) => rest !== undefined || patterned.length > 0);
  return [...names.declaredNames, ...(allowsMembers ? names.samples(undefined, []) : [])]
    .filter((name) => allowsName(object, name))
    .map((name) => ({
      key: name,
      constraints: memberConstraints(object, name),
      whole: intersect(domain, domainOfType('object', { object: { required: [name] } })),
    }));
}
