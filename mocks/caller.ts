/** Who is asking: the key of a request, in whichever of the documented carriers it comes. */

import { type HttpRequest, headerOf, splitTarget } from '../core/exchange.ts';
import type { Credential, Operation } from '../core/operation.ts';
import { splitQuery } from '../core/style.ts';
import type { KeyHolder, KeyRing } from './keys.ts';
import type { World } from './world.ts';

/** The outcome of looking for a key. */
export type Identification =
  | { readonly kind: 'caller'; readonly holder: KeyHolder; readonly lacking: readonly string[] }
  | { readonly kind: 'stranger'; readonly because: string };

/**
 * Finds the holder of the request's key, and the scopes that the operation asks for and the key lacks.
 * Where a request has several carriers, the first documented one that is there counts.
 */
export function identify(operation: Operation, request: HttpRequest, keys: KeyRing, world: World): Identification {
  if (operation.security.length === 0) return { kind: 'caller', holder: anybody(world), lacking: [] };
  for (const alternative of operation.security) {
    const [credential] = alternative;
    if (credential === undefined) return { kind: 'caller', holder: anybody(world), lacking: [] };
    const key = keyIn(request, credential);
    if (key === undefined) continue;
    return toIdentification(keys.holderOf(key), alternative);
  }
  return { kind: 'stranger', because: `No key was sent. Send one as ${operation.security.flat().map(describeCarrier).join(' or as ')}.` };
}

function toIdentification(holder: KeyHolder | undefined, alternative: readonly Credential[]): Identification {
  if (holder === undefined) return { kind: 'stranger', because: 'This key is not valid.' };
  if (holder.expired) return { kind: 'stranger', because: 'This key has expired.' };
  const needed = alternative.flatMap((credential) => credential.scopes);
  return { kind: 'caller', holder, lacking: needed.filter((scope) => !holder.scopes.includes(scope)) };
}

function anybody(world: World): KeyHolder {
  return { role: 'anybody', tenant: world.tenants[0] ?? '', scopes: [], expired: false };
}

function keyIn(request: HttpRequest, { carrier }: Credential): string | undefined {
  if (carrier.in === 'header') return headerOf(request.headers, carrier.name)?.trim();
  if (carrier.in === 'authorization') return keyInAuthorization(headerOf(request.headers, 'authorization'), carrier.word);
  if (carrier.in === 'query') return splitQuery(splitTarget(request.target).query).find(([name]) => name === carrier.name)?.[1];
  const cookies = (headerOf(request.headers, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${carrier.name}=`))?.slice(carrier.name.length + 1);
}

/** The word of an authorization scheme is read in any case (RFC 9110 §11.1). With Basic, the key is the password, or the name without one. */
function keyInAuthorization(header: string | undefined, word: string): string | undefined {
  const [given = '', credentials = ''] = (header ?? '').trim().split(/\s+(.*)/s);
  if (given.toLowerCase() !== word.toLowerCase()) return undefined;
  if (word !== 'Basic') return credentials.trim();
  const [name = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(/:(.*)/s);
  return password === '' ? name : password;
}

function describeCarrier({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `"Authorization: ${carrier.word} KEY"` : `the ${carrier.in} ${carrier.name}`;
}
