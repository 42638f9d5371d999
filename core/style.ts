/**
 * How OpenAPI writes a parameter into a request: `style` and `explode` (OpenAPI 3.1 §4.8.12). Here values are still text; types come later.
 * Printing and parsing are inverse: what was printed is parsed back to the same text.
 */

/** The text of a parameter before it has types: one value, a list, or members with names. */
export type Text = string | readonly string[] | Readonly<Record<string, string>>;

/** How a parameter is written. */
export interface Style {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly style: string;
  readonly explode: boolean;
  /** Whether no member can contain the delimiter, so that a percent-encoded delimiter (`%2C`) may be read as one. */
  readonly delimiterIsSafe: boolean;
  readonly shape: 'one' | 'list' | 'members';
  /** The names of members, where the schema lists them: an exploded form object spreads over parameters of these names. */
  readonly members: readonly string[];
}

/** A name and a value of a query string or a cookie, still percent-encoded. */
export type RawPair = readonly [name: string, value: string];

/** Text that is not percent-encoded UTF-8. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError' as const;
}

/** Splits a query string into pairs, still percent-encoded, in their order. Empty pairs (`a=1&&b=2`) are nothing. */
export function splitQuery(query: string): readonly RawPair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const mark = pair.indexOf('=');
      return mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
    });
}

/**
 * Decodes percent-encoded text; in a query `+` is a space (HTML forms).
 * @throws {UndecodableError} on a broken escape or bytes that are not UTF-8.
 */
export function decodeText(raw: string, plusIsSpace: boolean): string {
  try {
    return decodeURIComponent(plusIsSpace ? raw.replaceAll('+', ' ') : raw);
  } catch (cause) {
    throw new UndecodableError(`${JSON.stringify(raw)} is not percent-encoded UTF-8`, { cause });
  }
}

