/** Pact files of the versions 2, 3 and 4 of the Pact specification, read into one form; each mistake is told with its line. */

import { type Place, SpecError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { parseJsonText } from '../json-text.ts';
import { placeOf } from '../origin.ts';
import { toPointer } from '../pointer.ts';
import { decodeOrKeep, splitQuery } from '../style.ts';
import { parseBodyPath } from './body-path.ts';
import type {
  BodyPath,
  ExpectedRequest,
  ExpectedResponse,
  Interaction,
  Matcher,
  MatchingRule,
  MatchingRules,
  Pact,
  ProviderState,
} from './pact.ts';

/**
 * Reads a pact.
 * @throws {SpecError} when the text is not JSON, or not what the Pact specification says a pact is.
 */
export function readPact(file: string, text: string): Pact {
  if (!/^\uFEFF?\s*\{/.test(text)) throw new SpecError({ file, line: 1, column: 1 }, 'a pact is a JSON object, and this file holds none');
  return toPact(file, parseJsonText(file, text));
}

/** Whether a value is meant to be a pact, right or wrong. */
export function looksLikePact(value: JsonObject): boolean {
  const hasParties = value['consumer'] !== undefined && value['provider'] !== undefined;
  return hasParties || Array.isArray(value['interactions']) || Array.isArray(value['messages']);
}

/**
 * The pact that a JSON file holds; the value must remember where it stands.
 * @throws {SpecError} at what is no part of a pact.
 */
export function toPact(file: string, value: JsonObject): Pact {
  const interactions = listOf(value, 'interactions');
  const messages = listOf(value, 'messages');
  if (interactions === undefined && messages === undefined)
    throw new SpecError(placeIn(value), 'a pact lists its interactions, and this file has none; name a file that a consumer test wrote');
  const read = (interactions ?? []).map((each, at) => requireObject(each, interactions ?? [], at, 'an interaction'));
  const isHttp = (each: JsonObject): boolean => each['type'] === undefined || each['type'] === 'Synchronous/HTTP';
  return {
    file,
    consumer: nameOf(value, 'consumer'),
    provider: nameOf(value, 'provider'),
    interactions: read.flatMap((each, at) => (isHttp(each) ? [toInteraction(each, at)] : [])),
    others: [
      ...read.filter((each) => !isHttp(each)).map((each) => toOther(each, String(each['type']))),
      ...(messages ?? []).map((each, at) => toOther(requireObject(each, messages ?? [], at, 'a message'), 'Asynchronous/Messages')),
    ],
    value,
  };
}

function listOf(value: JsonObject, key: string): readonly Json[] | undefined {
  const list = value[key];
  if (list === undefined || Array.isArray(list)) return list as readonly Json[] | undefined;
  throw new SpecError(placeIn(value, key), `${key} must be a list`);
}

function nameOf(value: JsonObject, party: string): string {
  const holder = value[party];
  const name = isObject(holder) ? holder['name'] : undefined;
  if (typeof name === 'string' && name !== '') return name;
  throw new SpecError(placeIn(value, party), `a pact names its ${party}; write "${party}": {"name": "…"}`);
}

function toOther(value: JsonObject, type: string): Pact['others'][number] {
  return { description: describe(value), type, place: placeIn(value) };
}

function describe(value: JsonObject): string {
  const description = value['description'];
  if (typeof description === 'string') return description;
  throw new SpecError(placeIn(value, 'description'), 'an interaction has a description, a text');
}

function toInteraction(value: JsonObject, at: number): Interaction {
  return {
    description: describe(value),
    states: readStates(value),
    isPending: value['pending'] === true,
    request: readRequest(requireObject(value['request'], value, 'request', 'the request of an interaction')),
    response: readResponse(requireObject(value['response'], value, 'response', 'the response of an interaction')),
    pointer: toPointer(['interactions', at]),
    place: placeIn(value),
  };
}

/** The second version has one state without parameters, later ones have several with them. */
function readStates(value: JsonObject): readonly ProviderState[] {
  const { providerStates: several } = value;
  const one = value['providerState'] ?? value['provider_state'];
  if (typeof several === 'string') return [{ name: several, params: {} }];
  if (Array.isArray(several)) return (several as readonly Json[]).map((each, at) => readState(each, several, at));
  if (several !== undefined && several !== null) throw new SpecError(placeIn(value, 'providerStates'), 'providerStates must be a list');
  return typeof one === 'string' && one !== '' ? [{ name: one, params: {} }] : [];
}

function readState(value: Json, holder: object, at: number): ProviderState {
  if (typeof value === 'string') return { name: value, params: {} };
  const state = requireObject(value, holder, at, 'a provider state');
  const { name, params } = state;
  if (typeof name !== 'string') throw new SpecError(placeIn(state, 'name'), 'a provider state has a name, a text');
  if (params !== undefined && params !== null && !isObject(params))
    throw new SpecError(placeIn(state, 'params'), 'the params of a provider state must be an object');
  return { name, params: isObject(params) ? params : {} };
}

function readRequest(value: JsonObject): ExpectedRequest {
  const { method = 'GET', path = '/', generators } = value;
  if (typeof method !== 'string') throw new SpecError(placeIn(value, 'method'), 'the method of a request must be a text, such as GET');
  if (typeof path !== 'string') throw new SpecError(placeIn(value, 'path'), 'the path of a request must be a text');
  const headers = readHeaders(value);
  return {
    method: method.toUpperCase(),
    path,
    query: readQuery(value),
    headers,
    body: readBody(value),
    matching: readMatching(value),
    generators: isObject(generators) ? generators : {},
  };
}

function readResponse(value: JsonObject): ExpectedResponse {
  const { status = 200 } = value;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599)
    throw new SpecError(placeIn(value, 'status'), `the status ${JSON.stringify(status)} is none; write a number from 100 to 599`);
  const headers = readHeaders(value);
  return { status, headers, body: readBody(value), contentType: readMediaType(value, headers), matching: readMatching(value) };
}

/** The second version writes the query as it is sent, later ones as values by their names. */
function readQuery(value: JsonObject): ExpectedRequest['query'] {
  const { query } = value;
  if (query === undefined || query === null) return new Map();
  const found = new Map<string, readonly string[]>();
  if (typeof query === 'string') {
    for (const [name, text] of splitQuery(query.replace(/^\?/, ''))) {
      found.set(name, [...(found.get(name) ?? []), decodeOrKeep(text)]);
    }
    return found;
  }
  const named = requireObject(query, value, 'query', 'the query of a request');
  for (const key of Object.keys(named)) found.set(key, textsOf(named, key));
  return found;
}

/** Values that differ only in the case of their header's name belong to one header. */
function readHeaders(value: JsonObject): ReadonlyMap<string, readonly string[]> {
  const { headers } = value;
  const found = new Map<string, readonly string[]>();
  if (headers === undefined || headers === null) return found;
  const named = requireObject(headers, value, 'headers', 'the headers of a message');
  for (const name of Object.keys(named)) found.set(name.toLowerCase(), [...(found.get(name.toLowerCase()) ?? []), ...textsOf(named, name)]);
  return found;
}

function textsOf(holder: JsonObject, key: string): readonly string[] {
  const value = holder[key];
  const texts = (Array.isArray(value) ? value : [value ?? '']) as readonly Json[];
  if (texts.every((each) => typeof each !== 'object')) return texts.map(String);
  throw new SpecError(placeIn(holder, key), `the value of ${key} must be a text or a list of texts`);
}

function requireObject(value: Json | undefined, holder: object, key: string | number, what: string): JsonObject {
  if (isObject(value)) return value;
  throw new SpecError(placeIn(holder, key), `${what} must be an object`);
}

function placeIn(holder: object, key?: string | number): Place {
  return placeOf(holder, key) ?? { file: '', line: 1, column: 1 };
}

/**
 * The body of a request or a response; `undefined` when the file says nothing of it. Content that is not JSON is a text.
 * @throws {SpecError} when it is coded in a way that is not known.
 */
function readBody(value: JsonObject): Json | undefined {
  const { body } = value;
  if (!isWrapped(body)) return body;
  const { content } = body;
  const { encoded = false } = body;
  if (content === undefined || encoded === false) return content;
  if (typeof content !== 'string') throw new SpecError(placeIn(body, 'content'), 'content that is encoded must be a text');
  return decode(content, String(encoded), body);
}

/** The media type of a body: as the body itself tells it, or the header. */
function readMediaType(value: JsonObject, headers: ReadonlyMap<string, readonly string[]>): string | undefined {
  const { body } = value;
  const told = isWrapped(body) ? body['contentType'] : undefined;
  const type = typeof told === 'string' ? told : headers.get('content-type')?.[0];
  return type?.split(';')[0]?.trim().toLowerCase();
}

/** A body of the fourth version; a plain value that happens to have these members has others beside them. */
function isWrapped(body: Json | undefined): body is JsonObject {
  const known = ['content', 'contentType', 'encoded', 'contentTypeHint'];
  return (
    isObject(body) &&
    Object.hasOwn(body, 'content') &&
    (Object.hasOwn(body, 'contentType') || Object.hasOwn(body, 'encoded')) &&
    Object.keys(body).every((key) => known.includes(key))
  );
}

function decode(content: string, coding: string, body: JsonObject): Json {
  if (coding.toLowerCase() === 'json') return parse(content, body);
  if (coding.toLowerCase() !== 'base64' && coding !== 'true')
    throw new SpecError(placeIn(body, 'encoded'), `encoded: ${coding} is unknown; content is plain (false), "base64" or "JSON"`);
  const text = Buffer.from(content, 'base64').toString('utf8');
  const type = body['contentType'];
  return typeof type === 'string' && /[/+]json\b/i.test(type) ? parse(text, body) : text;
}

function parse(text: string, body: JsonObject): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new SpecError(placeIn(body, 'content'), 'the content is told to be JSON, and it is not', { cause });
  }
}

