/**
 * Builds requests as they are sent, from values, keys and a spelling; prints them without keys; and reads them back as a server does. The arbitraries of valid
 * and bad requests use it.
 */

import { type Arbitrary, array, nat, toStringMethod } from 'fast-check';
import { UsageError } from '../../core/errors.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import { type Credential, type Operation, routeTo } from '../../core/openapi/operation.ts';
import { type Parameter, printParameter } from '../../core/parameters/parameter.ts';
import { encodeText } from '../../core/parameters/parameter-style.ts';
import { type RequestReading, readRequest } from '../../core/parameters/read-request.ts';

/** A request, ready to be sent. Counterexamples print it as one line, with `$SCHEME` in place of each key. */
export interface GeneratedRequest {
  /** In upper case. */
  readonly method: string;
  /** Path and query as sent, relative to the base address of the server. */
  readonly target: string;
  /** Header fields by the names that are sent, in any case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body text; `undefined` for none. The header `Content-Type` has its media type. */
  readonly body: string | undefined;
  /** The intended values, by parameter (`key`). Parameters that are not sent are absent, with or without a default. */
  readonly values: ReadonlyMap<string, Json>;
  /** The intended value of the body. */
  readonly content: Json | undefined;
  /** The credentials whose keys it carries. */
  readonly credentials: readonly Credential[];
  /** True when the operation needs a key and none is known. The expected answer is 401. */
  readonly lacksKey: boolean;
}

/** Facts about a server that its contract does not state. */
export interface RequestOptions {
  /**
   * Values that the server knows, by parameter (`key`): record ids, page cursors, entity tags for `If-None-Match`. A parameter uses one
   * three times out of four, so that not every answer is 404. Unknown parameters are ignored.
   */
  readonly known?: Readonly<Record<string, readonly Json[]>>;
  /** The key for a credential; `undefined` when there is none. For HTTP Basic it is `name:password`, or a name alone. */
  readonly keys?: (credential: Credential) => string | undefined;
}

/** The request as a server receives it: header names in lower case. */
export function received({ method, target, headers }: Pick<GeneratedRequest, 'method' | 'target' | 'headers'>): HttpRequest {
  return { method, target, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) };
}

/** Makes a request print as another one: the same request without its keys. */
function printingAs(request: GeneratedRequest, shown: () => GeneratedRequest): GeneratedRequest {
  // Not enumerable, so that equal requests compare as equal.
  return Object.defineProperty({ ...request }, toStringMethod, { value: () => print(shown()) });
}

function print({ method, target, headers, body }: GeneratedRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
  return [`${method} ${target}`, ...fields, ...(body === undefined ? [] : [` ${body}`])].join(' |');
}

/** Numbers that choose spellings one after another. An empty list always chooses the plain one. */
type SpellingNumbers = readonly number[];

/** An arbitrary of such numbers, which shrinks to the plain spelling. */
export const spellingNumbers: Arbitrary<SpellingNumbers> = array(nat({ max: 11 }), { maxLength: 12 });

/** Chooses spellings by the numbers, one after another. */
export class SpellingChoices {
  readonly #numbers: SpellingNumbers;
  #taken = 0;

  constructor(list: SpellingNumbers) {
    this.#numbers = list;
  }

  /** The index of one of `ways` spellings; 0 is the plain and most frequent one. */
  next(ways: number): number {
    const drawn = this.#numbers[this.#taken % Math.max(1, this.#numbers.length)] ?? 0;
    this.#taken += 1;
    return drawn < ways ? drawn : 0;
  }

  /** A list in its own order (the plain one), or in another. */
  shuffle<T>(list: readonly T[]): readonly T[] {
    const ranked = list.map((item) => ({ item, rank: this.next(list.length) }));
    return ranked.toSorted((left, right) => left.rank - right.rank).map(({ item }) => item);
  }
}

/** Writes the printed text of a parameter in an equivalent way. */
export function varySpelling(parameter: Parameter, printed: string, stream: SpellingChoices): string {
  const { style } = parameter;
  if (style.in === 'header') return style.shape === 'list' ? printed.replaceAll(',', () => (stream.next(2) === 1 ? ', ' : ',')) : printed;
  // A matrix segment contains the name of the parameter, which must not vary.
  const isEncodable = style.style !== 'matrix';
  return printed.replace(/%[0-9A-F]{2}|[\s\S]/g, (token) => {
    if (token.length === 3) return varyEscape(parameter, token, stream);
    if (isEncodable && /[A-Za-z0-9_~-]/.test(token)) return [token, encode(token), encode(token).toLowerCase()][stream.next(3)] ?? token;
    return token === ',' && isLooseComma(parameter) ? ([',', '%2C', '%2c'][stream.next(3)] ?? token) : token;
  });
}

/** Writes a header name in another case (RFC 9110 §5.1). */
export function varyHeaderName(name: string, stream: SpellingChoices): string {
  return [name, name.toLowerCase(), name.toUpperCase()][stream.next(3)] ?? name;
}

