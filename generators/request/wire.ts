/** Requests as they go over the wire: put together with their keys and in any spelling, shown without the keys, and read back as a server does. */

import { type Arbitrary, array, nat, toStringMethod } from 'fast-check';
import { UsageError } from '../../core/errors.ts';
import type { HttpRequest } from '../../core/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import { type Credential, type Operation, routeTo } from '../../core/operation.ts';
import { type Parameter, printParameter } from '../../core/parameter.ts';
import { type RequestReading, readRequest } from '../../core/request.ts';
import { encodeText } from '../../core/style.ts';
import { equal } from '../schema/equality.ts';

/** A whole request, ready to be sent. In counterexamples it prints as one line, with `$SCHEME` in place of each key. */
export interface GeneratedRequest {
  /** In capitals. */
  readonly method: string;
  /** Path and query, exactly as they are sent. They are relative to the server's base address. */
  readonly target: string;
  /** Header fields under the names that they are sent by, in whichever case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; `undefined` for none. Its media type stands in the header `Content-Type`. */
  readonly body: string | undefined;
  /** What the request means, by parameter (`key`). Parameters that it does not send are not here, whether they have a default or not. */
  readonly values: ReadonlyMap<string, Json>;
  /** What the body means. */
  readonly content: Json | undefined;
  /** The credentials whose keys it carries. */
  readonly credentials: readonly Credential[];
  /** Whether the operation asks for a key and the request has none, because no key is known. It is to be answered with 401. */
  readonly lacksKey: boolean;
}

/** What the contract does not know about a server, and the caller does. */
export interface RequestOptions {
  /**
   * Values that the server knows, by parameter (`key`): identities of records, page cursors, entity tags for `If-None-Match`. A parameter takes one of
   * them three times out of four, so that not every answer is 404. Parameters that the operation does not have are passed over.
   */
  readonly known?: Readonly<Record<string, readonly Json[]>>;
  /**
   * The key to send for a credential, in view of its scheme and its scopes; `undefined` when there is none. For HTTP Basic it is `name:password`, or
   * a name alone.
   */
  readonly keys?: (credential: Credential) => string | undefined;
}

/** The request as a server reads it: header names in lower case. */
export function received({ method, target, headers }: Pick<GeneratedRequest, 'method' | 'target' | 'headers'>): HttpRequest {
  return { method, target, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) };
}

/** Lets a request print as another one does: as the same without its keys. */
function printingAs(request: GeneratedRequest, shown: () => GeneratedRequest): GeneratedRequest {
  // Not enumerable, so that two requests are equal when they are sent alike.
  return Object.defineProperty({ ...request }, toStringMethod, { value: () => print(shown()) });
}

function print({ method, target, headers, body }: GeneratedRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
  return [`${method} ${target}`, ...fields, ...(body === undefined ? [] : [` ${body}`])].join(' |');
}

/** Numbers that decide in turn. An empty list decides for what is plain, always. */
type Choices = readonly number[];

/** An arbitrary of decisions, which shrinks to plain ones. */
export const choices: Arbitrary<Choices> = array(nat({ max: 11 }), { maxLength: 12 });

/** Takes one decision after the other. */
export class ChoiceStream {
  readonly #choices: Choices;
  #taken = 0;

  constructor(list: Choices) {
    this.#choices = list;
  }

  /** The number of one of so many ways; 0 is the plain one, and most frequent. */
  next(ways: number): number {
    const drawn = this.#choices[this.#taken % Math.max(1, this.#choices.length)] ?? 0;
    this.#taken += 1;
    return drawn < ways ? drawn : 0;
  }

  /** A list in another order, or in its own, which is the plain one. */
  shuffle<T>(list: readonly T[]): readonly T[] {
    const ranked = list.map((item) => ({ item, rank: this.next(list.length) }));
    return ranked.toSorted((left, right) => left.rank - right.rank).map(({ item }) => item);
  }
}

/** Spells the printed text of a parameter in another way, or keeps it: it means the same. */
export function respell(parameter: Parameter, printed: string, stream: ChoiceStream): string {
  const { style } = parameter;
  if (style.in === 'header') return style.shape === 'list' ? printed.replaceAll(',', () => (stream.next(2) === 1 ? ', ' : ',')) : printed;
  // The name in a matrix segment stands between delimiters, and only its values may be spelled in other ways.
  const isEncodable = style.style !== 'matrix';
  return printed.replace(/%[0-9A-F]{2}|[\s\S]/g, (token) => {
    if (token.length === 3) return respellEscape(parameter, token, stream);
    if (isEncodable && /[A-Za-z0-9_~-]/.test(token)) return [token, encode(token), encode(token).toLowerCase()][stream.next(3)] ?? token;
    return token === ',' && isLooseComma(parameter) ? ([',', '%2C', '%2c'][stream.next(3)] ?? token) : token;
  });
}

