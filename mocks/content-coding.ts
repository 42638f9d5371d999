/** Compression of answers (RFC 9110 §8.4 and §12.5.3). */

import { gzipSync } from 'node:zlib';
import { type HttpRequest, type HttpResponse, headerOf } from '../core/exchange.ts';
import { gzipTag } from './entity-tag.ts';

/** An answer as bytes. */
export interface EncodedResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly bytes: Buffer;
}

/** Encodes an answer, compressed when the request accepts gzip. A compressed answer is another representation, so its tag differs. */
export function encodeResponse(request: HttpRequest, response: HttpResponse): EncodedResponse {
  // What an answer depends on besides its target: caches must know (RFC 9110 §12.5.5, RFC 7240 §2).
  const own = headerOf(response.headers, 'vary');
  const vary = own === undefined ? 'Accept-Encoding, Prefer' : `${own}, Accept-Encoding, Prefer`;
  const plain = {
    status: response.status,
    headers: { ...response.headers, vary },
    bytes: Buffer.from(response.body),
  };
  if (!acceptsGzip(request)) return plain;
  const tag = headerOf(response.headers, 'etag');
  const tagged = tag === undefined ? plain.headers : { ...plain.headers, etag: gzipTag(tag) };
  if (response.body === '') return { ...plain, headers: tagged };
  return {
    status: response.status,
    headers: { ...tagged, 'content-encoding': 'gzip' },
    bytes: gzipSync(plain.bytes),
  };
}

/** Whether gzip is acceptable, by the most specific entry of the field; without a field nothing is asked for. */
export function acceptsGzip({ headers }: HttpRequest): boolean {
  const field = headerOf(headers, 'accept-encoding');
  if (field === undefined) return false;
  const entries = field.split(',').map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  );
  const entry = entries.find(([coding]) => coding === 'gzip' || coding === 'x-gzip') ?? entries.find(([coding]) => coding === '*');
  const weight = entry
    ?.slice(1)
    .find((parameter) => parameter.startsWith('q='))
    ?.slice(2);
  return entry !== undefined && (weight === undefined || Number(weight) > 0);
}
