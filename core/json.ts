/** Plain JSON values (RFC 8259), their reader and their printer, and words for values in messages. */

/** A JSON number. An integer beyond 2^53 is a `bigint`, which has all its digits. */
export type JsonNumber = number | bigint;

/** Any JSON value. */
export type Json = null | boolean | JsonNumber | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object: not null and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON array. */
export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** True for a JSON number. */
export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** True for a JSON number that is an integer, however large. */
export function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** The most specific type that JSON Schema has for a value. */
export function jsonTypeOf(value: Json): 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (isArray(value)) return 'array';
  if (isNumber(value)) return isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

/** True for two values of the same type, of which neither is null. Integers are numbers. */
export function haveSameType(left: Json, right: Json): boolean {
  const [one, other] = [left, right].map((value) => (isNumber(value) ? 'number' : jsonTypeOf(value)));
  return one === other && one !== 'null';
}

/** Returns an object as it is; any other value gives an object without members. */
export function objectOrEmpty(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns an array as it is; any other value gives an empty one. */
export function arrayOrEmpty(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** Nesting limit of values. Functions that visit values recurse once per level, and the stack is limited. */
export const maxNesting = 500;

/** Parses a text; `undefined` if it is not JSON, or nested deeper than the limit. */
export function readJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a text whose nesting is known to be limited.
 * @throws {SyntaxError} if it is not JSON.
 */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  // No safe integer has more digits. Long numbers in strings, such as ids, follow a quote.
  return /(?:^|[[:,\s])-?\d{16}/.test(text) ? parseExactly(text) : value;
}

/** Parses JSON with all digits of its integers. They are marked by a member that the text does not have, since the parser would round them. */
function parseExactly(text: string): Json {
  const names = text.replaceAll(/\\u([\da-f]{4})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  let mark = 'integer';
  while (names.includes(mark)) mark += '_';
  const marked = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.length >= 16 && !token.startsWith('"') && typeof readNumber(token) === 'bigint' ? `{"${mark}":"${token}"}` : token,
  );
  return withIntegers(JSON.parse(marked), mark);
}

/** Replaces the marked integers in a value. A reviver of `JSON.parse` would take five times as long. */
function withIntegers(value: MutableJson, mark: string): MutableJson {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) value[index] = withIntegers(item, mark);
  else if (typeof value === 'object' && value !== null) {
    if (mark in value) return BigInt(String(value[mark]));
    for (const name in value) value[name] = withIntegers(value[name] as MutableJson, mark);
  }
  return value;
}

type MutableJson = null | boolean | JsonNumber | string | MutableJson[] | { [name: string]: MutableJson };

/** Integers of more digits are rounded, since their arithmetic takes long. */
const maxDigits = 100;

/** The number that a JSON text of a number means. */
export function readNumber(text: string): JsonNumber {
  const value = Number(text);
  return Number.isSafeInteger(value) || text.length > maxDigits || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

/** Prints a value as JSON, with `indent` spaces for each level. */
export function printJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // It has no text for a bigint.
    if (!(error instanceof TypeError)) throw error;
    return printExactly(value, '\n', ' '.repeat(indent)) ?? 'null';
  }
}

/** Prints a value on lines that begin with `line`; `undefined` if it has no text, such as a function. */
function printExactly(value: unknown, line: string, gap: string): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value);
  const inner = gap === '' ? '' : line + gap;
  const outer = gap === '' ? '' : line;
  const enclose = (open: string, parts: readonly string[], close: string): string =>
    parts.length === 0 ? open + close : `${open}${inner}${parts.join(`,${inner}`)}${outer}${close}`;
  if (Array.isArray(value)) {
    const parts = value.map((each) => printExactly(each, line + gap, gap) ?? 'null');
    return enclose('[', parts, ']');
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = printExactly(member, line + gap, gap);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${gap === '' ? '' : ' '}${text}`];
  });
  return enclose('{', members, '}');
}

/** Longest text that a message quotes. A longer one is described and never cut: half a secret would not be recognised as one. */
const longestQuote = 100;

/** A value for a message: short values as JSON, and the kind and size of others. */
export function describeJson(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `an array of ${value.length} ${value.length === 1 ? 'element' : 'elements'}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' && value.length > longestQuote ? `a string of ${value.length} characters` : printJson(value);
}

/** True when more brackets are open at once than the nesting limit allows; brackets in strings do not count. */
export function isTooDeep(text: string): boolean {
  let [depth, isQuoted] = [0, false];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === quote) isQuoted = !isQuoted;
    else if (isQuoted) index += unit === backslash ? 1 : 0;
    else depth += depthChanges.get(unit) ?? 0;
    if (depth > maxNesting) return true;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];

/** Change of the depth by bracket. */
const depthChanges: ReadonlyMap<number, 1 | -1> = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);
