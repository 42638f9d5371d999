/** The names that members of an object can have: those that schemas spell, and those that must be invented. */

import { holds } from '../schema/evaluate.ts';
import { Dice } from '../source/dice.ts';
import type { TextSource } from '../text/text-source.ts';
import type { Claim } from './claim.ts';
import type { Expansion } from './expansion.ts';
import { type Alternative, everything, type MemberDemand, type ObjectFacts, typeBits } from './facts.ts';
import { meet } from './meet.ts';
import { matches, memberClaims, speaksOf } from './members.ts';
import { textsOf } from './scalars.ts';

/** Names for one form of an object. */
export class Names {
  /** The names that schemas spell, in their order. */
  readonly spelled: readonly string[];
  readonly #object: ObjectFacts;
  readonly #expansion: Expansion;
  readonly #makers = new Map<string, readonly TextSource[]>();

  constructor(object: ObjectFacts, expansion: Expansion) {
    this.#object = object;
    this.#expansion = expansion;
    this.spelled = [...new Set([...object.scopes.flatMap((scope) => [...scope.named.keys()]), ...object.required])];
  }

  /** Whether a member may have a name at all. */
  allows(name: string): boolean {
    return this.#object.names.every((claim) => isTrueOf(claim, name));
  }

  /** Whether a member of a name would be one that a demand speaks of. */
  meets(demand: MemberDemand, name: string): boolean {
    const isNamed = demand.pattern === undefined || matches(demand.pattern, name);
    return (
      isNamed &&
      this.allows(name) &&
      demand.name.every((claim) => isTrueOf(claim, name)) &&
      !demand.outside.some((scope) => speaksOf(scope, name))
    );
  }

  /** What is claimed of the member of a name. */
  claims(name: string): readonly Claim[] {
    return memberClaims(this.#object, name);
  }

  /** A few names that schemas do not spell, always the same ones: out of each pattern, and free ones. */
  samples(pattern: string | undefined, also: readonly Claim[]): readonly string[] {
    const patterns = pattern === undefined ? [undefined, ...this.patterns()] : [pattern];
    const dice = new Dice(1);
    const makers = patterns.flatMap((each) => this.makers(each, also));
    const drawn = makers.flatMap((maker) => [maker.simplest, ...Array.from({ length: 6 }, () => maker.draw(dice, undefined))]);
    return [...new Set(drawn)].filter((name) => !this.spelled.includes(name));
  }

  /** How many names there can be besides the spelled ones, spelled ones that are invented again included; infinite where they are many. */
  get capacity(): number {
    return this.makers(undefined).reduce((sum, maker) => sum + maker.size, 0);
  }

  /** The patterns that scopes speak of. */
  patterns(): readonly string[] {
    return [...new Set(this.#object.scopes.flatMap((scope) => scope.patterned.map(({ pattern }) => pattern)))];
  }

  /** Sources of names that match a pattern and are as `propertyNames` says; none when there is no such name. */
  makers(pattern: string | undefined, also: readonly Claim[] = []): readonly TextSource[] {
    const key = JSON.stringify([pattern, also.map((claim) => [claim.site.id, claim.holds])]);
    const known = this.#makers.get(key) ?? this.#open(pattern, also);
    this.#makers.set(key, known);
    return known;
  }

  #open(pattern: string | undefined, also: readonly Claim[]): readonly TextSource[] {
    const { list } = this.#expansion.joint([...this.#object.names, ...also]);
    const wanted = { ...everything, text: { ...everything.text, patterns: pattern === undefined ? [] : [pattern] } };
    return list
      .filter((form) => (form.types & typeBits.string) !== 0)
      .flatMap((form) => {
        const named = meet(form, wanted);
        if (named.values === undefined) return opened(named);
        const listed = named.values.filter((value) => typeof value === 'string');
        return listed.filter((value) => pattern === undefined || matches(pattern, value)).map(fixed);
      });
  }
}

function opened(form: Alternative): readonly TextSource[] {
  const outcome = textsOf(form);
  return outcome.kind === 'source' ? [outcome.source] : [];
}

/** A source of one text. */
function fixed(text: string): TextSource {
  return { simplest: text, draw: () => text, accepts: (other) => other === text, size: 1, shrink: () => [] };
}

function isTrueOf(claim: Claim, name: string): boolean {
  return holds(claim.site, name) === claim.holds;
}
