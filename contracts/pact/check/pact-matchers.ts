/** Pact's matchers of single values: which values each accepts, as a schema and as a test. */

import { isInteger, isNumber, type Json, type JsonObject, objectOrEmpty, printJson } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { Matcher, MatchingRule } from '../../../core/pact/pact.ts';
import { escapeExpression } from '../../../core/safe-regexp.ts';
import { readDateFormat } from './date-format.ts';
import { readExpression } from './pact-regexp.ts';

/** The values that an expectation accepts. */
export interface Acceptance {
  /** Schema of values that are accepted, but for numbers beyond 64 bits and empty texts, which most contracts allow without meaning them. */
  readonly schema: Schema;
  /** Decides about each value; absent if the schema does. */
  readonly accepts?: (value: Json, allows: Allows) => boolean;
  /** Completes "the pact expects …". */
  readonly description: string;
  /** Why it is unknown which other values are accepted. The check then remarks that it was not compared. */
  readonly notCompared?: string;
}

/** Returns true if a value is an instance of a schema. */
export type Allows = (schema: Schema, value: Json) => boolean;

/** Values of JSON, or a text: a header, or a body of another media type, for which Pact reads numbers from the text. */
export type ValueKind = 'json' | 'text';

/** Translates the rule of a value that is no object or array. Without a rule, the value equals the example. */
export function acceptanceOf(rule: MatchingRule | undefined, example: Json, kind: ValueKind): Acceptance {
  if (rule === undefined || rule.matchers.length === 0) return equalTo(example);
  const all = rule.matchers.map((matcher) => acceptanceOfMatcher(matcher, example, kind));
  const [first] = all;
  return all.length === 1 && first !== undefined ? first : combine(all, rule.combine);
}

function combine(all: readonly Acceptance[], how: MatchingRule['combine']): Acceptance {
  const isEither = how === 'OR';
  const notCompared = all.find((each) => each.notCompared !== undefined)?.notCompared;
  const accepts = (value: Json, allows: Allows): boolean => {
    const isAccepted = (each: Acceptance): boolean => isAcceptedBy(each, value, allows);
    return isEither ? all.some(isAccepted) : all.every(isAccepted);
  };
  return {
    schema: { [isEither ? 'anyOf' : 'allOf']: all.map(({ schema }) => schema) },
    accepts,
    description: [...new Set(all.map(({ description }) => description))].join(isEither ? ' or ' : ', and '),
    ...(notCompared === undefined ? {} : { notCompared }),
  };
}

/** True if an expectation accepts a value. */
export function isAcceptedBy({ schema, accepts }: Acceptance, value: Json, allows: Allows): boolean {
  return accepts === undefined ? allows(schema, value) : accepts(value, allows);
}

/** Accepts a value that is equal to the example. */
export function equalTo(example: Json): Acceptance {
  return { schema: schemaOfEqual(example), description: shorten(example) };
}

/** The schema of the values equal to an example. Objects and arrays are spelled out, because inclusion is proved by their parts. */
export function schemaOfEqual(example: Json): Schema {
  if (Array.isArray(example)) {
    const list = example as readonly Json[];
    const bounds = { type: 'array', minItems: list.length, maxItems: list.length };
    return list.length === 0 ? bounds : { ...bounds, prefixItems: list.map(schemaOfEqual) };
  }
  if (typeof example !== 'object' || example === null) return { const: example };
  const members = Object.entries(objectOrEmpty(example));
  return {
    type: 'object',
    required: members.map(([name]) => name),
    properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOfEqual(member)])),
    additionalProperties: false,
  };
}

type MatcherReader = (value: JsonObject, example: Json, kind: ValueKind) => Acceptance;

/** Rust, in which Pact reads the numbers of texts, accepts a sign, a bare point and words. */
const numberInText = '^[+-]?(?:(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|inf|infinity|nan)$';

/** The grammar of semantic versions. */
const semanticVersion =
  '^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$';

/** Pact keeps integers in 64 bits, with or without a sign, and reads others as fractions. */
function fitsInteger(value: Json): boolean {
  return isNumber(value) && isInteger(value) && BigInt(value) >= -(2n ** 63n) && BigInt(value) < 2n ** 64n;
}

export const anything: Acceptance = { schema: true, description: 'any value' };
const aNumber: MatcherReader = (_, _example, kind) => numeric('a number', { type: 'number' }, numberInText, kind);

