/** A request as rules describe it, its HTTP form, and the parts of its reply that rules read. Sends nothing. */

import { definedOf } from '../../../core/drop-undefined.ts';
import { SpecError } from '../../../core/errors.ts';
import type { Exchange, HttpHeaders, HttpRequest } from '../../../core/http/exchange.ts';
import { type KeyPieces, writeKey } from '../../../core/http/key-of-request.ts';
import { isJsonType } from '../../../core/http/media-type.ts';
import { isObject, type Json, printJson } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { fillPath } from '../../../core/openapi/route-request.ts';
import { type Parameter, printParameter } from '../../../core/parameters/parse-parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { ReportedCall } from '../../../core/results/run-result.ts';
import { anonymous, type Caller, type Keyring, keyFor, leavingOut, unissuedKey, unknownCaller } from './callers.ts';

/** A request as rules describe it, before keys and spelling. */
export interface Call {
  /** The operation to call. */
  readonly operation: Operation;
  /** Parameter values by key, printed as the contract says. */
  readonly values?: Readonly<Record<string, Json>>;
  /** Pieces of the query exactly as sent, for invalid values such as `limit=abc`. */
  readonly raw?: readonly string[];
  /** Path segments by parameter, exactly as sent. */
  readonly segments?: Readonly<Record<string, string>>;
  /** Keys of required parameters that the call leaves out on purpose. Other required parameters get a value when it is sent. */
  readonly omits?: readonly string[];
  /** Request headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True if any rejection is correct, documented or not: the request has a cursor that no page had, or a value that a plain file does not describe. */
  readonly mayBeRefused?: boolean;
  /** Sends HEAD in place of the method of the operation. */
  readonly method?: 'HEAD' | undefined;
  /** An expected 429 or 503: the session returns it like any other reply, without waiting or blocking the operation. */
  readonly expected?: number;
  /** The caller. Default: `full`. */
  readonly as?: Caller;
  /** Index of the documented carrier of the key. Default: that of the session. */
  readonly carrier?: number;
}

/** A request cannot be written. The message names the missing value, as a noun. */
export class Unwritable extends Error {
  override readonly name = 'Unwritable' as const;
}

/** Names a value that neither the contract nor a response has. */
export function lackOf(name: string, { path }: Operation): string {
  return `a value for ${path.includes(`{${name}}`) ? `{${name}}` : name} of ${path}: give one with --param ${name}=VALUE`;
}

/**
 * Writes a call as a request.
 * @throws {SpecError} for one value where a parameter takes an object.
 * @throws {Unwritable} for a path that lacks a value, and a value that cannot be written.
 */
export function toRequest(call: Call, keys: Keyring): HttpRequest {
  const { operation, values = {}, raw = [], segments = {} } = call;
  const writtenValues = operation.parameters.flatMap((parameter) => {
    const value = values[parameter.key];
    return value === undefined ? [] : [{ parameter, text: writeValue(parameter, toShape(parameter, value)) }];
  });
  const textsIn = (place: Parameter['in']): readonly (readonly [string, string])[] =>
    writtenValues.filter(({ parameter }) => parameter.in === place).map(({ parameter, text }) => [parameter.name, text] as const);
  const inPath = new Map([...textsIn('path'), ...Object.entries(segments)]);
  const path = fillPath(operation.path, (name) => {
    const text = inPath.get(name);
    // Without the value it would be another path.
    if (text === undefined) throw new Unwritable(lackOf(name, operation));
    return text;
  });
  const keyPieces = piecesOfKey(call, keys);
  const query = [...textsIn('query').map(([, text]) => text), ...raw, ...keyPieces.query].filter((piece) => piece !== '').join('&');
  const cookies = [...textsIn('cookie').map(([name, text]) => `${name}=${text}`), ...definedOf(keyPieces.headers['cookie'])];
  const headers: HttpHeaders = {
    accept: acceptOf(operation),
    ...Object.fromEntries(textsIn('header')),
    ...call.headers,
    ...keyPieces.headers,
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
  };
  return { method: call.method ?? operation.method, target: query === '' ? path : `${path}?${query}`, headers: lowerCaseNames(headers) };
}

/** The media types that an operation documents: JSON first, and after it the others as second choice. */
const acceptOf = memoize(({ responses }: Operation): string => {
  const types = [...new Set([...responses.values()].flatMap(({ content }) => [...content.keys()].map(withoutCharset)))];
  const json = types.filter(isJsonType);
  const others = types.filter((type) => !isJsonType(type)).map((type) => (json.length === 0 ? type : `${type};q=0.5`));
  return [...json, ...others].join(', ') || '*/*';
});

function withoutCharset(type: string): string {
  return type.replace(/;\s*charset=[^;]*/i, '');
}

/**
 * Writes a value as its parameter sends it.
 * @throws {Unwritable} for a comma in a member of a comma-separated list, for half a surrogate pair, and for what a header cannot contain.
 */
