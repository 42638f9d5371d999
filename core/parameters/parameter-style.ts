/**
 * Serialisation of a parameter in a request: `style` and `explode` (OpenAPI 3.1 §4.8.12), in the query (form, spaceDelimited, pipeDelimited and
 * deepObject) and in a path segment, a header or a cookie (simple, label, matrix and form; RFC 6570). Here values are still text; types come later.
 * Printing and parsing are inverse: what was printed is parsed back to the same text.
 */

/** The text of a parameter before it has types: one value, a list, or members with names. */
export type ParameterText = string | readonly string[] | Readonly<Record<string, string>>;

/** Serialisation of a parameter (OpenAPI 3.1 §4.8.12). */
export interface ParameterStyle {
  /** The name of the parameter. */
  readonly name: string;
  /** The place of the parameter in the request. */
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  /** The style, such as `form` or `simple`. */
  readonly style: string;
  /** True if each member of a list or an object is written on its own. */
  readonly explode: boolean;
  /** True if no member can contain the delimiter, so that a percent-encoded delimiter (`%2C`) may be read as one. */
  readonly delimiterIsSafe: boolean;
  /** The shape of the value: one value, a list, or an object. */
  readonly shape: 'one' | 'list' | 'members';
  /** The names of members, where the schema lists them: an exploded form object spreads over parameters of these names. */
  readonly members: readonly string[];
}

/** A name of a query string or a cookie, decoded, and its value, still percent-encoded: how that is decoded depends on the style. */
export type RawPair = readonly [name: string, value: string];

/** Text that is not percent-encoded UTF-8. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError' as const;
}

/** The most parameters that are read of a query: no API needs more, and each costs time. */
export const pairsMax = 1000;

/** Splits a query string into pairs in their order, at most one more than `pairsMax`. Empty pairs (`a=1&&b=2`) are nothing. */
export function splitQuery(query: string): readonly RawPair[] {
  const pairs: RawPair[] = [];
  for (let from = 0; from < query.length && pairs.length <= pairsMax; ) {
    const found = query.indexOf('&', from);
    const to = found < 0 ? query.length : found;
    const pair = query.slice(from, to);
    const mark = pair.indexOf('=');
    if (pair !== '') pairs.push(mark < 0 ? [decodeOrKeep(pair), ''] : [decodeOrKeep(pair.slice(0, mark)), pair.slice(mark + 1)]);
    from = to + 1;
  }
  return pairs;
}

/**
 * Decodes percent-encoded text; in a query `+` is a space (HTML forms).
 * @throws {UndecodableError} on a broken escape or bytes that are not UTF-8.
 */
export function decodeText(raw: string, plusIsSpace: boolean): string {
  // Most texts have nothing to decode, and every request has many of them.
  if (!raw.includes('%') && !(plusIsSpace && raw.includes('+'))) return raw;
  try {
    return decodeURIComponent(plusIsSpace ? raw.replaceAll('+', ' ') : raw);
  } catch (cause) {
    throw new UndecodableError(`${JSON.stringify(raw.slice(0, 200))} is not percent-encoded UTF-8`, { cause });
  }
}

/** Decodes a name, or keeps it as it was sent: what cannot be decoded is the name of nothing that is known. */
export function decodeOrKeep(raw: string, plusIsSpace = true): string {
  // An error costs a thousand times as much as a look at the escapes, and a client may send thousands of broken ones.
  if (brokenEscape.test(raw)) return raw;
  try {
    return decodeText(raw, plusIsSpace);
  } catch (error) {
    if (error instanceof UndecodableError) return raw;
    throw error;
  }
}

const brokenEscape = /%(?![\da-f]{2})/i;

