/**
 * Provider states as facts: what a pact says of a provider before a request, in words that name collections, resources and scopes of the contract, so
 * that it can be found out by reading.
 */

import type { Contract } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { ProviderState } from './pact.ts';
import { fieldPointer, formatConditions, nounsOf, parseStateName, type FieldConditionText } from './state-words.ts';

/** Conditions on the fields of a record: by JSON Pointer, the value that each has. `null` is a field that is null or absent. */
export type FieldConditions = Readonly<Record<string, Json>>;

/** Something that is true of a provider, or not. */
export type StateCondition =
  /** The collection has a record like this. */
  | { readonly kind: 'record'; readonly collection: string; readonly where: FieldConditions }
  /** It has more than so many of them, so that a page of `limit` records is not the last. */
  | {
      readonly kind: 'records';
      readonly collection: string;
      readonly where: FieldConditions;
      readonly more: number;
      readonly limit: number | undefined;
    }
  /** No record has this value in a field; `undefined` for any value that none has. */
  | { readonly kind: 'no-record'; readonly collection: string; readonly field: string; readonly value: Json | undefined }
  /** What exists once is there, or is not. */
  | { readonly kind: 'resource'; readonly resource: string }
  | { readonly kind: 'no-resource'; readonly resource: string }
  | { readonly kind: 'key'; readonly key: 'missing' | 'unknown' | 'expired' }
  /** The key lacks a scope, by its role in the contract. */
  | { readonly kind: 'no-scope'; readonly scope: string }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'unavailable'; readonly code: string | undefined };

/** Reads a state as a fact; `undefined` when its name is none of the forms, or names nothing of the contract. */
export function parseProviderState(contract: Contract, { name, params }: ProviderState): StateCondition | undefined {
  const text = name.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  return parseKey(contract, text) ?? parseTrouble(text, params) ?? parseThing(contract, text, params);
}

/** The state that says a fact: what `parseFact` reads as that fact again. */
export function toProviderState(fact: StateCondition): ProviderState {
  const { name, params } = describe(fact);
  return { name, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as JsonObject };
}

type Described = { readonly name: string; readonly params: Readonly<Record<string, Json | undefined>> };

function describe(fact: StateCondition): Described {
  if (fact.kind === 'record' || fact.kind === 'records' || fact.kind === 'no-record') return describeRecords(fact);
  if (fact.kind === 'resource') return { name: `${article(fact.resource)} ${fact.resource} exists`, params: {} };
  if (fact.kind === 'no-resource') return { name: `no ${fact.resource} exists`, params: {} };
  if (fact.kind === 'key') return { name: fact.key === 'expired' ? 'the key has expired' : `the key is ${fact.key}`, params: {} };
  if (fact.kind === 'no-scope') return { name: `the key lacks the scope ${fact.scope}`, params: {} };
  if (fact.kind === 'throttled') return { name: 'the service allows no more requests', params: {} };
  return { name: 'the service is not ready', params: { code: fact.code } };
}

function describeRecords(fact: Extract<StateCondition, { readonly collection: string }>): Described {
  const { singular, plural } = nounsOf(fact.collection);
  if (fact.kind === 'record')
    return { name: `${article(singular)} ${singular}${formatConditions(fact.where)} exists`, params: whereParams(fact.where) };
  if (fact.kind === 'records') {
    const noun = fact.more === 1 ? singular : plural;
    const params = { ...whereParams(fact.where), limit: fact.limit };
    return { name: `more than ${fact.more} ${noun}${formatConditions(fact.where)} exist`, params };
  }
  const field = fact.field.slice(1).replaceAll('/', '.');
  const isPlain = typeof fact.value === 'number' || (typeof fact.value === 'string' && /^[\w.:-]+$/.test(fact.value));
  return { name: `no ${singular} has ${isPlain ? `${field} ${fact.value}` : `this ${field}`}`, params: { [field]: fact.value } };
}

function whereParams(where: FieldConditions): Readonly<Record<string, Json | undefined>> {
  return { where: Object.keys(where).length === 0 ? undefined : where };
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a';
}

function parseKey({ scopes }: Contract, text: string): StateCondition | undefined {
  const [, state] = /^(?:the |an? )?(?:api )?key (?:is|has) (missing|unknown|invalid|expired)$/i.exec(text) ?? [];
  if (state !== undefined) {
    const key = state.toLowerCase() === 'invalid' ? 'unknown' : (state.toLowerCase() as 'missing' | 'unknown' | 'expired');
    return { kind: 'key', key };
  }
  const [, named] = /^(?:the |an? )?(?:api )?key lacks the scope (\S+)$/i.exec(text) ?? [];
  const scope = scopes.find(({ role, name }) => role === named || name === named);
  return scope === undefined ? undefined : { kind: 'no-scope', scope: scope.role };
}

function parseTrouble(text: string, params: JsonObject): StateCondition | undefined {
  if (/^(?:the )?service allows no more requests$/i.test(text)) return { kind: 'throttled' };
  if (!/^(?:the )?service is not ready$/i.test(text)) return undefined;
  return { kind: 'unavailable', code: typeof params['code'] === 'string' ? params['code'] : undefined };
}

function parseThing(contract: Contract, text: string, params: JsonObject): StateCondition | undefined {
  const words = parseStateName(text);
  if (words === undefined) return undefined;
  const collection = contract.collections.find(({ name }) => isNamed(name, words.noun));
  if (words.form === 'absent') return collection && readAbsent(collection.name, words.field, words.value, params);
  if (collection !== undefined && words.form !== 'none') {
    const where = readWhere(words.where, params);
    if (words.form === 'some') return { kind: 'record', collection: collection.name, where };
    const { count, limit } = params;
    const more = typeof count === 'number' ? count : words.more;
    return { kind: 'records', collection: collection.name, where, more, limit: typeof limit === 'number' ? limit : undefined };
  }
  const single = contract.resources.find(({ name, by }) => by.size === 0 && isNamed(name, words.noun));
  if (single === undefined || words.form === 'more') return undefined;
  return { kind: words.form === 'none' ? 'no-resource' : 'resource', resource: single.name };
}

function readAbsent(collection: string, field: string, value: string | undefined, params: JsonObject): StateCondition {
  const pointer = fieldPointer(field);
  // Parameters keep the type that a name cannot tell; they are written as a name, a dotted path or a pointer.
  const [, given] = Object.entries(params).find(([name]) => fieldPointer(name) === pointer) ?? [];
  return { kind: 'no-record', collection, field: pointer, value: given ?? value };
}

/** What the name says, and what the parameters say; these keep their types, so they win. */
function readWhere(words: readonly FieldConditionText[], { where }: JsonObject): FieldConditions {
  const named = words.map(({ field, value }) => [fieldPointer(field), value === 'null' ? null : value] as const);
  const given = isObject(where) ? Object.entries(where).map(([field, value]) => [fieldPointer(field), value] as const) : [];
  return Object.fromEntries([...named, ...given].toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}

function isNamed(name: string, noun: string): boolean {
  const { singular, plural } = nounsOf(name);
  return [name, singular, plural].some((each) => each.toLowerCase() === noun.toLowerCase());
}
