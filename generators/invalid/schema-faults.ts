/**
 * Lists the faults of a schema: a fault is one way to violate one keyword while the rest of the schema holds. Another branch may accept an instance with a
 * fault, so each drawn one must still be validated.
 */

import type { JsonObject } from '../../core/json.ts';
import { toPointer } from '../../core/pointer.ts';
import { combiningKeywordsOf } from '../constraints/combining-keywords.ts';
import { type Constraint, fails, satisfies } from '../constraints/constraint.ts';
import { type DomainUnion, unionOf } from '../constraints/domain-union.ts';
import { type Domain, domainOfType, type ItemRequirement } from '../constraints/instance-domain.ts';
import { type KeywordViolation, partsInPlace, violationsOf, withMembers } from '../constraints/instance-keywords.ts';
import type { SatisfiabilityAnalysis } from '../constraints/satisfiability-analysis.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import { omit } from '../schema/located-schema.ts';

/** One violated keyword, and the instances that violate only this keyword. */
export interface SchemaFault {
  /** JSON Pointer into the instance: empty, or the part that must not be present. */
  readonly path: string;
  readonly keyword: string;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  /** The missing member, for `required`. */
  readonly missingKey?: string;
  /** Returns the instances with this fault only. */
  readonly union: () => DomainUnion;
  /** Returns a superset, whose instances may also violate similar keywords of other schemas. Used if `union` is empty. */
  readonly relaxed?: () => DomainUnion;
}

/** Keywords whose schemas apply conditionally. They are not reported themselves, since the faults of their schemas are more precise. */
const conditionalKeywords: ReadonlySet<string> = new Set(['then', 'else', 'dependentSchemas']);

/** Keywords for the members and items that no other keyword covers. */
const restKeywords: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

/** Keywords that are violated by a fault inside a part. They are not reported themselves, since the faults of the part are more precise. */
const partKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'prefixItems', 'items']);

/** Keywords to omit together, so that one of them can be violated. */
const containsKeywords: readonly string[] = ['contains', 'minContains', 'maxContains'];

/** Keywords that reject the same members, by keyword. */
const similarKeywords: ReadonlyMap<string, readonly string[]> = new Map([
  ['additionalProperties', ['unevaluatedProperties', 'propertyNames']],
  ['unevaluatedProperties', ['additionalProperties', 'propertyNames']],
  ['propertyNames', ['additionalProperties', 'unevaluatedProperties']],
]);

type ViolatedKeyword = Pick<SchemaFault, 'keyword' | 'missingKey'>;

/** References and `allOf` are followed to this depth. */
const maxDepth = 8;

/** Finds the faults of conjunctions. */
export class FaultFinder {
  readonly #analysis: SatisfiabilityAnalysis;

  constructor(analysis: SatisfiabilityAnalysis) {
    this.#analysis = analysis;
  }

