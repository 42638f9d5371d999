/** Facts: what a conjunction of keywords says of an instance, one bundle for each JSON type. Bundles are joined, never merged into new schemas. */

import type { Json } from '../../core/json.ts';
import type { NumberFacts } from '../source/number-facts.ts';
import type { TextFacts } from '../text/text-facts.ts';
import type { Claim } from './claim.ts';

/** The JSON types, simplest first. A bit each, so that sets of them are numbers. */
export const typeBits = { null: 1, boolean: 2, number: 4, string: 8, array: 16, object: 32 } as const;

/** A JSON type; integers are numbers. */
export type TypeName = keyof typeof typeBits;

/** All types. */
export const allTypes = 63;

/** What is known of a number. Values that it must not have are those of the whole alternative. */
export type NumberDemands = Omit<NumberFacts, 'except'>;

/** What is known of a string. Values that it must not have are those of the whole alternative. */
export type TextDemands = Omit<TextFacts, 'except'>;

/** What one schema says of the items of an array. */
export interface ItemScope {
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
export interface MemberPattern {
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
export interface Partially {
  readonly types?: number;
  readonly values?: readonly Json[];
  readonly except?: readonly Json[];
  readonly number?: Partial<NumberDemands>;
  readonly text?: Partial<TextDemands>;
  readonly array?: Partial<ArrayFacts>;
  readonly object?: Partial<ObjectFacts>;
  readonly checked?: readonly Claim[];
}

/** Nothing is known: every instance is of this form. */
export const everything: Alternative = {
  types: allTypes,
  values: undefined,
  except: [],
  number: {
    low: { value: -Infinity, open: false },
    high: { value: Infinity, open: false },
    integer: false,
    fractional: false,
    multiples: [],
    notMultiples: [],
    formats: [],
    notFormats: [],
  },
  text: { minLength: 0, maxLength: Infinity, patterns: [], notPatterns: [], formats: [], notFormats: [] },
  array: { min: 0, max: Infinity, unique: false, repeated: false, scopes: [], demands: [] },
  object: { min: 0, max: Infinity, required: [], names: [], scopes: [], demands: [] },
  checked: [],
};

/** An alternative of which only these facts are known. */
export function knowing(facts: Partially): Alternative {
  return {
    ...everything,
    ...facts,
    number: facts.number === undefined ? everything.number : { ...everything.number, ...facts.number },
    text: facts.text === undefined ? everything.text : { ...everything.text, ...facts.text },
    array: facts.array === undefined ? everything.array : { ...everything.array, ...facts.array },
    object: facts.object === undefined ? everything.object : { ...everything.object, ...facts.object },
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
