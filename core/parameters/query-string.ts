/** Splits query strings, and encodes and decodes percent-encoded text. It knows no parameters. */

import { isUtf8 } from 'node:buffer';
import { printJson } from '../json.ts';

/** A name and a value of a query string. The name is decoded. The value is still percent-encoded, since its decoding depends on the style. */
export type RawPair = readonly [name: string, value: string];

/** A text that cannot be read: it is not percent-encoded UTF-8, or not of its style. `sent` is the text, if it was decoded. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError' as const;
  readonly sent: string | undefined;

  constructor(message: string, { sent, cause }: { readonly sent?: string; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.sent = sent;
  }
}

/** Limit of parameters in a query: no API needs more, and each costs time. */
export const maxQueryPairs = 1000;

/** Splits a query string into pairs, in order. Stops one above the limit, so that too many can be refused. Empty pairs (`a=1&&b=2`) are skipped. */
export function splitQuery(query: string): readonly RawPair[] {
  const pairs: RawPair[] = [];
  for (let start = 0; start < query.length && pairs.length <= maxQueryPairs; ) {
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    const pair = query.slice(start, end);
    const equalsSign = pair.indexOf('=');
    if (pair !== '')
      pairs.push(equalsSign < 0 ? [decodeOrKeep(pair), ''] : [decodeOrKeep(pair.slice(0, equalsSign)), pair.slice(equalsSign + 1)]);
    start = end + 1;
  }
  return pairs;
}

/**
 * Decodes percent-encoded text; in a query, `+` is a space (HTML forms).
 * @throws {UndecodableError} for a broken escape, or bytes that are not UTF-8.
 */
export function decodeText(raw: string, plusIsSpace: boolean): string {
  try {
    return decode(raw, plusIsSpace);
  } catch (cause) {
    throw new UndecodableError(`${printJson(raw.slice(0, 200))} is not percent-encoded UTF-8`, { cause });
  }
}

/** Decodes a name, or returns it as sent if it is invalid. An invalid name equals no declared name. */
export function decodeOrKeep(raw: string, plusIsSpace = true): string {
  // An exception is slow, and a client may send thousands of names that cannot be decoded.
  return isDecodable(raw) ? decode(raw, plusIsSpace) : raw;
}

function isDecodable(raw: string): boolean {
  if (!raw.includes('%')) return true;
  if (brokenEscape.test(raw)) return false;
  const sequences = raw.match(escapeSequence) ?? [];
  return sequences.every((escapes) => isUtf8(Buffer.from(escapes.replaceAll('%', ''), 'hex')));
}

const brokenEscape = /%(?![\da-f]{2})/i;
const escapeSequence = /(?:%[\da-f]{2})+/gi;

/** @throws {URIError} for a broken escape, or bytes that are not UTF-8. */
function decode(raw: string, plusIsSpace: boolean): string {
  // Most texts have nothing to decode, and each request has many.
  if (!raw.includes('%') && !(plusIsSpace && raw.includes('+'))) return raw;
  return decodeURIComponent(plusIsSpace ? raw.replaceAll('+', ' ') : raw);
}

/** Percent-encodes a text, including the delimiters of all styles. */
export function encodeText(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Percent-encodes what a path may not contain. It keeps encoded text as it is. */
export function encodePath(path: string): string {
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent);
}
