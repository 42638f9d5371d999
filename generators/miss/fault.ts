/** Faults: every way to break one keyword of a schema while the rest of it is kept. */

import type { JsonObject } from '../../core/json.ts';
import { toPointer } from '../../core/pointer.ts';
import { type Expansion, omit } from '../algebra/expansion.ts';
import { type Alternative, type Claim, fails, type ItemDemand, only, satisfies } from '../algebra/facts.ts';
import type { Forms } from '../algebra/forms.ts';
import { type Breach, breachesOf, partsInPlace, present } from '../algebra/keywords.ts';
import type { Space } from '../algebra/node.ts';
import type { Site } from '../schema/site.ts';

/** One broken keyword, and what instances are like that break it and nothing else. */
export interface Fault {
  /** JSON Pointer of the place: a part only where a part must not be there at all. */
  readonly at: string;
  readonly keyword: string;
  /** What is wrong, as a clause without a subject: `is above 100`. */
  readonly change: string;
  readonly forms: () => Forms;
  /** The same where other schemas of the place that say the like may be broken as well: for when nothing else is possible. */
  readonly relaxed?: () => Forms;
}

/** Keywords whose breach lies in a part of the instance: there the part's own faults tell more, unless it has none because it must not be there. */
const ofParts: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'prefixItems', 'items']);

/** What must be left out of a schema so that a keyword of it can be broken. */
const together: ReadonlyMap<string, readonly string[]> = new Map([
  ['contains', ['contains', 'minContains', 'maxContains']],
  ['minContains', ['contains', 'minContains', 'maxContains']],
  ['maxContains', ['contains', 'minContains', 'maxContains']],
  ['then', ['if', 'then', 'else']],
  ['else', ['if', 'then', 'else']],
]);

/** Keywords that refuse the same members or items. */
const alike: ReadonlyMap<string, readonly string[]> = new Map([
  ['additionalProperties', ['unevaluatedProperties', 'propertyNames']],
  ['unevaluatedProperties', ['additionalProperties', 'propertyNames']],
  ['propertyNames', ['additionalProperties', 'unevaluatedProperties']],
]);

/** The faults of an instance of which some claims should be true, at the instance itself. */
export function faultsOf(space: Space, claims: readonly Claim[]): readonly Fault[] {
  return claims.flatMap((claim, index) => {
    const others = claims.toSpliced(index, 1);
    const rest = (): Forms => space.expansion.joint(others);
    // That a part must fail a schema comes from a choice around it: the choice tells what is wrong when the part does not.
    const own = claim.holds ? faultsOfSite(space, claim.site, 8) : [];
    return claims.length === 1 ? own : own.map((fault) => keeping(space.expansion, fault, rest, () => relaxedJoint(space, others, fault)));
  });
}

/**
 * The ways to fail some claims where the rest of what they say is not kept: for schemas of which one demand cannot be broken without another, as with
 * members that are refused by their names and by their values.
 */
export function looseFaultsOf(space: Space, claims: readonly Claim[]): readonly Fault[] {
  return claims.filter((claim) => claim.holds).flatMap((claim) => waysToFail(space, claim.site, 8));
}

function waysToFail(space: Space, site: Site, depth: number): readonly Fault[] {
  if (depth === 0) return [];
  const broken = breachesOf(site).map(({ keyword, change, alternative }) => ({
    keyword,
    change,
    forms: () => ({ list: [alternative], isCut: false }),
  }));
  const here = [...broken, ...space.expansion.failingChoices(site)].map((way) => ({ at: '', ...way }));
  return [...here, ...partsInPlace(site).flatMap((part) => waysToFail(space, part, depth - 1))];
}

/** What of a fault tells what is broken. */
type Broken = Pick<Fault, 'keyword' | 'change'>;

/**
 * A fault of an instance that is right in other respects. Where nothing is, because another schema of the same place says the same, that may be broken
 * as well: `relaxed` leaves it out.
 */
function keeping(expansion: Expansion, fault: Fault, rest: () => Forms, relaxed: () => Forms): Fault {
  return {
    ...fault,
    forms: () => expansion.product(fault.forms(), rest()),
    relaxed: () => expansion.product((fault.relaxed ?? fault.forms)(), relaxed()),
  };
}

function relaxedJoint(space: Space, claims: readonly Claim[], broken: Broken): Forms {
  const { expansion } = space;
  const parts = claims.map((claim) => (claim.holds ? relaxedForms(space, claim.site, broken, 8) : expansion.formsOf(claim)));
  return parts.reduce((forms, part) => expansion.product(forms, part), expansion.joint([]));
}