  /** Lists the faults of a conjunction at the instance itself; faults of parts are listed for the conjunctions of the parts. */
  faultsOf(constraints: readonly Constraint[]): readonly SchemaFault[] {
    return constraints.flatMap((constraint, index) => {
      const otherConstraints = constraints.toSpliced(index, 1);
      // A negated constraint comes from a surrounding choice, which reports its own faults.
      const faults = constraint.holds ? this.#faultsOfLocation(constraint.location, maxDepth) : [];
      if (otherConstraints.length === 0) return faults;
      const intersectionOfOthers = (): DomainUnion => this.#analysis.expansion.intersectionOf(otherConstraints);
      return faults.map((fault) => this.#withRest(fault, intersectionOfOthers, () => this.#relaxedIntersection(otherConstraints, fault)));
    });
  }

  /**
   * Lists faults whose instances may violate the rest of the schema too. Used if no keyword can be violated alone, for example if a schema rejects both the
   * name and the value of a member.
   */
  unrestrictedFaultsOf(constraints: readonly Constraint[]): readonly SchemaFault[] {
    return constraints
      .filter((constraint) => constraint.holds)
      .flatMap((constraint) => this.#unrestrictedFaults(constraint.location, maxDepth));
  }

  #unrestrictedFaults(location: LocatedSchema, depth: number): readonly SchemaFault[] {
    if (depth === 0) return [];
    const choices = this.#analysis.expansion.failuresOf(location).map((failure) => ({ path: '', ...failure }));
    return [
      ...violationsOf(location).map(faultOf),
      ...choices,
      ...partsInPlace(location).flatMap((part) => this.#unrestrictedFaults(part, depth - 1)),
    ];
  }

  #faultsOfLocation(location: LocatedSchema, depth: number): readonly SchemaFault[] {
    if (typeof location.schema === 'boolean')
      return location.schema ? [] : [presenceFault('', () => this.#analysis.expansion.domainsOf(fails(location)))];
    if (depth === 0) return [];
    const isAtInstance = ({ keyword }: ViolatedKeyword): boolean => !partKeywords.has(keyword) && !this.#isFaultOfPart(location, keyword);
    const violations = violationsOf(location)
      .filter(isAtInstance)
      .map((violation) =>
        this.#withRest(faultOf(violation), this.#satisfying(withoutViolated(location, violation)), () =>
          this.#relaxed(location, violation, maxDepth),
        ),
      );
    const choices = this.#analysis.expansion
      .failuresOf(location)
      .filter((failure) => !conditionalKeywords.has(failure.keyword) && isAtInstance(failure))
      .map(({ names, keyword, problem, union }) => {
        const withoutKeyword = this.#satisfying(omit(location, names));
        return { path: '', keyword, problem, union: () => this.#analysis.expansion.intersect(withOneWrongItem(union()), withoutKeyword()) };
      });
    return [
      ...violations,
      ...this.#forbiddenPartFaults(location),
      ...this.#faultsOfReferences(location, depth),
      ...this.#faultsOfBranches(location, depth),
      ...choices,
    ];
  }

  #satisfying(location: LocatedSchema): () => DomainUnion {
    return () => this.#analysis.expansion.domainsOf(satisfies(location));
  }

  #isPossible(location: LocatedSchema): boolean {
    return this.#analysis.minDepth(this.#analysis.conjunction([satisfies(location)])) < Infinity;
  }

  /** True if the parts that a keyword covers can be valid. Then the fault is reported inside a part. */
  #isFaultOfPart(location: LocatedSchema, keyword: string): boolean {
    return restKeywords.has(keyword) && this.#isPossible(location.at(keyword));
  }

  /** Restricts a fault to instances that satisfy `rest`, or `relaxed` for its superset. */
  #withRest(fault: SchemaFault, rest: () => DomainUnion, relaxed: () => DomainUnion): SchemaFault {
    const { expansion } = this.#analysis;
    return {
      ...fault,
      union: () => expansion.intersect(fault.union(), rest()),
      relaxed: () => expansion.intersect((fault.relaxed ?? fault.union)(), relaxed()),
    };
  }

  #relaxedIntersection(constraints: readonly Constraint[], violated: ViolatedKeyword): DomainUnion {
    const { expansion } = this.#analysis;
    const parts = constraints.map((constraint) =>
      constraint.holds ? this.#relaxed(constraint.location, violated, maxDepth) : expansion.domainsOf(constraint),
    );
    return parts.reduce((union, part) => expansion.intersect(union, part), expansion.intersectionOf([]));
  }

  /** Returns the domains of a schema without the violated keyword and similar ones, also in the schemas that it refers to. */
  #relaxed(location: LocatedSchema, violated: ViolatedKeyword, depth: number): DomainUnion {
    const ownKeywords = omit(withoutViolated(location, violated), [
      '$ref',
      '$dynamicRef',
      'allOf',
      ...(similarKeywords.get(violated.keyword) ?? []),
    ]);
    return partsInPlace(location).reduce((union, part) => {
      const partUnion = depth === 0 ? this.#satisfying(part)() : this.#relaxed(part, violated, depth - 1);
      return this.#analysis.expansion.intersect(union, partUnion);
    }, this.#satisfying(ownKeywords)());
  }

  /** Lists the faults of members and items that must be absent, since nothing satisfies their schema. */
  #forbiddenPartFaults(location: LocatedSchema): readonly SchemaFault[] {
    const isForbidden = (part: LocatedSchema): boolean => !this.#isPossible(part);
    const fault = (path: string, openLocation: LocatedSchema, domain: Domain): SchemaFault =>
      presenceFault(path, () => this.#analysis.expansion.intersect(unionOf(domain), this.#satisfying(openLocation)()));
    const forbiddenNames = [...location.map('properties')].filter(([, part]) => isForbidden(part));
    const forbiddenPatterns = [...location.map('patternProperties')].filter(([, part]) => isForbidden(part));
    const prefix = location.list('prefixItems');
    const forbiddenPositions = [...prefix.entries()].filter(([, part]) => isForbidden(part));
    const { length } = prefix;
    const isClosed = location.keywords['items'] !== undefined && isForbidden(location.at('items'));
    const longerArrays = domainOfType('array', { array: { min: length + 1, max: length + 1 } });
    return [
      ...forbiddenNames.map(([name]) => fault(toPointer([name]), withOpenPart(location, 'properties', name), withMembers([name]))),
      ...forbiddenPatterns.map(([pattern]) =>
        fault('', withOpenPart(location, 'patternProperties', pattern), objectWithMatchingMember(pattern)),
      ),
      ...forbiddenPositions.map(([position]) =>
        fault(
          toPointer([position]),
          withOpenPart(location, 'prefixItems', position),
          domainOfType('array', { array: { min: position + 1 } }),
        ),
      ),
      ...(isClosed ? [fault(toPointer([length]), omit(location, ['items']), longerArrays)] : []),
    ];
  }

  /** Lists the faults of referenced schemas and of `allOf`, with the other schemas satisfied. */
  #faultsOfReferences(location: LocatedSchema, depth: number): readonly SchemaFault[] {
    const references = (['$ref', '$dynamicRef'] as const).filter((keyword) => keyword in location.keywords);
    const referenceParts = references.map((keyword) => [location.target(keyword), omit(location, [keyword])] as const);
    const parts = location.list('allOf').map((part, index) => {
      const others = (location.keywords['allOf'] as readonly never[]).toSpliced(index, 1);
      return [part, location.variant(`allOf but ${index}`, { ...location.keywords, allOf: others })] as const;
    });
    return [...referenceParts, ...parts].flatMap(([part, rest]) =>
      this.#faultsOfLocation(part, depth - 1).map((fault) =>
        this.#withRest(fault, this.#satisfying(rest), () => this.#relaxed(rest, fault, maxDepth)),
      ),
    );
  }

  /** Lists the faults of combined schemas, with their conditions met. Another branch may accept such an instance, so each must be validated. */
  #faultsOfBranches(location: LocatedSchema, depth: number): readonly SchemaFault[] {
    const { expansion } = this.#analysis;
    return combiningKeywordsOf(location).flatMap(({ names, alternatives }) => {
      const others = this.#satisfying(omit(location, names));
      return alternatives.flatMap(({ conditions, branch }) =>
        branch === undefined
          ? []
          : this.#faultsWithin(branch, depth, () => expansion.intersect(expansion.intersectionOf(conditions), others())),
      );
    });
  }

  /** Lists the faults of a schema, restricted to other domains. */
  #faultsWithin(location: LocatedSchema, depth: number, restOf: () => DomainUnion): readonly SchemaFault[] {
    return this.#faultsOfLocation(location, depth - 1).map((fault) => this.#withRest(fault, restOf, restOf));
  }
}

