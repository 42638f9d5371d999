/**
 * The keywords that describe an instance or its parts, each in both directions: the domain that satisfies it, and every way to violate it. Keywords that
 * combine schemas are read elsewhere.
 */

import { type JsonNumber, printJson } from '../../core/json.ts';
import { greatestInt64, leastInt64, textCheckOf } from '../../core/openapi/formats.ts';
import { countOf, expressionOf, flagOf, namesOf, numberOf, textOf, typesOf, valuesOf } from '../schema/keyword-readers.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import { type Constraint, fails, isTrivial, satisfies } from './constraint.ts';
import {
  allTypes,
  type Domain,
  domainOf,
  domainOfType,
  everything,
  forMember,
  intersect,
  type MemberApplicator,
  type NumberPart,
  type PartialDomain,
  type TypeName,
  typeBits,
} from './instance-domain.ts';

/** One way to violate a keyword. */
export interface KeywordViolation {
  readonly keyword: string;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  /** The missing member, for `required`. */
  readonly missingKey?: string;
  /** The instances that violate it in this way. */
  readonly domain: Domain;
}

/** A keyword, or keywords that are read together. */
interface KeywordDefinition {
  readonly names: readonly string[];
  readonly domain: (location: LocatedSchema) => Domain;
  readonly violations: (location: LocatedSchema) => readonly KeywordViolation[];
}

/** The domain that these keywords of a schema describe together. */
export function keywordDomain(location: LocatedSchema): Domain {
  return keywordsOf(location).reduce((domain, keyword) => intersect(domain, keyword.domain(location)), everything);
}

/** The ways to violate these keywords, one keyword at a time. */
export function violationsOf(location: LocatedSchema): readonly KeywordViolation[] {
  return keywordsOf(location).flatMap((keyword) => keyword.violations(location));
}

function keywordsOf(location: LocatedSchema): readonly KeywordDefinition[] {
  return keywords.filter(({ names }) => names.some((name) => name in location.keywords));
}

/** `type`, with OpenAPI 3.0's `nullable`, which validators still read. */
const type: KeywordDefinition = {
  names: ['type'],
  domain: (location) => {
    const names = typesOf(location) ?? [];
    return domainOf({ types: bitsOf(names), ...(requiresInteger(names) ? { number: { integer: true } } : {}) });
  },
  violations: (location) => {
    const names = typesOf(location) ?? [];
    const otherTypes = allTypes & ~bitsOf(names);
    const typeViolation = { keyword: 'type', problem: `is not of type ${names.join(' or ')}` };
    return [
      ...(otherTypes === 0 ? [] : [{ ...typeViolation, domain: domainOf({ types: otherTypes }) }]),
      ...(requiresInteger(names) ? [{ ...typeViolation, domain: domainOfType('number', { number: { fractional: true } }) }] : []),
    ];
  },
};

function bitsOf(names: readonly string[]): number {
  return names.reduce((bits, name) => bits | (name === 'integer' ? typeBits.number : typeBits[name as TypeName]), 0);
}

/** True when `integer` is listed and `number` is not. */
function requiresInteger(names: readonly string[]): boolean {
  return names.includes('integer') && !names.includes('number');
}

const constant: KeywordDefinition = {
  names: ['const'],
  domain: (location) => domainOf({ values: [location.keywords['const'] ?? null] }),
  violations: (location) => {
    const value = location.keywords['const'] ?? null;
    return [{ keyword: 'const', problem: `is not ${printJson(value)}`, domain: domainOf({ excluded: [value] }) }];
  },
};

const enumeration: KeywordDefinition = {
  names: ['enum'],
  domain: (location) => domainOf({ values: valuesOf(location, 'enum') ?? [] }),
  violations: (location) => [
    { keyword: 'enum', problem: 'is none of the listed values', domain: domainOf({ excluded: valuesOf(location, 'enum') ?? [] }) },
  ],
};

/** `format`. Unknown formats describe every instance. */
const format: KeywordDefinition = {
  names: ['format'],
  domain: (location) => {
    const name = textOf(location, 'format') ?? '';
    if (textCheckOf(name) !== undefined) return domainOf({ text: { formats: [name] } });
    const number = numberFormats.get(name)?.satisfying;
    return number === undefined ? everything : domainOf({ number });
  },
  violations: (location) => {
    const name = textOf(location, 'format') ?? '';
    const parts: readonly TypePart[] =
      textCheckOf(name) === undefined
        ? (numberFormats.get(name)?.violating ?? []).map((number) => ({ number }))
        : [{ text: { notFormats: [name] } }];
    return parts.map((part) => violation('format', `is not of format ${name}`, part));
  },
};

