/** One request as laws speak of it: an operation, parameter values, and who asks. */

import { SpecError } from '../core/errors.ts';
import type { HttpHeaders, HttpRequest } from '../core/exchange.ts';
import { isObject, type Json } from '../core/json.ts';
import type { Credential, Operation } from '../core/operation.ts';
import { type Parameter, printParameter } from '../core/parameter.ts';
import type { Keyring } from './keyring.ts';

/** Who asks: a role of the keyring, nobody at all, or somebody with a key that was never issued. */
export type Caller = string;

/** Sends no key. */
export const nobody: Caller = '(nobody)';

/** Sends a key that no server can have issued. */
export const stranger: Caller = '(stranger)';

/** The stranger's key: it is no secret, and says what it is to whoever finds it in a log. */
export const strangersKey = 'touchstone-no-such-key-0000000000000000';

/** A request to be sent. */
export interface Call {
  readonly operation: Operation;
  /** Parameter values by key, printed as the contract says. */
  readonly values?: Readonly<Record<string, Json>>;
  /** Pieces of the query, written as they are to be sent: for values that are no values, such as `limit=abc`. */
  readonly raw?: readonly string[];
  /** Path segments by parameter, written as they are to be sent. */
  readonly segments?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it carries a cursor that no page gave to this caller: any refusal of it will do, also one that is not documented. */
  readonly isDamaged?: boolean;
  /** The status that is expected where it is 429 or 503: then it is an answer like any other, neither waited for nor a reason to ask no more. */
  readonly expected?: number;
  /** `full` unless said otherwise. */
  readonly as?: Caller;
  /** Which documented carrier takes the key: the first unless said otherwise. */
  readonly carrier?: number;
}

/** A request cannot be written, for lack of what the message says: a value for its path, or one that its parameter can carry. */
export class Unwritable extends Error {
  override readonly name = 'Unwritable' as const;
}

/**
 * Writes a call as a request.
 * @throws {SpecError} for one value where a parameter takes an object.
 * @throws {Unwritable} for a path that lacks a value, and a value that cannot be written.
 */
export function toRequest(call: Call, keys: Keyring): HttpRequest {
  const { operation, values = {}, raw = [], segments = {} } = call;
  const given = operation.parameters.flatMap((parameter) => {
    const value = values[parameter.key];
    return value === undefined ? [] : [{ parameter, text: write(parameter, inShape(parameter, value)) }];
  });
  const textsIn = (place: Parameter['in']): readonly (readonly [string, string])[] =>
    given.filter(({ parameter }) => parameter.in === place).map(({ parameter, text }) => [parameter.name, text] as const);
  const inPath = new Map([...textsIn('path'), ...Object.entries(segments)]);
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const text = inPath.get(name);
    // A path with nothing in place of a parameter would be another path.
    if (text === undefined) throw new Unwritable(`a value of ${name} in ${operation.path}, of which the file has no example`);
    return text;
  });
  const key = keyOf(call, keys);
  const query = [...textsIn('query').map(([, text]) => text), ...raw, ...key.query].filter((piece) => piece !== '').join('&');
  const headers: HttpHeaders = { accept: 'application/json', ...Object.fromEntries(textsIn('header')), ...call.headers, ...key.headers };
  return { method: operation.method, target: query === '' ? path : `${path}?${query}`, headers: lowerNames(headers) };
}

/** A list cannot carry a comma in a member where commas separate them, and no URL half of a surrogate pair. */
function write(parameter: Parameter, value: Json): string {
  try {
    return printParameter(parameter, value);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof URIError)) throw error;
    throw new Unwritable(`a value of ${parameter.name} that can be sent, since ${JSON.stringify(value)} cannot`, { cause: error });
  }
}

/**
 * One value where a list may be given is a list of one: a filter that compares one value may have a parameter that takes several.
 * @throws {SpecError} for one value where the parameter takes an object, since nothing says which member it would be.
 */
function inShape(parameter: Parameter, value: Json): Json {
  if (parameter.json || Array.isArray(value) || isObject(value)) return value;
  if (parameter.style.shape !== 'members') return parameter.style.shape === 'list' ? [value] : value;
  const way = 'let it take one value, or leave it out of the annotations';
  throw new SpecError(parameter.place, `${parameter.name} takes an object, and what the annotations say of it needs one value; ${way}`);
}

/** A text in a URL, whatever a server made of it: half a surrogate pair, which no URL can carry, becomes U+FFFD. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}'));
}

function lowerNames(headers: HttpHeaders): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

interface KeyPieces {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
}

const noKey: KeyPieces = { headers: {}, query: [] };

function keyOf({ operation, as = 'full', carrier = 0 }: Call, keys: Keyring): KeyPieces {
  const alternatives = operation.security.filter((each) => each.length > 0);
  const credentials = alternatives[carrier % Math.max(1, alternatives.length)];
  const key = as === stranger ? strangersKey : keys.get(as)?.value;
  if (credentials === undefined || as === nobody || key === undefined) return noKey;
  const pieces = credentials.map((credential) => carry(credential, key));
  return { headers: Object.assign({}, ...pieces.map((each) => each.headers)), query: pieces.flatMap((each) => each.query) };
}

/** How a key is carried (OpenAPI 3.1 §4.8.27). With Basic it is the password of an empty name (RFC 7617). */
function carry({ carrier }: Credential, key: string): KeyPieces {
  if (carrier.in === 'authorization') {
    const credentials = carrier.word === 'Basic' ? Buffer.from(`:${key}`).toString('base64') : key;
    return { headers: { authorization: `${carrier.word} ${credentials}` }, query: [] };
  }
  if (carrier.in === 'query') return { headers: {}, query: [`${encodeURIComponent(carrier.name)}=${encodeURIComponent(key)}`] };
  return { headers: carrier.in === 'header' ? { [carrier.name]: key } : { cookie: `${carrier.name}=${key}` }, query: [] };
}
