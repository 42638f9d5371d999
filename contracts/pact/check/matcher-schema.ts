/** What one matcher of Pact lets pass, as a JSON Schema and in words; expressions of other engines and forms of dates as patterns. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Matcher, MatchingRule } from '../../../core/pact/pact.ts';
import type { Schema } from '../../../core/schema.ts';

/** What a matcher lets pass. */
export interface MatcherSchema {
  readonly schema: Schema;
  /** Completes "the pact expects …". */
  readonly said: string;
  /** Whether the members or elements of the example are looked at one by one. */
  readonly isOpen?: boolean;
  /** What cannot be said as a schema, so that more passes here than with Pact. */
  readonly unknown?: string;
}

/** What a rule lets pass at a value whose example is given; without a rule, the example alone. */
export function schemaOfRule(rule: MatchingRule | undefined, example: Json): MatcherSchema {
  if (rule === undefined || rule.matchers.length === 0) return schemaWithoutRule(example);
  const all = rule.matchers.map((matcher) => schemaOfMatcher(matcher, example));
  const [first] = all;
  if (all.length === 1 && first !== undefined) return first;
  const unknown = all.find((meaning) => meaning.unknown !== undefined)?.unknown;
  const isEither = rule.combine === 'OR';
  return {
    schema: { [isEither ? 'anyOf' : 'allOf']: all.map(({ schema }) => schema) },
    said: [...new Set(all.map(({ said }) => said))].join(isEither ? ' or ' : ', and '),
    isOpen: all.some(({ isOpen }) => isOpen === true),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

/** Without a rule a value must equal its example; of an object more members may come, of a list no more elements. */
function schemaWithoutRule(example: Json): MatcherSchema {
  if (isObject(example)) return { schema: { type: 'object' }, said: 'an object', isOpen: true };
  if (!Array.isArray(example)) return { schema: { const: example }, said: JSON.stringify(example) };
  const { length } = example;
  return { schema: { type: 'array', minItems: length, maxItems: length }, said: `a list of exactly ${length}`, isOpen: true };
}

/** The meaning of `type` that a rule above a value passes down to it. */
export function schemaOfType(example: Json): MatcherSchema {
  const type = typeOf(example);
  return { schema: { type }, said: nameOfType(type), isOpen: type === 'object' || type === 'array' };
}

type MatcherReader = (value: JsonObject, example: Json) => MatcherSchema;

const anyObject: MatcherSchema = { schema: { type: 'object' }, said: 'an object', isOpen: true };
const someList: MatcherSchema = { schema: { type: 'array' }, said: 'a list', unknown: 'the variants of arrayContains are not compared' };

/** By the name of a matcher: its meaning, or how that depends on what it says and on the example. */
const matcherSchemas: Readonly<Record<string, MatcherSchema | MatcherReader>> = {
  integer: { schema: { type: 'integer' }, said: 'an integer' },
  decimal: { schema: { type: 'number', not: { type: 'integer' } }, said: 'a number with a fraction' },
  number: { schema: { type: 'number' }, said: 'a number' },
  boolean: { schema: { type: 'boolean' }, said: 'true or false' },
  null: { schema: { type: 'null' }, said: 'null' },
  semver: { schema: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' }, said: 'a semantic version' },
  type: typeWithBounds,
  min: typeWithBounds,
  max: typeWithBounds,
  'min-type': typeWithBounds,
  'max-type': typeWithBounds,
  equality: (_, example) => ({ schema: { const: example }, said: `exactly ${shorten(example)}` }),
  regex: (value, example) => schemaOfPattern(toPattern(String(value['regex'] ?? '')), `a text that matches ${String(value['regex'])}`, example),
  include: (value, example) =>
    schemaOfPattern(escapePattern(String(value['value'] ?? '')), `a text that contains ${JSON.stringify(value['value'])}`, example),
  date: (value, example) => schemaOfFormat(value, ['format', 'date'], 'yyyy-MM-dd', example),
  time: (value, example) => schemaOfFormat(value, ['format', 'time'], 'HH:mm:ss', example),
  datetime: (value, example) => schemaOfFormat(value, ['format', 'datetime', 'timestamp'], "yyyy-MM-dd'T'HH:mm:ssXXX", example),
  timestamp: (value, example) => schemaOfFormat(value, ['format', 'timestamp', 'datetime'], "yyyy-MM-dd'T'HH:mm:ssXXX", example),
  notEmpty: notEmpty,
  'not-empty': notEmpty,
  values: anyObject,
  eachValue: typeWithBounds,
  eachKey: anyObject,
  contentType: { schema: true, said: 'content of its type' },
  arrayContains: someList,
  'array-contains': someList,
};

function schemaOfMatcher({ match, value }: Matcher, example: Json): MatcherSchema {
  const known = Object.hasOwn(matcherSchemas, match) ? matcherSchemas[match] : undefined;
  if (known === undefined) return { schema: true, said: `what ${match} matches`, unknown: `the matcher ${match} is not known here` };
  return typeof known === 'function' ? known(value, example) : known;
}

/** `type`, with bounds for the length of a list. */
function typeWithBounds({ min, max }: JsonObject, example: Json): MatcherSchema {
  const meaning = schemaOfType(example);
  if (!Array.isArray(example)) return meaning;
  const least = typeof min === 'number' && min > 0 ? min : undefined;
  const most = typeof max === 'number' ? max : undefined;
  return {
    ...meaning,
    schema: { type: 'array', ...(least === undefined ? {} : { minItems: least }), ...(most === undefined ? {} : { maxItems: most }) },
    said: `a list${least === undefined ? '' : ` of at least ${least}`}${most === undefined ? '' : ` of at most ${most}`}`,
  };
}

function notEmpty(_: JsonObject, example: Json): MatcherSchema {
  const type = typeOf(example);
  const bound = type === 'string' ? { minLength: 1 } : type === 'array' ? { minItems: 1 } : type === 'object' ? { minProperties: 1 } : {};
  return { schema: { type, ...bound }, said: `${nameOfType(type)} that is not empty`, isOpen: type === 'object' || type === 'array' };
}

/** Pact compares the text of any value with an expression, so only texts are held to it here. */
function schemaOfPattern(pattern: string | undefined, said: string, example: Json): MatcherSchema {
  const type = typeOf(example);
  if (type !== 'string') return { ...schemaOfType(example), said, unknown: 'an expression for what is no text is not compared' };
  const whole = { said };
  if (pattern === undefined) return { ...whole, schema: { type }, unknown: 'the expression is none of this engine, and is not compared' };
  return { ...whole, schema: { type, pattern } };
}

function schemaOfFormat(value: JsonObject, names: readonly string[], usual: string, example: Json): MatcherSchema {
  const given = names.map((name) => value[name]).find((each) => typeof each === 'string');
  const format = typeof given === 'string' ? given : usual;
  return schemaOfPattern(formatToPattern(format), `a text of the form ${format}`, example);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The type that `type` holds a value to; to Pact integers are numbers like others. */
function typeOf(value: Json): 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

function nameOfType(type: ReturnType<typeof typeOf>): string {
  return { object: 'an object', array: 'a list', string: 'a text', number: 'a number', boolean: 'true or false', null: 'null' }[type];
}

function shorten(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * An expression as a pattern that is read with the flag `u`; `undefined` when it uses what this engine does not know. Writers of pacts escape more
 * characters than `u` lets them.
 */
export function toPattern(expression: string): string | undefined {
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
    // Other engines have more syntax; the caller says that it was not compared.
    return false;
  }
}

/** The pattern of a form such as `yyyy-MM-dd'T'HH:mm:ssXXX`; `undefined` when it has letters that are not known. */
export function formatToPattern(format: string): string | undefined {
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

/** A run of one letter, as Java's date forms use them. */
function lettersToPattern(piece: string): string | undefined {
  const letter = piece.charAt(0);
  if ('yudHhKkmsDwW'.includes(letter)) return piece.length === 1 ? '\\d+' : `\\d{${piece.length}}`;
  if (letter === 'S' || letter === 'n') return `\\d{${piece.length}}`;
  if (letter === 'M' || letter === 'L') return piece.length > 2 ? '[A-Za-z]+' : piece.length === 2 ? '\\d{2}' : '\\d{1,2}';
  if (letter === 'E' || letter === 'e') return '[A-Za-z]+';
  return letter === 'a' ? '[AaPp]\\.?[Mm]\\.?' : offsets[piece];
}

const offsets: Readonly<Record<string, string>> = {
  X: '(?:Z|[+-]\\d{2}(?:\\d{2})?)',
  XX: '(?:Z|[+-]\\d{4})',
  XXX: '(?:Z|[+-]\\d{2}:\\d{2})',
  Z: '[+-]\\d{4}',
  ZZ: '[+-]\\d{2}:\\d{2}',
  ZZZ: '[+-]\\d{4}',
  z: '[A-Z]{1,5}',
};
