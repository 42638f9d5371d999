/** Keywords of arrays (JSON Schema core §10.3.1, validation §6.4). */

import type { Site } from '../schema/site.ts';
import { fails, satisfies } from './claim.ts';
import { type Alternative, type ArrayFacts, everything, knowing, only } from './facts.ts';
import { type Breach, countOf, type Keyword } from './keyword.ts';

/** `minItems` and `maxItems`. */
const length: Keyword = {
  names: ['minItems', 'maxItems'],
  facts: (site) => knowing({ array: { ...limit(site, 'minItems', 'min'), ...limit(site, 'maxItems', 'max') } }),
  breaches: (site) => {
    const { minItems, maxItems } = site.keywords;
    const min = minItems === undefined ? 0 : countOf(site, 'minItems');
    const few = min === 0 ? [] : [broken('minItems', `has fewer items than ${min}`, { max: min - 1 })];
    const max = maxItems === undefined ? undefined : countOf(site, 'maxItems');
    return [...few, ...(max === undefined ? [] : [broken('maxItems', `has more items than ${max}`, { min: max + 1 })])];
  },
};

/** `uniqueItems`. */
const uniqueness: Keyword = {
  names: ['uniqueItems'],
  facts: (site) => (isUnique(site) ? knowing({ array: { unique: true } }) : everything),
  breaches: (site) => (isUnique(site) ? [broken('uniqueItems', 'has the same item twice', { min: 2, repeated: true })] : []),
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
    const demand = { claim: satisfies(site.at('contains')), min, max, from: 0, evaluates: true };
    return knowing({ array: { min, demands: [demand] } });
  },
  breaches: (site) => {
    const { min, max } = containedBy(site);
    const claim = satisfies(site.at('contains'));
    const demand = { claim, from: 0, evaluates: false };
    const few = broken(site.keywords['minContains'] === undefined ? 'contains' : 'minContains', `has fewer matching items than ${min}`, {
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
  const { minContains, maxContains } = site.keywords;
  return {
    min: minContains === undefined ? 1 : countOf(site, 'minContains'),
    max: maxContains === undefined ? Infinity : countOf(site, 'maxContains'),
  };
}

function limit(site: Site, keyword: string, side: 'min' | 'max'): Partial<ArrayFacts> {
  return site.keywords[keyword] === undefined ? {} : { [side]: countOf(site, keyword) };
}

function isUnique(site: Site): boolean {
  const value = site.keywords['uniqueItems'];
  if (typeof value === 'boolean') return value;
  throw site.unsupported('uniqueItems', `${JSON.stringify(value)} is neither true nor false`);
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
  const rest = contained.length === 0 ? each : each.either([...contained, each]);
  if (isBroken) {
    const demand = { claim: fails(rest), min: 1, max: Infinity, from: start, evaluates: false };
    return only('array', { array: { min: start + 1, demands: [demand] } });
  }
  const prefix = Array.from({ length: start }, () => []);
  return knowing({ array: { scopes: [{ prefix, rest: [satisfies(rest)], evaluates: true }] } });
}

const nothing: Alternative = { ...everything, types: 0 };
