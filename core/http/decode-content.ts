/** Reads the bytes of a body as text: without its content codings (RFC 9110 §8.4), by its charset, and up to a number of decoded bytes. */

import { TextDecoder } from 'node:util';
import * as zlib from 'node:zlib';
import { formatOf, mediaParameterOf } from './media-type.ts';

/** A coding that is not known here, such as a dictionary's. Its body cannot be read. */
export class UnknownCoding extends Error {
  override readonly name = 'UnknownCoding' as const;
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Some servers send a raw stream for `deflate`, without the zlib format that RFC 9110 §8.4.1.2 requires. */
const inflate: Decode = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options);

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', inflate],
  ['br', zlib.brotliDecompressSync],
  // Node.js has it since 22.15 and 23.8.
  ...('zstdDecompressSync' in zlib ? [['zstd', zlib.zstdDecompressSync as Decode] as const] : []),
]);

/** The fields of a message that decide how its bytes are read. */
interface ContentFields {
  readonly encoding: string | undefined;
  readonly type: string | undefined;
}

/**
 * Decodes a body, its last coding first. Bytes that its charset does not have become U+FFFD.
 * @throws {UnknownCoding} for a coding that is not known.
 * @throws {Error} of zlib if the bytes do not match a coding; with the code `ERR_BUFFER_TOO_LARGE` if they are too many.
 */
export function decodeContent(bytes: Buffer, { encoding = '', type = '' }: ContentFields, maxOutputLength: number): string {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const content = codings.toReversed().reduce((decoded, coding) => {
    // Responses to HEAD and 304 name a content coding without a body.
    if (decoded.length === 0) return decoded;
    const decode = decoders.get(coding);
    if (decode === undefined) throw new UnknownCoding(`the content coding ${coding} is not known`);
    return decode(decoded, { maxOutputLength });
  }, bytes);
  return decoderOf(type)?.decode(content) ?? content.toString('utf8');
}

/** The decoder of a text in another charset than UTF-8. JSON has no other (RFC 8259 §8.1). */
function decoderOf(type: string): TextDecoder | undefined {
  const charset = formatOf(type) === 'json' ? undefined : mediaParameterOf(type, 'charset');
  if (charset === undefined || /^utf-?8$/i.test(charset)) return undefined;
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
