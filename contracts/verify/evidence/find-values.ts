/**
 * Finds values for the required parameters that a call leaves open, before it is sent: given ones, those of the contract, and those that responses have shown,
 * for which it may ask other operations. Nothing is invented for an identifier.
 */

import { definedOf } from '../../../core/drop-undefined.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../../../core/json.ts';
import { type Operation, schemaOfSuccess } from '../../../core/openapi/operation.ts';
import { mergedBranchKeywords } from '../../../core/openapi/schema-facts.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { readStrictly } from '../../../core/parameters/read-value.ts';
import { instanceOf } from '../../../generators/schema-arbitrary.ts';
import { type Call, isSuccess, type Reply } from './call.ts';

/** Values by the name of a parameter, or by `OPERATION.NAME`, as texts. */
export type GivenValues = Readonly<Record<string, string>>;

/** What the search for values may use. */
export interface ValueSources {
  readonly given: GivenValues;
  /** Every reply so far. */
  readonly replies: readonly Reply[];
  /** The readable operations. */
  readonly operations: readonly Operation[];
  /** Calls an operation with values for its own required parameters; `undefined` if it cannot be called. */
  readonly call: (operation: Operation) => Promise<Reply | undefined>;
}

/** The required parameters that a call leaves open. */
export function openParameters({ operation, values = {}, raw = [], segments = {}, headers = {}, omits = [] }: Call): readonly Parameter[] {
  const headerNames = Object.keys(headers).map((name) => name.toLowerCase());
  return operation.parameters.filter(({ required, key, name, in: place, style }) => {
    if (!required || values[key] !== undefined || omits.includes(key)) return false;
    if (place === 'path') return segments[name] === undefined;
    if (place === 'header') return !headerNames.includes(name.toLowerCase());
    const names = style.shape === 'members' && style.explode ? style.members : [name];
    return !raw.some((piece) =>
      names.some(
        (each) => piece === each || piece.startsWith(`${encodeURIComponent(each)}=`) || piece.includes(`${encodeURIComponent(each)}[`),
      ),
    );
  });
}

/** Values for the open parameters of a call, by their key. Parameters without a value are left out. */
export type FoundValues = Readonly<Record<string, Json>>;

/** Finds values for parameters: the likeliest that {@link valueSets} gives. */
export async function findValues(sources: ValueSources, operation: Operation, parameters: readonly Parameter[]): Promise<FoundValues> {
  for await (const values of valueSets(sources, operation, parameters)) return values;
  return {};
}

/**
 * Gives values for all parameters of an operation together, the likeliest first. A server has the records that its lists show, but seldom those of the
 * examples. A record below another one is named with the parent under which it was listed.
 */
export async function* valueSets(
  sources: ValueSources,
  operation: Operation,
  parameters: readonly Parameter[],
): AsyncGenerator<FoundValues, void, undefined> {
  const fixed = new Map(parameters.map((parameter) => [parameter, fixedValue(sources.given, operation, parameter)]));
  const open = parameters.filter((parameter) => fixed.get(parameter) === undefined);
  const withFixed = (values: FoundValues): FoundValues =>
    Object.fromEntries(parameters.flatMap((each) => definedOf(fixed.get(each) ?? values[each.key]).map((value) => [each.key, value])));
  const isWhole = (values: FoundValues): boolean => open.every(({ key }) => values[key] !== undefined);
  const candidates: (readonly Json[])[] = [];
  for (const parameter of open) candidates.push(await candidatesFor(sources, operation, parameter));
  const together = open.length > 1 ? [...(await belowOneParent(sources, operation, open)), ...inOneRecord(sources.replies, open)] : [];
  yield* together.filter(isWhole).map(withFixed);
  const most = Math.max(1, ...candidates.map(({ length }) => length));
  for (let index = 0; index < most; index += 1)
    yield withFixed(
      Object.fromEntries(
        open.flatMap(({ key }, at) => definedOf(candidates[at]?.[index] ?? candidates[at]?.at(-1)).map((value) => [key, value])),
      ),
    );
}

/** True for a parameter whose value names something that a server has or has not. */
export function namesRecord({ in: place, name }: Parameter): boolean {
  return place === 'path' || isIdentifier(name);
}

/** A value that needs no search: a given one, the default, or the first listed value. */
function fixedValue(given: GivenValues, operation: Operation, parameter: Parameter): Json | undefined {
  const text = given[`${operation.id}.${parameter.name}`] ?? given[parameter.name];
  if (text !== undefined) return fromText(parameter, text);
  const { fallback, allowed, style, examples } = parameter;
  const listed = allowed[0] === undefined || style.shape !== 'list' ? allowed[0] : [allowed[0]];
  const stated = namesRecord(parameter) ? [fallback, listed] : [...examples, fallback, listed];
  return stated.find((value) => value !== undefined && isAllowed(parameter, value));
}