/** What a schema and those that hold for the same instance say, without what is broken. */
function relaxedForms(space: Space, site: Site, broken: Broken, depth: number): Forms {
  const { expansion } = space;
  const alone = expansion.formsOf(
    satisfies(omit(without(site, broken), ['$ref', '$dynamicRef', 'allOf', ...(alike.get(broken.keyword) ?? [])])),
  );
  return partsInPlace(site).reduce(
    (forms, part) =>
      expansion.product(forms, depth === 0 ? expansion.formsOf(satisfies(part)) : relaxedForms(space, part, broken, depth - 1)),
    alone,
  );
}

/** A schema without what is broken. */
function without(site: Site, { keyword, change }: Broken): Site {
  return keyword === 'required' ? withoutName(site, change) : omit(site, together.get(keyword) ?? [keyword]);
}

function faultsOfSite(space: Space, site: Site, depth: number): readonly Fault[] {
  const { expansion } = space;
  if (typeof site.schema === 'boolean')
    return site.schema ? [] : [{ at: '', keyword: 'false', change: 'is there', forms: () => expansion.formsOf(fails(site)) }];
  if (depth === 0) return [];
  const isHere = ({ keyword }: { readonly keyword: string }): boolean => !ofParts.has(keyword) && !isToldByParts(space, site, keyword);
  const own = breachesOf(site)
    .filter(isHere)
    .map((breach) => keepingRest(space, site, breach));
  const isChoice = ({ keyword }: { readonly keyword: string }): boolean => !conditional.has(keyword) && isHere({ keyword });
  const choices = expansion
    .failingChoices(site)
    .filter(isChoice)
    .map(({ keyword, change, forms }) => {
      const rest = (): Forms => expansion.formsOf(satisfies(omit(site, together.get(keyword) ?? [keyword])));
      return { at: '', keyword, change, forms: () => expansion.product(once(forms()), rest()) };
    });
  return [
    ...own,
    ...forbiddenParts(space, site),
    ...faultsInPlace(space, site, depth),
    ...faultsOfBranches(space, site, depth),
    ...faultsUnderConditions(space, site, depth),
    ...choices,
  ];
}

/** Whether the parts that a keyword is about can be wrong by themselves: then it is they that tell what is wrong. */
function isToldByParts(space: Space, site: Site, keyword: string): boolean {
  if (!ofRest.has(keyword)) return false;
  return space.height(space.node([satisfies(site.at(keyword))])) < Infinity;
}

/** Keywords about the parts that no other keyword speaks of. */
const ofRest: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

/** The same forms with one wrong item, where there may be several. */
function once(forms: Forms): Forms {
  const single = (demand: ItemDemand): ItemDemand => (!demand.claim.holds && demand.min === 1 ? { ...demand, max: 1 } : demand);
  return { ...forms, list: forms.list.map((form) => ({ ...form, array: { ...form.array, demands: form.array.demands.map(single) } })) };
}

/** Parts that must not be there, and are: members and items whose schema nothing satisfies. */
function forbiddenParts(space: Space, site: Site): readonly Fault[] {
  const isForbidden = (part: Site): boolean => space.height(space.node([satisfies(part)])) === Infinity;
  const fault = (at: string, open: Site, alternative: Alternative): Fault => {
    const forms = (): Forms => space.expansion.product({ list: [alternative], isCut: false }, space.expansion.formsOf(satisfies(open)));
    return { at, keyword: 'false', change: 'is there', forms };
  };
  const named = [...site.map('properties')].filter(([, part]) => isForbidden(part));
  const patterned = [...site.map('patternProperties')].filter(([, part]) => isForbidden(part));
  const placed = [...site.list('prefixItems').entries()].filter(([, part]) => isForbidden(part));
  const { items } = site.keywords;
  const length = site.list('prefixItems').length;
  const isClosed = items !== undefined && isForbidden(site.at('items'));
  return [
    ...named.map(([name]) => fault(toPointer([name]), opened(site, 'properties', name), present([name]))),
    ...patterned.map(([pattern]) => fault('', opened(site, 'patternProperties', pattern), memberLike(pattern))),
    ...placed.map(([index]) => fault(toPointer([index]), opened(site, 'prefixItems', index), only('array', { array: { min: index + 1 } }))),
    ...(isClosed
      ? [fault(toPointer([length]), omit(site, ['items']), only('array', { array: { min: length + 1, max: length + 1 } }))]
      : []),
  ];
}

