/** What must exist below an array or an object for it to exist: the children without which it cannot be. */

import type { Claim } from './claim.ts';
import type { Alternative, ArrayFacts, MemberDemand } from './facts.ts';
import { distinct, itemClaims, memberClaims, prefixLength } from './members.ts';
import type { Names } from './names.ts';

/** A number of children, each of which must be possible, out of some that may be. */
export interface Need {
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
  const required = object.required.map((name) => (names.allows(name) ? exactly(memberClaims(object, name)) : impossible));
  const isFull = object.required.length >= object.max;
  const demanded = object.demands.map((demand) => {
    // Where no further member has room, one of the required ones must be as demanded.
    const open = candidates(demand, names).filter(({ name }) => !isFull || object.required.includes(name));
    return { count: 1, once: [], often: open.map(({ claims }) => claims) };
  });
  const missing = object.min - object.required.length;
  if (missing <= 0) return [...required, ...demanded];
  const spare = names.spelled.filter((name) => !object.required.includes(name) && names.allows(name));
  const invented = names.samples(undefined, []).map((name) => memberClaims(object, name));
  const once = spare.map((name) => memberClaims(object, name));
  const room = names.capacity - spare.length;
  return [...required, ...demanded, { count: missing, once, often: invented, most: Math.max(0, room) }];
}

/** The members that could meet a demand, by name. */
export function candidates(demand: MemberDemand, names: Names): readonly { readonly name: string; readonly claims: readonly Claim[] }[] {
  const known = names.spelled.filter((name) => names.meets(demand, name));
  const invented = names.samples(demand.pattern, demand.name).filter((name) => names.meets(demand, name));
  return [...new Set([...known, ...invented])].map((name) => ({ name, claims: distinct([...names.claims(name), ...demand.claims]) }));
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