/** A half of an interaction without matching rules. */
const noMatching: MatchingRules = { path: undefined, query: new Map(), headers: new Map(), status: undefined, body: [] };

/**
 * Reads the `matchingRules` of a request or a response.
 * @throws {SpecError} at what is no rule.
 */
export function readMatching(holder: JsonObject): MatchingRules {
  const rules = holder['matchingRules'];
  if (rules === undefined || rules === null) return noMatching;
  if (!isObject(rules)) throw new SpecError(placeIn(holder, 'matchingRules'), 'matchingRules must be an object of rules by their paths');
  return Object.keys(rules).some((key) => key.startsWith('$')) ? readFlat(rules) : readCategories(rules);
}

/** `$.body.id`, `$.query.limit`, `$.headers.ETag`, `$.path`: one matcher each. */
function readFlat(rules: JsonObject): MatchingRules {
  const found: Found = { query: new Map(), headers: new Map(), body: [], path: undefined, status: undefined };
  for (const key of Object.keys(rules)) {
    const { steps } = pathOf(rules, key);
    const [part, ...rest] = steps;
    const rule = readRule(rules, key);
    if (part === 'path' || part === 'status') found[part] = rule;
    else if (part === 'query') put(found.query, String(rest[0] ?? '*'), rule);
    else if (part === 'headers' || part === 'header') put(found.headers, String(rest[0] ?? '*').toLowerCase(), rule);
    else if (part === 'body') found.body.push({ path: { text: textBelow(key), steps: rest }, rule, place: placeIn(rules, key) });
    else
      throw new SpecError(
        placeIn(rules, key),
        `the rule ${key} is about no part of the message; begin it with $.body, $.headers, $.query or $.path`,
      );
  }
  return found;
}

