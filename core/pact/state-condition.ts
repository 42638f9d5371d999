/**
 * Conditions on a provider (records, keys, scopes, throttling, outages) and the provider states that express them: `an order with status ready exists`. A
 * recording mock writes states, checks and verifications read them; whether a provider meets one is not checked here.
 */

import { isNumber, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import type { ProviderState } from './pact.ts';

/** Field values of a record, by JSON Pointer. `null` means null or absent. */
export type FieldConditions = Readonly<Record<string, Json>>;

/** The condition that a provider state expresses. */
export type StateCondition =
  /** The collection has a matching record. */
  | { readonly kind: 'record'; readonly collection: string; readonly where: FieldConditions }
  /** The collection has more than `more` matching records, so a page of `limit` records is not the last. */
  | {
      readonly kind: 'records';
      readonly collection: string;
      readonly where: FieldConditions;
      readonly more: number;
      readonly limit: number | undefined;
    }
  /** No record has the value in the field; `undefined` stands for any unused value. */
  | { readonly kind: 'no-record'; readonly collection: string; readonly field: string; readonly value: Json | undefined }
  /** The resource exists, or does not. */
  | { readonly kind: 'resource'; readonly resource: string }
  | { readonly kind: 'no-resource'; readonly resource: string }
  | { readonly kind: 'key'; readonly key: 'missing' | 'unknown' | 'expired' }
  /** The key lacks a scope, by its role in the contract. */
  | { readonly kind: 'no-scope'; readonly scope: string }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'unavailable'; readonly code: string | undefined };

