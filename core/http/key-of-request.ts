/**
 * Reads the key of a request, and writes a key into a request that is about to be sent, at the place that the contract names. Whether a key is valid is not
 * decided here.
 */

import type { Credential } from '../openapi/operation.ts';
import { decodeOrKeep, type RawPair, splitQuery } from '../parameters/query-string.ts';
import { type HttpHeaders, type HttpRequest, headerOf, splitTarget } from './exchange.ts';

/** The key of a request in the carrier of a credential; `undefined` if the request does not have the carrier. */
export function keyIn({ headers, target }: HttpRequest, credential: Credential): string | undefined {
  return keyAmong(headers, credential.carrier.in === 'query' ? splitQuery(splitTarget(target).query) : [], credential);
}

/** The key among the headers and the query of a request, in the carrier of a credential. */
export function keyAmong(headers: HttpHeaders, pairs: readonly RawPair[], { carrier }: Credential): string | undefined {
  if (carrier.in === 'header') return headerOf(headers, carrier.name)?.trim();
  if (carrier.in === 'authorization') return keyInAuthorization(headerOf(headers, 'authorization'), carrier.word);
  if (carrier.in === 'cookie') return cookieOf(headers, carrier.name);
  const pair = pairs.find(([name]) => name === carrier.name);
  return pair === undefined ? undefined : decodeOrKeep(pair[1]);
}

/** The value of a cookie as it was sent (RFC 6265 §4.2.1). */
function cookieOf(headers: HttpHeaders, name: string): string | undefined {
  const cookies = (headerOf(headers, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * The key in a header Authorization. Upper and lower case of the scheme are equal (RFC 9110 §11.1). With Basic, the key is the password, or the user name if
 * the password is empty.
 */
function keyInAuthorization(header: string | undefined, word: string): string | undefined {
  if (header === undefined) return undefined;
  const [scheme = '', credentials = ''] = header.trim().split(/\s+(.*)/s);
  if (scheme.toLowerCase() !== word.toLowerCase()) return undefined;
  if (word !== 'Basic') return credentials.trim();
  const [name = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(/:(.*)/s);
  return password === '' ? name : password;
}

/** The headers, by name in lower case, and the pieces of the query that carry a key. */
export interface KeyPieces {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
}

/** Writes a key into its carrier (OpenAPI 3.1 §4.8.27). With Basic it is `user:password`, or the password of an empty user name (RFC 7617). */
export function writeKey({ carrier }: Credential, key: string): KeyPieces {
  if (carrier.in === 'authorization') {
    const credentials = carrier.word === 'Basic' ? Buffer.from(key.includes(':') ? key : `:${key}`).toString('base64') : key;
    return { headers: { authorization: `${carrier.word} ${credentials}` }, query: [] };
  }
  if (carrier.in === 'query') return { headers: {}, query: [`${encodeURIComponent(carrier.name)}=${encodeURIComponent(key)}`] };
  return { headers: carrier.in === 'header' ? { [carrier.name.toLowerCase()]: key } : { cookie: `${carrier.name}=${key}` }, query: [] };
}
