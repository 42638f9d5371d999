/** The keywords of JSON Schema that speak of the instance itself or of its parts, each with both of its sides: what satisfies it and every way to break it. */

import { checksNumber, checksText } from '../../core/format.ts';
import { countOf, expressionOf, flagOf, namesByNameOf, namesOf, numberOf, textOf, typesOf, valuesOf } from '../schema/keyword.ts';
import type { Site } from '../schema/site.ts';
import {
  type Alternative,
  allTypes,
  type Claim,
  everything,
  fails,
  isVoid,
  knowing,
  type MemberScope,
  meet,
  naming,
  only,
  type Partially,
  satisfies,
  type TypeName,
  typeBits,
} from './facts.ts';

/** One way to fail a keyword. */
export interface Breach {
  readonly keyword: string;
  /** What is wrong with such an instance, as a clause without a subject: `is above 100`. */
  readonly change: string;
  /** What such an instance is like. */
  readonly alternative: Alternative;
}

/** A keyword that speaks of the instance itself or of its members. Keywords that join schemas are in `expansion.ts`. */
interface Keyword {
  /** The keywords that it is spelled with. */
  readonly names: readonly string[];
  readonly facts: (site: Site) => Alternative;
  readonly breaches: (site: Site) => readonly Breach[];
}

/** What the keywords of a schema that speak of the instance itself say together. */
export function factsOf(site: Site): Alternative {
  return keywordsOf(site).reduce((facts, keyword) => meet(facts, keyword.facts(site)), everything);
}

/** The ways to fail those keywords, one keyword at a time. */
export function breachesOf(site: Site): readonly Breach[] {
  return keywordsOf(site).flatMap((keyword) => keyword.breaches(site));
}

function keywordsOf(site: Site): readonly Keyword[] {
  return keywords.filter(({ names }) => names.some((name) => name in site.keywords));
}

/** `type`, with OpenAPI 3.0's `nullable` beside it, which validators still read. */
const type: Keyword = {
  names: ['type'],
  facts: (site) => {
    const names = typesOf(site) ?? [];
    return knowing({ types: bitsOf(names), ...(isWhole(names) ? { number: { integer: true } } : {}) });
  },
  breaches: (site) => {
    const names = typesOf(site) ?? [];
    const rest = allTypes & ~bitsOf(names);
    const broken = { keyword: 'type', change: `is not of type ${names.join(' or ')}` };
    return [
      ...(rest === 0 ? [] : [{ ...broken, alternative: knowing({ types: rest }) }]),
      ...(isWhole(names) ? [{ ...broken, alternative: only('number', { number: { fractional: true } }) }] : []),
    ];
  },
};

function bitsOf(names: readonly string[]): number {
  return names.reduce((bits, name) => bits | (name === 'integer' ? typeBits.number : typeBits[name as TypeName]), 0);
}

/** Whether numbers must be whole: `integer` is there and `number` is not. */
function isWhole(names: readonly string[]): boolean {
  return names.includes('integer') && !names.includes('number');
}

const constant: Keyword = {
  names: ['const'],
  facts: (site) => knowing({ values: [site.keywords['const'] ?? null] }),
  breaches: (site) => {
    const value = site.keywords['const'] ?? null;
    return [{ keyword: 'const', change: `is not ${JSON.stringify(value)}`, alternative: knowing({ except: [value] }) }];
  },
};

const enumeration: Keyword = {
  names: ['enum'],
  facts: (site) => knowing({ values: valuesOf(site, 'enum') ?? [] }),
  breaches: (site) => [
    { keyword: 'enum', change: 'is none of the listed values', alternative: knowing({ except: valuesOf(site, 'enum') ?? [] }) },
  ],
};

/** `format`, where it is one that is checked. */
const format: Keyword = {
  names: ['format'],
  facts: (site) => {
    const name = textOf(site, 'format') ?? '';
    if (checksText(name) !== undefined) return knowing({ text: { formats: [name] } });
    return checksNumber(name) === undefined ? everything : knowing({ number: { formats: [name] } });
  },
  breaches: (site) => {
    const name = textOf(site, 'format') ?? '';
    const change = `is not of format ${name}`;
    if (checksText(name) !== undefined) return [broken('format', change, { text: { notFormats: [name] } })];
    // Every JSON number is a float and a double, so only the formats of whole numbers can be failed.
    return checksNumber(name)?.(0.5) === false ? [broken('format', change, { number: { notFormats: [name] } })] : [];
  },
};

