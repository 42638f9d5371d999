/** Parameters in a path segment, a header or a cookie: the styles simple, label, matrix and form (OpenAPI 3.1 §4.8.12.2, RFC 6570). */

import { decodeText, encodeText, isList, pairUp, requireWritable, type Style, splitParts, type Text, UndecodableError } from './style.ts';

/**
 * Parses the text of a path segment, a header or a cookie.
 * @throws {UndecodableError} when it cannot be decoded, or does not begin as its style says.
 */
export function parseSegmentText(style: Style, raw: string): Text {
  const { prefix, separator } = marksOf(style);
  if (!raw.startsWith(prefix))
    throw new UndecodableError(`${JSON.stringify(raw)} does not begin with ${prefix}, as the style ${style.style} does`);
  const bare = raw.slice(prefix.length);
  const decode = decoderOf(style);
  if (style.shape === 'one') return decode(bare);
  if (style.shape === 'members' && style.explode) return Object.fromEntries(bare.split(separator).map((part) => splitMember(part, decode)));
  const parts = splitParts(bare, separator, decode, separator === ',' && style.delimiterIsSafe && style.in !== 'header');
  return style.shape === 'list' ? parts : pairUp(parts);
}

/**
 * Prints the text of a path segment, a header or a cookie; the inverse of `parseSegmentText`.
 * @throws {TypeError} when the style has no way of writing a value, or of writing nothing.
 */
export function printSegmentText(style: Style, text: Text): string {
  const { prefix, separator } = marksOf(style);
  const encode = encoderOf(style);
  if (typeof text === 'string') return prefix + encode(style.in === 'header' ? (requireWritable(style, [text], /^\s|\s$/)[0] ?? '') : text);
  const values = isList(text) ? text : Object.entries(text).flat();
  if (values.length === 0)
    throw new TypeError(`nothing cannot be written in the style ${style.style} of the ${style.in} parameter ${style.name}`);
  const unwritable = style.in === 'header' ? /[,=]|^\s|\s$/ : style.delimiterIsSafe && separator === ',' ? /,/ : /(?!)/;
  requireWritable(style, values, isList(text) && style.in === 'header' ? /,|^\s|\s$/ : unwritable);
  if (isList(text)) return prefix + text.map(encode).join(separator);
  const pairs = Object.entries(text).map(([key, value]) => [encode(key), encode(value)]);
  return prefix + (style.explode ? pairs.map((pair) => pair.join('=')).join(separator) : pairs.flat().join(','));
}

/** Headers are not percent-encoded; white space around the members of a list means nothing (RFC 9110 §5.6.1). */
function decoderOf(style: Style): (raw: string) => string {
  return style.in === 'header' ? (raw) => raw.trim() : (raw) => decodeText(raw, false);
}

/** In a label, the dot between values must not be mistaken for one inside of a value. */
function encoderOf(style: Style): (text: string) => string {
  if (style.in === 'header') return (text) => text;
  return style.style === 'label' ? (text) => encodeText(text).replaceAll('.', '%2E') : encodeText;
}

function splitMember(part: string, decode: (raw: string) => string): readonly [string, string] {
  const mark = part.indexOf('=');
  return mark < 0 ? [decode(part), ''] : [decode(part.slice(0, mark)), decode(part.slice(mark + 1))];
}

/** What stands before a path segment's text, and between its parts (RFC 6570 §3.2.5 and §3.2.7). */
function marksOf(style: Style): { readonly prefix: string; readonly separator: string } {
  if (style.style === 'label') return { prefix: '.', separator: style.explode ? '.' : ',' };
  if (style.style !== 'matrix') return { prefix: '', separator: ',' };
  if (!style.explode || style.shape === 'one') return { prefix: `;${style.name}=`, separator: ',' };
  return style.shape === 'list' ? { prefix: `;${style.name}=`, separator: `;${style.name}=` } : { prefix: ';', separator: ';' };
}
