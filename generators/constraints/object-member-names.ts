/**
 * Chooses the names that the members of an object can have, when a schema is analysed and when an object is drawn: declared ones, or ones generated from
 * `patternProperties` and `propertyNames`. Draws no values of members.
 */

import { printJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { SeededRandom } from '../sources/random-numbers.ts';
import type { ScalarGenerator } from '../sources/scalar-generator.ts';
import { type Constraint, distinct } from './constraint.ts';
import type { Expansion } from './expand-to-domains.ts';
import {
  type Domain,
  everything,
  intersect,
  type MemberRequirement,
  matches,
  memberConstraints,
  type ObjectDomain,
  typeBits,
} from './instance-domain.ts';
import { textsOf } from './typed-domain.ts';
import { canHaveName } from './validate-instance.ts';

/** The names for the objects of one domain. */
export class MemberNames {
  /** The names that schemas declare, in their order. */
  readonly declaredNames: readonly string[];
  readonly #object: ObjectDomain;
  readonly #expansion: Expansion;
  readonly #generators = new Map<string, readonly ScalarGenerator<string>[]>();

  constructor(object: ObjectDomain, expansion: Expansion) {
    this.#object = object;
    this.#expansion = expansion;
    this.declaredNames = [...new Set([...object.applicators.flatMap((applicator) => [...applicator.named.keys()]), ...object.required])];
  }

  /** A few undeclared names, always the same: from each pattern, and free ones. */
  samples(pattern: string | undefined, also: readonly Constraint[]): readonly string[] {
    const patterns = pattern === undefined ? [undefined, ...this.patterns()] : [pattern];
    const random = new SeededRandom(1);
    const generators = patterns.flatMap((each) => this.generators(each, also));
    const drawnNames = generators.flatMap((generator) => [
      generator.simplest,
      ...Array.from({ length: 6 }, () => generator.draw(random, undefined)),
    ]);
    return [...new Set(drawnNames)].filter((name) => !this.declaredNames.includes(name));
  }

  /** The number of names that can be generated, declared ones among them; infinite when they are many. */
  get capacity(): number {
    return this.generators(undefined).reduce((sum, generator) => sum + generator.size, 0);
  }

  /** The patterns of `patternProperties`. */
  patterns(): readonly string[] {
    return [...new Set(this.#object.applicators.flatMap((applicator) => applicator.patterned.map(({ pattern }) => pattern)))];
  }

  /** Generators of names that match a pattern and satisfy `propertyNames`. Empty when there is no such name. */
  generators(pattern: string | undefined, also: readonly Constraint[] = []): readonly ScalarGenerator<string>[] {
    const key = printJson([pattern, also.map((constraint) => [constraint.location.id, constraint.holds])]);
    return getOrCompute(this.#generators, key, () => this.#createGenerators(pattern, also));
  }

  #createGenerators(pattern: string | undefined, also: readonly Constraint[]): readonly ScalarGenerator<string>[] {
    const { domains } = this.#expansion.intersectionOf([...this.#object.names, ...also]);
    const patternDomain = { ...everything, text: { ...everything.text, patterns: pattern === undefined ? [] : [pattern] } };
    return domains
      .filter((domain) => (domain.types & typeBits.string) !== 0)
      .flatMap((domain) => {
        const nameDomain = intersect(domain, patternDomain);
        if (nameDomain.values === undefined) return generatorsOf(nameDomain);
        const listedNames = nameDomain.values.filter((value) => typeof value === 'string');
        return listedNames.filter((value) => pattern === undefined || matches(pattern, value)).map(singleName);
      });
  }
}

function generatorsOf(domain: Domain): readonly ScalarGenerator<string>[] {
  const result = textsOf(domain);
  return result.kind === 'generator' ? [result.generator] : [];
}

/** A generator of one text. */
function singleName(text: string): ScalarGenerator<string> {
  return { simplest: text, draw: () => text, accepts: (other) => other === text, size: 1, shrink: () => [] };
}

/** The members that could meet a requirement, each with all its constraints. */
export function candidateMembers(
  requirement: MemberRequirement,
  object: ObjectDomain,
  names: MemberNames,
): readonly { readonly name: string; readonly constraints: readonly Constraint[] }[] {
  const declaredCandidates = names.declaredNames.filter((name) => canHaveName(object, requirement, name));
  const generatedCandidates = names.samples(requirement.pattern, requirement.name).filter((name) => canHaveName(object, requirement, name));
  return [...new Set([...declaredCandidates, ...generatedCandidates])].map((name) => ({
    name,
    constraints: distinct([...memberConstraints(object, name), ...requirement.constraints]),
  }));
}
