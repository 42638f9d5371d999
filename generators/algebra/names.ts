/** Names of members, and what must exist below an array or an object for it to exist. */

import { recall } from '../recall.ts';
import { Dice, type Scalars } from '../source/source.ts';
import { allows, meets } from './evaluate.ts';
import type { Expansion } from './expansion.ts';
import {
  type Alternative,
  type ArrayFacts,
  type Claim,
  distinct,
  everything,
  itemClaims,
  type MemberDemand,
  matches,
  meet,
  memberClaims,
  type ObjectFacts,
  prefixLength,
  typeBits,
} from './facts.ts';
import { textsOf } from './option.ts';

/** Names for one form of an object. */
export class Names {
  /** The names that schemas spell, in their order. */
  readonly spelled: readonly string[];
  readonly #object: ObjectFacts;
  readonly #expansion: Expansion;
  readonly #makers = new Map<string, readonly Scalars<string>[]>();

  constructor(object: ObjectFacts, expansion: Expansion) {
    this.#object = object;
    this.#expansion = expansion;
    this.spelled = [...new Set([...object.scopes.flatMap((scope) => [...scope.named.keys()]), ...object.required])];
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
  makers(pattern: string | undefined, also: readonly Claim[] = []): readonly Scalars<string>[] {
    const key = JSON.stringify([pattern, also.map((claim) => [claim.site.id, claim.holds])]);
    return recall(this.#makers, key, () => this.#open(pattern, also));
  }

  #open(pattern: string | undefined, also: readonly Claim[]): readonly Scalars<string>[] {
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

function opened(form: Alternative): readonly Scalars<string>[] {
  const outcome = textsOf(form);
  return outcome.kind === 'source' ? [outcome.source] : [];
}

/** A source of one text. */
function fixed(text: string): Scalars<string> {
  return { simplest: text, draw: () => text, accepts: (other) => other === text, size: 1, shrink: () => [] };
}

/** A number of children, each of which must be possible, out of some that may be. */
interface Need {
  readonly count: number;
  /** Each of these can serve once. */
  readonly once: readonly (readonly Claim[])[];
  /** Any of these can serve as often as is wanted. */
  readonly often: readonly (readonly Claim[])[];
  /** How often they can serve all together, where that is not without end. */
  readonly most?: number;
}

/** What the items of an array must be. */
export function needsOfArray({ array }: Alternative): readonly Need[] {
  const length = prefixLength(array);
  const fixed = Array.from({ length: Math.min(array.min, length) }, (_, index) => exactly(itemClaims(array, index)));
  const rest = array.min > length ? [exactly(itemClaims(array, length))] : [];
  const demanded = array.demands
    .filter(({ min }) => min > 0)
    .map(({ claim, min, from }) => ({ count: min, ...placesFor(array, claim, from) }));
  return [...fixed, ...rest, ...demanded, ...(array.repeated ? [twin(array)] : [])];
}

/** What the members of an object must be. */
export function needsOfObject({ object }: Alternative, names: Names): readonly Need[] {
  const required = object.required.map((name) => (allows(object, name) ? exactly(memberClaims(object, name)) : impossible));
  const isFull = object.required.length >= object.max;
  const demanded = object.demands.map((demand) => {
    // Where no further member has room, one of the required ones must be as demanded.
    const open = candidates(demand, object, names).filter(({ name }) => !isFull || object.required.includes(name));
    return { count: 1, once: [], often: open.map(({ claims }) => claims) };
  });
  const missing = object.min - object.required.length;
  if (missing <= 0) return [...required, ...demanded];
  const spare = names.spelled.filter((name) => !object.required.includes(name) && allows(object, name));
  const invented = names.samples(undefined, []).map((name) => memberClaims(object, name));
  const once = spare.map((name) => memberClaims(object, name));
  const room = names.capacity - spare.length;
  return [...required, ...demanded, { count: missing, once, often: invented, most: Math.max(0, room) }];
}

/** The members that could meet a demand, by name. */
export function candidates(
  demand: MemberDemand,
  object: ObjectFacts,
  names: Names,
): readonly { readonly name: string; readonly claims: readonly Claim[] }[] {
  const known = names.spelled.filter((name) => meets(object, demand, name));
  const invented = names.samples(demand.pattern, demand.name).filter((name) => meets(object, demand, name));
  return [...new Set([...known, ...invented])].map((name) => ({
    name,
    claims: distinct([...memberClaims(object, name), ...demand.claims]),
  }));
}

function exactly(claims: readonly Claim[]): Need {
  return { count: 1, once: [], often: [claims] };
}

const impossible: Need = { count: 1, once: [], often: [] };

function placesFor(array: ArrayFacts, claim: Claim, from: number): Pick<Need, 'once' | 'often'> {
  const length = Math.min(prefixLength(array), array.max);
  const inPrefix = Array.from({ length: Math.max(0, length - from) }, (_, index) => distinct([...itemClaims(array, from + index), claim]));
  const after = Math.max(length, from);
  return { once: inPrefix, often: after < array.max ? [distinct([...itemClaims(array, after), claim])] : [] };
}

/** Two equal items must be possible at two places at once. */
function twin(array: ArrayFacts): Need {
  const places = Math.min(prefixLength(array) + 2, array.max);
  const pairs = Array.from({ length: places }, (_, left) =>
    Array.from({ length: places - left - 1 }, (_unused, offset) =>
      distinct([...itemClaims(array, left), ...itemClaims(array, left + 1 + offset)]),
    ),
  );
  return { count: 1, once: [], often: pairs.flat() };
}