/** `$.body.id` speaks of `$.id` of the body. */
function textBelow(key: string): string {
  return key.replace(/^\$(\.body|\[['"]body['"]\])/, '$');
}

interface Found {
  query: Map<string, MatchingRule>;
  headers: Map<string, MatchingRule>;
  body: { readonly path: BodyPath; readonly rule: MatchingRule; readonly place: Place }[];
  path: MatchingRule | undefined;
  status: MatchingRule | undefined;
}

function readCategories(rules: JsonObject): MatchingRules {
  return {
    path: readWhole(rules, 'path'),
    status: readWhole(rules, 'status'),
    query: readNamed(rules, 'query', (name) => name),
    headers: new Map([
      ...readNamed(rules, 'headers', (name) => name.toLowerCase()),
      ...readNamed(rules, 'header', (name) => name.toLowerCase()),
    ]),
    body: readBodyRules(rules),
  };
}

/** What has one value has one rule, which some writers put under an empty path. */
function readWhole(rules: JsonObject, category: string): MatchingRule | undefined {
  const rule = rules[category];
  if (rule === undefined) return undefined;
  if (!isObject(rule)) throw new SpecError(placeIn(rules, category), `the rule of the ${category} must be an object with matchers`);
  if (Object.keys(rule).length === 0) return undefined;
  const inner = ['', '$'].find((key) => Object.hasOwn(rule, key));
  return inner === undefined ? readRule(rules, category) : readRule(rule, inner);
}

function readNamed(rules: JsonObject, category: string, settle: (name: string) => string): ReadonlyMap<string, MatchingRule> {
  const named = categoryOf(rules, category);
  const found = new Map<string, MatchingRule>();
  for (const key of Object.keys(named)) put(found, settle(namedBy(key)), readRule(named, key));
  return found;
}

/** `$.limit[0]`, `limit[0]` and `limit` are all the parameter `limit`; a header's name may hold anything but brackets. */
function namedBy(key: string): string {
  const [first] = key.startsWith('$') ? (parseBodyPath(key)?.steps ?? []) : [];
  return first === undefined ? key.replace(/\[(\d+|\*)\]$/, '') : String(first);
}

/** Rules of several values of one parameter hold together. */
function put(rules: Map<string, MatchingRule>, name: string, rule: MatchingRule): void {
  const known = rules.get(name);
  rules.set(name, known === undefined ? rule : { combine: known.combine, matchers: [...known.matchers, ...rule.matchers] });
}

function readBodyRules(rules: JsonObject): MatchingRules['body'] {
  const named = categoryOf(rules, 'body');
  return Object.keys(named).map((key) => ({ path: pathOf(named, key), rule: readRule(named, key), place: placeIn(named, key) }));
}

function categoryOf(rules: JsonObject, category: string): JsonObject {
  const named = rules[category] ?? {};
  if (isObject(named)) return named;
  throw new SpecError(placeIn(rules, category), `the rules of ${category} must be an object of rules by their paths`);
}

function pathOf(holder: JsonObject, key: string): BodyPath {
  const path = parseBodyPath(key);
  if (path !== undefined) return path;
  throw new SpecError(placeIn(holder, key), `${key} is no path of a matching rule; write one such as $.data.items[*].id`);
}

function readRule(holder: JsonObject, key: string): MatchingRule {
  const rule = holder[key];
  if (!isObject(rule)) throw new SpecError(placeIn(holder, key), `the rule ${key} must be an object with matchers`);
  const { matchers, combine = 'AND' } = rule;
  if (matchers === undefined) return { combine: 'AND', matchers: [readMatcher(rule, holder, key)] };
  if (!Array.isArray(matchers)) throw new SpecError(placeIn(rule, 'matchers'), 'matchers must be a list');
  if (combine !== 'AND' && combine !== 'OR')
    throw new SpecError(placeIn(rule, 'combine'), `combine: ${JSON.stringify(combine)} is unknown; write AND or OR`);
  return { combine, matchers: (matchers as readonly Json[]).map((each, at) => readMatcher(each, matchers, at)) };
}

/** Members that tell which matcher is meant where `match` is left out, as the second version allows. */
const telling: readonly (readonly [member: string, match: string])[] = [
  ['regex', 'regex'],
  ['timestamp', 'datetime'],
  ['date', 'date'],
  ['time', 'time'],
  ['min', 'type'],
  ['max', 'type'],
];

function readMatcher(value: Json, holder: object, key: string | number): Matcher {
  const match = isObject(value) ? (value['match'] ?? telling.find(([member]) => Object.hasOwn(value, member))?.[1]) : undefined;
  if (isObject(value) && typeof match === 'string') return { match, value };
  throw new SpecError(placeIn(holder, key), `a matcher is an object that names its kind in match, such as {"match": "type"}`);
}