/** The formats of integers, as bounds. Every JSON number is a `float` and a `double`. */
const numberFormats: ReadonlyMap<string, { readonly satisfying: Partial<NumberPart>; readonly violating: readonly Partial<NumberPart>[] }> =
  new Map([
    [
      'int32',
      {
        satisfying: { integer: true, low: { value: -(2 ** 31), open: false }, high: { value: 2 ** 31 - 1, open: false } },
        violating: [{ fractional: true }, { high: { value: -(2 ** 31), open: true } }, { low: { value: 2 ** 31 - 1, open: true } }],
      },
    ],
    [
      'int64',
      {
        satisfying: { integer: true, low: { value: leastInt64, open: false }, high: { value: greatestInt64, open: false } },
        violating: [{ fractional: true }, { high: { value: leastInt64, open: true } }, { low: { value: greatestInt64, open: true } }],
      },
    ],
  ]);

/** The part of a domain for one type. */
type TypePart = Pick<PartialDomain, 'number' | 'text' | 'array' | 'object'>;

/** A violation of a keyword that concerns one type. */
function violation(keyword: string, problem: string, domain: TypePart): KeywordViolation {
  const typeName =
    domain.text !== undefined ? 'string' : domain.number !== undefined ? 'number' : domain.array !== undefined ? 'array' : 'object';
  return { keyword, problem, domain: domainOfType(typeName, domain) };
}

/**
 * A keyword with one value: its name, its reader, the problem of a violation (before the value), and the domain parts that satisfy and
 * violate it. A minimum count of 0 cannot be violated.
 */
type ValueKeyword<T extends string | JsonNumber> = readonly [
  name: string,
  read: (location: LocatedSchema, name: string) => T | undefined,
  problem: string,
  satisfying: (value: T) => TypePart,
  violating: (value: T) => TypePart,
];

function valueKeyword<T extends string | JsonNumber>([name, read, problem, satisfying, violating]: ValueKeyword<T>): KeywordDefinition {
  return {
    names: [name],
    domain: (location) => {
      const value = read(location, name);
      return value === undefined ? everything : domainOf(satisfying(value));
    },
    violations: (location) => {
      const value = read(location, name);
      const isAlwaysMet = value === undefined || (value === 0 && read === countOf && name.startsWith('min'));
      return isAlwaysMet ? [] : [violation(name, `${problem} ${value}`, violating(value))];
    },
  };
}

function divisorOf(location: LocatedSchema, name: string): JsonNumber | undefined {
  const value = numberOf(location, name);
  if (value === undefined || value > 0) return value;
  throw location.unsupported(name, `${value} is not greater than 0`);
}

const numberKeywords: readonly ValueKeyword<JsonNumber>[] = [
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
    'is not a multiple of',
    (value) => ({ number: { multiples: [value] } }),
    (value) => ({ number: { notMultiples: [value] } }),
  ],
];

const textKeywords: readonly KeywordDefinition[] = [
  valueKeyword([
    'minLength',
    countOf,
    'is shorter than',
    (min) => ({ text: { minLength: min } }),
    (min) => ({ text: { maxLength: min - 1 } }),
  ]),
  valueKeyword([
    'maxLength',
    countOf,
    'is longer than',
    (max) => ({ text: { maxLength: max } }),
    (max) => ({ text: { minLength: max + 1 } }),
  ]),
  valueKeyword([
    'pattern',
    textOf,
    'does not match',
    (pattern) => ({ text: { patterns: [pattern] } }),
    (pattern) => ({ text: { notPatterns: [pattern] } }),
  ]),
];

const arraySizeKeywords: readonly ValueKeyword<number>[] = [
  ['minItems', countOf, 'has fewer items than', (min) => ({ array: { min } }), (min) => ({ array: { max: min - 1 } })],
  ['maxItems', countOf, 'has more items than', (max) => ({ array: { max } }), (max) => ({ array: { min: max + 1 } })],
];

const objectSizeKeywords: readonly ValueKeyword<number>[] = [
  ['minProperties', countOf, 'has fewer members than', (min) => ({ object: { min } }), (min) => ({ object: { max: min - 1 } })],
  ['maxProperties', countOf, 'has more members than', (max) => ({ object: { max } }), (max) => ({ object: { min: max + 1 } })],
];

const uniqueness: KeywordDefinition = {
  names: ['uniqueItems'],
  domain: (location) => (flagOf(location, 'uniqueItems') === true ? domainOf({ array: { unique: true } }) : everything),
  violations: (location) =>
    flagOf(location, 'uniqueItems') === true
      ? [violation('uniqueItems', 'has the same item twice', { array: { min: 2, repeated: true } })]
      : [],
};