function writeValue(parameter: Parameter, value: Json): string {
  try {
    const text = printParameter(parameter, value);
    if (parameter.in === 'header' && !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) throw new TypeError('a header cannot have this text');
    return text;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof URIError)) throw error;
    throw new Unwritable(`a value of ${parameter.name} that can be sent, since ${printJson(value)} cannot`, { cause: error });
  }
}

/**
 * Wraps one value in a list if the parameter takes a list. A filter that compares one value may have such a parameter.
 * @throws {SpecError} for one value where the parameter takes an object, because the member is unknown.
 */
function toShape(parameter: Parameter, value: Json): Json {
  if (parameter.json || Array.isArray(value) || isObject(value)) return value;
  if (parameter.style.shape !== 'members') return parameter.style.shape === 'list' ? [value] : value;
  const advice = 'let it take one value, or leave it out of the annotations';
  throw new SpecError(
    parameter.place,
    `${parameter.name} takes an object, but the annotations that name it need a single value; ${advice}`,
  );
}

/** Percent-encodes any text for a URL. Half a surrogate pair, which no URL can carry, becomes U+FFFD. */
export function encodeAnyText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}'));
}

function lowerCaseNames(headers: HttpHeaders): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** True if the run has the keys of one alternative of an operation. */
export function hasKeyFor(operation: Operation, keys: Keyring): boolean {
  return sentKeyOf({ operation }, keys) !== undefined;
}

function piecesOfKey(call: Call, keys: Keyring): KeyPieces {
  const sentKey = sentKeyOf(call, keys);
  if (sentKey === undefined) return { headers: {}, query: [] };
  const { role, carrier } = sentKey;
  const keyOf = (scheme: string): string => (role === unknownCaller ? unissuedKey : (keyFor(keys, role, scheme)?.value ?? ''));
  const credentials = (alternativesOf(call.operation)[carrier] ?? []).filter(({ scheme }) => role !== leavingOut(scheme));
  const pieces = credentials.map((credential) => writeKey(credential, keyOf(credential.scheme)));
  return { headers: Object.assign({}, ...pieces.map((each) => each.headers)), query: pieces.flatMap((each) => each.query) };
}

/** The role of the key with which a call is sent, and the index of its carrier; `undefined` if no key is sent. */
export function sentKeyOf({ operation, as = 'full', carrier = 0 }: Call, keys: Keyring): SentKey | undefined {
  const alternatives = alternativesOf(operation);
  const isComplete = (index: number): boolean =>
    as === unknownCaller || alternatives[index]?.every(({ scheme }) => keyFor(keys, as, scheme) !== undefined) === true;
  const complete = as === anonymous ? [] : [...alternatives.keys()].filter(isComplete);
  const wanted = carrier % Math.max(1, alternatives.length);
  const [first] = complete;
  return first === undefined ? undefined : { role: as, carrier: complete.includes(wanted) ? wanted : first };
}

function alternativesOf({ security }: Operation): Operation['security'] {
  return security.filter((each) => each.length > 0);
}

type SentKey = NonNullable<ReportedCall['key']>;

/** A call with its response. */
export interface Reply extends Exchange {
  readonly call: Call;
  /** The key with which it was sent; absent if none was. */
  readonly key?: SentKey;
  /** Its number among the requests of the run, from 1. */
  readonly number: number;
  /** Times at which the request left and the response was complete, in milliseconds of one monotonic clock. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** The body as JSON; `undefined` when it is none. */
  readonly body: Json | undefined;
  /** Location of a redirect that was not followed. */
  readonly redirectedTo?: string;
  /** Present for a page with far more records than its limit, of which only the first were kept. */
  readonly isTrimmed?: true;
}

/** True for a reply to an operation, asked by one caller. A reply to HEAD shows no record, and its status may be that of a server without HEAD. */
export function isReplyTo({ call }: Reply, operation: Operation, caller: Caller = 'full'): boolean {
  return call.method === undefined && call.operation.id === operation.id && (call.as ?? 'full') === caller;
}

/** True for a status from 200 to 299. */
export function isSuccess(reply: Reply): boolean {
  return reply.response.status >= 200 && reply.response.status < 300;
}

/** The records of a list in a successful reply; `undefined` if there is no list. */
export function recordsIn(reply: Reply): readonly DataRecord[] | undefined {
  const items = reply.call.operation.collection?.items;
  const records = items === undefined || !isSuccess(reply) ? undefined : valueAt(reply.body, items);
  return Array.isArray(records) ? (records as readonly Json[]).filter(isObject) : undefined;
}

/** The identifier that an error response gives to its request; `undefined` for any other reply. */
export function requestIdOf({ error }: Contract, { response, body }: Reply): string | undefined {
  if (response.status < 400 || error?.request === undefined) return undefined;
  const id = valueAt(body, error.request);
  return typeof id === 'string' && id !== '' ? id : undefined;
}
