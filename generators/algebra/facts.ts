/** Claims about an instance, and facts: what a conjunction of keywords says, one bundle for each JSON type. Facts are joined, never merged into new schemas. */

import { compileExpression } from '../../core/bounded-expression.ts';
import type { Json } from '../../core/json.ts';
import { anyNumber, type Bound, type NumberFacts } from '../number/facts.ts';
import { recall } from '../recall.ts';
import { canonical } from '../schema/equality.ts';
import type { Site } from '../schema/site.ts';
import { anyText, type TextFacts } from '../text/text-facts.ts';

/** One statement about an instance: it satisfies a schema, or it fails it. */
export interface Claim {
  readonly site: Site;
  readonly holds: boolean;
}

/** The instance satisfies the schema. */
export function satisfies(site: Site): Claim {
  return { site, holds: true };
}

/** The instance fails the schema. */
export function fails(site: Site): Claim {
  return { site, holds: false };
}

/** The same schema, claimed the other way round. */
export function opposite(claim: Claim): Claim {
  return { site: claim.site, holds: !claim.holds };
}

/** A number that is the same for equal claims only. */
export function claimId(claim: Claim): number {
  return claim.holds ? claim.site.id : -claim.site.id;
}

/** Whether a claim says nothing: satisfying `true`, or failing `false`. */
export function isVoid(claim: Claim): boolean {
  const { schema } = claim.site;
  if (typeof schema === 'boolean') return schema === claim.holds;
  return claim.holds && Object.keys(schema).length === 0;
}

/** Whether no instance can do as claimed, as far as a look at the schema itself tells. */
export function isAbsurd(claim: Claim): boolean {
  const { schema } = claim.site;
  if (typeof schema === 'boolean') return schema !== claim.holds;
  return !claim.holds && Object.keys(schema).length === 0;
}

/** The JSON types, simplest first. A bit each, so that sets of them are numbers. */
export const typeBits = { null: 1, boolean: 2, number: 4, string: 8, array: 16, object: 32 } as const;

/** A JSON type; integers are numbers. */
export type TypeName = keyof typeof typeBits;

/** All types. */
export const allTypes = 63;

/** What is known of a number. Values that it must not have are those of the whole alternative. */
type NumberDemands = Omit<NumberFacts, 'except'>;

/** What is known of a string. Values that it must not have are those of the whole alternative. */
type TextDemands = Omit<TextFacts, 'except'>;

/** What one schema says of the items of an array. */
interface ItemScope {
  readonly prefix: readonly (readonly Claim[])[];
  /** Of the items after the prefix; `undefined` when the schema says nothing of them. */
  readonly rest: readonly Claim[] | undefined;
  /** Whether the items that it speaks of count as evaluated: not so for a schema that the instance fails. */
  readonly evaluates: boolean;
}

/** A number of items of which something is claimed. */
export interface ItemDemand {
  readonly claim: Claim;
  readonly min: number;
  readonly max: number;
  /** The first index that counts. */
  readonly from: number;
  readonly evaluates: boolean;
}

/** What is known of an array. */
export interface ArrayFacts {
  readonly min: number;
  readonly max: number;
  readonly unique: boolean;
  /** Two of its items are equal. */
  readonly repeated: boolean;
  readonly scopes: readonly ItemScope[];
  readonly demands: readonly ItemDemand[];
}

/** What one schema says of the members of an object. */
export interface MemberScope {
  readonly named: ReadonlyMap<string, readonly Claim[]>;
  readonly patterned: readonly MemberPattern[];
  /** Of the members that are neither named nor match a pattern; `undefined` when the schema says nothing of them. */
  readonly rest: readonly Claim[] | undefined;
  /** The scopes whose members are evaluated already (`unevaluatedProperties`): only the others are the rest. */
  readonly over: readonly MemberScope[];
  readonly evaluates: boolean;
}

/** The members whose names match a pattern, and what is claimed of them. */
interface MemberPattern {
  readonly pattern: string;
  readonly claims: readonly Claim[];
}

/** Some member of which something is claimed. */
export interface MemberDemand {
  /** A pattern that its name matches. */
  readonly pattern: string | undefined;
  /** Scopes that must not speak of it by name or pattern. */
  readonly outside: readonly MemberScope[];
  readonly name: readonly Claim[];
  readonly claims: readonly Claim[];
}

