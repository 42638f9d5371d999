/**
 * Domains: sets of instances, described by one part per JSON type. Schemas are never merged; their domains are intersected, and a domain does not show whether
 * it is empty.
 */

import { isNumber, type Json } from '../../core/json.ts';
import { canonicalText } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import { compileExpression } from '../../core/safe-regexp.ts';
import { anyNumber, type NumberBound, type NumberDomain } from '../number/number-domain.ts';
import { anyText, type TextDomain } from '../text/text-domain.ts';
import { type Constraint, constraintId, distinct } from './constraint.ts';

/** The JSON types, simplest first, one bit each: a set of types is a number. */
export const typeBits = { null: 1, boolean: 2, number: 4, string: 8, array: 16, object: 32 } as const;

/** A JSON type. Integers are numbers. */
export type TypeName = keyof typeof typeBits;

/** The set of all types. */
export const allTypes = 63;

/** The numbers of a domain. Excluded values are kept in the domain itself. */
export type NumberPart = Omit<NumberDomain, 'excluded'>;

/** The strings of a domain. Excluded values are kept in the domain itself. */
type TextPart = Omit<TextDomain, 'excluded'>;

/** The keywords of one schema that apply to items: `prefixItems`, `items`, `unevaluatedItems`. */
interface ItemApplicator {
  readonly prefix: readonly (readonly Constraint[])[];
  /** Constraints on the items after the prefix; `undefined` without such a keyword. */
  readonly rest: readonly Constraint[] | undefined;
  /** Items that it applies to count as evaluated. False for a schema that the instance fails. */
  readonly evaluates: boolean;
}

/** A number of items that meet a constraint, as `contains` asks for. */
export interface ItemRequirement {
  readonly constraint: Constraint;
  readonly min: number;
  readonly max: number;
  /** Items before this index are not counted. */
  readonly from: number;
  readonly evaluates: boolean;
}

/** The arrays of a domain. */
export interface ArrayDomain {
  readonly min: number;
  readonly max: number;
  readonly unique: boolean;
  /** True when two items must be equal. */
  readonly repeated: boolean;
  readonly applicators: readonly ItemApplicator[];
  readonly requirements: readonly ItemRequirement[];
}

/** The keywords of one schema that apply to members: `properties`, `patternProperties`, `additionalProperties`, `unevaluatedProperties`. */
export interface MemberApplicator {
  readonly named: ReadonlyMap<string, readonly Constraint[]>;
  readonly patterned: readonly MemberPattern[];
  /** Constraints on members that are neither named nor match a pattern; `undefined` without such a keyword. */
  readonly rest: readonly Constraint[] | undefined;
  /** The applicators that `unevaluatedProperties` reads: members that they evaluate are exempt from `rest`. */
  readonly alreadyEvaluated: readonly MemberApplicator[];
  readonly evaluates: boolean;
}

/** Constraints on the members whose names match a pattern. */
interface MemberPattern {
  readonly pattern: string;
  readonly constraints: readonly Constraint[];
}

/** The existence of a member that meets constraints. */
export interface MemberRequirement {
  /** A pattern that its name matches. */
  readonly pattern: string | undefined;
  /** Applicators whose `named` and `patterned` must not cover its name. */
  readonly outside: readonly MemberApplicator[];
  /** Constraints on its name. */
  readonly name: readonly Constraint[];
  /** Constraints on its value. */
  readonly constraints: readonly Constraint[];
}

/** The objects of a domain. */
export interface ObjectDomain {
  readonly min: number;
  readonly max: number;
  readonly required: readonly string[];
  /** Constraints on every member name (`propertyNames`). */
  readonly names: readonly Constraint[];
  readonly applicators: readonly MemberApplicator[];
  readonly requirements: readonly MemberRequirement[];
}

/** A set of instances: those of one of the types that are also in the part for their type. */
export interface Domain {
  /** Types as a set of bits. */
  readonly types: number;
  /** The only values of the domain; `undefined` when they are not listed. */
  readonly values: readonly Json[] | undefined;
  /** Values that are not in the domain. */
  readonly excluded: readonly Json[];
  readonly number: NumberPart;
  readonly text: TextPart;
  readonly array: ArrayDomain;
  readonly object: ObjectDomain;
  /** Constraints that the parts cannot express: checked on each array or object after it is drawn. */
  readonly checks: readonly Constraint[];
}