/** Encodes text so that no delimiter of any style is left in it. */
export function encodeText(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Parses every occurrence of a parameter in a query string. A parameter that is sent twice, other than as a list that is meant to be, has two.
 * @throws {UndecodableError} when a value cannot be decoded.
 */
export function parseQueryText(style: Style, pairs: readonly RawPair[]): readonly Text[] {
  if (style.shape === 'members' && (style.style === 'deepObject' || style.explode)) return parseSpread(style, pairs);
  const values = pairs.filter(([name]) => safeDecode(name) === style.name).map(([, value]) => value);
  if (style.shape === 'list' && style.explode) return values.length === 0 ? [] : [values.map((value) => decodeText(value, true))];
  return values.map((value) => parseDelimited(style, value, delimiterOf(style), true));
}

/** Prints a parameter as a piece of a query string, such as `status=a,b`. An empty list prints as nothing. */
export function printQueryText(style: Style, text: Text): string {
  const name = encodeText(style.name);
  if (typeof text === 'string') return `${name}=${encodeText(text)}`;
  const delimiter = encodedDelimiterOf(style);
  if (isList(text))
    return style.explode
      ? text.map((value) => `${name}=${encodeText(value)}`).join('&')
      : printJoined(name, text.map(encodeText), delimiter);
  const members = Object.entries(text);
  if (style.style === 'deepObject') return members.map(([key, value]) => `${name}%5B${encodeText(key)}%5D=${encodeText(value)}`).join('&');
  if (style.explode) return members.map(([key, value]) => `${encodeText(key)}=${encodeText(value)}`).join('&');
  return printJoined(name, members.flat().map(encodeText), delimiter);
}

/**
 * Parses the text of a path segment, a header or a cookie.
 * @throws {UndecodableError} when a path segment or a cookie cannot be decoded.
 */
export function parseSegmentText(style: Style, raw: string): Text {
  const encoded = style.in !== 'header';
  const { prefix, separator } = segmentMarks(style);
  const bare = raw.startsWith(prefix) ? raw.slice(prefix.length) : raw;
  if (style.style === 'matrix' && style.shape === 'list' && style.explode)
    return bare.split(separator).map((value) => decodeText(value, false));
  return parseDelimited(style, style.in === 'header' ? bare.trim() : bare, separator, encoded, false);
}

/** Prints the text of a path segment, a header or a cookie; the inverse of `parseSegmentText`. */
export function printSegmentText(style: Style, text: Text): string {
  const encode = style.in === 'header' ? (value: string): string => value : encodeText;
  const { prefix, separator } = segmentMarks(style);
  if (typeof text === 'string') return prefix + encode(text);
  if (isList(text)) return prefix + text.map(encode).join(separator);
  const pairs = Object.entries(text).map(([key, value]) => [encode(key), encode(value)]);
  return prefix + (style.explode ? pairs.map((pair) => pair.join('=')).join(separator) : pairs.flat().join(','));
}

function parseSpread(style: Style, pairs: readonly RawPair[]): readonly Text[] {
  const members: Record<string, string> = {};
  for (const [rawName, rawValue] of pairs) {
    const name = safeDecode(rawName);
    const member = style.style === 'deepObject' ? memberOfDeepObject(style.name, name) : name;
    if (member !== undefined && (style.style === 'deepObject' || style.members.includes(member)))
      members[member] = decodeText(rawValue, true);
  }
  return Object.keys(members).length === 0 ? [] : [members];
}

function memberOfDeepObject(parameter: string, name: string): string | undefined {
  return name.startsWith(`${parameter}[`) && name.endsWith(']') ? name.slice(parameter.length + 1, -1) : undefined;
}

function parseDelimited(style: Style, raw: string, delimiter: string, encoded: boolean, plusIsSpace = true): Text {
  const decode = encoded ? (text: string): string => decodeText(text, plusIsSpace) : (text: string): string => text;
  if (style.shape === 'one') return decode(raw);
  const decodeFirst = style.delimiterIsSafe || delimiter !== ',';
  const parts = decodeFirst ? decode(raw).split(delimiter) : raw.split(delimiter).map(decode);
  if (style.shape === 'list') return parts;
  if (style.explode) return Object.fromEntries(parts.map((part) => splitMember(part)));
  return Object.fromEntries(parts.flatMap((key, index) => (index % 2 === 0 ? [[key, parts[index + 1] ?? '']] : [])));
}

function splitMember(part: string): RawPair {
  const mark = part.indexOf('=');
  return mark < 0 ? [part, ''] : [part.slice(0, mark), part.slice(mark + 1)];
}

function printJoined(name: string, values: readonly string[], delimiter: string): string {
  return values.length === 0 ? '' : `${name}=${values.join(delimiter)}`;
}

function delimiterOf(style: Style): string {
  return { spaceDelimited: ' ', pipeDelimited: '|' }[style.style] ?? ',';
}

function encodedDelimiterOf(style: Style): string {
  return { spaceDelimited: '%20', pipeDelimited: '%7C' }[style.style] ?? ',';
}

/** What stands before a path segment's text, and between its parts (RFC 6570 §3.2.5 and §3.2.7). */
function segmentMarks(style: Style): { readonly prefix: string; readonly separator: string } {
  if (style.style === 'label') return { prefix: '.', separator: style.explode ? '.' : ',' };
  if (style.style !== 'matrix') return { prefix: '', separator: ',' };
  if (!style.explode || style.shape === 'one') return { prefix: `;${style.name}=`, separator: ',' };
  return style.shape === 'list' ? { prefix: `;${style.name}=`, separator: `;${style.name}=` } : { prefix: ';', separator: ';' };
}

function isList(text: Text): text is readonly string[] {
  return Array.isArray(text);
}

function safeDecode(raw: string): string {
  try {
    return decodeText(raw, true);
  } catch {
    // A name that cannot be decoded is the name of no parameter; it stays as it was sent.
    return raw;
  }
}
