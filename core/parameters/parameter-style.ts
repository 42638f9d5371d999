/** Serialisation of parameters by `style` and `explode` (OpenAPI 3.1 §4.8.12 and RFC 6570). Values are untyped texts here; printing and parsing are inverse. */

import { printJson } from '../json.ts';
import { decodeText, encodeText, type RawPair, UndecodableError } from './query-string.ts';

/** The text of a parameter, without types: one value, a list, or named members. */
export type ParameterText = string | readonly string[] | Readonly<Record<string, string>>;

/** Serialisation of a parameter (OpenAPI 3.1 §4.8.12). */
export interface ParameterStyle {
  /** The name of the parameter. */
  readonly name: string;
  /** The place of the parameter in the request. */
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  /** The style, such as `form` or `simple`. */
  readonly style: string;
  /** True if each member of a list or an object is written separately. */
  readonly explode: boolean;
  /** True if no member can contain the delimiter, so that a percent-encoded delimiter (`%2C`) may be read as one. */
  readonly delimiterIsSafe: boolean;
  /** The shape of the value: one value, a list, or an object. */
  readonly shape: 'one' | 'list' | 'members';
  /** Names of the members that the schema lists. An exploded form object is sent as parameters of these names. */
  readonly members: readonly string[];
}

/**
 * Splits the raw text of several values and decodes each. With `decodeFirst`, percent-encoded delimiters count too.
 * @throws {UndecodableError} if a part cannot be decoded, or if there are too many.
 */
function splitParts(raw: string, delimiter: string, decode: (raw: string) => string, decodeFirst: boolean): readonly string[] {
  const parts = (decodeFirst ? decode(raw) : raw).split(delimiter);
  if (parts.length > maxParts) throw new UndecodableError(`it has ${parts.length} members; the limit is ${maxParts}`);
  return decodeFirst ? parts : parts.map(decode);
}

/** Limit of members of a list or an object. */
const maxParts = 1000;

/**
 * Converts alternating names and values to an object, the form of objects without `explode`.
 * @throws {UndecodableError} if the last name has no value.
 */
function pairUp(style: ParameterStyle, parts: readonly string[]): ParameterText {
  if (parts.length % 2 === 1) throw new UndecodableError(`it is an object; ${describeMembers(style)}`, { sent: parts.join(',') });
  return Object.fromEntries(parts.flatMap((key, index) => (index % 2 === 0 ? [[key, parts[index + 1] ?? '']] : [])));
}

/** Says how the members of an object are sent. */
export function describeMembers(style: ParameterStyle): string {
  const [first = 'NAME', second = 'OTHER'] = style.members;
  const forms: Readonly<Record<string, string>> = {
    deepObject: `${style.name}[${first}]=…`,
    exploded: `${first}=… and ${second}=…`,
  };
  const form = forms[style.style] ?? (style.explode ? forms['exploded'] : `names and values in turn, such as ${first},…,${second},…`);
  return `send its members as ${form}`;
}

/**
 * Requires that a style can express values: some styles cannot escape a delimiter inside a value.
 * @throws {TypeError} if a value contains a forbidden character.
 */
function requireWritable(style: ParameterStyle, values: readonly string[], forbidden: RegExp): readonly string[] {
  const unwritable = values.find((value) => forbidden.test(value));
  if (unwritable !== undefined)
    throw new TypeError(
      `${printJson(unwritable)} cannot be written in the style ${style.style} of the ${style.in} parameter ${style.name}`,
    );
  return values;
}

/** True for the texts of a list. */
export function isTextList(text: ParameterText): text is readonly string[] {
  return Array.isArray(text);
}

/**
 * Parses every occurrence of a parameter in a query string. The members of an exploded list are one occurrence.
 * @throws {UndecodableError} if a value cannot be decoded.
 */
export function parseQueryText(style: ParameterStyle, pairs: readonly RawPair[]): readonly ParameterText[] {
  if (style.shape === 'members' && (style.style === 'deepObject' || style.explode)) return parseSeparateMembers(style, pairs);
  const values: string[] = [];
  for (const [name, value] of pairs) if (name === style.name) values.push(value);
  if (style.shape === 'list' && style.explode) return values.length === 0 ? [] : [values.map(decodeQueryText)];
  return values.map((value) => parseJoined(style, value));
}

/**
 * Prints a parameter as a part of a query string, such as `status=a,b`. An empty list gives an empty text.
 * @throws {TypeError} if the style cannot express a value.
 */
export function printQueryText(style: ParameterStyle, text: ParameterText): string {
  const name = encodeText(style.name);
  if (typeof text === 'string') return `${name}=${encodeText(text)}`;
  if (isTextList(text)) return style.explode ? text.map((value) => `${name}=${encodeText(value)}`).join('&') : printJoined(style, text);
  const members = Object.entries(text);
  if (style.style === 'deepObject') return members.map(([key, value]) => `${name}%5B${encodeText(key)}%5D=${encodeText(value)}`).join('&');
  if (style.explode) return members.map(([key, value]) => `${encodeText(key)}=${encodeText(value)}`).join('&');
  return printJoined(style, members.flat());
}

/** Delimiters by style: decoded, percent-encoded as sent, and the pattern of values that the style cannot express. */
const delimiters: Readonly<Record<string, { readonly decoded: string; readonly encoded: string; readonly unwritable: RegExp }>> = {
  spaceDelimited: { decoded: ' ', encoded: '%20', unwritable: / / },
  pipeDelimited: { decoded: '|', encoded: '%7C', unwritable: /\|/ },
};

