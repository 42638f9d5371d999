/** The body of an answer: content codings taken off, bytes read as text. */

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { DeliveryError } from './target-failure.ts';

/** The most bytes that a body may have, before and after decoding. */
export const bodyMax: number = 16 * 1024 * 1024;

/** The most values that a body of JSON may hold: a page of a thousand records with a hundred members each. */
const valuesMax = 100_000;

/**
 * Judging a value costs time for each member, and a few megabytes hold millions of them.
 * @throws {DeliveryError} when a body of JSON holds too many values.
 */
export function requireFewValues(body: string, place: string): void {
  if (!/^\s*[[{]/.test(body)) return;
  let [count, isQuoted] = [1, false];
  for (let at = 0; at < body.length && count <= valuesMax; at += 1) {
    const unit = body.charCodeAt(at);
    if (unit === quote) isQuoted = !isQuoted;
    else if (isQuoted) at += unit === backslash ? 1 : 0;
    else if (unit === comma || unit === brace || unit === bracket) count += 1;
  }
  if (count > valuesMax)
    throw new DeliveryError(
      'too-large',
      `an answer of ${place} holds more than ${valuesMax} values, which are not read; ask for smaller pages or check what is served there`,
    );
}

const [quote, backslash, comma, brace, bracket] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/** The failure of a body that is larger. */
export function tooLarge(place: string): DeliveryError {
  const limit = bodyMax / 1024 / 1024;
  return new DeliveryError(
    'too-large',
    `an answer of ${place} has more than ${limit} MB, which is not read; ask for smaller pages or check what is served there`,
  );
}

/**
 * Takes off the content codings (RFC 9110 §8.4), the last one first, and reads UTF-8; bytes that are none become U+FFFD.
 * @throws {DeliveryError} when the bytes are not what the codings say, or too many.
 */
export async function decodeBody(bytes: Buffer, contentEncoding: string, place: string): Promise<string> {
  let decoded = bytes;
  for (const coding of listCodings(contentEncoding).toReversed()) decoded = await takeOff(decoded, coding, place);
  return decoded.toString('utf8');
}

/**
 * What follows the head of an answer that has no body by its status (RFC 9110 §6.4.1), though a server sent one: HTTP gives no other way to see it
 * than the bytes on which its parser failed.
 */
export function smuggledBody(status: number | undefined, error: Error): Buffer | undefined {
  const hasNone = status === 304 || status === 204;
  if (!hasNone || !('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return undefined;
  const end = error.rawPacket.indexOf('\r\n\r\n');
  return error.rawPacket.subarray(end === -1 ? 0 : end + 4);
}

function listCodings(contentEncoding: string): readonly string[] {
  return contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

async function takeOff(bytes: Buffer, coding: string, place: string): Promise<Buffer> {
  // Answers to HEAD and 304 name the coding of a body that they do not have.
  if (bytes.length === 0) return bytes;
  const decode = decoders.get(coding);
  if (decode === undefined)
    throw new DeliveryError(
      'broken',
      `an answer of ${place} has the content coding ${coding}, which was not asked for; gzip and identity were`,
    );
  try {
    return await decode(bytes);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(place);
    throw new DeliveryError('broken', `an answer of ${place} says that it is ${coding}, and its bytes are not; check what compresses it`, {
      cause,
    });
  }
}

const limits = { maxOutputLength: bodyMax } as const;

type Decode = (bytes: Buffer) => Promise<Buffer>;

const [gunzipAll, brotliAll, inflateAll, inflateRawAll] = [
  promisify<Buffer, typeof limits, Buffer>(gunzip),
  promisify<Buffer, typeof limits, Buffer>(brotliDecompress),
  promisify<Buffer, typeof limits, Buffer>(inflate),
  promisify<Buffer, typeof limits, Buffer>(inflateRaw),
];

/** `deflate` means the zlib format, and some servers send its bare content: the first byte tells (RFC 1950 §2.2). */
const inflateEither: Decode = (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateAll(bytes, limits) : inflateRawAll(bytes, limits));

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', (bytes) => gunzipAll(bytes, limits)],
  ['x-gzip', (bytes) => gunzipAll(bytes, limits)],
  ['br', (bytes) => brotliAll(bytes, limits)],
  ['deflate', inflateEither],
]);
