/**
 * Security requirements as Prism checks them. Prism knows Basic, Digest and Bearer in one exact form each, so any credential of the documented form is rewritten
 * to it, and a scheme that Prism does not know becomes a header with a key.
 */

import { type HttpHeaders, headerOf } from '../../../core/http/exchange.ts';
import type { Credential, Operation } from '../../../core/openapi/operation.ts';

/** A security scheme of Prism. */
type PrismScheme =
  | { readonly id: string; readonly key: string; readonly type: 'apiKey'; readonly in: string; readonly name: string }
  | { readonly id: string; readonly key: string; readonly type: 'http'; readonly scheme: string };

/** The schemes of `Authorization` that Prism checks. */
const knownWords = ['basic', 'bearer', 'digest'];

/** The security of an operation; empty if a request needs no key, since Prism would refuse an unneeded one. */
export function toPrismSecurity({ security }: Operation): readonly (readonly PrismScheme[])[] {
  if (security.some((alternative) => alternative.length === 0)) return [];
  return security.map(toSchemes);
}

/** Several schemes of `Authorization` in one alternative share its only value, so each of them is enough. */
function toSchemes(alternative: readonly Credential[]): readonly PrismScheme[] {
  const words = new Set(alternative.flatMap(({ carrier }) => (carrier.in === 'authorization' ? [carrier.word.toLowerCase()] : [])));
  const shared = words.size > 1 ? [keyHeader(sharedName([...words]))] : [];
  const schemes = alternative.flatMap(({ scheme, carrier }): readonly PrismScheme[] => {
    if (carrier.in !== 'authorization') return [{ id: scheme, key: scheme, type: 'apiKey', in: carrier.in, name: carrier.name }];
    const word = carrier.word.toLowerCase();
    if (words.size > 1) return [];
    return [knownWords.includes(word) ? { id: scheme, key: scheme, type: 'http', scheme: word } : keyHeader(sharedName([word]))];
  });
  return [...shared, ...schemes];
}

function keyHeader(name: string): PrismScheme {
  return { id: name, key: name, type: 'apiKey', in: 'header', name };
}

/** No header that a client sends can have this name. */
function sharedName(words: readonly string[]): string {
  return `authorization: ${words.toSorted().join(' ')}`;
}

/** The headers of a request with its credentials in the form that Prism checks. */
export function withCredentials(headers: HttpHeaders, { security }: Operation): HttpHeaders {
  const field = headerOf(headers, 'authorization');
  if (field === undefined) return headers;
  const [, sentWord = '', credentials = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(field) ?? [];
  const word = sentWord.toLowerCase();
  const rewritten: Record<string, HttpHeaders[string]> = { ...headers, authorization: toExactForm(word, credentials) ?? field };
  if (credentials === '') return rewritten;
  for (const alternative of security) {
    const words = alternative.flatMap(({ carrier }) => (carrier.in === 'authorization' ? [carrier.word.toLowerCase()] : []));
    if (words.includes(word)) rewritten[sharedName([...new Set(words)])] = credentials;
  }
  return rewritten;
}

/** The form of credentials that Prism accepts; `undefined` if they are of another form. */
function toExactForm(word: string, credentials: string): string | undefined {
  if (word === 'bearer') return credentials === '' ? undefined : `Bearer ${credentials}`;
  // A password may contain colons (RFC 7617 §2), and Prism wants exactly one.
  if (word === 'basic') return Buffer.from(credentials, 'base64').toString().includes(':') ? `Basic ${exactBasic}` : undefined;
  const isDigest = word === 'digest' && ['username', 'response'].every((name) => new RegExp(`\\b${name}=`).test(credentials));
  return isDigest ? exactDigest : undefined;
}

const exactBasic = Buffer.from('user:password').toString('base64');

/** Prism wants letters and digits in quotes only, and a real Digest has paths and unquoted counts (RFC 7616 §3.4). */
const exactDigest = 'Digest username="a", realm="a", nonce="a", uri="a", response="a"';
