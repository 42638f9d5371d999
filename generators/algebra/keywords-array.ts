/** Keywords of arrays (JSON Schema core §10.3.1, validation §6.4). */

import { countOf, flagOf } from '../schema/keyword.ts';
import type { Site } from '../schema/site.ts';
import { fails, isVoid, satisfies } from './claim.ts';
import { type Alternative, type ArrayFacts, everything, knowing, only } from './facts.ts';
import type { Breach, Keyword } from './keyword.ts';

/** `minItems` and `maxItems`. */
const length: Keyword = {
  names: ['minItems', 'maxItems'],
  facts: (site) => knowing({ array: { min: countOf(site, 'minItems') ?? 0, max: countOf(site, 'maxItems') ?? Infinity } }),
  breaches: (site) => {
    const [min, max] = [countOf(site, 'minItems') ?? 0, countOf(site, 'maxItems')];
    const few = min === 0 ? [] : [broken('minItems', `has fewer items than ${min}`, { max: min - 1 })];
    return [...few, ...(max === undefined ? [] : [broken('maxItems', `has more items than ${max}`, { min: max + 1 })])];
  },
};

/** `uniqueItems`. */
const uniqueness: Keyword = {
  names: ['uniqueItems'],
  facts: (site) => (flagOf(site, 'uniqueItems') === true ? knowing({ array: { unique: true } }) : everything),
  breaches: (site) =>
    flagOf(site, 'uniqueItems') === true ? [broken('uniqueItems', 'has the same item twice', { min: 2, repeated: true })] : [],
};

/** `prefixItems` and `items`. */
const items: Keyword = {
  names: ['prefixItems', 'items'],
  facts: (site) => {
    const prefix = site.list('prefixItems').map((item) => [satisfies(item)]);
    const rest = site.keywords['items'] === undefined ? undefined : [satisfies(site.at('items'))];
    return knowing({ array: { scopes: [{ prefix, rest, evaluates: true }] } });
  },
  breaches: (site) => {
    const prefix = site.list('prefixItems');
    const inPrefix = prefix.map((item, index) => {
      const claims = [...prefix.slice(0, index).map(() => []), [fails(item)]];
      const scopes = [{ prefix: claims, rest: undefined, evaluates: false }];
      return broken('prefixItems', `has an item ${index} that is not as described`, { min: index + 1, scopes });
    });
    if (site.keywords['items'] === undefined) return inPrefix;
    const demand = { claim: fails(site.at('items')), min: 1, max: Infinity, from: prefix.length, evaluates: false };
    return [...inPrefix, broken('items', 'has an item that is not as described', { min: prefix.length + 1, demands: [demand] })];
  },
};

/** `contains`, with `minContains` and `maxContains`, which say nothing alone. */
const contains: Keyword = {
  names: ['contains'],
  facts: (site) => {
    const { min, max } = containedBy(site);
    const claim = satisfies(site.at('contains'));
    const demand = { claim, min, max, from: 0, evaluates: true };
    // Where every item matches, the array cannot be longer than so many matches.
    return knowing({ array: { min, ...(isVoid(claim) ? { max } : {}), demands: [demand] } });
  },
  breaches: (site) => {
    const { min, max } = containedBy(site);
    const claim = satisfies(site.at('contains'));
    const demand = { claim, from: 0, evaluates: false };
    const few = broken(site.keywords['minContains'] === undefined ? 'contains' : 'minContains', `has fewer matching items than ${min}`, {
      ...(isVoid(claim) ? { max: min - 1 } : {}),
      demands: [{ ...demand, min: 0, max: min - 1 }],
    });
    const many = broken('maxContains', `has more matching items than ${max}`, {
      min: max + 1,
      demands: [{ ...demand, min: max + 1, max: Infinity }],
    });
    return [...(min === 0 ? [] : [few]), ...(max === Infinity ? [] : [many])];
  },
};

function containedBy(site: Site): { readonly min: number; readonly max: number } {
  return { min: countOf(site, 'minContains') ?? 1, max: countOf(site, 'maxContains') ?? Infinity };
}

function broken(keyword: string, change: string, array: Partial<ArrayFacts>): Breach {
  return { keyword, change, alternative: only('array', { array }) };
}

/** The keywords of this file. */
export const arrayKeywords: readonly Keyword[] = [length, uniqueness, items, contains];

/** The alternative that the items after the evaluated ones are as `unevaluatedItems` says, or that one of them is not. */
export function unevaluatedItems(site: Site, evaluated: Alternative, isBroken: boolean): Alternative {
  const { scopes, demands } = evaluated.array;
  const speaking = scopes.filter((scope) => scope.evaluates);
  // Where an `items` holds there is nothing that is not evaluated.
  if (speaking.some((scope) => scope.rest !== undefined)) return isBroken ? nothing : everything;
  const start = Math.max(0, ...speaking.map((scope) => scope.prefix.length));
  const contained = demands.filter((demand) => demand.evaluates).map((demand) => demand.claim.site);
  const each = site.at('unevaluatedItems');
  const rest = contained.length === 0 ? each : site.either([...contained, each]);
  if (isBroken) {
    const demand = { claim: fails(rest), min: 1, max: Infinity, from: start, evaluates: false };
    // A branch that was not meant to hold may do so all the same, and then evaluates more than was thought.
    return only('array', { array: { min: start + 1, demands: [demand] }, checked: [fails(site)] });
  }
  const prefix = Array.from({ length: start }, () => []);
  return knowing({ array: { scopes: [{ prefix, rest: [satisfies(rest)], evaluates: true }] } });
}

const nothing: Alternative = { ...everything, types: 0 };