/** Parses a state; `undefined` if its name has an unknown form, or names something that the contract does not have. */
export function parseProviderState(contract: Contract, { name, params }: ProviderState): StateCondition | undefined {
  const text = normalizeStateName(name);
  // Otherwise "a thing with id 5 does not exist" would mean a thing with the id "5 does not".
  if (/ (?:do|does) ?n[o']t exist$/i.test(text)) return undefined;
  for (const [form, read] of forms) {
    const condition = read(contract, form.exec(text)?.groups, params);
    if (condition !== undefined) return condition;
  }
  return undefined;
}

/** Returns the name of a state with single spaces and without a full stop. */
export function normalizeStateName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

/** Writes a condition as a state, which `parseProviderState` parses to the same condition. */
export function toProviderState(condition: StateCondition): ProviderState {
  const { name, params } = describeCondition(condition);
  return { name, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as JsonObject };
}

type StateText = { readonly name: string; readonly params: Readonly<Record<string, Json | undefined>> };

function describeCondition(condition: StateCondition): StateText {
  if (condition.kind === 'record' || condition.kind === 'records' || condition.kind === 'no-record')
    return describeRecordCondition(condition);
  if (condition.kind === 'resource') return { name: `${article(condition.resource)} ${condition.resource} exists`, params: {} };
  if (condition.kind === 'no-resource') return { name: `no ${condition.resource} exists`, params: {} };
  if (condition.kind === 'key')
    return { name: condition.key === 'expired' ? 'the key has expired' : `the key is ${condition.key}`, params: {} };
  if (condition.kind === 'no-scope') return { name: `the key lacks the scope ${condition.scope}`, params: {} };
  if (condition.kind === 'throttled') return { name: 'the service allows no more requests', params: {} };
  return { name: 'the service is not ready', params: { code: condition.code } };
}

function describeRecordCondition(condition: Extract<StateCondition, { readonly collection: string }>): StateText {
  const { singular, plural } = nounsOf(condition.collection);
  if (condition.kind === 'record')
    return {
      name: `${article(singular)} ${singular}${formatConditions(condition.where)} exists`,
      params: conditionParams(condition.where),
    };
  if (condition.kind === 'records') {
    const noun = condition.more === 1 ? singular : plural;
    const params = { ...conditionParams(condition.where), limit: condition.limit };
    return { name: `more than ${condition.more} ${noun}${formatConditions(condition.where)} exist`, params };
  }
  const field = condition.field.slice(1).replaceAll('/', '.');
  const isPlain = isNumber(condition.value) || (typeof condition.value === 'string' && /^[\w.:-]+$/.test(condition.value));
  return { name: `no ${singular} has ${isPlain ? `${field} ${condition.value}` : `this ${field}`}`, params: { [field]: condition.value } };
}

function conditionParams(where: FieldConditions): Readonly<Record<string, Json | undefined>> {
  return { where: Object.keys(where).length === 0 ? undefined : where };
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a';
}

type Words = Readonly<Record<string, string | undefined>>;

/** Reads the words of a name that has a form; `undefined` words mean that it has another one. */
type ReadForm = (contract: Contract, words: Words | undefined, params: JsonObject) => StateCondition | undefined;

const keyStates = { missing: 'missing', unknown: 'unknown', invalid: 'unknown', expired: 'expired' } as const;

const forms: readonly (readonly [RegExp, ReadForm])[] = [
  [
    /^(?:the |an? )?(?:api )?key (?:is|has) (?<key>missing|unknown|invalid|expired)$/i,
    (_, words) => words && { kind: 'key', key: keyStates[words['key']?.toLowerCase() as keyof typeof keyStates] },
  ],
  [
    /^(?:the |an? )?(?:api )?key lacks the scope (?<scope>\S+)$/i,
    ({ scopes }, words) => {
      const scope = words && scopes.find(({ role, name }) => role === words['scope'] || name === words['scope']);
      return scope && { kind: 'no-scope', scope: scope.role };
    },
  ],
  [/^(?:the )?service allows no more requests(?<words>)$/i, (_, words) => words && { kind: 'throttled' }],
  [
    /^(?:the )?service is not ready(?<words>)$/i,
    (_, words, { code }) => words && { kind: 'unavailable', code: typeof code === 'string' ? code : undefined },
  ],
  [/^no (?<noun>\S+) has (?:the |this |that )?(?<field>\S+)(?: (?<value>.+))?$/i, readAbsent],
  [/^no (?<noun>\S+) exists?$/i, (contract, words) => readResource(contract, words, 'no-resource')],
  [/^more than (?<more>\d+) (?<noun>\S+)(?: with (?<where>.+))? exists?$/i, readRecords],
  [/^(?:the |an? )?(?<noun>\S+) is published$/i, readRecords],
  [/^(?:the |an? |some )?(?<noun>\S+)(?: with (?<where>.+))? exists?$/i, readRecords],
  [
    /^(?:the |an? |some )?(?<noun>\S+)(?: with .+)? (?:exists?|is published)$/i,
    (contract, words) => readResource(contract, words, 'resource'),
  ],
];

function readRecords(contract: Contract, words: Words | undefined, params: JsonObject): StateCondition | undefined {
  const collection = collectionNamed(contract, words);
  const conditions = words?.['where'] === undefined ? [] : readConditions(words['where']);
  if (collection === undefined || conditions === undefined) return undefined;
  const where = readWhere(contract, collection, conditions, params);
  if (words?.['more'] === undefined) return { kind: 'record', collection, where };
  const { count, limit } = params;
  const more = typeof count === 'number' ? count : Number(words['more']);
  return { kind: 'records', collection, where, more, limit: typeof limit === 'number' ? limit : undefined };
}

function readResource(contract: Contract, words: Words | undefined, kind: 'resource' | 'no-resource'): StateCondition | undefined {
  const noun = words?.['noun'] ?? '';
  const isCollection = collectionNamed(contract, words) !== undefined;
  const resource = contract.resources.find(({ name, by }) => by.size === 0 && isNamed(name, noun));
  return resource === undefined || (kind === 'resource' && isCollection) ? undefined : { kind, resource: resource.name };
}

function collectionNamed({ collections }: Contract, words: Words | undefined): string | undefined {
  return collections.find(({ name }) => isNamed(name, words?.['noun'] ?? ''))?.name;
}

function readAbsent(contract: Contract, words: Words | undefined, params: JsonObject): StateCondition | undefined {
  const collection = collectionNamed(contract, words);
  if (collection === undefined) return undefined;
  const field = fieldPointer(words?.['field'] ?? '');
  // The name of a parameter may be a field name, a dotted path or a pointer.
  const [, param] = Object.entries(params).find(([name]) => fieldPointer(name) === field) ?? [];
  const value = param ?? (words?.['value'] === undefined ? undefined : unquote(words['value']));
  return { kind: 'no-record', collection, field, value: value === undefined ? undefined : toFieldType(contract, collection, field, value) };
}

/** Combines the conditions of the name with those of the parameters, which win. */
function readWhere(
  contract: Contract,
  collection: string,
  conditionTexts: readonly FieldConditionText[],
  { where }: JsonObject,
): FieldConditions {
  const fromName = conditionTexts.map(({ field, value }) => [fieldPointer(field), value === 'null' ? null : value] as const);
  const fromParams = Object.entries(objectOrEmpty(where)).map(([field, value]) => [fieldPointer(field), value] as const);
  const typed = [...fromName, ...fromParams].map(([field, value]) => [field, toFieldType(contract, collection, field, value)] as const);
  return Object.fromEntries(typed.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}

/** Converts the text of a state to a number, if lists of the collection have numbers in the field. */
function toFieldType({ operations }: Contract, collection: string, field: string, value: Json): Json {
  const isNumeric = operations.some((each) => each.collection?.name === collection && each.collection.kindOf(field) === 'number');
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return isNumeric && Number.isFinite(number) ? number : value;
}

/** True if a noun names a collection or resource, in the singular or the plural. */
export function isNamed(name: string, noun: string): boolean {
  const { singular, plural } = nounsOf(name);
  return [name, singular, plural].some((word) => word.toLowerCase() === noun.toLowerCase());
}

/** A condition in the name of a state. */
interface FieldConditionText {
  readonly field: string;
  readonly value: string;
}

/** Returns singular and plural: `entry` and `entries`, `box` and `boxes`, `thing` and `things`. */
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

/** Converts a field name, a dotted path or a pointer to a JSON Pointer. */
export function fieldPointer(field: string): string {
  return field.startsWith('/') ? field : toPointer(field.split('.'));
}

/** Writes conditions for the name of a state: ` with status ready and service.table null`. Other values are left to the parameters. */
function formatConditions(where: Readonly<Record<string, Json>>): string {
  const parts = Object.entries(where).flatMap(([pointer, value]) => {
    const field = nameOf(pointer);
    return field === undefined || !isWritable(value) ? [] : [`${field} ${value === null ? 'null' : String(value)}`];
  });
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
}

function nameOf(pointer: string): string | undefined {
  const keys = fromPointer(pointer);
  return keys.length > 0 && keys.every((key) => isWord(key)) ? keys.join('.') : undefined;
}

function isWritable(value: Json): boolean {
  if (typeof value === 'string') return /^[\w.:+-]+$/.test(value) && value.toLowerCase() !== 'and';
  return value === null || isNumber(value) || typeof value === 'boolean';
}

/** Excludes "and", which separates conditions. */
function isWord(text: string): boolean {
  return /^[\w-]+$/.test(text) && text.toLowerCase() !== 'and';
}

/** Parses conditions such as `status ready and name "Salt and Pepper"`; a quoted value may contain anything. */
function readConditions(text: string): readonly FieldConditionText[] | undefined {
  const words = text.match(/(?:"[^"]*"|'[^']*'|\S+)/g) ?? [];
  const conditions: string[][] = [[]];
  for (const piece of words) {
    if (/^and$/i.test(piece)) conditions.push([]);
    else conditions.at(-1)?.push(piece);
  }
  const conditionTexts = conditions.map(([field, ...value]) => ({ field: field ?? '', value: unquote(value.join(' ')) }));
  return conditionTexts.every(({ field, value }) => field !== '' && value !== '') ? conditionTexts : undefined;
}

function unquote(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
