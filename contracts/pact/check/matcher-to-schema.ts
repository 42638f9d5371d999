/** Translates Pact matchers into JSON Schemas, each with a description in words. Regexes and date formats become patterns. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { Matcher, MatchingRule } from '../../../core/pact/pact.ts';

/** The values that a matcher accepts. */
export interface MatcherSchema {
  readonly schema: Schema;
  /** Completes "the pact expects …". */
  readonly description: string;
  /** True if the properties or elements of the example have expectations of their own. */
  readonly checksChildren?: boolean;
  /** Reason why the schema accepts more than Pact does. */
  readonly notCompared?: string;
}

/** Translates the matching rule of a value. Without a rule, the value must equal the example. */
export function schemaOfRule(rule: MatchingRule | undefined, example: Json): MatcherSchema {
  if (rule === undefined || rule.matchers.length === 0) return schemaWithoutRule(example);
  const translated = rule.matchers.map((matcher) => schemaOfMatcher(matcher, example));
  const [first] = translated;
  if (translated.length === 1 && first !== undefined) return first;
  const notCompared = translated.find((matcher) => matcher.notCompared !== undefined)?.notCompared;
  const isEither = rule.combine === 'OR';
  return {
    schema: { [isEither ? 'anyOf' : 'allOf']: translated.map(({ schema }) => schema) },
    description: [...new Set(translated.map(({ description }) => description))].join(isEither ? ' or ' : ', and '),
    checksChildren: translated.some(({ checksChildren }) => checksChildren === true),
    ...(notCompared === undefined ? {} : { notCompared }),
  };
}

/** Schema of a value that must equal its example. An object may have more properties, an array may not have more elements. */
function schemaWithoutRule(example: Json): MatcherSchema {
  if (isObject(example)) return { schema: { type: 'object' }, description: 'an object', checksChildren: true };
  if (!Array.isArray(example)) return { schema: { const: example }, description: JSON.stringify(example) };
  const { length } = example;
  return {
    schema: { type: 'array', minItems: length, maxItems: length },
    description: `a list of exactly ${length}`,
    checksChildren: true,
  };
}

/** The type check that a `type` rule above a value applies to it. */
export function schemaOfType(example: Json): MatcherSchema {
  const type = pactTypeOf(example);
  return { schema: { type }, description: nameOfType(type), checksChildren: type === 'object' || type === 'array' };
}

type MatcherReader = (value: JsonObject, example: Json) => MatcherSchema;

const anyObject: MatcherSchema = { schema: { type: 'object' }, description: 'an object', checksChildren: true };
const someList: MatcherSchema = {
  schema: { type: 'array' },
  description: 'a list',
  notCompared: 'the variants of arrayContains are not compared',
};

