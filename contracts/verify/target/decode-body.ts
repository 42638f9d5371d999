/** Decodes the body of a response, within limits on its size and on the number of its values. Does not parse it. */

import { decodeContent, UnknownCoding } from '../../../core/http/decode-content.ts';
import type { HttpResponse } from '../../../core/http/exchange.ts';
import { DeliveryError } from './explain-network-failure.ts';

/** Maximum size of a body in bytes, before and after decoding. */
export const bodyMax: number = 16 * 1024 * 1024;

/** Maximum number of values in a JSON body: a page of 1,000 records with 100 members each. */
const valuesMax = 100_000;

/**
 * Refuses bodies with too many values: a few megabytes can contain millions, and each takes time to judge.
 * @throws {DeliveryError} if a JSON body has too many values.
 */
export function requireFewValues(body: string, place: string): void {
  if (!/^\s*[[{]/.test(body)) return;
  let [count, isQuoted] = [1, false];
  for (let at = 0; at < body.length && count <= valuesMax; at += 1) {
    const unit = body.charCodeAt(at);
    if (unit === quoteCode) isQuoted = !isQuoted;
    else if (isQuoted) at += unit === backslashCode ? 1 : 0;
    else if (unit === commaCode || unit === braceCode || unit === bracketCode) count += 1;
  }
  if (count > valuesMax)
    throw new DeliveryError(
      'too-large',
      `a response from ${place} has more than ${valuesMax} values, too many to check; request smaller pages, or check the server at this address`,
    );
}

const [quoteCode, backslashCode, commaCode, braceCode, bracketCode] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/** The failure for a body over the limit. */
export function tooLarge(place: string): DeliveryError {
  const limit = bodyMax / 1024 / 1024;
  return new DeliveryError(
    'too-large',
    `a response from ${place} has more than ${limit} MB, too much to check; request smaller pages, or check the server at this address`,
  );
}

/**
 * Decodes a body. One of an unknown coding is not read.
 * @throws {DeliveryError} if the bytes do not match the codings, or are too many.
 */
export function decodeBody(
  bytes: Buffer,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  place: string,
): Pick<HttpResponse, 'body' | 'unread'> {
  const [encoding, type] = ['content-encoding', 'content-type'].map((name) => headers[name]?.toString());
  try {
    return { body: decodeContent(bytes, { encoding, type }, bodyMax) };
  } catch (cause) {
    if (cause instanceof UnknownCoding) return { body: '', unread: cause.message };
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(place);
    throw new DeliveryError(
      'broken',
      `a response from ${place} is labelled as ${encoding}, but its bytes are not; check the server or proxy that compresses it`,
      { cause },
    );
  }
}
