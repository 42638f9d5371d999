/** Parses pact files of the Pact specification, versions 2 to 4. Errors name the line; nothing is compared with a contract. */

import { SpecError, startOf } from '../errors.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty, parseJson, printJson } from '../json.ts';
import { parseJsonText } from '../openapi/loading/json-parser.ts';
import { placeOfParsed } from '../openapi/source-positions.ts';
import { decodeOrKeep, splitQuery } from '../parameters/query-string.ts';
import { toPointer } from '../pointer.ts';
import { acceptsStatus } from './accepted-status.ts';
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
 * Parses a pact.
 * @throws {SpecError} when the text is not JSON, or not a valid pact.
 */
export function parsePact(file: string, text: string): Pact {
  if (!/^\uFEFF?\s*\{/.test(text)) throw new SpecError(startOf(file), 'a pact must be a JSON object');
  return toPact(file, parseJsonText(file, text));
}

/** True if a value looks like a pact, even if it is invalid. */
export function looksLikePact(value: JsonObject): boolean {
  const hasParties = value['consumer'] !== undefined && value['provider'] !== undefined;
  return hasParties || isArray(value['interactions']) || isArray(value['messages']);
}

/**
 * Converts JSON from `parseJsonText`, whose positions are known, to a pact.
 * @throws {SpecError} at the first invalid part.
 */
export function toPact(file: string, value: JsonObject): Pact {
  const version = readVersion(value);
  const interactions = listOf(value, 'interactions');
  const messages = listOf(value, 'messages');
  if (interactions === undefined && messages === undefined)
    throw new SpecError(placeOfParsed(value), 'a pact must have interactions; name a file that a consumer test wrote');
  const entries = (interactions ?? []).map((each, index) => requireObject(each, interactions ?? [], index, 'an interaction'));
  const isHttp = (each: JsonObject): boolean => each['type'] === undefined || each['type'] === 'Synchronous/HTTP';
  return {
    file,
    consumer: nameOf(value, 'consumer'),
    provider: nameOf(value, 'provider'),
    version,
    interactions: entries.flatMap((each, index) => (isHttp(each) ? [toInteraction(each, index, version)] : [])),
    others: [
      ...entries.filter((each) => !isHttp(each)).map((each) => toOther(each, String(each['type']))),
      ...(messages ?? []).map((each, index) => toOther(requireObject(each, messages ?? [], index, 'a message'), 'Asynchronous/Messages')),
    ],
    value,
  };
}

/**
 * Reads the major version of the specification; `undefined` if the file states none.
 * @throws {SpecError} for a version that this package does not know.
 */
function readVersion(value: JsonObject): number | undefined {
  const metadata = objectOrEmpty(value['metadata']);
  const [holder] = [metadata['pactSpecification'], metadata['pact-specification']].filter(isObject);
  const stated = holder?.['version'] ?? metadata['pactSpecificationVersion'];
  if (stated === undefined) return undefined;
  const major = Number(/^v?(\d+)(?:\.\d+)*$/i.exec(String(stated))?.[1]);
  if (major >= 1 && major <= 4) return major;
  throw new SpecError(
    holder === undefined ? placeOfParsed(metadata, 'pactSpecificationVersion') : placeOfParsed(holder, 'version'),
    `version ${printJson(stated)} of the Pact specification is unknown; Touchstone reads versions 1 to 4`,
  );
}

function listOf(value: JsonObject, key: string): readonly Json[] | undefined {
  const list = value[key];
  if (list === undefined || isArray(list)) return list;
  throw new SpecError(placeOfParsed(value, key), `${key} must be an array`);
}

function nameOf(value: JsonObject, party: string): string {
  const holder = value[party];
  const name = isObject(holder) ? holder['name'] : undefined;
  if (typeof name === 'string' && name !== '') return name;
  throw new SpecError(placeOfParsed(value, party), `a pact must name its ${party}; write "${party}": {"name": "…"}`);
}

function toOther(value: JsonObject, type: string): Pact['others'][number] {
  return { description: descriptionOf(value), type, place: placeOfParsed(value) };
}

function descriptionOf(value: JsonObject): string {
  const description = value['description'];
  if (typeof description === 'string') return description;
  throw new SpecError(placeOfParsed(value, 'description'), 'an interaction must have a description, a string');
}

function toInteraction(value: JsonObject, index: number, version: Pact['version']): Interaction {
  return {
    description: descriptionOf(value),
    states: readStates(value),
    isPending: value['pending'] === true,
    request: readRequest(requireObject(value['request'], value, 'request', 'the request of an interaction'), version),
    response: readResponse(requireObject(value['response'], value, 'response', 'the response of an interaction'), version),
    pointer: toPointer(['interactions', index]),
    place: placeOfParsed(value),
  };
}

/** Reads the provider states. Versions up to 2 have one state without parameters, which old Ruby tools spell in their own way; later versions have several. */
function readStates(value: JsonObject): readonly ProviderState[] {
  const { providerStates: stateList, provider_state: rubyState, providerState: singleState = rubyState } = value;
  if (isArray(stateList)) return stateList.map((each, index) => readState(each, stateList, index));
  if (stateList !== undefined && stateList !== null)
    throw new SpecError(placeOfParsed(value, 'providerStates'), 'providerStates must be an array');
  return typeof singleState === 'string' && singleState !== '' ? [{ name: singleState, params: {} }] : [];
}

function readState(value: Json, holder: object, index: number): ProviderState {
  const state = requireObject(value, holder, index, 'a provider state');
  const { name, params } = state;
  if (typeof name !== 'string') throw new SpecError(placeOfParsed(state, 'name'), 'a provider state must have a name, a string');
  if (params !== undefined && params !== null && !isObject(params))
    throw new SpecError(placeOfParsed(state, 'params'), 'the params of a provider state must be an object');
  return { name, params: objectOrEmpty(params) };
}

function readRequest(value: JsonObject, version: Pact['version']): ExpectedRequest {
  const { method = 'GET', path = '/', generators } = value;
  if (typeof method !== 'string')
    throw new SpecError(placeOfParsed(value, 'method'), 'the method of a request must be a string, such as GET');
  if (typeof path !== 'string') throw new SpecError(placeOfParsed(value, 'path'), 'the path of a request must be a string');
  const headers = readHeaders(value);
  return {
    method: method.toUpperCase(),
    path,
    query: readQuery(value),
    headers,
    body: readBody(value, version),
    generators: objectOrEmpty(generators),
  };
}

function readResponse(value: JsonObject, version: Pact['version']): ExpectedResponse {
  const matching = readMatching(value);
  const { status: stated = 200 } = value;
  const { status: rule } = matching;
  // Pact writes 0 beside a rule for a class of statuses.
  const status = stated === 0 && rule !== undefined ? statuses.find((each) => acceptsStatus(rule, each)) : stated;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599)
    throw new SpecError(placeOfParsed(value, 'status'), `the status ${printJson(stated)} is invalid; write an integer from 100 to 599`);
  const headers = readHeaders(value);
  return {
    status,
    headers,
    body: readBody(value, version),
    contentType: readMediaType(value, headers, version),
    matching,
  };
}