/** Schemas by the name of the matcher; some depend on the members of the matcher and on the example. */
const matcherSchemas: Readonly<Record<string, MatcherSchema | MatcherReader>> = {
  integer: { schema: { type: 'integer' }, description: 'an integer' },
  decimal: { schema: { type: 'number', not: { type: 'integer' } }, description: 'a number with a fraction' },
  number: { schema: { type: 'number' }, description: 'a number' },
  boolean: { schema: { type: 'boolean' }, description: 'true or false' },
  null: { schema: { type: 'null' }, description: 'null' },
  semver: { schema: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' }, description: 'a semantic version' },
  type: typeWithBounds,
  min: typeWithBounds,
  max: typeWithBounds,
  'min-type': typeWithBounds,
  'max-type': typeWithBounds,
  equality: (_, example) => ({ schema: { const: example }, description: `exactly ${shorten(example)}` }),
  regex: (value, example) =>
    schemaOfPattern(toPattern(String(value['regex'] ?? '')), `a string that matches ${String(value['regex'])}`, example),
  include: (value, example) =>
    schemaOfPattern(escapePattern(String(value['value'] ?? '')), `a string that contains ${JSON.stringify(value['value'])}`, example),
  date: (value, example) => schemaOfFormat(value, ['format', 'date'], 'yyyy-MM-dd', example),
  time: (value, example) => schemaOfFormat(value, ['format', 'time'], 'HH:mm:ss', example),
  datetime: (value, example) => schemaOfFormat(value, ['format', 'datetime', 'timestamp'], "yyyy-MM-dd'T'HH:mm:ssXXX", example),
  timestamp: (value, example) => schemaOfFormat(value, ['format', 'timestamp', 'datetime'], "yyyy-MM-dd'T'HH:mm:ssXXX", example),
  notEmpty,
  'not-empty': notEmpty,
  values: anyObject,
  eachValue: typeWithBounds,
  eachKey: anyObject,
  contentType: { schema: true, description: 'content of its type' },
  arrayContains: someList,
  'array-contains': someList,
};

function schemaOfMatcher({ match, value }: Matcher, example: Json): MatcherSchema {
  const reader = Object.hasOwn(matcherSchemas, match) ? matcherSchemas[match] : undefined;
  if (reader === undefined)
    return { schema: true, description: `a value that the matcher ${match} accepts`, notCompared: `the matcher ${match} is unknown` };
  return typeof reader === 'function' ? reader(value, example) : reader;
}

/** `type`, with bounds on the length of an array. */
function typeWithBounds({ min, max }: JsonObject, example: Json): MatcherSchema {
  const matcher = schemaOfType(example);
  if (!Array.isArray(example)) return matcher;
  const minItems = typeof min === 'number' && min > 0 ? min : undefined;
  const maxItems = typeof max === 'number' ? max : undefined;
  return {
    ...matcher,
    schema: { type: 'array', ...(minItems === undefined ? {} : { minItems }), ...(maxItems === undefined ? {} : { maxItems }) },
    description: `a list${minItems === undefined ? '' : ` of at least ${minItems}`}${maxItems === undefined ? '' : ` of at most ${maxItems}`}`,
  };
}

function notEmpty(_: JsonObject, example: Json): MatcherSchema {
  const type = pactTypeOf(example);
  const bound = type === 'string' ? { minLength: 1 } : type === 'array' ? { minItems: 1 } : type === 'object' ? { minProperties: 1 } : {};
  return {
    schema: { type, ...bound },
    description: `${nameOfType(type)} that is not empty`,
    checksChildren: type === 'object' || type === 'array',
  };
}

/** Schema of a pattern. Pact matches a pattern against the text of any value; this check compares only strings. */
function schemaOfPattern(pattern: string | undefined, description: string, example: Json): MatcherSchema {
  const type = pactTypeOf(example);
  if (type !== 'string')
    return { ...schemaOfType(example), description, notCompared: 'a pattern for a value that is not a string is not compared' };
  if (pattern === undefined)
    return { description, schema: { type }, notCompared: 'the pattern is not valid in JavaScript and is not compared' };
  return { description, schema: { type, pattern } };
}

function schemaOfFormat(value: JsonObject, names: readonly string[], defaultFormat: string, example: Json): MatcherSchema {
  const stated = names.map((name) => value[name]).find((each) => typeof each === 'string');
  const format = typeof stated === 'string' ? stated : defaultFormat;
  return schemaOfPattern(formatToPattern(format), `a string of the format ${format}`, example);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The type of a value as Pact's `type` matcher sees it. Integers are numbers. */
function pactTypeOf(value: Json): 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

function nameOfType(type: ReturnType<typeof pactTypeOf>): string {
  return { object: 'an object', array: 'a list', string: 'a string', number: 'a number', boolean: 'true or false', null: 'null' }[type];
}

function shorten(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * Converts a regex to a pattern with the flag `u`; `undefined` if JavaScript does not support it.
 * Pacts often escape characters that need no escape, which `u` forbids.
 */
function toPattern(expression: string): string | undefined {
  const candidates = [
    expression,
    expression.replaceAll(/\\([^A-Za-z0-9])/g, (all, mark: string) => (syntax.has(mark) ? all : toHex(mark))),
  ];
  return candidates.find(isPattern);
}

const syntax: ReadonlySet<string> = new Set('^$\\.*+?()[]{}|/');

function toHex(mark: string): string {
  return mark.length === 1 && mark.charCodeAt(0) < 256 ? `\\x${mark.charCodeAt(0).toString(16).padStart(2, '0')}` : mark;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    // Another regex engine may support it; the caller reports that it is not compared.
    return false;
  }
}

/** Converts a Java date format such as `yyyy-MM-dd'T'HH:mm:ssXXX` to a pattern; `undefined` if a letter is unknown. */
function formatToPattern(format: string): string | undefined {
  let pattern = '';
  for (const [piece] of format.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']/g)) {
    const part = pieceToPattern(piece);
    if (part === undefined) return undefined;
    pattern += part;
  }
  return `^${pattern}$`;
}

function pieceToPattern(piece: string): string | undefined {
  if (piece === "''") return "'";
  if (piece.startsWith("'")) return escapePattern(piece.slice(1, -1).replaceAll("''", "'"));
  return /^[A-Za-z]/.test(piece) ? lettersToPattern(piece) : escapePattern(piece);
}

/** Converts a run of one letter. */
function lettersToPattern(piece: string): string | undefined {
  const letter = piece.charAt(0);
  if ('yudHhKkmsDwW'.includes(letter)) return piece.length === 1 ? '\\d+' : `\\d{${piece.length}}`;
  if (letter === 'S' || letter === 'n') return `\\d{${piece.length}}`;
  if (letter === 'M' || letter === 'L') return piece.length > 2 ? '[A-Za-z]+' : piece.length === 2 ? '\\d{2}' : '\\d{1,2}';
  if (letter === 'E' || letter === 'e') return '[A-Za-z]+';
  return letter === 'a' ? '[AaPp]\\.?[Mm]\\.?' : offsetPatterns[piece];
}

const offsetPatterns: Readonly<Record<string, string>> = {
  X: '(?:Z|[+-]\\d{2}(?:\\d{2})?)',
  XX: '(?:Z|[+-]\\d{4})',
  XXX: '(?:Z|[+-]\\d{2}:\\d{2})',
  Z: '[+-]\\d{4}',
  ZZ: '[+-]\\d{2}:\\d{2}',
  ZZZ: '[+-]\\d{4}',
  z: '[A-Z]{1,5}',
};
