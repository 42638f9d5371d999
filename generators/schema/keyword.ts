/** The values of keywords, in the form that JSON Schema gives them. A malformed one is told, never read as something else. */

import { compileExpression } from '../../core/bounded-expression.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Site } from './site.ts';

/**
 * Reads a keyword; `undefined` where a schema does not have it.
 * @throws {Unsupported} when its value is of another form.
 */
type Read<T> = (site: Site, keyword: string) => T | undefined;

function reader<T extends Json>(isRight: (value: Json) => value is T, complaint: string): Read<T> {
  return (site, keyword) => {
    const value = site.keywords[keyword];
    if (value === undefined || isRight(value)) return value;
    throw site.unsupported(keyword, `${JSON.stringify(value)} ${complaint}`);
  };
}

/** A keyword that holds a number. */
export const numberOf: Read<number> = reader((value) => typeof value === 'number', 'is not a number');

/** A keyword that holds a text. */
export const textOf: Read<string> = reader((value) => typeof value === 'string', 'is not a text');

/** A keyword that is true or false. */
export const flagOf: Read<boolean> = reader((value) => typeof value === 'boolean', 'is neither true nor false');

/** A keyword that holds a list of values. */
export const valuesOf: Read<readonly Json[]> = reader((value): value is readonly Json[] => Array.isArray(value), 'is not a list');

/** A keyword that bounds a length or a count. */
export const countOf: Read<number> = (site, keyword) => {
  const value = numberOf(site, keyword);
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value;
  throw site.unsupported(keyword, `${value} is not a whole number from 0 on`);
};

/**
 * A keyword that lists names of members.
 * @throws {Unsupported} when it holds something else.
 */
export function namesOf(site: Site, keyword: string): readonly string[] | undefined {
  const value = site.keywords[keyword];
  return value === undefined ? undefined : toNames(site, keyword, value);
}

/**
 * A keyword that lists names of members for each of several names.
 * @throws {Unsupported} when it holds something else.
 */
export function namesByNameOf(site: Site, keyword: string): ReadonlyMap<string, readonly string[]> {
  const value = site.keywords[keyword];
  if (value === undefined) return new Map();
  if (!isObject(value)) throw site.unsupported(keyword, `${JSON.stringify(value)} is not an object of lists of names`);
  return new Map(Object.entries(value as JsonObject).map(([name, names]) => [name, toNames(site, keyword, names)]));
}

/**
 * The types that a schema names, `null` among them when `nullable` beside them says so: that is a word of OpenAPI 3.0 that files of 3.1 still hold.
 * @throws {Unsupported} when one is not a type of JSON Schema.
 */
export function typesOf(site: Site): readonly string[] | undefined {
  const value = site.keywords['type'];
  if (value === undefined) return undefined;
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  const wrong = names.find((name) => typeof name !== 'string' || !types.includes(name));
  if (wrong !== undefined) throw site.unsupported('type', `${JSON.stringify(wrong)} is none of ${types.join(', ')}`);
  if (names.length === 0) throw site.unsupported('type', 'its list is empty');
  const isNullable = flagOf(site, 'nullable');
  if (isNullable === false && names.includes('null')) throw site.unsupported('nullable', 'it is false, and null is among the types');
  return (isNullable === true ? [...names, 'null'] : names) as readonly string[];
}

/**
 * A pattern as a regular expression: in Unicode mode, as JSON Schema recommends, unless only the older mode knows it.
 * @throws {Unsupported} when it is a pattern in neither.
 */
export function expressionOf(site: Site, keyword: string, pattern: string): RegExp {
  try {
    return compileExpression(pattern);
  } catch (cause) {
    throw site.unsupported(keyword, `${JSON.stringify(pattern)} is not a regular expression: ${String(cause)}`);
  }
}

const types: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function toNames(site: Site, keyword: string, value: Json): readonly string[] {
  const names: readonly Json[] = Array.isArray(value) ? value : [undefined];
  if (names.every((name) => typeof name === 'string')) return names;
  throw site.unsupported(keyword, `${JSON.stringify(value)} is not a list of names`);
}