const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);

/** Reads the query. Version 2 has a query string, later versions have values by name. */
function readQuery(value: JsonObject): ExpectedRequest['query'] {
  const { query } = value;
  if (query === undefined || query === null) return new Map();
  const valuesByName = new Map<string, readonly string[]>();
  if (typeof query === 'string') {
    for (const [name, text] of splitQuery(query.replace(/^\?/, ''))) {
      valuesByName.set(name, [...(valuesByName.get(name) ?? []), decodeOrKeep(text)]);
    }
    return valuesByName;
  }
  const values = requireObject(query, value, 'query', 'the query of a request');
  for (const key of Object.keys(values)) valuesByName.set(key, textsOf(values, key));
  return valuesByName;
}

/** Reads the headers; names that differ only in case are one header. */
function readHeaders(value: JsonObject): ReadonlyMap<string, readonly string[]> {
  const { headers } = value;
  const valuesByName = new Map<string, readonly string[]>();
  if (headers === undefined || headers === null) return valuesByName;
  const values = requireObject(headers, value, 'headers', 'the headers of a message');
  for (const name of Object.keys(values))
    valuesByName.set(name.toLowerCase(), [...(valuesByName.get(name.toLowerCase()) ?? []), ...textsOf(values, name)]);
  return valuesByName;
}

function textsOf(holder: JsonObject, key: string): readonly string[] {
  const value = holder[key];
  const texts = isArray(value) ? value : [value ?? ''];
  // A query parameter without a value is null.
  if (texts.every((each) => typeof each !== 'object' || each === null)) return texts.map((each) => String(each ?? ''));
  throw new SpecError(placeOfParsed(holder, key), `the value of ${key} must be a string or an array of strings`);
}