/** The values that a parameter may be sent with, the likeliest first. */
async function candidatesFor(sources: ValueSources, operation: Operation, parameter: Parameter): Promise<readonly Json[]> {
  const found = [
    ...(await shownValues(sources, operation, parameter)),
    ...parameter.examples.filter((value) => isAllowed(parameter, value)),
    ...definedOf(exampleElsewhere(sources.operations, operation, parameter)),
  ];
  return found.length > 0 ? [...new Set(found)] : definedOf(anyValue(operation, parameter));
}

/** The records that a list below a parent has shown, each with the values of that parent. */
async function belowOneParent(
  sources: ValueSources,
  operation: Operation,
  parameters: readonly Parameter[],
): Promise<readonly FoundValues[]> {
  const last = parameters.findLast((parameter) => parameter.in === 'path');
  if (last === undefined) return [];
  for (const list of listsAbove(sources.operations, operation, last.name).filter((each) => each.path.includes('{'))) {
    const reply = await sources.call(list);
    const parents = Object.entries(reply?.call.values ?? {});
    if (reply !== undefined && parents.length > 0)
      return spread(valuesInRecords(reply, last)).map((value) => ({ ...Object.fromEntries(parents), [last.key]: value }));
  }
  return [];
}

/** The values of all parameters in one record that a response has shown. */
function inOneRecord(replies: readonly Reply[], parameters: readonly Parameter[]): readonly FoundValues[] {
  const records = replies
    .slice(-latest)
    .filter(isSuccess)
    .flatMap(({ body }) => recordsWithin(body, 3));
  const sets = records.map((record) =>
    Object.fromEntries(
      parameters.flatMap((parameter) =>
        definedOf(asSendable(parameter, memberOf(record, parameter.name) ?? null)).map((value) => [parameter.key, value]),
      ),
    ),
  );
  return spread(sets.filter((set) => Object.keys(set).length === parameters.length));
}

/** The first, the last and the middle one of some values. */
function spread<T>(values: readonly T[]): readonly T[] {
  return [...new Set(definedOf(values[0], values.at(-1), values[Math.floor(values.length / 2)]))];
}

/** An example of the record that the operation returns, or of a parameter of the same name elsewhere. */
function exampleElsewhere(operations: readonly Operation[], operation: Operation, parameter: Parameter): Json | undefined {
  const { document, responses, path } = operation;
  const success = schemaOfSuccess(responses);
  const bodies = [...responses.values()].filter(({ status }) => status.startsWith('2')).flatMap(({ examples }) => [...examples.values()]);
  const described = success === undefined ? {} : objectOrEmpty(mergedBranchKeywords(document, success)['properties']);
  const records = [described, ...bodies.flatMap(({ value }) => recordsWithin(value, 3))];
  // Only the last parameter of a path names the record itself.
  const names = path.endsWith(`/{${parameter.name}}`) ? [parameter.name, ...identifiers] : [parameter.name];
  const members = names.flatMap((name) => records.map((record) => memberOf(record, name)));
  const ofRecords = members.flatMap((member) => (isObject(member) ? examplesOf(mergedBranchKeywords(document, member)) : [member ?? null]));
  const sameName = operations.flatMap(({ parameters }) => parameters.filter((each) => each.name === parameter.name));
  const candidates = [...ofRecords, ...sameName.flatMap(({ examples }) => examples)];
  return candidates.map((value) => asSendable(parameter, value)).find((value) => value !== undefined);
}

function examplesOf({ example, examples, default: fallback }: JsonObject): readonly Json[] {
  return definedOf(example, ...(isArray(examples) ? examples : []), fallback);
}

function fromText({ kinds, style }: Parameter, text: string): Json {
  const read = (each: string): Json => readStrictly(kinds, each) ?? each;
  return style.shape === 'list' ? text.split(',').map(read) : read(text);
}

function isAllowed({ validate }: Parameter, value: Json): boolean {
  return validate(value).length === 0;
}

/** A value of a parameter that does not name a record: any day, number or flag is as good as another. */
function anyValue({ document }: Operation, parameter: Parameter): Json | undefined {
  const { kinds, schema, name, in: place } = parameter;
  const isFree =
    place !== 'path' &&
    !isIdentifier(name) &&
    (!kinds.includes('string') || (isObject(schema) && /^date|^time/.test(String(schema['format']))));
  const value = isFree ? instanceOf(schema, { document }, 1) : undefined;
  return value !== undefined && isAllowed(parameter, value) ? value : undefined;
}

