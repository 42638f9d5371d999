/**
 * Provider states as conditions: what a pact says of a provider before a request, in words that name collections, resources and scopes of the contract, so
 * that it can be found out by reading.
 */

import type { Contract } from '../contract.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import type { ProviderState } from './pact.ts';

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

/** Reads a state as a condition; `undefined` when its name is none of the forms, or names nothing of the contract. */
export function parseProviderState(contract: Contract, { name, params }: ProviderState): StateCondition | undefined {
  const text = name.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  return parseKey(contract, text) ?? parseTrouble(text, params) ?? parseThing(contract, text, params);
}

/** The state that says a condition: what `parseFact` reads as that condition again. */
export function toProviderState(condition: StateCondition): ProviderState {
  const { name, params } = describe(condition);
  return { name, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as JsonObject };
}

type Described = { readonly name: string; readonly params: Readonly<Record<string, Json | undefined>> };

function describe(condition: StateCondition): Described {
  if (condition.kind === 'record' || condition.kind === 'records' || condition.kind === 'no-record') return describeRecords(condition);
  if (condition.kind === 'resource') return { name: `${article(condition.resource)} ${condition.resource} exists`, params: {} };
  if (condition.kind === 'no-resource') return { name: `no ${condition.resource} exists`, params: {} };
  if (condition.kind === 'key') return { name: condition.key === 'expired' ? 'the key has expired' : `the key is ${condition.key}`, params: {} };
  if (condition.kind === 'no-scope') return { name: `the key lacks the scope ${condition.scope}`, params: {} };
  if (condition.kind === 'throttled') return { name: 'the service allows no more requests', params: {} };
  return { name: 'the service is not ready', params: { code: condition.code } };
}

function describeRecords(condition: Extract<StateCondition, { readonly collection: string }>): Described {
  const { singular, plural } = nounsOf(condition.collection);
  if (condition.kind === 'record')
    return { name: `${article(singular)} ${singular}${formatConditions(condition.where)} exists`, params: whereParams(condition.where) };
  if (condition.kind === 'records') {
    const noun = condition.more === 1 ? singular : plural;
    const params = { ...whereParams(condition.where), limit: condition.limit };
    return { name: `more than ${condition.more} ${noun}${formatConditions(condition.where)} exist`, params };
  }
  const field = condition.field.slice(1).replaceAll('/', '.');
  const isPlain = typeof condition.value === 'number' || (typeof condition.value === 'string' && /^[\w.:-]+$/.test(condition.value));
  return { name: `no ${singular} has ${isPlain ? `${field} ${condition.value}` : `this ${field}`}`, params: { [field]: condition.value } };
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

/** A condition as it is written in the name of a state. */
export interface FieldConditionText {
  readonly field: string;
  readonly value: string;
}

/** A sentence about records, or about what exists once, as far as its words tell. */
type StateWords =
  | { readonly form: 'some'; readonly noun: string; readonly where: readonly FieldConditionText[] }
  | { readonly form: 'more'; readonly noun: string; readonly where: readonly FieldConditionText[]; readonly more: number }
  | { readonly form: 'none'; readonly noun: string }
  | { readonly form: 'absent'; readonly noun: string; readonly field: string; readonly value: string | undefined };

/** Reads a sentence; `undefined` when it has none of the forms. */
export function parseStateName(text: string): StateWords | undefined {
  const [, absentNoun, field, value] = /^no (\S+) has (?:the |this |that )?(\S+)(?: (.+))?$/i.exec(text) ?? [];
  if (absentNoun !== undefined && field !== undefined) {
    return { form: 'absent', noun: absentNoun, field, value: value === undefined ? undefined : unquote(value) };
  }
  const [, noneNoun] = /^no (\S+) exists?$/i.exec(text) ?? [];
  if (noneNoun !== undefined) return { form: 'none', noun: noneNoun };
  const [, number, manyNoun, manyWhere] = /^more than (\d+) (\S+)(?: with (.+))? exists?$/i.exec(text) ?? [];
  if (manyNoun !== undefined) return withWhere(manyWhere, (where) => ({ form: 'more', noun: manyNoun, where, more: Number(number) }));
  const [, published] = /^(?:the |an? )?(\S+) is published$/i.exec(text) ?? [];
  if (published !== undefined) return { form: 'some', noun: published, where: [] };
  const [, noun, where] = /^(?:the |an? |some )?(\S+)(?: with (.+))? exists?$/i.exec(text) ?? [];
  return noun === undefined ? undefined : withWhere(where, (conditions) => ({ form: 'some', noun, where: conditions }));
}

/** A noun in both numbers: `entries` and `entry`, `boxes` and `box`, `things` and `thing`. */
export function nounsOf(noun: string): { readonly singular: string; readonly plural: string } {
  const singular = /[^aeiou]ies$/i.test(noun)
    ? noun.replace(/ies$/i, 'y')
    : /(?:s|x|z|ch|sh)es$/i.test(noun)
      ? noun.slice(0, -2)
      : /[^s]s$/i.test(noun)
        ? noun.slice(0, -1)
        : noun;
  if (singular !== noun) return { singular, plural: noun };
  if (/[^aeiou]y$/i.test(noun)) return { singular, plural: noun.replace(/y$/i, 'ies') };
  return { singular, plural: /(?:s|x|z|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s` };
}

/** The JSON Pointer of a field that is written as a name, a dotted path or a pointer. */
export function fieldPointer(field: string): string {
  return field.startsWith('/') ? field : toPointer(field.split('.'));
}

/** Conditions as the name of a state says them: ` with status ready and service.table null`. Values that no plain words say are left to the parameters. */
export function formatConditions(where: Readonly<Record<string, Json>>): string {
  const parts = Object.entries(where).flatMap(([pointer, value]) => {
    const field = nameOf(pointer);
    return field === undefined || !isPlain(value) ? [] : [`${field} ${value === null ? 'null' : String(value)}`];
  });
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
}

function nameOf(pointer: string): string | undefined {
  const keys = fromPointer(pointer);
  return keys.length > 0 && keys.every((key) => isWord(key)) ? keys.join('.') : undefined;
}

function isPlain(value: Json): boolean {
  if (typeof value === 'string') return /^[\w.:+-]+$/.test(value) && value.toLowerCase() !== 'and';
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

/** The word between two conditions is part of none of them. */
function isWord(text: string): boolean {
  return /^[\w-]+$/.test(text) && text.toLowerCase() !== 'and';
}

function withWhere(text: string | undefined, make: (where: readonly FieldConditionText[]) => StateWords): StateWords | undefined {
  const where = text === undefined ? [] : readConditions(text);
  return where === undefined ? undefined : make(where);
}

/** `status ready and name "Salt and Pepper"`: a value in quotes may hold anything. */
function readConditions(text: string): readonly FieldConditionText[] | undefined {
  const pieces = text.match(/(?:"[^"]*"|'[^']*'|\S+)/g) ?? [];
  const conditions: string[][] = [[]];
  for (const piece of pieces) {
    if (/^and$/i.test(piece)) conditions.push([]);
    else conditions.at(-1)?.push(piece);
  }
  const read = conditions.map(([field, ...value]) => ({ field: field ?? '', value: unquote(value.join(' ')) }));
  return read.every(({ field, value }) => field !== '' && value !== '') ? read : undefined;
}

function unquote(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