function requireObject(value: Json | undefined, holder: object, key: string | number, description: string): JsonObject {
  if (isObject(value)) return value;
  throw new SpecError(placeOfParsed(holder, key), `${description} must be an object`);
}

/**
 * Reads the body of a request or a response; `undefined` if there is none. A body that is not JSON is a string.
 * @throws {SpecError} for an unknown encoding.
 */
function readBody(value: JsonObject, version: Pact['version']): Json | undefined {
  const { body } = value;
  if (!isWrapped(body, version)) return body;
  const { content } = body;
  const { encoded = false } = body;
  if (content === undefined && Object.keys(body).length > 0)
    throw new SpecError(placeOfParsed(value, 'body'), 'a body of version 4 has its value in content; write "body": {"content": …}');
  if (content === undefined || encoded === false) return content;
  if (typeof content !== 'string') throw new SpecError(placeOfParsed(body, 'content'), 'encoded content must be a string');
  return decodeContent(content, String(encoded), body);
}

/** Returns the media type that the body states, or that of the header. */
function readMediaType(value: JsonObject, headers: ReadonlyMap<string, readonly string[]>, version: Pact['version']): string | undefined {
  const { body } = value;
  const statedType = isWrapped(body, version) ? body['contentType'] : undefined;
  const type = typeof statedType === 'string' ? statedType : headers.get('content-type')?.[0];
  return type?.split(';')[0]?.trim().toLowerCase();
}

/** True for a body of version 4, which wraps its content. If a file states no version, the members of the body decide. */
function isWrapped(body: Json | undefined, version: Pact['version']): body is JsonObject {
  if (!isObject(body)) return false;
  if (version !== undefined) return version >= 4;
  const wrapperKeys = ['content', 'contentType', 'encoded', 'contentTypeHint'];
  const isComplete = Object.hasOwn(body, 'content') && (Object.hasOwn(body, 'contentType') || Object.hasOwn(body, 'encoded'));
  return isComplete && Object.keys(body).every((key) => wrapperKeys.includes(key));
}

function decodeContent(content: string, coding: string, body: JsonObject): Json {
  if (coding.toLowerCase() === 'json') return parseContent(content, body);
  if (coding.toLowerCase() !== 'base64' && coding !== 'true')
    throw new SpecError(placeOfParsed(body, 'encoded'), `encoded: ${coding} is unknown; write false, "base64" or "JSON"`);
  const text = Buffer.from(content, 'base64').toString('utf8');
  const type = body['contentType'];
  return typeof type === 'string' && /[/+]json\b/i.test(type) ? parseContent(text, body) : text;
}

function parseContent(text: string, body: JsonObject): Json {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new SpecError(placeOfParsed(body, 'content'), 'the content is declared as JSON, but it is not valid JSON', { cause });
  }
}

/** The value for a message without matching rules. */
const noMatching: MatchingRules = { headers: new Map(), body: [], status: undefined };

/**
 * Reads the `matchingRules` of a response.
 * @throws {SpecError} for an invalid rule.
 */
function readMatching(holder: JsonObject): MatchingRules {
  const rules = holder['matchingRules'];
  if (rules === undefined || rules === null) return noMatching;
  if (!isObject(rules))
    throw new SpecError(placeOfParsed(holder, 'matchingRules'), 'matchingRules must be an object with a rule for each path');
  return Object.keys(rules).some((key) => key.startsWith('$')) ? readVersion2(rules) : readCategories(rules);
}

/** Reads rules of version 2: `$.body.id` and `$.headers.ETag`, with one matcher each. */
function readVersion2(rules: JsonObject): MatchingRules {
  const headers = new Map<string, MatchingRule>();
  const body: { path: BodyPath; rule: MatchingRule }[] = [];
  for (const key of Object.keys(rules)) {
    const [part, ...path] = pathOf(rules, key);
    const rule = readRule(rules, key);
    if (part === 'body') body.push({ path, rule });
    else if (part === 'headers' || part === 'header') addRule(headers, String(path[0] ?? '*').toLowerCase(), rule);
    else if (part !== 'path' && part !== 'status' && part !== 'query')
      throw new SpecError(
        placeOfParsed(rules, key),
        `the rule ${key} applies to no part of the message; start it with $.body, $.headers, $.query or $.path`,
      );
  }
  return { headers, body, status: undefined };
}