/** Facts of one type. */
type OfOneType = Pick<Partially, 'number' | 'text' | 'array' | 'object'>;

/** A way to fail a keyword that speaks of one type. */
function broken(keyword: string, change: string, facts: OfOneType): Breach {
  const type = facts.text !== undefined ? 'string' : facts.number !== undefined ? 'number' : facts.array !== undefined ? 'array' : 'object';
  return { keyword, change, alternative: only(type, facts) };
}

/**
 * A keyword with one value: how it is read, what is wrong with an instance that fails it (put before the value), what it says of an instance, and what
 * is true of one that fails it. A least count of 0 cannot be failed.
 */
type Valued<T extends string | number> = readonly [
  name: string,
  read: (site: Site, name: string) => T | undefined,
  change: string,
  says: (value: T) => OfOneType,
  denies: (value: T) => OfOneType,
];

function valued<T extends string | number>([name, read, change, says, denies]: Valued<T>): Keyword {
  return {
    names: [name],
    facts: (site) => {
      const value = read(site, name);
      return value === undefined ? everything : knowing(says(value));
    },
    breaches: (site) => {
      const value = read(site, name);
      const cannotFail = value === undefined || (value === 0 && read === countOf && name.startsWith('min'));
      return cannotFail ? [] : [broken(name, `${change} ${value}`, denies(value))];
    },
  };
}

function divisorOf(site: Site, name: string): number | undefined {
  const value = numberOf(site, name);
  if (value === undefined || value > 0) return value;
  throw site.unsupported(name, `${value} is not greater than 0`);
}

const ofNumbers: readonly Valued<number>[] = [
  [
    'minimum',
    numberOf,
    'is below',
    (value) => ({ number: { low: { value, open: false } } }),
    (value) => ({ number: { high: { value, open: true } } }),
  ],
  [
    'maximum',
    numberOf,
    'is above',
    (value) => ({ number: { high: { value, open: false } } }),
    (value) => ({ number: { low: { value, open: true } } }),
  ],
  [
    'exclusiveMinimum',
    numberOf,
    'is not above',
    (value) => ({ number: { low: { value, open: true } } }),
    (value) => ({ number: { high: { value, open: false } } }),
  ],
  [
    'exclusiveMaximum',
    numberOf,
    'is not below',
    (value) => ({ number: { high: { value, open: true } } }),
    (value) => ({ number: { low: { value, open: false } } }),
  ],
  [
    'multipleOf',
    divisorOf,
    'is no multiple of',
    (value) => ({ number: { multiples: [value] } }),
    (value) => ({ number: { notMultiples: [value] } }),
  ],
];

const ofTexts: readonly Keyword[] = [
  valued(['minLength', countOf, 'is shorter than', (min) => ({ text: { minLength: min } }), (min) => ({ text: { maxLength: min - 1 } })]),
  valued(['maxLength', countOf, 'is longer than', (max) => ({ text: { maxLength: max } }), (max) => ({ text: { minLength: max + 1 } })]),
  valued([
    'pattern',
    textOf,
    'does not match',
    (pattern) => ({ text: { patterns: [pattern] } }),
    (pattern) => ({ text: { notPatterns: [pattern] } }),
  ]),
];

const sizesOfArrays: readonly Valued<number>[] = [
  ['minItems', countOf, 'has fewer items than', (min) => ({ array: { min } }), (min) => ({ array: { max: min - 1 } })],
  ['maxItems', countOf, 'has more items than', (max) => ({ array: { max } }), (max) => ({ array: { min: max + 1 } })],
];

const sizesOfObjects: readonly Valued<number>[] = [
  ['minProperties', countOf, 'has fewer members than', (min) => ({ object: { min } }), (min) => ({ object: { max: min - 1 } })],
  ['maxProperties', countOf, 'has more members than', (max) => ({ object: { max } }), (max) => ({ object: { min: max + 1 } })],
];

const uniqueness: Keyword = {
  names: ['uniqueItems'],
  facts: (site) => (flagOf(site, 'uniqueItems') === true ? knowing({ array: { unique: true } }) : everything),
  breaches: (site) =>
    flagOf(site, 'uniqueItems') === true ? [broken('uniqueItems', 'has the same item twice', { array: { min: 2, repeated: true } })] : [],
};

