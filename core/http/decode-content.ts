/** Removes the content codings of a body (RFC 9110 §8.4), up to a number of decoded bytes, so that a small body cannot fill the memory. */

import * as zlib from 'node:zlib';

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

/**
 * Decodes a body, its last coding first.
 * @throws {UnknownCoding} for a coding that is not known.
 * @throws {Error} of zlib if the bytes do not match a coding; with the code `ERR_BUFFER_TOO_LARGE` if they are too many.
 */
export function decodeContent(bytes: Buffer, contentEncoding: string, maxOutputLength: number): Buffer {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  return codings.toReversed().reduce((decoded, coding) => {
    // Responses to HEAD and 304 name a content coding without a body.
    if (decoded.length === 0) return decoded;
    const decode = decoders.get(coding);
    if (decode === undefined) throw new UnknownCoding(`the content coding ${coding} is not known`);
    return decode(decoded, { maxOutputLength });
  }, bytes);
}