const items: KeywordDefinition = {
  names: ['prefixItems', 'items'],
  domain: (location) => {
    const prefix = location.list('prefixItems').map((item) => [satisfies(item)]);
    return domainOf({ array: { applicators: [{ prefix, rest: constraintsAt(location, 'items'), evaluates: true }] } });
  },
  violations: (location) => {
    const prefix = location.list('prefixItems');
    const prefixViolations = prefix.map((item, index) => {
      const constraints = [...prefix.slice(0, index).map(() => []), [fails(item)]];
      const applicators = [{ prefix: constraints, rest: undefined, evaluates: false }];
      return violation('prefixItems', `has an item ${index} that does not match its schema`, { array: { min: index + 1, applicators } });
    });
    if (location.keywords['items'] === undefined) return prefixViolations;
    const requirements = [{ constraint: fails(location.at('items')), min: 1, max: Infinity, from: prefix.length, evaluates: false }];
    return [
      ...prefixViolations,
      violation('items', 'has an item that does not match its schema', { array: { min: prefix.length + 1, requirements } }),
    ];
  },
};

/** `contains`, with `minContains` and `maxContains`, which have no effect alone. */
const contains: KeywordDefinition = {
  names: ['contains', 'minContains', 'maxContains'],
  domain: (location) => {
    const { min, max } = containedBy(location);
    if (location.keywords['contains'] === undefined) return everything;
    const constraint = satisfies(location.at('contains'));
    // If every item matches, the array has at most that many items.
    return domainOf({
      array: { min, ...(isTrivial(constraint) ? { max } : {}), requirements: [{ constraint, min, max, from: 0, evaluates: true }] },
    });
  },
  violations: (location) => {
    const { min, max } = containedBy(location);
    if (location.keywords['contains'] === undefined) return [];
    const requirement = { constraint: satisfies(location.at('contains')), from: 0, evaluates: false };
    const tooFew = {
      ...(isTrivial(requirement.constraint) ? { max: min - 1 } : {}),
      requirements: [{ ...requirement, min: 0, max: min - 1 }],
    };
    const tooMany = { min: max + 1, requirements: [{ ...requirement, min: max + 1, max: Infinity }] };
    const minKeyword = location.keywords['minContains'] === undefined ? 'contains' : 'minContains';
    return [
      ...(min === 0 ? [] : [violation(minKeyword, `has fewer matching items than ${min}`, { array: tooFew })]),
      ...(max === Infinity ? [] : [violation('maxContains', `has more matching items than ${max}`, { array: tooMany })]),
    ];
  },
};

function containedBy(location: LocatedSchema): { readonly min: number; readonly max: number } {
  return { min: countOf(location, 'minContains') ?? 1, max: countOf(location, 'maxContains') ?? Infinity };
}

const required: KeywordDefinition = {
  names: ['required'],
  domain: (location) => domainOf({ object: { required: [...new Set(namesOf(location, 'required'))] } }),
  violations: (location) =>
    (namesOf(location, 'required') ?? []).map((name) => ({
      ...violation('required', `lacks ${name}`, { object: { applicators: [forbiddenMember(location, name)] } }),
      missingKey: name,
    })),
};

const members: KeywordDefinition = {
  names: ['properties', 'patternProperties', 'additionalProperties'],
  domain: (location) => domainOf({ object: { applicators: [applicatorOf(location)] } }),
  violations: (location) => {
    const namedViolations = [...location.map('properties')].map(([name, member]) => {
      const applicators = [forMember(name, [fails(member)])];
      return violation('properties', `has a ${name} that does not match its schema`, { object: { required: [name], applicators } });
    });
    const patternViolations = [...location.map('patternProperties')].map(([pattern, member]) => {
      const requirements = [{ pattern, outside: [], name: [], constraints: [fails(member)] }];
      const problem = `has a member with a name like ${pattern} that does not match its schema`;
      return violation('patternProperties', problem, { object: { min: 1, requirements } });
    });
    if (location.keywords['additionalProperties'] === undefined) return [...namedViolations, ...patternViolations];
    const additional = location.at('additionalProperties');
    const requirements = [
      { pattern: undefined, outside: [{ ...applicatorOf(location), rest: undefined }], name: [], constraints: [fails(additional)] },
    ];
    const problem =
      additional.schema === false ? 'has a member that is not allowed' : 'has an additional member that does not match its schema';
    return [...namedViolations, ...patternViolations, violation('additionalProperties', problem, { object: { min: 1, requirements } })];
  },
};