/** What is known of an object. */
export interface ObjectFacts {
  readonly min: number;
  readonly max: number;
  readonly required: readonly string[];
  readonly names: readonly Claim[];
  readonly scopes: readonly MemberScope[];
  readonly demands: readonly MemberDemand[];
}

/** One form that an instance can take: it is of one of the types, and what is said of that type is true of it. */
export interface Alternative {
  /** The types, as a set of bits. */
  readonly types: number;
  /** The only values, where they are listed. */
  readonly values: readonly Json[] | undefined;
  /** Values that it must not have. */
  readonly except: readonly Json[];
  readonly number: NumberDemands;
  readonly text: TextDemands;
  readonly array: ArrayFacts;
  readonly object: ObjectFacts;
  /** What cannot be said by facts alone and must be looked at when an array or object has been drawn. */
  readonly checked: readonly Claim[];
}

/** Facts of which only some are given; the rest say nothing. */
export type Partially = Partial<Omit<Alternative, 'number' | 'text' | 'array' | 'object'>> & {
  readonly number?: Partial<NumberDemands>;
  readonly text?: Partial<TextDemands>;
  readonly array?: Partial<ArrayFacts>;
  readonly object?: Partial<ObjectFacts>;
};

/** Nothing is known: every instance is of this form. */
export const everything: Alternative = {
  types: allTypes,
  values: undefined,
  except: [],
  number: anyNumber,
  text: anyText,
  array: { min: 0, max: Infinity, unique: false, repeated: false, scopes: [], demands: [] },
  object: { min: 0, max: Infinity, required: [], names: [], scopes: [], demands: [] },
  checked: [],
};

/** An alternative of which only these facts are known. */
export function knowing({ number, text, array, object, ...facts }: Partially): Alternative {
  return {
    ...everything,
    ...facts,
    number: number ? { ...everything.number, ...number } : everything.number,
    text: text ? { ...everything.text, ...text } : everything.text,
    array: array ? { ...everything.array, ...array } : everything.array,
    object: object ? { ...everything.object, ...object } : everything.object,
  };
}

/** An alternative of one type. */
export function only(type: TypeName, facts: Omit<Partially, 'types'> = {}): Alternative {
  return knowing({ ...facts, types: typeBits[type] });
}

/** A scope that says something of named members only. Such scopes come from demands, so they evaluate nothing. */
export function naming(name: string, claims: readonly Claim[]): MemberScope {
  return { named: new Map([[name, claims]]), patterned: [], rest: undefined, over: [], evaluates: false };
}

/** The bit of the type of a value. */
export function bitOfValue(value: Json): number {
  if (value === null) return typeBits.null;
  if (Array.isArray(value)) return typeBits.array;
  return typeBits[typeof value as Exclude<TypeName, 'null' | 'array'>];
}

/** The conjunction of two alternatives. It may have no instance: see `prune`. */
export function meet(left: Alternative, right: Alternative): Alternative {
  if (left === everything) return right;
  if (right === everything) return left;
  return {
    types: left.types & right.types,
    values: meetValues(left.values, right.values),
    except: join(left.except, right.except),
    number: together(left.number, right.number, everything.number, meetNumbers),
    text: together(left.text, right.text, everything.text, meetTexts),
    array: together(left.array, right.array, everything.array, meetArrays),
    object: together(left.object, right.object, everything.object, meetObjects),
    checked: join(left.checked, right.checked),
  };
}

/** What two bundles say, of which either may say nothing. */
function together<T>(left: T, right: T, free: T, join: (left: T, right: T) => T): T {
  if (left === free) return right;
  return right === free ? left : join(left, right);
}

function meetValues(left: readonly Json[] | undefined, right: readonly Json[] | undefined): readonly Json[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const other = new Set(right.map(canonical));
  return left.filter((value) => other.has(canonical(value)));
}

function meetNumbers(left: NumberDemands, right: NumberDemands): NumberDemands {
  return {
    low: tighter(left.low, right.low, 1),
    high: tighter(left.high, right.high, -1),
    integer: left.integer || right.integer,
    fractional: left.fractional || right.fractional,
    multiples: joinOnce(left.multiples, right.multiples),
    notMultiples: joinOnce(left.notMultiples, right.notMultiples),
    formats: joinOnce(left.formats, right.formats),
    notFormats: joinOnce(left.notFormats, right.notFormats),
  };
}