/** Characters that a query or path may contain unencoded and that separate nothing here (RFC 3986 §3.3 and §3.4). */
const plainMarks: Readonly<Record<'query' | 'path', string>> = { query: ":@!$'()*/?", path: ":@!$'()*" };

function varyEscape({ style }: Parameter, token: string, stream: SpellingChoices): string {
  const character = decodeAscii(token);
  const marks = style.in === 'query' || style.in === 'path' ? plainMarks[style.in] : '';
  const plain =
    character === ' ' && style.in === 'query'
      ? '+'
      : character !== undefined && (marks.includes(character) || (style.style === 'deepObject' && '[]'.includes(character)))
        ? character
        : token;
  return [token, token.toLowerCase(), plain][stream.next(3)] ?? token;
}

/** The character of an escape; `undefined` for a byte of a longer one. */
function decodeAscii(token: string): string | undefined {
  const code = Number.parseInt(token.slice(1), 16);
  return code < 128 ? String.fromCharCode(code) : undefined;
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** True when a comma between values may be encoded, since no value contains one. */
function isLooseComma({ style }: Parameter): boolean {
  return style.in === 'query' && style.style === 'form' && style.delimiterIsSafe && style.shape === 'list' && !style.explode;
}

/** A key, and the credential with its carrier. */
interface CarriedKey {
  readonly credential: Credential;
  readonly secret: string;
  /** The replacement in printed requests. */
  readonly shown: string;
}

/** The keys of a request; empty for an anonymous one. */
export type CarriedKeys = readonly CarriedKey[];

/**
 * The documented alternatives of `security` for which the caller has all keys; only the anonymous one when there are none.
 * @throws {UsageError} when a header cannot carry a key.
 */
export function carriedKeysFor(operation: Operation, { keys }: RequestOptions): readonly CarriedKeys[] {
  const keyChoices = operation.security.flatMap((alternative) => {
    const carried = alternative.flatMap((credential): CarriedKeys => {
      const secret = keys?.(credential);
      if (secret !== undefined) requireWritable(credential, secret);
      return secret === undefined ? [] : [{ credential, secret, shown: `$${credential.scheme}` }];
    });
    return carried.length === alternative.length ? [carried] : [];
  });
  return keyChoices.length === 0 ? [[]] : keyChoices;
}

/** True when the operation allows anonymous requests. */
export function isOpenToAll({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

/** A written key. */
type PlacedKey =
  | { readonly in: 'header'; readonly text: readonly [string, string] }
  | { readonly in: 'query' | 'cookie'; readonly text: string };

/**
 * Writes a key into its carrier, or its replacement if the request is only printed. The scheme name is case-insensitive (RFC 9110
 * §11.1).
 */
function placeKey({ credential: { carrier }, secret, shown }: CarriedKey, stream: SpellingChoices, isShown: boolean): PlacedKey {
  const written = (encode: (text: string) => string): string => (isShown ? shown : encode(secret));
  const asItIs = (text: string): string => text;
  if ('word' in carrier) {
    const word = [carrier.word, carrier.word.toLowerCase(), carrier.word.toUpperCase()][stream.next(3)] ?? carrier.word;
    const value = `${word} ${written(carrier.word === 'Basic' ? encodeBasic : asItIs)}`.trimEnd();
    return { in: 'header', text: [varyHeaderName('Authorization', stream), value] };
  }
  if (carrier.in === 'header') return { in: 'header', text: [varyHeaderName(carrier.name, stream), written(asItIs)] };
  if (carrier.in === 'query') return { in: 'query', text: `${encodeText(carrier.name)}=${written(encodeText)}` };
  return { in: 'cookie', text: `${carrier.name}=${written(encodeCookie)}` };
}

/** A name and a password, which may be empty (RFC 7617 §2). */
function encodeBasic(secret: string): string {
  return Buffer.from(secret.includes(':') ? secret : `${secret}:`).toString('base64');
}

/** Servers differ in decoding cookies, so characters that a cookie allows are not encoded (RFC 6265 §4.1.1). */
function encodeCookie(secret: string): string {
  return /^[!#$&-*\-./0-:<-[\]-~]*$/.test(secret) ? secret : encodeText(secret);
}

function requireWritable({ scheme, carrier }: Credential, secret: string): void {
  const isInHeader = carrier.in === 'header' || (carrier.in === 'authorization' && carrier.word !== 'Basic');
  if (secret !== '' && (!isInHeader || /^[!-~]([ -~]*[!-~])?$/.test(secret))) return;
  // A message must never contain the key.
  throw new UsageError(`the key for ${scheme} is empty or has characters that a header cannot carry; give it as it was issued`);
}

/** A body: its text and its value; the value is `undefined` when the text is not JSON. */
export interface GeneratedBody {
  readonly text: string;
  readonly type: string;
  readonly content: Json | undefined;
}

/** The parts from which a request is built. */
export interface RequestParts {
  readonly values: ReadonlyMap<string, Json>;
  /** Texts sent in place of values, by parameter; in the query with the name: `limit=abc`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Further pairs of the query. */
  readonly pairs: readonly string[];
  readonly keys: CarriedKeys;
  readonly body: GeneratedBody | undefined;
  /** Numbers that choose among equivalent spellings. */
  readonly spelling: SpellingNumbers;
}

/** Builds a request. */
export function writeRequest(operation: Operation, parts: RequestParts): GeneratedRequest {
  return printingAs(write(operation, parts, false), () => write(operation, parts, true));
}

/** Reads a request as a server does; `undefined` when it routes to another operation. */
export function readBack(operation: Operation, request: GeneratedRequest): RequestReading | undefined {
  const route = routeTo(competingOperations(operation), request.method, request.target);
  if (route.kind !== 'operation' || route.operation !== operation) return undefined;
  return readRequest(operation, received(request), route.segments);
}

/** True when a reading has exactly the intended values, apart from `excepted` parameters. */
export function hasIntendedValues(
  { parameters }: Operation,
  reading: RequestReading,
  request: GeneratedRequest,
  excepted: readonly string[] = [],
): boolean {
  const carried = parameters.filter((parameter) => isCarried(parameter, request.credentials)).map(({ key }) => key);
  const isMeant = (key: string): boolean => request.values.has(key) || excepted.includes(key) || carried.includes(key);
  return (
    [...reading.sent].every(isMeant) &&
    [...request.values].every(
      ([key, value]) => excepted.includes(key) || (reading.sent.has(key) && equal(reading.values.get(key) ?? null, value)),
    )
  );
}

function write(operation: Operation, parts: RequestParts, isShown: boolean): GeneratedRequest {
  const { values, texts, keys, body } = parts;
  const stream = new SpellingChoices(parts.spelling);
  const credentials = keys.map(({ credential }) => credential);
  const placedKeys = keys.map((carried) => placeKey(carried, stream, isShown));
  const keysIn = (place: 'query' | 'cookie'): readonly string[] => placedKeys.flatMap((key) => (key.in === place ? [key.text] : []));
  const sent = operation.parameters.flatMap((parameter) => {
    const value = values.get(parameter.key);
    const text =
      texts.get(parameter.key) ?? (value === undefined ? undefined : varySpelling(parameter, printParameter(parameter, value), stream));
    return text === undefined || isCarried(parameter, credentials) ? [] : [{ parameter, text }];
  });
  const sentIn = (place: Parameter['in']): typeof sent => sent.filter(({ parameter }) => parameter.in === place);
  const query = stream.shuffle(
    [...sentIn('query').map(({ text }) => text), ...parts.pairs, ...keysIn('query')].filter((pair) => pair !== ''),
  );
  const cookies = stream.shuffle([...sentIn('cookie').map(({ parameter, text }) => `${parameter.name}=${text}`), ...keysIn('cookie')]);
  const headers = [
    ...placedKeys.flatMap((key) => (key.in === 'header' ? [key.text] : [])),
    ...sentIn('header').map(({ parameter, text }) => [varyHeaderName(parameter.name, stream), text] as const),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(body === undefined ? [] : [['Content-Type', body.type] as const]),
  ];
  const path = fillPath(operation.path, new Map(sentIn('path').map(({ parameter, text }) => [parameter.name, text])));
  const isMeant = (key: string): boolean => sent.some(({ parameter }) => parameter.key === key && !texts.has(key));
  return {
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: Object.fromEntries(headers),
    body: body?.text,
    values: new Map([...values].filter(([key]) => isMeant(key))),
    content: body?.content,
    credentials: credentials.filter((credential) => operation.security.flat().includes(credential)),
    lacksKey: keys.length === 0 && !isOpenToAll(operation),
  };
}

/** True when a parameter is also the carrier of a key: there the key is its value. */
function isCarried(parameter: Parameter, credentials: readonly Credential[]): boolean {
  const isSame = (name: string): boolean =>
    parameter.in === 'header' ? name.toLowerCase() === parameter.name.toLowerCase() : name === parameter.name;
  return credentials.some(({ carrier }) => carrier.in === parameter.in && 'name' in carrier && isSame(carrier.name));
}

/** Fills a path template. Its literal part is encoded, except for characters with a meaning in a URL. */
function fillPath(template: string, texts: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{([^}]+)\}|[^!-~]+/g, (token, name: string | undefined) =>
    name === undefined ? encodeURIComponent(token) : (texts.get(name) ?? token),
  );
}

const competing = new WeakMap<Operation, readonly Operation[]>();

/** The operation and all other paths of its file: a value in a path must not turn it into another path. */
function competingOperations(operation: Operation): readonly Operation[] {
  const paths = operation.document.root['paths'];
  const others = Object.keys(isObject(paths) ? paths : {}).filter((path) => path !== operation.path);
  return getOrCompute(competing, operation, () => [operation, ...others.map((path) => ({ ...operation, path }))]);
}