/** Readers by the name of the matcher. */
const matcherReaders: Readonly<Record<string, MatcherReader>> = {
  integer: (_, _example, kind) =>
    kind === 'text'
      ? { ...ofPattern('^\\+?\\d+$', areShort), description: 'an integer' }
      : { schema: { type: 'integer' }, accepts: fitsInteger, description: 'an integer' },
  decimal: (_, _example, kind) =>
    kind === 'text' ? numeric('a number', true, numberInText, kind) : { ...fraction, description: 'a number with a fraction' },
  number: aNumber,
  boolean: () => ({ schema: { enum: [true, false, 'true', 'false'] }, description: 'true or false' }),
  null: () => ({ schema: { type: 'null' }, description: 'null' }),
  semver: () => ({ ...ofPattern(semanticVersion, (text) => areShort(text.replace(/[-+].*/, ''))), description: 'a semantic version' }),
  type: ofType,
  min: ofType,
  max: ofType,
  'min-type': ofType,
  'max-type': ofType,
  equality: (_, example) => ({ ...equalTo(example), description: `exactly ${shorten(example)}` }),
  regex: ({ regex = '' }) => ofExpression(String(regex)),
  include: ({ value = '' }) => including(String(value)),
  date: (value) => ofFormat(value, ['format', 'date'], 'yyyy-MM-dd'),
  time: (value) => ofFormat(value, ['format', 'time'], 'HH:mm:ss'),
  datetime: (value) => ofFormat(value, ['format', 'datetime', 'timestamp'], "yyyy-MM-dd'T'HH:mm:ssXXX"),
  timestamp: (value) => ofFormat(value, ['format', 'timestamp', 'datetime'], "yyyy-MM-dd'T'HH:mm:ssXXX"),
  notEmpty,
  'not-empty': notEmpty,
  values: (_, example) => equalTo(example),
  contentType: () => ({ ...anything, notCompared: 'the matcher contentType looks at bytes' }),
  // Below an object or array with one of these, Pact compares nothing that has no rule of its own.
  eachKey: () => anything,
  eachValue: () => anything,
  arrayContains: () => anything,
  statusCode: () => anything,
};

/** Numbers that are not whole, or that Pact does not keep as integers. */
const fraction = { schema: { type: 'number', not: { type: 'integer' } }, accepts: (value: Json) => isNumber(value) && !fitsInteger(value) };

function acceptanceOfMatcher({ match, value }: Matcher, example: Json, kind: ValueKind): Acceptance {
  const reader = Object.hasOwn(matcherReaders, match) ? matcherReaders[match] : undefined;
  if (reader === undefined)
    return { schema: true, description: `a value that the matcher ${match} accepts`, notCompared: `the matcher ${match} is unknown` };
  return reader(value, example, kind);
}

function numeric(description: string, schema: Schema, pattern: string, kind: ValueKind): Acceptance {
  return { schema: kind === 'text' ? { type: 'string', pattern } : schema, description };
}

function ofType(_: JsonObject, example: Json): Acceptance {
  const type = pactTypeOf(example);
  return { schema: { type }, description: nameOfType(type) };
}

function notEmpty(): Acceptance {
  const schema = {
    not: { anyOf: [{ type: 'null' }, { const: '' }, { type: 'array', maxItems: 0 }, { type: 'object', maxProperties: 0 }] },
  };
  return { schema, description: 'a value that is not empty' };
}

/** Accepts texts with a pattern that pass a test, too. */
function ofPattern(pattern: string, test: (text: string) => boolean): Pick<Acceptance, 'schema' | 'accepts'> {
  const schema = { type: 'string', pattern };
  return { schema, accepts: (value, allows) => allows(schema, value) && test(String(value)) };
}

/** True if each number in a text has at most 64 bits. */
function areShort(text: string): boolean {
  return (text.match(/\d+/g) ?? []).every((digits) => BigInt(digits) < 2n ** 64n);
}

/** Accepts values by their text: a string, or the JSON of another value. */
function byText(matches: (text: string) => boolean, schema: Schema, description: string): Acceptance {
  return { schema, description, accepts: (value) => matches(textOf(value)) };
}

/** The text of a value, as Pact prints it: numbers beyond 64 bits and very small ones with an exponent. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  const hasExponent = isNumber(value) && !fitsInteger(value) && (isInteger(value) || Math.abs(Number(value)) < 1e-5);
  return hasExponent ? Number(value).toExponential().replace('+', '') : printJson(value);
}

function ofExpression(regex: string): Acceptance {
  const description = `a string that matches ${regex}`;
  const expression = readExpression(regex);
  if (expression === undefined)
    return { schema: true, description, notCompared: `the expression ${regex} is not compared: JavaScript has no counterpart` };
  const { pattern, matches } = expression;
  return byText(matches, pattern === undefined ? false : { type: 'string', pattern }, description);
}

function including(text: string): Acceptance {
  const pattern = escapeExpression(text);
  return byText((each) => each.includes(text), { type: 'string', pattern }, `a string that contains ${printJson(text)}`);
}

function ofFormat(value: JsonObject, names: readonly string[], defaultFormat: string): Acceptance {
  const stated = names.map((name) => value[name]).find((each) => typeof each === 'string' && each !== '');
  const format = String(stated ?? defaultFormat);
  const description = `a string of the format ${format}`;
  const read = readDateFormat(format);
  if (read === undefined) return { schema: true, description, notCompared: `the format ${format} is not compared` };
  return byText(read.matches, { type: 'string', pattern: read.pattern }, description);
}

/** The type of a value as Pact's `type` matcher sees it. Integers are numbers. */
export function pactTypeOf(value: Json): 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

export function nameOfType(type: ReturnType<typeof pactTypeOf>): string {
  return { object: 'an object', array: 'a list', string: 'a string', number: 'a number', boolean: 'true or false', null: 'null' }[type];
}

/** Prints a value for a sentence. */
export function shorten(value: Json, length: number = 60): string {
  const text = printJson(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