/** A domain of which only some parts are given; the others allow everything. */
export type PartialDomain = Partial<Omit<Domain, 'number' | 'text' | 'array' | 'object'>> & {
  readonly number?: Partial<NumberPart>;
  readonly text?: Partial<TextPart>;
  readonly array?: Partial<ArrayDomain>;
  readonly object?: Partial<ObjectDomain>;
};

/** The domain of every instance. */
export const everything: Domain = {
  types: allTypes,
  values: undefined,
  excluded: [],
  number: anyNumber,
  text: anyText,
  array: { min: 0, max: Infinity, unique: false, repeated: false, applicators: [], requirements: [] },
  object: { min: 0, max: Infinity, required: [], names: [], applicators: [], requirements: [] },
  checks: [],
};

/** A domain from some of its parts; the others allow everything. */
export function domainOf({ number, text, array, object, ...domain }: PartialDomain): Domain {
  return {
    ...everything,
    ...domain,
    number: number ? { ...everything.number, ...number } : everything.number,
    text: text ? { ...everything.text, ...text } : everything.text,
    array: array ? { ...everything.array, ...array } : everything.array,
    object: object ? { ...everything.object, ...object } : everything.object,
  };
}

/** The domain of one type. */
export function domainOfType(type: TypeName, domain: Omit<PartialDomain, 'types'> = {}): Domain {
  return domainOf({ ...domain, types: typeBits[type] });
}

/** An applicator for a single member. It evaluates nothing, since it states a requirement and no keyword. */
export function forMember(name: string, constraints: readonly Constraint[]): MemberApplicator {
  return { named: new Map([[name, constraints]]), patterned: [], rest: undefined, alreadyEvaluated: [], evaluates: false };
}

/** The bit of the JSON type of a value. */
export function bitOfValue(value: Json): number {
  if (value === null) return typeBits.null;
  if (Array.isArray(value)) return typeBits.array;
  return typeBits[isNumber(value) ? 'number' : (typeof value as Exclude<TypeName, 'null' | 'array'>)];
}

/** The intersection of two domains. It may be empty: see `prune`. */
export function intersect(left: Domain, right: Domain): Domain {
  if (left === everything) return right;
  if (right === everything) return left;
  return {
    types: left.types & right.types,
    values: intersectValues(left.values, right.values),
    excluded: join(left.excluded, right.excluded),
    number: intersectParts(left.number, right.number, everything.number, intersectNumbers),
    text: intersectParts(left.text, right.text, everything.text, intersectTexts),
    array: intersectParts(left.array, right.array, everything.array, intersectArrays),
    object: intersectParts(left.object, right.object, everything.object, intersectObjects),
    checks: join(left.checks, right.checks),
  };
}

function intersectParts<T>(left: T, right: T, unlimited: T, intersection: (left: T, right: T) => T): T {
  if (left === unlimited) return right;
  return right === unlimited ? left : intersection(left, right);
}

function intersectValues(left: readonly Json[] | undefined, right: readonly Json[] | undefined): readonly Json[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const rightTexts = new Set(right.map(canonicalText));
  return left.filter((value) => rightTexts.has(canonicalText(value)));
}

function intersectNumbers(left: NumberPart, right: NumberPart): NumberPart {
  return {
    low: tighter(left.low, right.low, 1),
    high: tighter(left.high, right.high, -1),
    integer: left.integer || right.integer,
    fractional: left.fractional || right.fractional,
    multiples: joinOnce(left.multiples, right.multiples),
    notMultiples: joinOnce(left.notMultiples, right.notMultiples),
  };
}

/** The tighter of two bounds; `sign` is 1 for lower bounds and -1 for upper ones. */
function tighter(left: NumberBound, right: NumberBound, sign: 1 | -1): NumberBound {
  if (left.value === right.value) return left.open ? left : right;
  return left.value > right.value === sign > 0 ? left : right;
}