function parseJoined(style: ParameterStyle, raw: string): ParameterText {
  if (style.shape === 'one') return decodeQueryText(raw);
  const delimiter = delimiters[style.style];
  // A space or pipe is always encoded in a URL, as delimiter and inside a value. A plain comma is a delimiter, an encoded one is part of a value.
  const parts = splitParts(raw, delimiter?.decoded ?? ',', decodeQueryText, delimiter !== undefined || style.delimiterIsSafe);
  return style.shape === 'list' ? parts : pairUp(style, parts);
}

function printJoined(style: ParameterStyle, values: readonly string[]): string {
  if (values.length === 0) return '';
  const delimiter = delimiters[style.style];
  const unwritable = delimiter?.unwritable ?? (style.delimiterIsSafe ? /,/ : /(?!)/);
  return `${encodeText(style.name)}=${requireWritable(style, values, unwritable)
    .map(encodeText)
    .join(delimiter?.encoded ?? ',')}`;
}

/** Parses an object whose members are separate parameters. A repeated member begins a second occurrence of the object. */
function parseSeparateMembers(style: ParameterStyle, pairs: readonly RawPair[]): readonly ParameterText[] {
  const occurrences: Map<string, string>[] = [];
  for (const [name, rawValue] of pairs) {
    const member = memberOf(style, name);
    if (member === undefined) continue;
    const target = occurrences.find((occurrence) => !occurrence.has(member)) ?? new Map<string, string>();
    if (!occurrences.includes(target)) occurrences.push(target);
    target.set(member, decodeQueryText(rawValue));
  }
  return occurrences.map((occurrence) => Object.fromEntries(occurrence));
}

function memberOf(style: ParameterStyle, name: string): string | undefined {
  if (style.style !== 'deepObject') return style.members.includes(name) ? name : undefined;
  return name.startsWith(`${style.name}[`) && name.endsWith(']') ? name.slice(style.name.length + 1, -1) : undefined;
}

function decodeQueryText(raw: string): string {
  return decodeText(raw, true);
}

/**
 * Parses the text of a path segment, a header or a cookie.
 * @throws {UndecodableError} if it cannot be decoded, or lacks the prefix of its style.
 */
export function parseSegmentText(style: ParameterStyle, raw: string): ParameterText {
  const { prefix, separator } = punctuationOf(style);
  if (!raw.startsWith(prefix))
    throw new UndecodableError(`${printJson(raw)} does not begin with ${prefix}, which the style ${style.style} requires`);
  const textAfterPrefix = raw.slice(prefix.length);
  const decode = decoderOf(style);
  if (style.shape === 'one') return decode(textAfterPrefix);
  if (style.shape === 'members' && style.explode)
    return Object.fromEntries(textAfterPrefix.split(separator).map((part) => splitMember(part, decode)));
  const parts = splitParts(textAfterPrefix, separator, decode, separator === ',' && style.delimiterIsSafe && style.in !== 'header');
  return style.shape === 'list' ? parts : pairUp(style, parts);
}

/**
 * Prints the text of a path segment, a header or a cookie; the inverse of `parseSegmentText`.
 * @throws {TypeError} if the style cannot express a value, or an empty list or object.
 */
export function printSegmentText(style: ParameterStyle, text: ParameterText): string {
  const { prefix, separator } = punctuationOf(style);
  const encode = encoderOf(style);
  if (typeof text === 'string') return prefix + encode(style.in === 'header' ? (requireWritable(style, [text], /^\s|\s$/)[0] ?? '') : text);
  const values = isTextList(text) ? text : Object.entries(text).flat();
  if (values.length === 0)
    throw new TypeError(`an empty value cannot be written in the style ${style.style} of the ${style.in} parameter ${style.name}`);
  const unwritable = style.in === 'header' ? /[,=]|^\s|\s$/ : style.delimiterIsSafe && separator === ',' ? /,/ : /(?!)/;
  requireWritable(style, values, isTextList(text) && style.in === 'header' ? /,|^\s|\s$/ : unwritable);
  if (isTextList(text)) return prefix + text.map(encode).join(separator);
  const pairs = Object.entries(text).map(([key, value]) => [encode(key), encode(value)]);
  return prefix + (style.explode ? pairs.map((pair) => pair.join('=')).join(separator) : pairs.flat().join(','));
}

/** Headers are not percent-encoded, and white space around list members has no meaning (RFC 9110 §5.6.1). */
function decoderOf(style: ParameterStyle): (raw: string) => string {
  return style.in === 'header' ? (raw) => raw.trim() : (raw) => decodeText(raw, false);
}

/** Labels separate values with dots, so dots inside a value are encoded. */
function encoderOf(style: ParameterStyle): (text: string) => string {
  if (style.in === 'header') return (text) => text;
  return style.style === 'label' ? (text) => encodeText(text).replaceAll('.', '%2E') : encodeText;
}

function splitMember(part: string, decode: (raw: string) => string): readonly [string, string] {
  const equalsSign = part.indexOf('=');
  return equalsSign < 0 ? [decode(part), ''] : [decode(part.slice(0, equalsSign)), decode(part.slice(equalsSign + 1))];
}

/** Returns the prefix of a path segment's text and the separator of its parts (RFC 6570 §3.2.5 and §3.2.7). */
function punctuationOf(style: ParameterStyle): { readonly prefix: string; readonly separator: string } {
  if (style.style === 'label') return { prefix: '.', separator: style.explode ? '.' : ',' };
  if (style.style !== 'matrix') return { prefix: '', separator: ',' };
  if (!style.explode || style.shape === 'one') return { prefix: `;${style.name}=`, separator: ',' };
  return style.shape === 'list' ? { prefix: `;${style.name}=`, separator: `;${style.name}=` } : { prefix: ';', separator: ';' };
}