function readCategories(rules: JsonObject): MatchingRules {
  return {
    headers: new Map([...readHeaderRules(rules, 'headers'), ...readHeaderRules(rules, 'header')]),
    body: readBodyRules(categoryOf(rules, 'body')),
    status: readStatusRule(rules),
  };
}

function readHeaderRules(rules: JsonObject, category: string): ReadonlyMap<string, MatchingRule> {
  const categoryRules = categoryOf(rules, category);
  const rulesByName = new Map<string, MatchingRule>();
  for (const key of Object.keys(categoryRules)) addRule(rulesByName, headerOf(key), readRule(categoryRules, key));
  return rulesByName;
}

/** Returns the header of a rule: `$.ETag[0]`, `ETag[0]` and `ETag` are the same. Header names may contain anything but brackets. */
function headerOf(key: string): string {
  const [first] = key.startsWith('$') ? (parseBodyPath(key) ?? []) : [];
  return (first === undefined ? key.replace(/\[(\d+|\*)\]$/, '') : String(first ?? '*')).toLowerCase();
}

/** Combines the rules of several values of one header. */
function addRule(rules: Map<string, MatchingRule>, name: string, rule: MatchingRule): void {
  const earlierRule = rules.get(name);
  rules.set(
    name,
    earlierRule === undefined ? rule : { combine: earlierRule.combine, matchers: [...earlierRule.matchers, ...rule.matchers] },
  );
}

/** Reads the rules of a body by path. */
export function readBodyRules(rules: JsonObject): MatchingRules['body'] {
  return Object.keys(rules).map((key) => ({ path: pathOf(rules, key), rule: readRule(rules, key) }));
}

/** Reads the matchers in a list, such as the rules of `eachValue`. */
export function readMatchers(list: Json | undefined): readonly Matcher[] {
  return isArray(list) ? list.map((each, index) => readMatcher(each, list, index)) : [];
}

function readStatusRule(rules: JsonObject): MatchingRule | undefined {
  const status = objectOrEmpty(rules['status']);
  if (status['$'] !== undefined) return readRule(status, '$');
  return Object.keys(status).length === 0 ? undefined : readRule(rules, 'status');
}

function categoryOf(rules: JsonObject, category: string): JsonObject {
  const categoryRules = rules[category] ?? {};
  if (isObject(categoryRules)) return categoryRules;
  throw new SpecError(placeOfParsed(rules, category), `the rules of ${category} must be an object with a rule for each path`);
}

function pathOf(holder: JsonObject, key: string): BodyPath {
  const path = parseBodyPath(key);
  if (path !== undefined) return path;
  throw new SpecError(placeOfParsed(holder, key), `${key} is not a path of a matching rule; write one such as $.data.items[*].id`);
}

function readRule(holder: JsonObject, key: string): MatchingRule {
  const rule = holder[key];
  if (!isObject(rule)) throw new SpecError(placeOfParsed(holder, key), `the rule ${key} must be an object with matchers`);
  const { matchers, combine = 'AND' } = rule;
  if (matchers === undefined) return { combine: 'AND', matchers: [readMatcher(rule, holder, key)] };
  if (!isArray(matchers)) throw new SpecError(placeOfParsed(rule, 'matchers'), 'matchers must be an array');
  if (combine !== 'AND' && combine !== 'OR')
    throw new SpecError(placeOfParsed(rule, 'combine'), `combine: ${printJson(combine)} is unknown; write AND or OR`);
  return { combine, matchers: readMatchers(matchers) };
}

/** Members that imply the kind of a matcher without `match`, as version 2 allows. */
const impliedKinds: readonly (readonly [member: string, match: string])[] = [
  ['regex', 'regex'],
  ['timestamp', 'datetime'],
  ['date', 'date'],
  ['time', 'time'],
  ['min', 'type'],
  ['max', 'type'],
];

function readMatcher(value: Json, holder: object, key: string | number): Matcher {
  const match = isObject(value) ? (value['match'] ?? impliedKinds.find(([member]) => Object.hasOwn(value, member))?.[1]) : undefined;
  if (isObject(value) && typeof match === 'string') return { match, value };
  throw new SpecError(placeOfParsed(holder, key), `a matcher must be an object with its kind in match, such as {"match": "type"}`);
}