/** The bound that leaves less; `sign` is 1 for lower bounds and -1 for upper ones. */
function tighter(left: Bound, right: Bound, sign: 1 | -1): Bound {
  if (left.value === right.value) return left.open ? left : right;
  return (left.value - right.value) * sign > 0 ? left : right;
}

function meetTexts(left: TextDemands, right: TextDemands): TextDemands {
  return {
    minLength: Math.max(left.minLength, right.minLength),
    maxLength: Math.min(left.maxLength, right.maxLength),
    patterns: joinOnce(left.patterns, right.patterns),
    notPatterns: joinOnce(left.notPatterns, right.notPatterns),
    formats: joinOnce(left.formats, right.formats),
    notFormats: joinOnce(left.notFormats, right.notFormats),
  };
}

function meetArrays(left: ArrayFacts, right: ArrayFacts): ArrayFacts {
  return {
    min: Math.max(left.min, right.min),
    max: Math.min(left.max, right.max),
    unique: left.unique || right.unique,
    repeated: left.repeated || right.repeated,
    scopes: join(left.scopes, right.scopes),
    demands: right.demands.reduce(demandAlso, left.demands),
  };
}

/** Demands of the same items become one: what is at least asked and at most allowed. */
function demandAlso(demands: readonly ItemDemand[], added: ItemDemand): readonly ItemDemand[] {
  const index = demands.findIndex((each) => each.from === added.from && claimId(each.claim) === claimId(added.claim));
  const same = demands[index];
  if (same === undefined) return [...demands, added];
  const { claim, from } = added;
  const evaluates = same.evaluates || added.evaluates;
  return demands.with(index, { claim, from, min: Math.max(same.min, added.min), max: Math.min(same.max, added.max), evaluates });
}

function meetObjects(left: ObjectFacts, right: ObjectFacts): ObjectFacts {
  return {
    min: Math.max(left.min, right.min),
    max: Math.min(left.max, right.max),
    required: joinOnce(left.required, right.required),
    names: join(left.names, right.names),
    scopes: join(left.scopes, right.scopes),
    demands: join(left.demands, right.demands),
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

/** The claims about the item at an index. */
export function itemClaims(array: ArrayFacts, index: number): readonly Claim[] {
  return distinct(array.scopes.flatMap((scope) => scope.prefix[index] ?? scope.rest ?? []));
}

/** The longest prefix that a scope describes: from there on all items are alike. */
export function prefixLength(array: ArrayFacts): number {
  return Math.max(0, ...array.scopes.map((scope) => scope.prefix.length));
}

/** The claims about the member of a name. */
export function memberClaims(object: ObjectFacts, name: string): readonly Claim[] {
  const [scope, ...others] = object.scopes;
  const named = scope?.named.get(name);
  if (named !== undefined && others.length === 0 && scope?.patterned.length === 0) return named;
  const found: Claim[] = [];
  for (const scope of object.scopes) addClaims(found, scope, name);
  return distinct(found);
}

/** Whether a scope speaks of a name, so that for it the name is evaluated. */
export function speaksOf(scope: MemberScope, name: string): boolean {
  return scope.named.has(name) || scope.patterned.some(({ pattern }) => matches(pattern, name)) || scope.rest !== undefined;
}

/** Whether a name matches a pattern, anywhere in it, as `patternProperties` does. */
export function matches(pattern: string, name: string): boolean {
  return recall(expressions, pattern, compileExpression).test(name);
}

/** Claims without those that say nothing and without repetitions. */
export function distinct(claims: readonly Claim[]): readonly Claim[] {
  if (claims.length === 0 || (claims.length === 1 && claims[0] !== undefined && !isVoid(claims[0]))) return claims;
  const found = new Map<number, Claim>();
  for (const claim of claims) if (!isVoid(claim)) found.set(claimId(claim), claim);
  return [...found.values()];
}

function addClaims(found: Claim[], scope: MemberScope, name: string): void {
  const named = scope.named.get(name);
  if (named !== undefined) found.push(...named);
  let isSpoken = named !== undefined;
  for (const { pattern, claims } of scope.patterned) {
    if (!matches(pattern, name)) continue;
    isSpoken = true;
    found.push(...claims);
  }
  if (isSpoken || scope.rest === undefined || scope.over.some((other) => speaksOf(other, name))) return;
  found.push(...scope.rest);
}

const expressions = new Map<string, RegExp>();