/** Spells the name of a header in another case, which means the same (RFC 9110 §5.1). */
export function respellHeader(name: string, stream: ChoiceStream): string {
  return [name, name.toLowerCase(), name.toUpperCase()][stream.next(3)] ?? name;
}

/** Marks that a query or a path may hold as they are, and that separate nothing here (RFC 3986 §3.3 and §3.4). */
const plainMarks: Readonly<Record<'query' | 'path', string>> = { query: ":@!$'()*/?", path: ":@!$'()*" };

function respellEscape({ style }: Parameter, token: string, stream: ChoiceStream): string {
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

/** Whether a comma between values may come encoded, since no value can hold one. */
function isLooseComma({ style }: Parameter): boolean {
  return style.in === 'query' && style.style === 'form' && style.delimiterIsSafe && style.shape === 'list' && !style.explode;
}

/** A key in its place: a header, a pair of the query or a cookie. */
interface CarriedKey {
  readonly credential: Credential;
  /** The key itself. */
  readonly secret: string;
  /** What stands for it where requests are printed. */
  readonly shown: string;
}

/** The keys that a request carries together; none for an anonymous one. */
export type Proof = readonly CarriedKey[];

/**
 * The ways of showing who asks, out of those that the operation documents and the caller has the keys for. Without any there is only the request
 * without a key.
 * @throws {UsageError} when a key cannot stand in a header.
 */
export function proofsFor(operation: Operation, { keys }: RequestOptions): readonly Proof[] {
  const proofs = operation.security.flatMap((alternative) => {
    const carried = alternative.flatMap((credential): Proof => {
      const secret = keys?.(credential);
      if (secret !== undefined) requireWritable(credential, secret);
      return secret === undefined ? [] : [{ credential, secret, shown: `$${credential.scheme}` }];
    });
    return carried.length === alternative.length ? [carried] : [];
  });
  return proofs.length === 0 ? [[]] : proofs;
}

/** Whether the operation answers requests without a key. */
export function isOpenToAll({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

/** A key in its place, as it is written there. */
type PlacedKey =
  | { readonly in: 'header'; readonly text: readonly [string, string] }
  | { readonly in: 'query' | 'cookie'; readonly text: string };

/**
 * Puts a key where its credential says; what stands for it, if the request is only shown. The word before a key is read in any case
 * (RFC 9110 §11.1).
 */
function placeKey({ credential: { carrier }, secret, shown }: CarriedKey, stream: ChoiceStream, isShown: boolean): PlacedKey {
  const written = (encode: (text: string) => string): string => (isShown ? shown : encode(secret));
  const asItIs = (text: string): string => text;
  if ('word' in carrier) {
    const word = [carrier.word, carrier.word.toLowerCase(), carrier.word.toUpperCase()][stream.next(3)] ?? carrier.word;
    const value = `${word} ${written(carrier.word === 'Basic' ? encodeBasic : asItIs)}`.trimEnd();
    return { in: 'header', text: [respellHeader('Authorization', stream), value] };
  }
  if (carrier.in === 'header') return { in: 'header', text: [respellHeader(carrier.name, stream), written(asItIs)] };
  if (carrier.in === 'query') return { in: 'query', text: `${encodeText(carrier.name)}=${written(encodeText)}` };
  return { in: 'cookie', text: `${carrier.name}=${written(encodeCookie)}` };
}

/** A name and a password, of which the latter may be empty (RFC 7617 §2). */
function encodeBasic(secret: string): string {
  return Buffer.from(secret.includes(':') ? secret : `${secret}:`).toString('base64');
}

/** Servers differ in whether they decode cookies, so what a cookie can hold as it is stays so (RFC 6265 §4.1.1). */
function encodeCookie(secret: string): string {
  return /^[!#$&-*\-./0-:<-[\]-~]*$/.test(secret) ? secret : encodeText(secret);
}

function requireWritable({ scheme, carrier }: Credential, secret: string): void {
  const isInHeader = carrier.in === 'header' || (carrier.in === 'authorization' && carrier.word !== 'Basic');
  if (secret !== '' && (!isInHeader || /^[!-~]([ -~]*[!-~])?$/.test(secret))) return;
  // The key itself must not appear in a message.
  throw new UsageError(`the key for ${scheme} is empty or has characters that a header cannot carry; give it as it was issued`);
}

/** A body: its text and what the text means; the latter is missing where the text is not JSON. */
export interface Body {
  readonly text: string;
  readonly type: string;
  readonly content: Json | undefined;
}

/** The parts of one request. */
export interface RequestParts {
  readonly values: ReadonlyMap<string, Json>;
  /** Texts that are sent as they are in place of a value, by parameter; for one of the query with its name: `limit=abc`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Further pairs of the query. */
  readonly pairs: readonly string[];
  readonly proof: Proof;
  readonly body: Body | undefined;
  readonly choices: Choices;
}

/** Puts the parts of a request together. */
export function writeRequest(operation: Operation, parts: RequestParts): GeneratedRequest {
  return printingAs(write(operation, parts, false), () => write(operation, parts, true));
}

/** What a server reads in a request; `undefined` when the request would be one for another operation. */
export function readBack(operation: Operation, request: GeneratedRequest): RequestReading | undefined {
  const route = routeTo(rivalsOf(operation), request.method, request.target);
  if (route.kind !== 'operation' || route.operation !== operation) return undefined;
  return readRequest(operation, received(request), route.segments);
}

/** Whether a reading has every value that the request means, and none that it does not mean. Some parameters may be excepted. */
export function agrees(
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
  const { values, texts, proof, body } = parts;
  const stream = new ChoiceStream(parts.choices);
  const credentials = proof.map(({ credential }) => credential);
  const keys = proof.map((carried) => placeKey(carried, stream, isShown));
  const keysIn = (place: 'query' | 'cookie'): readonly string[] => keys.flatMap((key) => (key.in === place ? [key.text] : []));
  const sent = operation.parameters.flatMap((parameter) => {
    const value = values.get(parameter.key);
    const text =
      texts.get(parameter.key) ?? (value === undefined ? undefined : respell(parameter, printParameter(parameter, value), stream));
    return text === undefined || isCarried(parameter, credentials) ? [] : [{ parameter, text }];
  });
  const sentIn = (place: Parameter['in']): typeof sent => sent.filter(({ parameter }) => parameter.in === place);
  const query = stream.shuffle(
    [...sentIn('query').map(({ text }) => text), ...parts.pairs, ...keysIn('query')].filter((pair) => pair !== ''),
  );
  const cookies = stream.shuffle([...sentIn('cookie').map(({ parameter, text }) => `${parameter.name}=${text}`), ...keysIn('cookie')]);
  const headers = [
    ...keys.flatMap((key) => (key.in === 'header' ? [key.text] : [])),
    ...sentIn('header').map(({ parameter, text }) => [respellHeader(parameter.name, stream), text] as const),
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
    lacksKey: proof.length === 0 && !isOpenToAll(operation),
  };
}

/** Some contracts declare the carrier of a key as a parameter too; there the key is its value. */
function isCarried(parameter: Parameter, credentials: readonly Credential[]): boolean {
  const isSame = (name: string): boolean =>
    parameter.in === 'header' ? name.toLowerCase() === parameter.name.toLowerCase() : name === parameter.name;
  return credentials.some(({ carrier }) => carrier.in === parameter.in && 'name' in carrier && isSame(carrier.name));
}

/** Fills a template. What is literal in it may need encoding, but for marks that mean something in a URL. */
function fillPath(template: string, texts: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{([^}]+)\}|[^!-~]+/g, (token, name: string | undefined) =>
    name === undefined ? encodeURIComponent(token) : (texts.get(name) ?? token),
  );
}

const rivals = new WeakMap<Operation, readonly Operation[]>();

/** The operation among all paths of its file: a value in a path must not make it another path. */
function rivalsOf(operation: Operation): readonly Operation[] {
  const paths = operation.document.root['paths'];
  const others = Object.keys(isObject(paths) ? paths : {}).filter((path) => path !== operation.path);
  const known = rivals.get(operation) ?? [operation, ...others.map((path) => ({ ...operation, path }))];
  rivals.set(operation, known);
  return known;
}