function applicatorOf(location: LocatedSchema): MemberApplicator {
  return {
    named: new Map([...location.map('properties')].map(([name, member]) => [name, [satisfies(member)]])),
    patterned: [...location.map('patternProperties')].map(([pattern, member]) => {
      // An invalid regular expression is reported here, where its location is known.
      expressionOf(location, 'patternProperties', pattern);
      return { pattern, constraints: [satisfies(member)] };
    }),
    rest: constraintsAt(location, 'additionalProperties'),
    alreadyEvaluated: [],
    evaluates: true,
  };
}

function constraintsAt(location: LocatedSchema, keyword: string): readonly Constraint[] | undefined {
  return location.keywords[keyword] === undefined ? undefined : [satisfies(location.at(keyword))];
}

const propertyNames: KeywordDefinition = {
  names: ['propertyNames'],
  domain: (location) => domainOf({ object: { names: [satisfies(location.at('propertyNames'))] } }),
  violations: (location) => {
    const requirements = [{ pattern: undefined, outside: [], name: [fails(location.at('propertyNames'))], constraints: [] }];
    return [violation('propertyNames', 'has a member whose name does not match its schema', { object: { min: 1, requirements } })];
  },
};

const keywords: readonly KeywordDefinition[] = [
  ...[type, constant, enumeration, format],
  ...[...numberKeywords.map(valueKeyword), ...textKeywords],
  ...[...arraySizeKeywords.map(valueKeyword), uniqueness, items, contains],
  ...[...objectSizeKeywords.map(valueKeyword), required, members, propertyNames],
];

/** Schemas that apply to the same instance: references and `allOf`. */
export function partsInPlace(location: LocatedSchema): readonly LocatedSchema[] {
  const references = (['$ref', '$dynamicRef'] as const).filter((keyword) => location.keywords[keyword] !== undefined);
  return [...references.map((keyword) => location.target(keyword)), ...location.list('allOf')];
}

/** An applicator that allows no member of a name: nothing satisfies `false`. */
function forbiddenMember(location: LocatedSchema, name: string): MemberApplicator {
  return forMember(name, [satisfies(location.never())]);
}

/** The objects that have these members. */
export function withMembers(names: readonly string[]): Domain {
  // A name that is listed twice counts once.
  return domainOfType('object', { object: { required: [...new Set(names)] } });
}

/** The objects whose unevaluated members satisfy `unevaluatedProperties`; with `isBroken`, those with a member that does not. */
export function unevaluatedProperties(location: LocatedSchema, evaluated: Domain, isBroken: boolean): Domain {
  const alreadyEvaluated = evaluated.object.applicators.filter((applicator) => applicator.evaluates);
  const unevaluatedSchema = location.at('unevaluatedProperties');
  if (!isBroken)
    return domainOf({
      object: {
        applicators: [{ named: new Map(), patterned: [], rest: [satisfies(unevaluatedSchema)], alreadyEvaluated, evaluates: true }],
      },
    });
  if (alreadyEvaluated.some((applicator) => applicator.rest !== undefined)) return impossible;
  const requirement = { pattern: undefined, outside: alreadyEvaluated, name: [], constraints: [fails(unevaluatedSchema)] };
  // A branch that was not chosen may hold all the same and evaluate more members.
  return domainOfType('object', { object: { min: 1, requirements: [requirement] }, checks: [fails(location)] });
}

/** The arrays whose unevaluated items satisfy `unevaluatedItems`; with `isBroken`, those with an item that does not. */
export function unevaluatedItems(location: LocatedSchema, evaluated: Domain, isBroken: boolean): Domain {
  const { applicators, requirements } = evaluated.array;
  const evaluatingApplicators = applicators.filter((applicator) => applicator.evaluates);
  // `items` evaluates every item.
  if (evaluatingApplicators.some((applicator) => applicator.rest !== undefined)) return isBroken ? impossible : everything;
  const start = Math.max(0, ...evaluatingApplicators.map((applicator) => applicator.prefix.length));
  const containsSchemas = requirements.filter((requirement) => requirement.evaluates).map((requirement) => requirement.constraint.location);
  const unevaluatedSchema = location.at('unevaluatedItems');
  const allowedSchema = containsSchemas.length === 0 ? unevaluatedSchema : location.anyOf([...containsSchemas, unevaluatedSchema]);
  if (isBroken) {
    const requirement = { constraint: fails(allowedSchema), min: 1, max: Infinity, from: start, evaluates: false };
    // A branch that was not chosen may hold all the same, as for `unevaluatedProperties`.
    return domainOfType('array', { array: { min: start + 1, requirements: [requirement] }, checks: [fails(location)] });
  }
  const prefix = Array.from({ length: start }, () => []);
  return domainOf({ array: { applicators: [{ prefix, rest: [satisfies(allowedSchema)], evaluates: true }] } });
}

const impossible: Domain = { ...everything, types: 0 };
