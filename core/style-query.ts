/** Parameters in the query string: the styles form, spaceDelimited, pipeDelimited and deepObject (OpenAPI 3.1 §4.8.12.2). */

import { decodeText, encodeText, isList, pairUp, type RawPair, requireWritable, type Style, splitParts, type Text } from './style.ts';

/**
 * Parses every occurrence of a parameter in a query string. A parameter that is sent twice, other than as a list that is meant to be, has two.
 * @throws {UndecodableError} when a value cannot be decoded.
 */
export function parseQueryText(style: Style, pairs: readonly RawPair[]): readonly Text[] {
  if (style.shape === 'members' && (style.style === 'deepObject' || style.explode)) return parseSpread(style, pairs);
  const values: string[] = [];
  for (const [name, value] of pairs) if (name === style.name) values.push(value);
  if (style.shape === 'list' && style.explode) return values.length === 0 ? [] : [values.map(decode)];
  return values.map((value) => parseJoined(style, value));
}

/** Whether a query may have a parameter: most requests send few of many, and the others need not be looked for any further. */
export function mayHave(style: Style, pairs: readonly RawPair[]): boolean {
  if (style.shape === 'members') return pairs.length > 0;
  for (const [name] of pairs) if (name === style.name) return true;
  return false;
}

/**
 * Prints a parameter as a piece of a query string, such as `status=a,b`. An empty list prints as nothing.
 * @throws {TypeError} when the style has no way of writing a value.
 */
export function printQueryText(style: Style, text: Text): string {
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

function parseJoined(style: Style, raw: string): Text {
  if (style.shape === 'one') return decode(raw);
  const delimiter = delimiters[style.style];
  // A space or a pipe must be encoded in a URL, so it cannot be told from one inside of a value; a comma need not be.
  const parts = splitParts(raw, delimiter?.plain ?? ',', decode, delimiter !== undefined || style.delimiterIsSafe);
  return style.shape === 'list' ? parts : pairUp(parts);
}

function printJoined(style: Style, values: readonly string[]): string {
  if (values.length === 0) return '';
  const delimiter = delimiters[style.style];
  const unwritable = delimiter?.unwritable ?? (style.delimiterIsSafe ? /,/ : /(?!)/);
  return `${encodeText(style.name)}=${requireWritable(style, values, unwritable)
    .map(encodeText)
    .join(delimiter?.sent ?? ',')}`;
}

/** An object whose members are parameters of their own. A member that is sent twice makes a second occurrence of the whole. */
function parseSpread(style: Style, pairs: readonly RawPair[]): readonly Text[] {
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

function memberOf(style: Style, name: string): string | undefined {
  if (style.style !== 'deepObject') return style.members.includes(name) ? name : undefined;
  return name.startsWith(`${style.name}[`) && name.endsWith(']') ? name.slice(style.name.length + 1, -1) : undefined;
}

function decode(raw: string): string {
  return decodeText(raw, true);
}
