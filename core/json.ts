/** Plain JSON values (RFC 8259), a parser for texts of unknown origin that keeps no positions, and words for values in messages. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

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
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Longest text that a message quotes. A longer one is described and never cut: half a secret would not be recognised as one. */
const longestQuote = 100;

/** A value for a message: short values as JSON, and the kind and size of others. */
export function describeJson(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `an array of ${value.length} ${value.length === 1 ? 'element' : 'elements'}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' && value.length > longestQuote ? `a text of ${value.length} characters` : JSON.stringify(value);
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
