/**
 * Creates the source of valid instances of each conjunction, once and when it is first needed, or the error that explains why there is none. Draws nothing
 * itself.
 */

import { isObject, type Json } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Constraint } from '../constraints/constraint.ts';
import type { DomainUnion } from '../constraints/domain-union.ts';
import { typeBits } from '../constraints/instance-domain.ts';
import type { ConstraintConjunction, SatisfiabilityAnalysis } from '../constraints/satisfiability-analysis.ts';
import { numbersOf, type TypedDomain, textsOf } from '../constraints/typed-domain.ts';
import { Unsatisfiable, Unsupported } from '../generation-errors.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import { ArraySource } from './array-source.ts';
import { type Branch, ChoiceSource } from './choice-source.ts';
import type { InstanceSource, PartFactory } from './instance-source.ts';
import { ObjectSource } from './object-source.ts';
import type { ScalarResult } from './scalar-generator.ts';
import { ScalarSource, ValuesSource } from './scalar-sources.ts';

/** Builds the source of each conjunction once, on first use. */
export class SourceFactory implements PartFactory {
  readonly analysis: SatisfiabilityAnalysis;
  readonly #sources = new Map<ConstraintConjunction, InstanceSource>();

  constructor(analysis: SatisfiabilityAnalysis) {
    this.analysis = analysis;
  }

  /** True when a conjunction has instances. */
  isPossible(conjunction: ConstraintConjunction): boolean {
    return this.analysis.minDepth(conjunction) < Infinity;
  }

  /**
   * The source of the instances of a conjunction.
   * @throws {Unsatisfiable} when there are none.
   * @throws {Unsupported} when they cannot be generated.
   */
  sourceOf(conjunction: ConstraintConjunction): InstanceSource {
    return getOrCompute(this.#sources, conjunction, () => this.sourceOfUnion(this.analysis.domainsOf(conjunction), conjunction));
  }

  /** Opens the source of a conjunction and the sources of all parts, so that errors are thrown now and not during a run. */
  openAll(conjunction: ConstraintConjunction): InstanceSource {
    const root = this.sourceOf(conjunction);
    const opened = new Set<InstanceSource>([root]);
    for (const source of opened) for (const child of source.children?.() ?? []) opened.add(child);
    return root;
  }

  /** Returns the source of the instances of some domains of a conjunction. */
  sourceOfUnion(union: DomainUnion, conjunction: ConstraintConjunction): InstanceSource {
    const typedDomains = this.analysis.typedDomains(union.domains);
    if (typedDomains.length === 0) throw explain(this.analysis, union, conjunction);
    const branches = this.#branches(typedDomains, conjunction);
    const [first] = branches;
    return first !== undefined && branches.length === 1 ? first.source : new ChoiceSource(branches, conjunction.isRecursive);
  }

  #branches(typedDomains: readonly TypedDomain[], conjunction: ConstraintConjunction): readonly Branch[] {
    const errors: Unsupported[] = [];
    const branches = typedDomains.flatMap((typedDomain) => {
      try {
        return [{ source: this.#sourceOfTyped(typedDomain, conjunction), minDepth: typedDomain.minDepth, group: typedDomain.kind }];
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        errors.push(error);
        return [];
      }
    });
    const [firstError] = errors;
    // Texts that cannot be generated are left out if other texts can be generated.
    if (firstError !== undefined && !branches.some((branch) => branch.group === 'string')) throw firstError;
    return branches;
  }

  #sourceOfTyped({ domain, kind, minDepth }: TypedDomain, conjunction: ConstraintConjunction): InstanceSource {
    switch (kind) {
      case 'values':
        return new ValuesSource(domain.values ?? []);
      case 'null':
        return new ValuesSource([null]);
      case 'boolean':
        return new ValuesSource([false, true].filter((value) => !domain.excluded.includes(value)));
      case 'number':
        return scalarSource(numbersOf(domain), conjunction, 'type');
      case 'string':
        return scalarSource(textsOf(domain), conjunction, 'pattern');
      case 'array':
        return new ArraySource(domain, this, minDepth);
      case 'object':
        return new ObjectSource(domain, this);
    }
  }
}

/** The source of numbers or texts; `keyword` locates the error when there are none. */
function scalarSource<T extends Json>(result: ScalarResult<T>, conjunction: ConstraintConjunction, keyword: string): InstanceSource {
  if (result.kind === 'generator') return new ScalarSource(result.generator);
  if (result.kind === 'empty') throw new Unsatisfiable(pathOf(conjunction, keyword), result.why);
  throw new Unsupported(pathOf(conjunction, result.keyword), result.keyword, result.why);
}

/** The error about a conjunction without a source. */
function explain(analysis: SatisfiabilityAnalysis, union: DomainUnion, conjunction: ConstraintConjunction): Error {
  const impossiblePart = impossiblePartOf(analysis, conjunction);
  const domains = impossiblePart === conjunction ? union : analysis.domainsOf(impossiblePart);
  const path = impossiblePart.constraints[0]?.location.path ?? '#';
  if (domains.isTruncated) return new Unsupported(path, choiceOf(impossiblePart), 'its alternatives combine in too many ways');
  return new Unsatisfiable(path, reasonOf(domains, impossiblePart.constraints));
}

/** The innermost part that makes a conjunction impossible. */
function impossiblePartOf(analysis: SatisfiabilityAnalysis, root: ConstraintConjunction): ConstraintConjunction {
  const visited = new Set<ConstraintConjunction>();
  let conjunction = root;
  while (!visited.has(conjunction)) {
    visited.add(conjunction);
    const part = analysis.missingPart(conjunction);
    if (part === undefined) return conjunction;
    conjunction = part;
  }
  // A conjunction that needs itself has no innermost part.
  return root;
}

function choiceOf(conjunction: ConstraintConjunction): string {
  const keywords = conjunction.constraints.flatMap((constraint) => Object.keys(constraint.location.keywords));
  return ['oneOf', 'anyOf', 'not', 'if'].find((keyword) => keywords.includes(keyword)) ?? 'allOf';
}

function reasonOf(union: DomainUnion, constraints: readonly Constraint[]): string {
  const [first, second] = constraints;
  if (first !== undefined && second === undefined) {
    const { schema } = first.location;
    if (typeof schema === 'boolean')
      return first.holds ? 'the schema false accepts nothing' : 'every instance satisfies the forbidden schema';
    const reason = union.domains.map(explainDomain).find((why) => why !== undefined);
    return reason ?? `its ${listKeywords(first.location)} contradict each other`;
  }
  return `${constraints.map((constraint) => `${constraint.holds ? '' : 'not '}${constraint.location.path}`).join(' and ')} contradict each other`;
}

function explainDomain(domain: TypedDomain['domain']): string | undefined {
  const scalars = domain.types === typeBits.string ? textsOf(domain) : domain.types === typeBits.number ? numbersOf(domain) : undefined;
  return scalars?.kind === 'empty' ? scalars.why : undefined;
}

function listKeywords(location: LocatedSchema): string {
  return isObject(location.schema) ? Object.keys(location.schema).join(', ') : 'keywords';
}

/** The path of the constraint that has a keyword, or of the first constraint. */
function pathOf(conjunction: ConstraintConjunction, keyword: string): string {
  const constraint = conjunction.constraints.find(({ location }) => keyword in location.keywords) ?? conjunction.constraints[0];
  return constraint?.location.path ?? '#';
}