const items: Keyword = {
  names: ['prefixItems', 'items'],
  facts: (site) => {
    const prefix = site.list('prefixItems').map((item) => [satisfies(item)]);
    return knowing({ array: { scopes: [{ prefix, rest: claimsAt(site, 'items'), evaluates: true }] } });
  },
  breaches: (site) => {
    const prefix = site.list('prefixItems');
    const inPrefix = prefix.map((item, index) => {
      const claims = [...prefix.slice(0, index).map(() => []), [fails(item)]];
      const scopes = [{ prefix: claims, rest: undefined, evaluates: false }];
      return broken('prefixItems', `has an item ${index} that is not as described`, { array: { min: index + 1, scopes } });
    });
    if (site.keywords['items'] === undefined) return inPrefix;
    const demands = [{ claim: fails(site.at('items')), min: 1, max: Infinity, from: prefix.length, evaluates: false }];
    return [...inPrefix, broken('items', 'has an item that is not as described', { array: { min: prefix.length + 1, demands } })];
  },
};

/** `contains`, with `minContains` and `maxContains`, which say nothing alone. */
const contains: Keyword = {
  names: ['contains', 'minContains', 'maxContains'],
  facts: (site) => {
    const { min, max } = containedBy(site);
    if (site.keywords['contains'] === undefined) return everything;
    const claim = satisfies(site.at('contains'));
    // Where every item matches, the array cannot be longer than so many matches.
    return knowing({ array: { min, ...(isVoid(claim) ? { max } : {}), demands: [{ claim, min, max, from: 0, evaluates: true }] } });
  },
  breaches: (site) => {
    const { min, max } = containedBy(site);
    if (site.keywords['contains'] === undefined) return [];
    const demand = { claim: satisfies(site.at('contains')), from: 0, evaluates: false };
    const few = { ...(isVoid(demand.claim) ? { max: min - 1 } : {}), demands: [{ ...demand, min: 0, max: min - 1 }] };
    const many = { min: max + 1, demands: [{ ...demand, min: max + 1, max: Infinity }] };
    const least = site.keywords['minContains'] === undefined ? 'contains' : 'minContains';
    return [
      ...(min === 0 ? [] : [broken(least, `has fewer matching items than ${min}`, { array: few })]),
      ...(max === Infinity ? [] : [broken('maxContains', `has more matching items than ${max}`, { array: many })]),
    ];
  },
};

function containedBy(site: Site): { readonly min: number; readonly max: number } {
  return { min: countOf(site, 'minContains') ?? 1, max: countOf(site, 'maxContains') ?? Infinity };
}

const required: Keyword = {
  names: ['required'],
  facts: (site) => knowing({ object: { required: [...new Set(namesOf(site, 'required'))] } }),
  breaches: (site) =>
    (namesOf(site, 'required') ?? []).map((name) => broken('required', `lacks ${name}`, { object: { scopes: [absent(site, name)] } })),
};

/** `properties`, `patternProperties` and `additionalProperties`. */
const members: Keyword = {
  names: ['properties', 'patternProperties', 'additionalProperties'],
  facts: (site) => knowing({ object: { scopes: [scopeOf(site)] } }),
  breaches: (site) => {
    const named = [...site.map('properties')].map(([name, member]) => {
      const scopes = [naming(name, [fails(member)])];
      return broken('properties', `has a ${name} that is not as described`, { object: { required: [name], scopes } });
    });
    const patterned = [...site.map('patternProperties')].map(([pattern, member]) => {
      const demands = [{ pattern, outside: [], name: [], claims: [fails(member)] }];
      const change = `has a member of a name like ${pattern} that is not as described`;
      return broken('patternProperties', change, { object: { min: 1, demands } });
    });
    if (site.keywords['additionalProperties'] === undefined) return [...named, ...patterned];
    const additional = site.at('additionalProperties');
    const demands = [{ pattern: undefined, outside: [{ ...scopeOf(site), rest: undefined }], name: [], claims: [fails(additional)] }];
    const change = additional.schema === false ? 'has a member that is not described' : 'has an additional member that is not as described';
    return [...named, ...patterned, broken('additionalProperties', change, { object: { min: 1, demands } })];
  },
};