/** A schema that lets one of its parts be anything. */
function opened(site: Site, keyword: string, key: string | number): Site {
  const parts = site.keywords[keyword];
  const open = Array.isArray(parts) ? parts.with(Number(key), true) : { ...(parts as JsonObject), [key]: true };
  return site.variant(`open ${keyword} ${key}`, { ...site.keywords, [keyword]: open });
}

/** An object with a member whose name matches a pattern. */
function memberLike(pattern: string): Alternative {
  return only('object', { object: { min: 1, demands: [{ pattern, outside: [], name: [], claims: [] }] } });
}

function keepingRest(space: Space, site: Site, breach: Breach): Fault {
  const { keyword, change, alternative } = breach;
  const bare: Fault = { at: '', keyword, change, forms: () => ({ list: [alternative], isCut: false }) };
  const rest = (): Forms => space.expansion.formsOf(satisfies(without(site, breach)));
  return keeping(space.expansion, bare, rest, () => relaxedForms(space, site, breach, 8));
}

/** All required names but the one that is missing: otherwise several would be. */
function withoutName(site: Site, change: string): Site {
  const required = site.keywords['required'];
  const kept = Array.isArray(required) ? required.filter((name) => change !== `lacks ${String(name)}`) : [];
  return site.variant(`required but ${change}`, { ...site.keywords, required: kept });
}

/** The faults of schemas that hold for the same instance, where the others are kept. */
function faultsInPlace(space: Space, site: Site, depth: number): readonly Fault[] {
  const references = (['$ref', '$dynamicRef'] as const).filter((keyword) => keyword in site.keywords);
  const referred = references.map((keyword) => [site.target(keyword), omit(site, [keyword])] as const);
  const parts = site.list('allOf').map((part, index) => {
    const others = (site.keywords['allOf'] as readonly never[]).toSpliced(index, 1);
    return [part, site.variant(`allOf but ${index}`, { ...site.keywords, allOf: others })] as const;
  });
  return [...referred, ...parts].flatMap(([part, rest]) => {
    const kept = (): Forms => space.expansion.formsOf(satisfies(rest));
    return faultsOfSite(space, part, depth - 1).map((fault) =>
      keeping(space.expansion, fault, kept, () => relaxedForms(space, rest, fault, 8)),
    );
  });
}

/** Keywords whose schemas hold only under a condition: there the faults of those schemas tell more. */
const conditional: ReadonlySet<string> = new Set(['then', 'else', 'dependentSchemas']);

/** The faults of schemas that hold only under a condition, which is met. */
function faultsUnderConditions(space: Space, site: Site, depth: number): readonly Fault[] {
  const { expansion } = space;
  const { if: condition, then, else: otherwise } = site.keywords;
  const open = (): Forms => expansion.formsOf(satisfies(omit(site, ['if', 'then', 'else'])));
  const under = (keyword: string, claim: Claim): readonly Fault[] =>
    faultsOfSite(space, site.at(keyword), depth - 1).map((fault) => {
      const met = (): Forms => expansion.product(expansion.formsOf(claim), open());
      return keeping(expansion, fault, met, met);
    });
  const dependent = [...site.map('dependentSchemas')].flatMap(([name, part]) => {
    const others = (): Forms => expansion.formsOf(satisfies(omit(site, ['dependentSchemas'])));
    const having = (): Forms => expansion.product({ list: [present([name])], isCut: false }, others());
    return faultsOfSite(space, part, depth - 1).map((fault) => keeping(expansion, fault, having, having));
  });
  return [
    ...(condition === undefined || then === undefined ? [] : under('then', satisfies(site.at('if')))),
    ...(condition === undefined || otherwise === undefined ? [] : under('else', fails(site.at('if')))),
    ...dependent,
  ];
}

/** The faults of the branches of a choice. Another branch may take what one refuses, so whoever draws them must look again. */
function faultsOfBranches(space: Space, site: Site, depth: number): readonly Fault[] {
  return ['anyOf', 'oneOf'].flatMap((keyword) => {
    const branches = site.list(keyword);
    const kept = (): Forms => space.expansion.formsOf(satisfies(omit(site, [keyword])));
    return branches.flatMap((branch) => faultsOfSite(space, branch, depth - 1).map((fault) => keeping(space.expansion, fault, kept, kept)));
  });
}