function isIdentifier(name: string): boolean {
  return /(?:^|_|-)ids?$|[a-z]Ids?$/.test(name);
}

/** Values that responses have shown: in the list above the parameter, in a link to the operation, or as a member of this name anywhere. */
async function shownValues(sources: ValueSources, operation: Operation, parameter: Parameter): Promise<readonly Json[]> {
  const lists = parameter.in === 'path' ? listsAbove(sources.operations, operation, parameter.name) : [];
  const elsewhere = (): readonly Json[] =>
    definedOf(valueInLinks(sources.replies, operation, parameter) ?? valueByName(sources.replies, parameter));
  for (const list of lists) {
    const reply = await sources.call(list);
    const values = reply === undefined ? [] : valuesInRecords(reply, parameter);
    if (values.length > 0) return [...spread(values), ...elsewhere()];
  }
  return elsewhere();
}

/** Maximum number of lists that are asked for one parameter. */
const listsMax = 3;

/** The operations above a parameter, the nearest first: `/pets`, then `/pets/search`, for the `petId` of `/pets/{petId}/toys`. */
function listsAbove(operations: readonly Operation[], { path }: Operation, name: string): readonly Operation[] {
  const [above = ''] = path.split(`/{${name}}`, 1);
  if (above === path || above === '') return [];
  const readable = operations.filter((each) => each.method === 'GET' && each.path !== path);
  const exact = readable.filter((each) => each.path.replace(/\/$/, '') === above);
  const below = readable.filter((each) => each.path.startsWith(`${above}/`) && !each.path.slice(above.length).includes('{'));
  return [...exact, ...below].slice(0, listsMax);
}

/** Members by which records are known, the most usual first. */
const identifiers = ['id', 'uuid', 'guid', 'key', 'slug', 'code', 'sid', 'gid', 'name', 'login', 'username', 'number'];

/** A value of a parameter that a record of a list shows. */
export interface ListedValue {
  readonly value: Json;
  readonly record: JsonObject;
  /** The member of the record that has the value. */
  readonly member: string;
  readonly reply: Reply;
}

/** The values of a parameter that the records of a list show, all by the same member. */
function valuesInRecords(reply: Reply, parameter: Parameter): readonly Json[] {
  const listed = listedValues(reply, parameter).map(({ value }) => value);
  if (listed.length > 0 || !isSuccess(reply) || !isArray(reply.body)) return listed;
  // A list of plain identifiers, such as names.
  return definedOf(...reply.body.filter((each) => !isObject(each)).map((value) => asSendable(parameter, value)));
}

