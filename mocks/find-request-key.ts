/**
 * Finds the key that a request has sent, at the place that the contract names. `caller.ts`, `hide-keys.ts` and mutants (`change-exchange.ts`) call it for each
 * request, `hide-secrets.ts` and `judge-forwarded-exchange.ts` for each exchange of a proxy. `recordable-exchange.ts` and `convert-exchange-to-interaction.ts`
 * call it for each exchange that a pact may have. `caller.ts` checks the key.
 */

import { type HttpRequest, headerOf, splitTarget } from '../core/http/exchange.ts';
import type { Credential } from '../core/openapi/operation.ts';
import { decodeOrKeep, splitQuery } from '../core/parameters/query-string.ts';

/** The key of a request in the carrier of a credential; `undefined` if the request does not have the carrier. */
export function keyIn(request: HttpRequest, { carrier }: Credential): string | undefined {
  if (carrier.in === 'header') return headerOf(request.headers, carrier.name)?.trim();
  if (carrier.in === 'authorization') return keyInAuthorization(headerOf(request.headers, 'authorization'), carrier.word);
  const cookies = (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/).join('&');
  const pairs = splitQuery(carrier.in === 'query' ? splitTarget(request.target).query : cookies);
  const pair = pairs.find(([name]) => name === carrier.name);
  return pair === undefined ? undefined : decodeOrKeep(pair[1]);
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