/** Encodes text so that no delimiter of any style is left in it. */
export function encodeText(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Splits the raw text of several values, and decodes each. Where the delimiter may come percent-encoded, decoding goes first.
 * @throws {UndecodableError} when a part cannot be decoded.
 */
function splitParts(raw: string, delimiter: string, decode: (raw: string) => string, decodeFirst: boolean): readonly string[] {
  const parts = (decodeFirst ? decode(raw) : raw).split(delimiter);
  if (parts.length > partsMax) throw new UndecodableError(`it has ${parts.length} members; at most ${partsMax} are read`);
  return decodeFirst ? parts : parts.map(decode);
}

/** The most members of a list or an object in one value. */
const partsMax = 1000;

/**
 * Pairs up names and values that follow each other, as objects are written without `explode`.
 * @throws {UndecodableError} when a name has no value.
 */
function pairUp(parts: readonly string[]): ParameterText {
  if (parts.length % 2 === 1) throw new UndecodableError(`${JSON.stringify(parts.join(','))} is not a list of names and values`);
  return Object.fromEntries(parts.flatMap((key, index) => (index % 2 === 0 ? [[key, parts[index + 1] ?? '']] : [])));
}

/**
 * Makes sure that a style can carry values: some have no way of writing a delimiter inside of one.
 * @throws {TypeError} when a value would come out as two.
 */
function requireWritable(style: ParameterStyle, values: readonly string[], forbidden: RegExp): readonly string[] {
  const wrong = values.find((value) => forbidden.test(value));
  if (wrong !== undefined)
    throw new TypeError(
      `${JSON.stringify(wrong)} cannot be written in the style ${style.style} of the ${style.in} parameter ${style.name}`,
    );
  return values;
}

/** True when the text is a list. */
export function isList(text: ParameterText): text is readonly string[] {
  return Array.isArray(text);
}

/**
 * Parses every occurrence of a parameter in a query string. A parameter that is sent twice, other than as a list that is meant to be, has two.
 * @throws {UndecodableError} when a value cannot be decoded.
 */
export function parseQueryText(style: ParameterStyle, pairs: readonly RawPair[]): readonly ParameterText[] {
  if (style.shape === 'members' && (style.style === 'deepObject' || style.explode)) return parseSpread(style, pairs);
  const values: string[] = [];
  for (const [name, value] of pairs) if (name === style.name) values.push(value);
  if (style.shape === 'list' && style.explode) return values.length === 0 ? [] : [values.map(decode)];
  return values.map((value) => parseJoined(style, value));
}

/** Quick test for a parameter in a query: most requests send few of many parameters. */
export function mayHave(style: ParameterStyle, pairs: readonly RawPair[]): boolean {
  if (style.shape === 'members') return pairs.length > 0;
  for (const [name] of pairs) if (name === style.name) return true;
  return false;
}

/**
 * Prints a parameter as a piece of a query string, such as `status=a,b`. An empty list prints as nothing.
 * @throws {TypeError} when the style has no way of writing a value.
 */
export function printQueryText(style: ParameterStyle, text: ParameterText): string {
  const name = encodeText(style.name);
  if (typeof text === 'string') return `${name}=${encodeText(text)}`;
  if (isList(text)) return style.explode ? text.map((value) => `${name}=${encodeText(value)}`).join('&') : printJoined(style, text);
  const members = Object.entries(text);
  if (style.style === 'deepObject') return members.map(([key, value]) => `${name}%5B${encodeText(key)}%5D=${encodeText(value)}`).join('&');
  if (style.explode) return members.map(([key, value]) => `${encodeText(key)}=${encodeText(value)}`).join('&');
  return printJoined(style, members.flat());
}

/** The delimiter of a style as it is decoded, and as it is sent. */
const delimiters: Readonly<Record<string, { readonly plain: string; readonly sent: string; readonly unwritable: RegExp }>> = {
  spaceDelimited: { plain: ' ', sent: '%20', unwritable: / / },
  pipeDelimited: { plain: '|', sent: '%7C', unwritable: /\|/ },
};

function parseJoined(style: ParameterStyle, raw: string): ParameterText {
  if (style.shape === 'one') return decode(raw);
  const delimiter = delimiters[style.style];
  // A space or a pipe must be encoded in a URL, so it cannot be told from one inside of a value; a comma need not be.
  const parts = splitParts(raw, delimiter?.plain ?? ',', decode, delimiter !== undefined || style.delimiterIsSafe);
  return style.shape === 'list' ? parts : pairUp(parts);
}

function printJoined(style: ParameterStyle, values: readonly string[]): string {
  if (values.length === 0) return '';
  const delimiter = delimiters[style.style];
  const unwritable = delimiter?.unwritable ?? (style.delimiterIsSafe ? /,/ : /(?!)/);
  return `${encodeText(style.name)}=${requireWritable(style, values, unwritable)
    .map(encodeText)
    .join(delimiter?.sent ?? ',')}`;
}

/** An object whose members are parameters of their own. A member that is sent twice makes a second occurrence of the whole. */
function parseSpread(style: ParameterStyle, pairs: readonly RawPair[]): readonly ParameterText[] {
  const occurrences: Map<string, string>[] = [];
  for (const [name, rawValue] of pairs) {
    const member = memberOf(style, name);
    if (member === undefined) continue;
    const free = occurrences.find((occurrence) => !occurrence.has(member)) ?? new Map<string, string>();
    if (!occurrences.includes(free)) occurrences.push(free);
    free.set(member, decode(rawValue));
  }
  return occurrences.map((occurrence) => Object.fromEntries(occurrence));
}

function memberOf(style: ParameterStyle, name: string): string | undefined {
  if (style.style !== 'deepObject') return style.members.includes(name) ? name : undefined;
  return name.startsWith(`${style.name}[`) && name.endsWith(']') ? name.slice(style.name.length + 1, -1) : undefined;
}

function decode(raw: string): string {
  return decodeText(raw, true);
}

/**
 * Parses the text of a path segment, a header or a cookie.
 * @throws {UndecodableError} when it cannot be decoded, or does not begin as its style says.
 */
export function parseSegmentText(style: ParameterStyle, raw: string): ParameterText {
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
export function printSegmentText(style: ParameterStyle, text: ParameterText): string {
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
function decoderOf(style: ParameterStyle): (raw: string) => string {
  return style.in === 'header' ? (raw) => raw.trim() : (raw) => decodeText(raw, false);
}

/** In a label, the dot between values must not be mistaken for one inside of a value. */
function encoderOf(style: ParameterStyle): (text: string) => string {
  if (style.in === 'header') return (text) => text;
  return style.style === 'label' ? (text) => encodeText(text).replaceAll('.', '%2E') : encodeText;
}

function splitMember(part: string, decode: (raw: string) => string): readonly [string, string] {
  const mark = part.indexOf('=');
  return mark < 0 ? [decode(part), ''] : [decode(part.slice(0, mark)), decode(part.slice(mark + 1))];
}

/** Prefix of a path segment's text, and separator of its parts (RFC 6570 §3.2.5 and §3.2.7). */
function marksOf(style: ParameterStyle): { readonly prefix: string; readonly separator: string } {
  if (style.style === 'label') return { prefix: '.', separator: style.explode ? '.' : ',' };
  if (style.style !== 'matrix') return { prefix: '', separator: ',' };
  if (!style.explode || style.shape === 'one') return { prefix: `;${style.name}=`, separator: ',' };
  return style.shape === 'list' ? { prefix: `;${style.name}=`, separator: `;${style.name}=` } : { prefix: ';', separator: ';' };
}
