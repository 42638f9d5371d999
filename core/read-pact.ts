/** Pact files of the versions 2, 3 and 4 of the Pact specification, read into one form; each mistake is told with its line. */

import { type Place, SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { parseJsonText } from './json-text.ts';
import { placeOf } from './origin.ts';
import type { ExpectedRequest, ExpectedResponse, Interaction, Pact, ProviderState } from './pact.ts';
import { toPointer } from './pointer.ts';
import { readMatching } from './read-matching.ts';
import { readBody, readMediaType } from './read-pact-body.ts';
import { decodeOrKeep, splitQuery } from './style.ts';

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
