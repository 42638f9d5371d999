/**
 * Validates instances against schemas (JSON Schema 2020-12, formats asserted by default), by the same domains that instances are generated from. Bodies on the
 * wire are validated by ajv instead.
 */

import { isArray, isNumber, isObject, type Json, type JsonNumber, type JsonObject } from '../../core/json.ts';
import { canonicalText, equal } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import { numberPredicate } from '../number/number-domain.ts';
import { expressionOf } from '../schema/keyword-readers.ts';
import type { LocatedSchema } from '../schema/located-schema.ts';
import type { ScalarResult } from '../sources/scalar-generator.ts';
import { textPredicate } from '../text/text-domain.ts';
import { combiningKeywordsOf, constraintsOf } from './combining-keywords.ts';
import type { Constraint } from './constraint.ts';
import {
  type ArrayDomain,
  appliesTo,
  bitOfValue,
  type Domain,
  domainOf,
  everything,
  type ItemRequirement,
  itemConstraints,
  type MemberRequirement,
  matches,
  memberConstraints,
  type ObjectDomain,
  prefixLength,
} from './instance-domain.ts';
import { keywordDomain, partsInPlace } from './instance-keywords.ts';
import { numbersOf, textsOf } from './typed-domain.ts';

/**
 * Validates an instance against a schema.
 * @throws {Unsupported} when a schema that is needed is malformed or refers to nothing.
 */
export function isValid(location: LocatedSchema, instance: Json): boolean {
  return validate(location, instance, []);
}

/** True when a value meets all constraints. */
export function satisfiesAll(constraints: readonly Constraint[], value: Json): boolean {
  for (const { location, holds } of constraints) if (isValid(location, value) !== holds) return false;
  return true;
}

/** Checks a value that was not drawn from a domain, such as a listed or a shrunk one. */
export function isInDomain(domain: Domain, value: Json): boolean {
  const acceptsNumber = (number: JsonNumber): boolean => accepts(numbersOf(domain), number);
  const acceptsText = (text: string): boolean => accepts(textsOf(domain), text);
  return satisfiesAll(domain.checks, value) && matchesDomain(domain, value, acceptsNumber, acceptsText);
}

function accepts<T>(result: ScalarResult<T>, value: T): boolean {
  return result.kind === 'generator' && result.generator.accepts(value);
}

/** True when arrays or objects of the domain must be checked after they are drawn. */
export function hasChecks({ checks, excluded }: Domain): boolean {
  return checks.length > 0 || excluded.some((value) => typeof value === 'object' && value !== null);
}

/** True if a drawn value passes the checks of its domain. */
export function passesChecks({ checks, excluded }: Domain, value: Json): boolean {
  return satisfiesAll(checks, value) && !excluded.some((each) => equal(each, value));
}

/** True when `propertyNames` allows a name. */
export function allowsName({ names }: ObjectDomain, name: string): boolean {
  return satisfiesAll(names, name);
}

/** True when a member of this name could meet the requirement. */
export function canHaveName(object: ObjectDomain, requirement: MemberRequirement, name: string): boolean {
  const isNamed = requirement.pattern === undefined || matches(requirement.pattern, name);
  return (
    isNamed &&
    allowsName(object, name) &&
    satisfiesAll(requirement.name, name) &&
    !requirement.outside.some((applicator) => appliesTo(applicator, name))
  );
}

/** The domains of all schemas that an instance satisfies: `unevaluated*` is about the parts that none of them covers. */
type SatisfiedDomains = Domain[];

/** Validates an instance. Adds to `satisfied` the domains that the instance satisfies. */
type KeywordCheck = (instance: Json, satisfied: SatisfiedDomains) => boolean;

/** The keywords of a schema, prepared for validation. */
interface PreparedSchema {
  readonly domain: Domain;
  readonly acceptsNumber: (value: JsonNumber) => boolean;
  readonly acceptsText: (value: string) => boolean;
  /** Checks of the keywords that apply schemas to the instance itself. */
  readonly inPlace: readonly KeywordCheck[];
  readonly unevaluatedItems: LocatedSchema | undefined;
  readonly unevaluatedProperties: LocatedSchema | undefined;
  /** The instance that is being validated, to detect a schema that refers to itself. */
  current: Json | undefined;
}

const preparedSchemas = new WeakMap<LocatedSchema, PreparedSchema>();

function prepare(location: LocatedSchema): PreparedSchema {
  const { format: _, ...otherKeywords } = location.keywords;
  const domain = keywordDomain(location.assertsFormat ? location : location.variant('without format', otherKeywords));
  // An invalid regular expression is reported here, where its location is known.
  for (const pattern of domain.text.patterns) expressionOf(location, 'pattern', pattern);
  return {
    domain,
    acceptsNumber: domain.number === everything.number ? () => true : numberPredicate({ ...domain.number, excluded: [] }),
    acceptsText: domain.text === everything.text ? () => true : textPredicate({ ...domain.text, excluded: new Set() }),
    inPlace: [
      ...partsInPlace(location).map(
        (part): KeywordCheck =>
          (instance, satisfied) =>
            validate(part, instance, satisfied),
      ),
      ...combiningKeywordsOf(location).map(({ alternatives }): KeywordCheck => {
        const constraintLists = alternatives.map(constraintsOf);
        return (instance, satisfied) => meetsOneOf(constraintLists, instance, satisfied);
      }),
    ],
    unevaluatedItems: partAt(location, 'unevaluatedItems'),
    unevaluatedProperties: partAt(location, 'unevaluatedProperties'),
    current: undefined,
  };
}

function partAt(location: LocatedSchema, keyword: string): LocatedSchema | undefined {
  return location.keywords[keyword] === undefined ? undefined : location.at(keyword);
}