function listedValues(reply: Reply, parameter: Parameter): readonly ListedValue[] {
  const records = isSuccess(reply) ? recordsInLists(reply.body) : [];
  for (const name of [parameter.name, ...identifiers]) {
    const found = records.flatMap((record): readonly ListedValue[] => {
      const member = nameOfMember(record, name);
      const value = member === undefined ? undefined : asSendable(parameter, record[member] ?? null);
      return member === undefined || value === undefined ? [] : [{ value, record, member, reply }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** The records that the lists above a parameter have shown in a round, with the value that each has for it. Sends nothing. */
export function recordsAbove(
  { replies, contract }: { readonly replies: readonly Reply[]; readonly contract: Pick<ValueSources, 'operations'> },
  operation: Operation,
  parameter: Parameter,
): readonly ListedValue[] {
  const lists = listsAbove(contract.operations, operation, parameter.name);
  return replies.flatMap((reply) => (lists.includes(reply.call.operation) ? listedValues(reply, parameter) : []));
}

/** True if a list was read below the same parents as those of a call. The records of another parent may have the same identifiers. */
export function isBelowSame({ call: { operation, values = {} } }: Reply, other: FoundValues): boolean {
  return operation.parameters.every(
    ({ in: place, key }) => place !== 'path' || other[key] === undefined || String(other[key]) === String(values[key]),
  );
}

/** Other values of a path parameter that the lists above it have shown, beside the values of the other parameters. Sends nothing. */
export function furtherValues(
  { replies, operations }: Pick<ValueSources, 'replies' | 'operations'>,
  operation: Operation,
  parameter: Parameter,
  values: Readonly<Record<string, Json>>,
): readonly Json[] {
  const lists = listsAbove(operations, operation, parameter.name);
  const shown = replies.filter((reply) => lists.includes(reply.call.operation) && isBelowSame(reply, values));
  const [used] = definedOf(values[parameter.key]);
  return [...new Set(shown.flatMap((reply) => valuesInRecords(reply, parameter)))].filter((value) => value !== used);
}

/** A member of a record by its name, whatever its case and underscores. */
export function memberOf(record: JsonObject, name: string): Json | undefined {
  return record[nameOfMember(record, name) ?? ''];
}

function nameOfMember(record: JsonObject, name: string): string | undefined {
  if (record[name] !== undefined) return name;
  const plain = plainName(name);
  return Object.keys(record).find((key) => plainName(key) === plain);
}

export function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** A value as the parameter takes it; `undefined` if it takes no such value. */
function asSendable(parameter: Parameter, value: Json): Json | undefined {
  if (value === '' || value === null || typeof value === 'object') return undefined;
  const candidates = [value, String(value), readStrictly(parameter.kinds, String(value))];
  const single = candidates.find((each) => each !== undefined && isAllowed(parameter, each));
  return single ?? (parameter.style.shape === 'list' && isAllowed(parameter, [value]) ? [value] : undefined);
}

/** Number of elements of a list that are looked at. */
const recordsMax = 200;

/** The objects in a body, those in lists first, and the body itself last. */
function recordsWithin(body: Json | undefined, depth: number): readonly JsonObject[] {
  if (depth < 0 || body === undefined || body === null || typeof body !== 'object') return [];
  if (isArray(body)) return body.slice(0, recordsMax).flatMap((each) => recordsWithin(each, depth - 1).toReversed());
  const members = Object.values(body as JsonObject);
  return [
    ...members.filter(isArray).flatMap((each) => recordsWithin(each, depth - 1)),
    ...members.filter(isObject).flatMap((each) => recordsWithin(each, depth - 1)),
    body as JsonObject,
  ];
}

/** The records of a body without the body itself where it wraps a list: its own `Id` is that of the response. */
function recordsInLists(body: Json | undefined): readonly JsonObject[] {
  const records = recordsWithin(body, 3);
  const wrapsList = isObject(body) && Object.values(body).some((member) => isArray(member) && member.some(isObject));
  return wrapsList ? records.filter((record) => record !== body) : records;
}

/** Number of the latest replies in which values are looked for. */
const latest = 50;

function valueByName(replies: readonly Reply[], parameter: Parameter): Json | undefined {
  const plain = plainName(parameter.name);
  // `id` alone names a record of any kind, and `username` a user.
  if (identifiers.includes(plain) && !/^(?:username|login)$/.test(plain)) return undefined;
  const owner = plain.replace(/(?:id|slug|name|code|key|number|sid)$/, '');
  const rest = plain.slice(owner.length);
  for (const reply of replies.slice(-latest).filter(isSuccess)) {
    const records = recordsWithin(reply.body, 3);
    const named = records.map((record) => memberOf(record, parameter.name));
    // The records of `/users` have the `userId` as their `id`.
    const segments = reply.call.operation.path
      .split('/')
      .filter((each) => !each.startsWith('{'))
      .slice(-2)
      .map(plainName);
    const isOwnList =
      owner !== '' && [owner, `${owner}s`, `${owner}es`, owner.replace(/y$/, 'ies')].some((each) => segments.includes(each));
    const own = isOwnList ? records.flatMap((record) => [memberOf(record, rest === '' ? 'id' : rest), memberOf(record, 'id')]) : [];
    for (const value of [...named, ...own]) {
      const sendable = value === undefined ? undefined : asSendable(parameter, value);
      if (sendable !== undefined) return sendable;
    }
  }
  return undefined;
}

/** A value in a link of a response to this operation, on the same origin or as a path. */
function valueInLinks(replies: readonly Reply[], operation: Operation, parameter: Parameter): Json | undefined {
  if (parameter.in !== 'path') return undefined;
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const pattern = operation.path
    .split(/\{[^}]+\}/)
    .map((piece) => piece.replaceAll(/[.*+?^$()[\]\\|{}]/g, '\\$&'))
    .join('([^/?#]+)');
  const expression = new RegExp(`^(?:https?://[^/]+)?(?:/[^?#]*)?${pattern}(?:[?#].*)?$`);
  for (const reply of replies.slice(-latest).filter(isSuccess))
    for (const text of textsWithin(reply.body, 4)) {
      const match = /^(?:https?:\/\/|\/)/.test(text) && text.length < 500 ? expression.exec(text) : null;
      const segment = match?.[names.indexOf(parameter.name) + 1];
      const value = segment === undefined || segment.startsWith('{') ? undefined : asSendable(parameter, decodeSafely(segment));
      if (value !== undefined) return value;
    }
  return undefined;
}

function decodeSafely(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function textsWithin(value: Json | undefined, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0 || value === undefined || value === null || typeof value !== 'object') return [];
  return Object.values(value)
    .slice(0, 50)
    .flatMap((each: Json) => textsWithin(each, depth - 1));
}