function scopeOf(site: Site): MemberScope {
  return {
    named: new Map([...site.map('properties')].map(([name, member]) => [name, [satisfies(member)]])),
    patterned: [...site.map('patternProperties')].map(([pattern, member]) => {
      // What is no regular expression is refused here, where its place is known.
      expressionOf(site, 'patternProperties', pattern);
      return { pattern, claims: [satisfies(member)] };
    }),
    rest: claimsAt(site, 'additionalProperties'),
    over: [],
    evaluates: true,
  };
}

function claimsAt(site: Site, keyword: string): readonly Claim[] | undefined {
  return site.keywords[keyword] === undefined ? undefined : [satisfies(site.at(keyword))];
}

const propertyNames: Keyword = {
  names: ['propertyNames'],
  facts: (site) => knowing({ object: { names: [satisfies(site.at('propertyNames'))] } }),
  breaches: (site) => {
    const demands = [{ pattern: undefined, outside: [], name: [fails(site.at('propertyNames'))], claims: [] }];
    return [broken('propertyNames', 'has a member whose name is not as described', { object: { min: 1, demands } })];
  },
};

/** What satisfies `dependentRequired` takes one of several forms: see `dependencies`. */
const dependentRequired: Keyword = {
  names: ['dependentRequired'],
  facts: () => everything,
  breaches: (site) =>
    [...namesByNameOf(site, 'dependentRequired')].flatMap(([name, needed]) =>
      needed.map((missing) => {
        const object = { required: [name], scopes: [absent(site, missing)] };
        return broken('dependentRequired', `has ${name} but lacks ${missing}`, { object });
      }),
    ),
};

/** The keywords that tell most from a glance: types and listed values. */
export const plainKeywords: readonly Keyword[] = [type, constant, enumeration];

const keywords: readonly Keyword[] = [
  ...[...plainKeywords, format],
  ...[...ofNumbers.map(valued), ...ofTexts],
  ...[...sizesOfArrays.map(valued), uniqueness, items, contains],
  ...[...sizesOfObjects.map(valued), required, members, propertyNames],
  dependentRequired,
];

/** Schemas that hold for the same instance: references and `allOf`. */
export function partsInPlace(site: Site): readonly Site[] {
  const references = (['$ref', '$dynamicRef'] as const).filter((keyword) => site.keywords[keyword] !== undefined);
  return [...references.map((keyword) => site.target(keyword)), ...site.list('allOf')];
}

/** What `dependentRequired` says: the alternatives, for each name, that it is absent, or present with all that it needs. */
export function dependencies(site: Site): readonly (readonly Alternative[])[] {
  return [...namesByNameOf(site, 'dependentRequired')].map(([name, needed]) => [without(site, name), present([name, ...needed])]);
}

/** The alternative that a name is absent. */
export function without(site: Site, name: string): Alternative {
  return knowing({ object: { scopes: [absent(site, name)] } });
}

/** A name that no member has: nothing satisfies `false`. */
function absent(site: Site, name: string): MemberScope {
  return naming(name, [satisfies(site.never())]);
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
  if (over.some((scope) => scope.rest !== undefined)) return impossible;
  const demand = { pattern: undefined, outside: over, name: [], claims: [fails(each)] };
  // A branch that was not meant to hold may do so all the same, and then evaluates more than was thought.
  return only('object', { object: { min: 1, demands: [demand] }, checked: [fails(site)] });
}

/** The alternative that the items after the evaluated ones are as `unevaluatedItems` says, or that one of them is not. */
export function unevaluatedItems(site: Site, evaluated: Alternative, isBroken: boolean): Alternative {
  const { scopes, demands } = evaluated.array;
  const speaking = scopes.filter((scope) => scope.evaluates);
  // Where an `items` holds there is nothing that is not evaluated.
  if (speaking.some((scope) => scope.rest !== undefined)) return isBroken ? impossible : everything;
  const start = Math.max(0, ...speaking.map((scope) => scope.prefix.length));
  const contained = demands.filter((demand) => demand.evaluates).map((demand) => demand.claim.site);
  const each = site.at('unevaluatedItems');
  const rest = contained.length === 0 ? each : site.either([...contained, each]);
  if (isBroken) {
    const demand = { claim: fails(rest), min: 1, max: Infinity, from: start, evaluates: false };
    // As above.
    return only('array', { array: { min: start + 1, demands: [demand] }, checked: [fails(site)] });
  }
  const prefix = Array.from({ length: start }, () => []);
  return knowing({ array: { scopes: [{ prefix, rest: [satisfies(rest)], evaluates: true }] } });
}

const impossible: Alternative = { ...everything, types: 0 };