/**
 * Checks that all constraints of one of the lists hold. Every list is tried, since the schemas of each evaluate parts; each schema is validated once.
 */
function meetsOneOf(constraintLists: readonly (readonly Constraint[])[], instance: Json, satisfied: SatisfiedDomains): boolean {
  const verdicts = new Map<LocatedSchema, { readonly isAccepted: boolean; readonly domains: SatisfiedDomains }>();
  const verdictOf = (location: LocatedSchema) =>
    getOrCompute(verdicts, location, () => {
      const domains: SatisfiedDomains = [];
      return { isAccepted: validate(location, instance, domains), domains };
    });
  const metLists = constraintLists.filter((list) => list.every(({ location, holds }) => verdictOf(location).isAccepted === holds));
  for (const { location, holds } of metLists.flat()) if (holds) satisfied.push(...verdictOf(location).domains);
  return metLists.length > 0;
}

function validate(location: LocatedSchema, instance: Json, satisfied: SatisfiedDomains): boolean {
  if (typeof location.schema === 'boolean') return location.schema;
  const preparedSchema = getOrCompute(preparedSchemas, location, prepare);
  if (preparedSchema.inPlace.length === 0) return validateKeywords(preparedSchema, instance, satisfied);
  // A schema that leads back to itself at the same instance adds nothing. In between only parts of the instance are validated, so comparing
  // with the last instance is enough.
  const { current } = preparedSchema;
  if (current === instance) return true;
  preparedSchema.current = instance;
  try {
    return validateKeywords(preparedSchema, instance, satisfied);
  } finally {
    preparedSchema.current = current;
  }
}

function validateKeywords(preparedSchema: PreparedSchema, instance: Json, outerDomains: SatisfiedDomains): boolean {
  const unevaluatedSchema = isArray(instance)
    ? preparedSchema.unevaluatedItems
    : isObject(instance)
      ? preparedSchema.unevaluatedProperties
      : undefined;
  const satisfied = unevaluatedSchema === undefined ? outerDomains : [];
  if (!matchesDomain(preparedSchema.domain, instance, preparedSchema.acceptsNumber, preparedSchema.acceptsText)) return false;
  satisfied.push(preparedSchema.domain);
  for (const check of preparedSchema.inPlace) if (!check(instance, satisfied)) return false;
  if (unevaluatedSchema === undefined) return true;
  outerDomains.push(everythingEvaluated);
  return unevaluatedParts(instance, satisfied).every((part) => isValid(unevaluatedSchema, part));
}

/** A domain that evaluates every part. */
const everythingEvaluated: Domain = domainOf({
  array: { applicators: [{ prefix: [], rest: [], evaluates: true }] },
  object: { applicators: [{ named: new Map(), patterned: [], rest: [], alreadyEvaluated: [], evaluates: true }] },
});

function unevaluatedParts(instance: Json, satisfied: readonly Domain[]): readonly Json[] {
  if (isObject(instance)) {
    const applicators = satisfied.flatMap(({ object }) => object.applicators);
    return Object.keys(instance).flatMap((name) =>
      applicators.some((applicator) => appliesTo(applicator, name)) ? [] : [instance[name] ?? null],
    );
  }
  const applicators = satisfied.flatMap(({ array }) => array.applicators);
  if (applicators.some(({ rest }) => rest !== undefined)) return [];
  const start = Math.max(0, ...applicators.map(({ prefix }) => prefix.length));
  const containsConstraints = satisfied.flatMap(({ array }) => array.requirements.map(({ constraint }) => constraint));
  return (instance as readonly Json[])
    .slice(start)
    .filter((item) => !containsConstraints.some((constraint) => satisfiesAll([constraint], item)));
}

function matchesDomain(
  { types, values, excluded, array, object }: Domain,
  value: Json,
  acceptsNumber: (value: JsonNumber) => boolean,
  acceptsText: (value: string) => boolean,
): boolean {
  if ((types & bitOfValue(value)) === 0) return false;
  if (values !== undefined && !values.some((each) => equal(each, value))) return false;
  if (excluded.some((each) => equal(each, value))) return false;
  if (isNumber(value)) return acceptsNumber(value);
  if (typeof value === 'string') return acceptsText(value);
  if (isArray(value)) return array === everything.array || hasItems(array, value);
  return !isObject(value) || object === everything.object || hasMembers(object, value);
}

function hasItems(array: ArrayDomain, items: readonly Json[]): boolean {
  if (items.length < array.min || items.length > array.max) return false;
  if (array.unique || array.repeated) {
    const isUnique = new Set(items.map(canonicalText)).size === items.length;
    if (isUnique ? array.repeated : array.unique) return false;
  }
  const prefix = prefixLength(array);
  const restConstraints = itemConstraints(array, prefix);
  const isItem = (item: Json, index: number): boolean =>
    satisfiesAll(index < prefix ? itemConstraints(array, index) : restConstraints, item);
  return items.every(isItem) && array.requirements.every((requirement) => isRequirementMet(requirement, items));
}

function isRequirementMet({ constraint, min, max, from }: ItemRequirement, items: readonly Json[]): boolean {
  const count = items.slice(from).filter((item) => satisfiesAll([constraint], item)).length;
  return count >= min && count <= max;
}

function hasMembers(object: ObjectDomain, members: JsonObject): boolean {
  const names = Object.keys(members);
  if (names.length < object.min || names.length > object.max || !object.required.every((name) => Object.hasOwn(members, name)))
    return false;
  for (const name of names) {
    if (!allowsName(object, name) || !satisfiesAll(memberConstraints(object, name), members[name] ?? null)) return false;
  }
  return object.requirements.every((requirement) =>
    names.some((name) => canHaveName(object, requirement, name) && satisfiesAll(requirement.constraints, members[name] ?? null)),
  );
}
