/** The cache of a mock: prepared responses for the next request that asks for the same, with the same key, at the same instant. */

import { type HttpRequest, headerOf } from '../../core/http/exchange.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { RecentCache } from '../data/history/recent-cache.ts';
import { acceptsGzip, type PreparedResponse } from './mock-response.ts';

/** Most bytes of all cached responses. */
const bytesMost = 3_000_000;

/** Bytes of a response besides its body. */
const overhead = 1000;

/** The cached responses of an API. */
export class ResponseCache {
  readonly #responses = new RecentCache<string, PreparedResponse>(bytesMost, sizeOf);

  get(key: string): PreparedResponse | undefined {
    return this.#responses.get(key);
  }

  /** Keeps a response. Failures name their request, so only 200 and 304 are kept. */
  keep(key: string, response: PreparedResponse): void {
    if (response.status === 200 || response.status === 304) this.#responses.set(key, response);
  }
}

function sizeOf({ body, encoded = body }: PreparedResponse): number {
  return overhead + body.length + (encoded === body ? 0 : encoded.length);
}

/** Everything that a response follows from; `undefined` for a preferred answer, which is not cached. */
export function cacheKey(operation: Operation, request: HttpRequest, role: string, nowMs: number): string | undefined {
  if (request.headers['prefer'] !== undefined) return undefined;
  // Neither a method nor a target nor a field has a line break in it, so parts that differ make keys that differ.
  let key = `${request.method} ${request.target}\n${role}\n${nowMs}\n${acceptsGzip(request)}`;
  for (const field of fieldsRead(operation)) {
    const value = headerOf(request.headers, field);
    key += value === undefined ? '\n' : `\n=${value}`;
  }
  return key;
}

/** The headers that answers of an operation depend on, by operation. */
const fields = new WeakMap<Operation, readonly string[]>();

function fieldsRead(operation: Operation): readonly string[] {
  const known = fields.get(operation);
  if (known !== undefined) return known;
  const read = ['if-none-match', ...operation.parameters.flatMap(fieldOf)];
  fields.set(operation, read);
  return read;
}

/** The header that a parameter travels in; none for one of the path or the query. */
function fieldOf({ in: place, name }: Operation['parameters'][number]): readonly string[] {
  if (place === 'header') return [name.toLowerCase()];
  return place === 'cookie' ? ['cookie'] : [];
}