function faultOf({ domain, ...violation }: KeywordViolation): SchemaFault {
  return { path: '', ...violation, union: () => unionOf(domain) };
}

/** Creates the fault of a part that must be absent. */
function presenceFault(path: string, union: () => DomainUnion): SchemaFault {
  return { path, keyword: 'false', problem: 'must not be present', union };
}

/** Returns a schema without the violated keyword. */
function withoutViolated(location: LocatedSchema, { keyword, missingKey }: ViolatedKeyword): LocatedSchema {
  if (keyword !== 'required') return omit(location, containsKeywords.includes(keyword) ? containsKeywords : [keyword]);
  // Only the one missing name is dropped, so that the other required members remain.
  const required = location.keywords['required'];
  const keptNames = Array.isArray(required) ? required.filter((name) => name !== missingKey) : [];
  return location.variant(`required but ${missingKey}`, { ...location.keywords, required: keptNames });
}

/** Returns a union with exactly one wrong item instead of at least one. */
function withOneWrongItem(union: DomainUnion): DomainUnion {
  const withMaxOne = (requirement: ItemRequirement): ItemRequirement =>
    !requirement.constraint.holds && requirement.min === 1 ? { ...requirement, max: 1 } : requirement;
  return {
    ...union,
    domains: union.domains.map((domain) => ({
      ...domain,
      array: { ...domain.array, requirements: domain.array.requirements.map(withMaxOne) },
    })),
  };
}

/** Returns a schema in which one part may have any value. */
function withOpenPart(location: LocatedSchema, keyword: string, key: string | number): LocatedSchema {
  const parts = location.keywords[keyword];
  const openedParts = Array.isArray(parts) ? parts.with(Number(key), true) : { ...(parts as JsonObject), [key]: true };
  return location.variant(`open ${keyword} ${key}`, { ...location.keywords, [keyword]: openedParts });
}

function objectWithMatchingMember(pattern: string): Domain {
  return domainOfType('object', { object: { min: 1, requirements: [{ pattern, outside: [], name: [], constraints: [] }] } });
}
