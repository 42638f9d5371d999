/** Reads the values of schema keywords, such as counts, names and expressions. A malformed value is an error; what a keyword means is not decided here. */

import { isInteger, isNumber, isObject, type Json, type JsonNumber, type JsonObject, printJson } from '../../core/json.ts';
import { compileExpression } from '../../core/safe-regexp.ts';
import type { LocatedSchema } from './located-schema.ts';

/**
 * Reads a keyword; `undefined` when it is absent.
 * @throws {Unsupported} when its value is malformed.
 */
type KeywordReader<T> = (location: LocatedSchema, keyword: string) => T | undefined;

function createReader<T extends Json>(isWellFormed: (value: Json) => value is T, problem: string): KeywordReader<T> {
  return (location, keyword) => {
    const value = location.keywords[keyword];
    if (value === undefined || isWellFormed(value)) return value;
    throw location.unsupported(keyword, `${printJson(value)} ${problem}`);
  };
}

/** A keyword with a number. */
export const numberOf: KeywordReader<JsonNumber> = createReader(isNumber, 'is not a number');

/** A keyword with a string. */
export const textOf: KeywordReader<string> = createReader((value) => typeof value === 'string', 'is not a string');

/** A keyword with a boolean. */
export const flagOf: KeywordReader<boolean> = createReader((value) => typeof value === 'boolean', 'is not a boolean');

/** A keyword with a list of values. */
export const valuesOf: KeywordReader<readonly Json[]> = createReader(
  (value): value is readonly Json[] => Array.isArray(value),
  'is not a list',
);

/** A keyword with a length or a count. */
export const countOf: KeywordReader<number> = (location, keyword) => {
  const value = numberOf(location, keyword);
  if (value === undefined) return undefined;
  if (isInteger(value) && value >= 0) return Number(value);
  throw location.unsupported(keyword, `${value} is not a non-negative integer`);
};

/**
 * A keyword with a list of member names.
 * @throws {Unsupported} when its value is malformed.
 */
export function namesOf(location: LocatedSchema, keyword: string): readonly string[] | undefined {
  const value = location.keywords[keyword];
  return value === undefined ? undefined : toNames(location, keyword, value);
}

/**
 * A keyword with a list of member names for each of several names.
 * @throws {Unsupported} when its value is malformed.
 */
export function namesByNameOf(location: LocatedSchema, keyword: string): ReadonlyMap<string, readonly string[]> {
  const value = location.keywords[keyword];
  if (value === undefined) return new Map();
  if (!isObject(value)) throw location.unsupported(keyword, `${printJson(value)} is not an object of lists of names`);
  return new Map(Object.entries(value as JsonObject).map(([name, names]) => [name, toNames(location, keyword, names)]));
}

/**
 * Reads the types of a schema. `nullable` of OpenAPI 3.0, which files of 3.1 still contain, adds `null`.
 * @throws {Unsupported} if one is not a type of JSON Schema.
 */
export function typesOf(location: LocatedSchema): readonly string[] | undefined {
  const value = location.keywords['type'];
  if (value === undefined) return undefined;
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  const unknownType = names.find((name) => typeof name !== 'string' || !types.includes(name));
  if (unknownType !== undefined) throw location.unsupported('type', `${printJson(unknownType)} is none of ${types.join(', ')}`);
  if (names.length === 0) throw location.unsupported('type', 'its list is empty');
  const isNullable = flagOf(location, 'nullable');
  if (isNullable === false && names.includes('null')) throw location.unsupported('nullable', 'it is false, and null is among the types');
  return (isNullable === true ? [...names, 'null'] : names) as readonly string[];
}

/**
 * A pattern as a regular expression: in Unicode mode, as JSON Schema recommends, unless only the older mode accepts it.
 * @throws {Unsupported} when neither mode accepts it.
 */
export function expressionOf(location: LocatedSchema, keyword: string, pattern: string): RegExp {
  try {
    return compileExpression(pattern);
  } catch (cause) {
    throw location.unsupported(keyword, `${printJson(pattern)} is not a regular expression: ${String(cause)}`);
  }
}

const types: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function toNames(location: LocatedSchema, keyword: string, value: Json): readonly string[] {
  const names: readonly Json[] = Array.isArray(value) ? value : [undefined];
  if (names.every((name) => typeof name === 'string')) return names;
  throw location.unsupported(keyword, `${printJson(value)} is not a list of names`);
}
