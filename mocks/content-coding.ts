/** Compression of answers (RFC 9110 §8.4 and §12.5.3). */

import { gzipSync } from 'node:zlib';
import { type HttpRequest, headerOf } from '../core/exchange.ts';
import { type Message, withHeader } from './answer.ts';
import { gzipTag } from './entity-tag.ts';

/** Encodes an answer, compressed when the request accepts gzip. A compressed answer is another representation, so its tag differs. */
export function encodeContent(request: HttpRequest, message: Message): Message {
  // What an answer depends on besides its target: caches must know (RFC 9110 §12.5.5, RFC 7240 §2).
  const own = headerOf(message.headers, 'vary');
  const vary = own === undefined ? 'Accept-Encoding, Prefer' : `${own}, Accept-Encoding, Prefer`;
  const plain = {
    status: message.status,
    headers: withHeader(message.headers, 'vary', vary),
    bytes: message.bytes,
  };
  if (!acceptsGzip(request)) return plain;
  const tag = headerOf(message.headers, 'etag');
  const tagged = tag === undefined ? plain.headers : { ...plain.headers, etag: gzipTag(tag) };
  if (message.bytes.length === 0) return { ...plain, headers: tagged };
  return {
    status: message.status,
    headers: { ...tagged, 'content-encoding': 'gzip' },
    bytes: gzipSync(plain.bytes),
  };
}

/** Whether gzip is acceptable, by the most specific entry of the field; without a field nothing is asked for. */
export function acceptsGzip({ headers }: HttpRequest): boolean {
  const field = headerOf(headers, 'accept-encoding');
  if (field === undefined) return false;
  // Clients send the same field with each request.
  if (latest?.field !== field) latest = { field, isAccepted: namesGzip(field) };
  return latest.isAccepted;
}

let latest: { readonly field: string; readonly isAccepted: boolean } | undefined;

function namesGzip(field: string): boolean {
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