function intersectTexts(left: TextPart, right: TextPart): TextPart {
  return {
    minLength: Math.max(left.minLength, right.minLength),
    maxLength: Math.min(left.maxLength, right.maxLength),
    patterns: joinOnce(left.patterns, right.patterns),
    notPatterns: joinOnce(left.notPatterns, right.notPatterns),
    formats: joinOnce(left.formats, right.formats),
    notFormats: joinOnce(left.notFormats, right.notFormats),
  };
}

function intersectArrays(left: ArrayDomain, right: ArrayDomain): ArrayDomain {
  return {
    min: Math.max(left.min, right.min),
    max: Math.min(left.max, right.max),
    unique: left.unique || right.unique,
    repeated: left.repeated || right.repeated,
    applicators: join(left.applicators, right.applicators),
    requirements: right.requirements.reduce(addRequirement, left.requirements),
  };
}

/** Requirements with the same constraint and start become one: the greater minimum and the smaller maximum. */
function addRequirement(requirements: readonly ItemRequirement[], requirement: ItemRequirement): readonly ItemRequirement[] {
  const index = requirements.findIndex(
    (each) => each.from === requirement.from && constraintId(each.constraint) === constraintId(requirement.constraint),
  );
  const sameRequirement = requirements[index];
  if (sameRequirement === undefined) return [...requirements, requirement];
  const { constraint, from } = requirement;
  const evaluates = sameRequirement.evaluates || requirement.evaluates;
  return requirements.with(index, {
    constraint,
    from,
    min: Math.max(sameRequirement.min, requirement.min),
    max: Math.min(sameRequirement.max, requirement.max),
    evaluates,
  });
}

function intersectObjects(left: ObjectDomain, right: ObjectDomain): ObjectDomain {
  return {
    min: Math.max(left.min, right.min),
    max: Math.min(left.max, right.max),
    required: joinOnce(left.required, right.required),
    names: join(left.names, right.names),
    applicators: join(left.applicators, right.applicators),
    requirements: join(left.requirements, right.requirements),
  };
}

function join<T>(left: readonly T[], right: readonly T[]): readonly T[] {
  if (left.length === 0) return right;
  return right.length === 0 ? left : [...left, ...right];
}

function joinOnce<T>(left: readonly T[], right: readonly T[]): readonly T[] {
  if (left.length === 0) return right;
  return right.length === 0 ? left : [...new Set([...left, ...right])];
}

/** The constraints on the item at an index. */
export function itemConstraints(array: ArrayDomain, index: number): readonly Constraint[] {
  return distinct(array.applicators.flatMap((applicator) => applicator.prefix[index] ?? applicator.rest ?? []));
}

/** The length of the longest prefix. After it, all items have the same constraints. */
export function prefixLength(array: ArrayDomain): number {
  return Math.max(0, ...array.applicators.map((applicator) => applicator.prefix.length));
}

/** The constraints on the member of a name. */
export function memberConstraints(object: ObjectDomain, name: string): readonly Constraint[] {
  return distinct(object.applicators.flatMap((applicator) => constraintsOf(applicator, name)));
}

function constraintsOf({ named, patterned, rest, alreadyEvaluated }: MemberApplicator, name: string): readonly Constraint[] {
  const ownConstraints = named.get(name);
  const matchingPatterns = patterned.filter(({ pattern }) => matches(pattern, name));
  if (ownConstraints !== undefined || matchingPatterns.length > 0)
    return [...(ownConstraints ?? []), ...matchingPatterns.flatMap(({ constraints }) => constraints)];
  return rest === undefined || alreadyEvaluated.some((other) => appliesTo(other, name)) ? [] : rest;
}

/** True when an applicator covers a name. A member that it covers counts as evaluated. */
export function appliesTo(applicator: MemberApplicator, name: string): boolean {
  return applicator.named.has(name) || applicator.patterned.some(({ pattern }) => matches(pattern, name)) || applicator.rest !== undefined;
}

/** Tests a name against an unanchored pattern, as `patternProperties` does. */
export function matches(pattern: string, name: string): boolean {
  return getOrCompute(expressions, pattern, compileExpression).test(name);
}

const expressions = new Map<string, RegExp>();
