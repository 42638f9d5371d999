/** Keywords of objects (JSON Schema core §10.3.2, validation §6.5). */

import { countOf, expressionOf, namesByNameOf, namesOf } from '../schema/keyword.ts';
import type { Site } from '../schema/site.ts';
import { fails, satisfies } from './claim.ts';
import { type Alternative, everything, knowing, type MemberScope, naming, type ObjectFacts, only } from './facts.ts';
import type { Breach, Keyword } from './keyword.ts';

/** `minProperties` and `maxProperties`. */
const size: Keyword = {
  names: ['minProperties', 'maxProperties'],
  facts: (site) => knowing({ object: { min: countOf(site, 'minProperties') ?? 0, max: countOf(site, 'maxProperties') ?? Infinity } }),
  breaches: (site) => {
    const [min, max] = [countOf(site, 'minProperties') ?? 0, countOf(site, 'maxProperties')];
    const few = min === 0 ? [] : [broken('minProperties', `has fewer members than ${min}`, { max: min - 1 })];
    return [...few, ...(max === undefined ? [] : [broken('maxProperties', `has more members than ${max}`, { min: max + 1 })])];
  },
};

/** `required`. */
const required: Keyword = {
  names: ['required'],
  facts: (site) => knowing({ object: { required: [...new Set(namesOf(site, 'required'))] } }),
  breaches: (site) =>
    (namesOf(site, 'required') ?? []).map((name) => broken('required', `lacks ${name}`, { scopes: [absent(site, name)] })),
};

/** `properties`, `patternProperties` and `additionalProperties`. */
const members: Keyword = {
  names: ['properties', 'patternProperties', 'additionalProperties'],
  facts: (site) => knowing({ object: { scopes: [scopeOf(site)] } }),
  breaches: (site) => {
    const named = [...site.map('properties')].map(([name, member]) =>
      broken('properties', `has a ${name} that is not as described`, { required: [name], scopes: [naming(name, [fails(member)])] }),
    );
    const patterned = [...site.map('patternProperties')].map(([pattern, member]) => {
      const demand = { pattern, outside: [], name: [], claims: [fails(member)] };
      return broken('patternProperties', `has a member of a name like ${pattern} that is not as described`, { min: 1, demands: [demand] });
    });
    if (site.keywords['additionalProperties'] === undefined) return [...named, ...patterned];
    const additional = site.at('additionalProperties');
    const demand = { pattern: undefined, outside: [{ ...scopeOf(site), rest: undefined }], name: [], claims: [fails(additional)] };
    const change = additional.schema === false ? 'has a member that is not described' : 'has an additional member that is not as described';
    return [...named, ...patterned, broken('additionalProperties', change, { min: 1, demands: [demand] })];
  },
};

/** `propertyNames`. */
const names: Keyword = {
  names: ['propertyNames'],
  facts: (site) => knowing({ object: { names: [satisfies(site.at('propertyNames'))] } }),
  breaches: (site) => {
    const demand = { pattern: undefined, outside: [], name: [fails(site.at('propertyNames'))], claims: [] };
    return [broken('propertyNames', 'has a member whose name is not as described', { min: 1, demands: [demand] })];
  },
};

/** The keywords of this file. */
export const objectKeywords: readonly Keyword[] = [size, required, members, names];

/** The alternatives that each name is absent, or present with all that it needs (`dependentRequired`). */
export function dependentRequired(site: Site): readonly (readonly Alternative[])[] {
  return [...namesByNameOf(site, 'dependentRequired')].map(([name, needed]) => [
    knowing({ object: { scopes: [absent(site, name)] } }),
    present([name, ...needed]),
  ]);
}

/** The ways to have a name without what it needs. */
export function dependentRequiredBreaches(site: Site): readonly Breach[] {
  return [...namesByNameOf(site, 'dependentRequired')].flatMap(([name, needed]) =>
    needed.map((missing) =>
      broken('dependentRequired', `has ${name} but lacks ${missing}`, { required: [name], scopes: [absent(site, missing)] }),
    ),
  );
}

/** The alternative that a name is absent. */
export function without(site: Site, name: string): Alternative {
  return knowing({ object: { scopes: [absent(site, name)] } });
}

/** The alternative of an object that has these names. */
export function present(required: readonly string[]): Alternative {
  // Names that are listed twice count once.
  return only('object', { object: { required: [...new Set(required)] } });
}

/** The alternative that the members that are not evaluated yet are as `unevaluatedProperties` says, or that one of them is not. */
export function unevaluatedProperties(site: Site, evaluated: Alternative, isBroken: boolean): Alternative {
  const over = evaluated.object.scopes.filter((scope) => scope.evaluates);
  const each = site.at('unevaluatedProperties');
  if (!isBroken)
    return knowing({ object: { scopes: [{ named: new Map(), patterned: [], rest: [satisfies(each)], over, evaluates: true }] } });
  if (over.some((scope) => scope.rest !== undefined)) return { ...everything, types: 0 };
  const demand = { pattern: undefined, outside: over, name: [], claims: [fails(each)] };
  // A branch that was not meant to hold may do so all the same, and then evaluates more than was thought.
  return only('object', { object: { min: 1, demands: [demand] }, checked: [fails(site)] });
}

function scopeOf(site: Site): MemberScope {
  return {
    named: new Map([...site.map('properties')].map(([name, member]) => [name, [satisfies(member)]])),
    patterned: [...site.map('patternProperties')].map(([pattern, member]) => {
      // What is no regular expression is refused here, where its place is known.
      expressionOf(site, 'patternProperties', pattern);
      return { pattern, claims: [satisfies(member)] };
    }),
    rest: site.keywords['additionalProperties'] === undefined ? undefined : [satisfies(site.at('additionalProperties'))],
    over: [],
    evaluates: true,
  };
}

/** A name that no member has: nothing satisfies `false`. */
function absent(site: Site, name: string): MemberScope {
  return naming(name, [satisfies(site.never())]);
}

function broken(keyword: string, change: string, object: Partial<ObjectFacts>): Breach {
  return { keyword, change, alternative: only('object', { object }) };
}
