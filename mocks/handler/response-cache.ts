/**
 * Cache of the prepared responses of one API. Requests with a body, a 429 or 503 by chaos, and mutants that change responses must bypass it, since its keys do
 * not tell them apart.
 */

import { headerOf } from '../../core/http/exchange.ts';
import { profileHeader } from '../../core/http/headers-of-unjudged-requests.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import type { Call } from './call.ts';
import { definesResponse } from './operation-handler.ts';
import { acceptsGzip, type PreparedResponse } from './prepare-response.ts';

/** Maximum bytes of all cached responses. */
const maxBytes = 3_000_000;

/** Estimated bytes of a response without its body. */
const overhead = 1000;

/** The cached responses of an API. */
export class ResponseCache {
  readonly #responses = new RecentCache<string, PreparedResponse>(maxBytes, sizeOf);

  get(key: string): PreparedResponse | undefined {
    return this.#responses.get(key);
  }

  /** Adds a response. Only 200 and 304 are cached, since a failure has the id of its request. */
  add(key: string, response: PreparedResponse): void {
    if (response.status === 200 || response.status === 304) this.#responses.set(key, response);
  }
}

function sizeOf({ body, encoded = body }: PreparedResponse): number {
  return overhead + body.length + (encoded === body ? 0 : encoded.length);
}

/** The cache key: everything that a response depends on. `undefined` for a request with a preference or a profile, which is not cached. */
export function printCacheKey(call: Call): string | undefined {
  const { operation, identification, nowMs, headers } = call;
  if (headers['prefer'] !== undefined || headers[profileHeader] !== undefined) return undefined;
  const role = identification.kind === 'caller' ? identification.holder.role : 'stranger';
  // No part can contain a line break, so different parts make different keys.
  let key = `${call.method} ${call.target}\n${role}\n${nowMs}\n${call.api.world?.world.revision}\n${acceptsGzip(call)}`;
  for (const field of getOrCompute(headerNames, operation, listHeaderNames)) {
    const value = headerOf(headers, field);
    key += value === undefined ? '\n' : `\n=${value}`;
  }
  return key;
}

/** Names of the headers that the responses of an operation depend on. */
const headerNames = new WeakMap<Operation, readonly string[]>();

function listHeaderNames(operation: Operation): readonly string[] {
  const { parameters } = operation;
  const isPlain = !definesResponse(operation);
  return ['if-none-match', 'origin', ...(isPlain ? ['accept', 'authorization', 'cookie'] : []), ...parameters.flatMap(headerNameOf)];
}

/** The header of a parameter; none for a parameter in the path or the query. */
function headerNameOf({ in: place, name }: Operation['parameters'][number]): readonly string[] {
  if (place === 'header') return [name.toLowerCase()];
  return place === 'cookie' ? ['cookie'] : [];
}
