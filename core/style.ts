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
export function splitParts(raw: string, delimiter: string, decode: (raw: string) => string, decodeFirst: boolean): readonly string[] {
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
export function pairUp(parts: readonly string[]): Text {
  if (parts.length % 2 === 1) throw new UndecodableError(`${JSON.stringify(parts.join(','))} is not a list of names and values`);
  return Object.fromEntries(parts.flatMap((key, index) => (index % 2 === 0 ? [[key, parts[index + 1] ?? '']] : [])));
}

/**
 * Makes sure that a style can carry values: some have no way of writing a delimiter inside of one.
 * @throws {TypeError} when a value would come out as two.
 */
export function requireWritable(style: Style, values: readonly string[], forbidden: RegExp): readonly string[] {
  const wrong = values.find((value) => forbidden.test(value));
  if (wrong !== undefined)
    throw new TypeError(
      `${JSON.stringify(wrong)} cannot be written in the style ${style.style} of the ${style.in} parameter ${style.name}`,
    );
  return values;
}

/** Whether the text is a list. */
export function isList(text: Text): text is readonly string[] {
  return Array.isArray(text);
}
