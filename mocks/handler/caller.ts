/** Identifies the caller: the key of a request, in any documented carrier. */

import { type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/parameter-style.ts';
import type { ChangingDataset } from '../data/dataset.ts';
import type { KeyHolder, KeyRing } from '../key-ring.ts';

/** The outcome of looking for a key. */
export type Identification =
  | { readonly kind: 'caller'; readonly holder: KeyHolder; readonly lacking: readonly string[] }
  | { readonly kind: 'stranger'; readonly because: string; readonly key: KeyProblem };

/** The problem with the key of a stranger. */
export type KeyProblem = 'missing' | 'unknown' | 'expired';

/**
 * Finds the holder of the request's key, and the scopes that the operation asks for and the key lacks.
 * With several carriers, the first documented one counts.
 */
export function identify(operation: Operation, request: HttpRequest, keys: KeyRing, dataset: ChangingDataset): Identification {
  if (operation.security.length === 0) return { kind: 'caller', holder: anybody(dataset), lacking: [] };
  for (const alternative of operation.security) {
    if (alternative.length === 0) return { kind: 'caller', holder: anybody(dataset), lacking: [] };
    const given = alternative.map((credential) => keyIn(request, credential));
    if (given.every((key) => key !== undefined)) return toIdentification(given, alternative, keys);
  }
  return { kind: 'stranger', key: 'missing', because: `No key was sent. Send one as ${describeCarriers(operation)}.` };
}

/** All credentials of one alternative are needed together (OpenAPI 3.1 §4.8.30), and they must be the same holder's. */
function toIdentification(given: readonly string[], alternative: readonly Credential[], keys: KeyRing): Identification {
  const [holder, ...others] = given.map((key) => keys.holderOf(key));
  if (holder === undefined || others.some((other) => other !== holder))
    return { kind: 'stranger', key: 'unknown', because: 'This key is not valid.' };
  if (holder.expired) return { kind: 'stranger', key: 'expired', because: 'This key has expired.' };
  const lacking: string[] = [];
  for (const { scopes } of alternative) for (const scope of scopes) if (!holder.scopes.includes(scope)) lacking.push(scope);
  return { kind: 'caller', holder, lacking };
}

function anybody(dataset: ChangingDataset): KeyHolder {
  return { role: 'anybody', tenant: dataset.tenants[0] ?? '', scopes: [], expired: false };
}

/** The key that a request carries for a credential; `undefined` when that carrier is not there. */
export function keyIn(request: HttpRequest, { carrier }: Credential): string | undefined {
  if (carrier.in === 'header') return headerOf(request.headers, carrier.name)?.trim();
  if (carrier.in === 'authorization') return keyInAuthorization(headerOf(request.headers, 'authorization'), carrier.word);
  const cookies = (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/).join('&');
  const pairs = splitQuery(carrier.in === 'query' ? splitTarget(request.target).query : cookies);
  const found = pairs.find(([name]) => name === carrier.name);
  return found === undefined ? undefined : decodeOrKeep(found[1]);
}

/** The word of an authorization scheme is read in any case (RFC 9110 §11.1). With Basic, the key is the password, or the name without one. */
function keyInAuthorization(header: string | undefined, word: string): string | undefined {
  const [given = '', credentials = ''] = (header ?? '').trim().split(/\s+(.*)/s);
  if (given.toLowerCase() !== word.toLowerCase()) return undefined;
  if (word !== 'Basic') return credentials.trim();
  const [name = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(/:(.*)/s);
  return password === '' ? name : password;
}

function describeCarriers(operation: Operation): string {
  return operation.security.map((alternative) => alternative.map(describeCarrier).join(' together with ')).join(' or as ');
}

function describeCarrier({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `"Authorization: ${carrier.word} KEY"` : `the ${carrier.in} ${carrier.name}`;
}
