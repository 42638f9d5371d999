/**
 * Parses the texts of a parameter to typed values, and prints values as the inverse. A refused text also gets the value that a lenient server would read,
 * because `x-invalid` may allow it.
 */

import type { InvalidAnswers } from '../annotations/annotations.ts';
import type { SourceLocation } from '../errors.ts';
import { isArray, isObject, type Json, type JsonObject, printJson, readJson } from '../json.ts';
import type { Schema } from '../openapi/schema-facts.ts';
import { isSlowPattern, type Validator } from '../openapi/validator.ts';
import { fromPointer } from '../pointer.ts';
import {
  isTextList,
  type ParameterStyle,
  type ParameterText,
  parseQueryText,
  parseSegmentText,
  printQueryText,
  printSegmentText,
} from './parameter-style.ts';
import { type RawPair, UndecodableError } from './query-string.ts';
import { readLeniently, readStrictly, type ValueKind } from './read-value.ts';

/** One parameter of an operation (OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  /** The name of the parameter. */
  readonly name: string;
  /** The key of its value in maps: the name, or a different key if an earlier parameter elsewhere in the request has the same name. */
  readonly key: string;
  /** The place of the parameter in the request. */
  readonly in: ParameterStyle['in'];
  /** True if each request must contain it. */
  readonly required: boolean;
  /** True if clients should no longer send it (`deprecated`). */
  readonly deprecated: boolean;
  /** The keywords of the schema with those of its branches, from which the reading of texts follows. */
  readonly schema: Schema;
  /** The schema as the contract states it for the direction of the parameter. */
  readonly declared: Schema;
  /** The serialisation of the value. */
  readonly style: ParameterStyle;
  /** True if its text is JSON (`content: application/json`) instead of a style. */
  readonly json: boolean;
  /** The type of the value, or of the members of a list. */
  readonly kinds: readonly ValueKind[];
  /** The types of the members of an object, by name. */
  readonly memberKinds: ReadonlyMap<string, readonly ValueKind[]>;
  /** The values that the schema lists, for the value or for the members of a list; empty if it lists none. */
  readonly allowed: readonly Json[];
  /** The default of the schema, used if the parameter is absent. */
  readonly fallback: Json | undefined;
  /** Examples of the parameter, then examples of its schema. */
  readonly examples: readonly Json[];
  /** Reactions to wrong values that differ from the rest of the API (`x-invalid` beside the parameter). */
  readonly invalid: Partial<InvalidAnswers>;
  /** Validates a parsed value. */
  readonly validate: Validator;
  /** Place of the parameter in its file. */
  readonly place: SourceLocation;
}

/** Class of a wrong value: the classes of `x-invalid` that concern a single parameter. */
type ParameterProblem = 'malformed' | 'out-of-range' | 'unknown-value' | 'sloppy';

/** Result of reading a parameter of a request. */
export type ParameterReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: Json }
  | {
      readonly kind: 'problem';
      readonly problem: ParameterProblem;
      /** Received text, decoded. */
      readonly sent: string;
      /** Reason of the refusal, as a clause without a subject: `is above the maximum of 100`. */
      readonly because: string;
      /** The value that a lenient server would read; `undefined` if it would read none. */
      readonly lenient: Json | undefined;
    };

/** Parses a query parameter from the pairs of a query string. */
export function parseQueryParameter(parameter: Parameter, pairs: readonly RawPair[]): ParameterReading {
  return reportUnreadable(() => {
    const texts = parseQueryText(parameter.style, pairs);
    const lastText = texts.at(-1);
    if (lastText === undefined) return { kind: 'absent' };
    if (texts.length === 1) return interpret(parameter, lastText);
    return interpretRepeated(parameter, texts, lastText);
  });
}

/** Parses a repeated parameter. Lenient servers take the last value, the first one, or join lists; one legal value among these is enough. */
function interpretRepeated(parameter: Parameter, texts: readonly ParameterText[], lastText: ParameterText): ParameterReading {
  const candidateTexts = isTextList(lastText) ? [texts.filter(isTextList).flat()] : texts.toReversed();
  const readings = candidateTexts.map((text) => interpret(parameter, text));
  const sent = texts.map(showText).join(' and ');
  const bestReading =
    readings.find((reading) => reading.kind === 'value') ??
    readings.find((reading) => reading.kind === 'problem' && reading.problem === 'sloppy');
  const [firstReading] = readings;
  if (bestReading === undefined && firstReading?.kind === 'problem') return { ...firstReading, sent };
  const lenient = bestReading?.kind === 'value' ? bestReading.value : bestReading?.kind === 'problem' ? bestReading.lenient : undefined;
  // A list is joined, so the correct spelling is known.
  const form = bestReading?.kind === 'value' && isArray(bestReading.value) ? `; send ${printParameter(parameter, bestReading.value)}` : '';
  return { kind: 'problem', problem: 'sloppy', sent, because: `is sent more than once${form}`, lenient };
}

/** Reads a field of a form, with the type that its schema asks for where its text allows it; `undefined` if it is absent. It is not validated. */
export function readField(parameter: Parameter, pairs: readonly RawPair[]): Json | undefined {
  try {
    const text = parseQueryText(parameter.style, pairs).at(-1);
    if (text === undefined) return undefined;
    const value = readText(parameter, text);
    return value === undefined && isTextList(text)
      ? text.map((member) => readStrictly(parameter.kinds, member) ?? member)
      : (value ?? text);
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    return pairs.find(([name]) => name === parameter.name)?.[1];
  }
}

/** Parses a path segment, a header or a cookie; `undefined` stands for an absent one. */
export function parseSegmentParameter(parameter: Parameter, raw: string | undefined): ParameterReading {
  if (raw === undefined) return { kind: 'absent' };
  return reportUnreadable(() => interpret(parameter, parseSegmentText(parameter.style, raw)));
}

/**
 * Prints a value as a part of a query string, or as the text of a segment, header or cookie.
 * @throws {TypeError} if the parameter cannot have such a value, such as a list for an integer.
 */
export function printParameter(parameter: Parameter, value: Json): string {
  const text = parameter.json ? printJson(value) : toText(parameter, value);
  return parameter.in === 'query' ? printQueryText(parameter.style, text) : printSegmentText(parameter.style, text);
}

/** Reports undecodable texts and slow patterns as malformed values. */
function reportUnreadable(parse: () => ParameterReading): ParameterReading {
  try {
    return parse();
  } catch (error) {
    const isSlow = isSlowPattern(error);
    if (!(error instanceof UndecodableError) && !isSlow) throw error;
    return {
      kind: 'problem',
      problem: 'malformed',
      sent: isSlow ? '(too long for its pattern)' : (error.sent ?? '(undecodable)'),
      because: `is not accepted: ${error.message}`,
      lenient: undefined,
    };
  }
}

function interpret(parameter: Parameter, text: ParameterText): ParameterReading {
  const value = readText(parameter, text);
  const sent = showText(text);
  if (value !== undefined) {
    const [violation] = parameter.validate(value);
    if (violation === undefined) return { kind: 'value', value };
    if (sent === '') return emptyProblem(sent);
    const { problem, because } = classify(violation.keyword, violation.message);
    if (problem === 'out-of-range') return { kind: 'problem', problem, sent, because, lenient: clamp(parameter, value) };
  }
  if (sent === '') return emptyProblem(sent);
  if (typeof text !== 'string' && !isTextList(text)) return explainMembers(parameter, text, sent);
  return interpretLeniently(parameter, text, sent);
}

function emptyProblem(sent: string): ParameterReading {
  return { kind: 'problem', problem: 'sloppy', sent, because: 'is empty', lenient: undefined };
}

/** Classifies a refused text: `sloppy` if a lenient server would read an allowed value, else the class of the mistake. */
function interpretLeniently(parameter: Parameter, text: ParameterText, sent: string): ParameterReading {
  const members = parameter.json ? undefined : typeof text === 'string' ? [text] : isTextList(text) ? text : undefined;
  const nonEmptyMembers = members?.filter((member) => member.trim() !== '');
  if (nonEmptyMembers?.length === 0) return emptyProblem(sent);
  const readings = nonEmptyMembers?.map((member) => readMember(parameter, member));
  if (readings === undefined || readings.includes(undefined)) {
    const problem = parameter.allowed.length > 0 ? 'unknown-value' : 'malformed';
    return { kind: 'problem', problem, sent, because: expectation(parameter), lenient: undefined };
  }
  const values = readings.flatMap((reading) => (reading === undefined ? [] : [reading.value]));
  const value = typeof text === 'string' ? (values[0] ?? null) : values;
  const [violation] = parameter.validate(value);
  if (violation !== undefined) {
    return { kind: 'problem', sent, lenient: clamp(parameter, value), ...classify(violation.keyword, violation.message) };
  }
  const because = readings.find((reading) => reading?.because !== undefined)?.because ?? 'it has empty members';
  return { kind: 'problem', problem: 'sloppy', sent, because: `is not accepted, because ${because}`, lenient: value };
}

/** Explains which member of a refused object is wrong, and how. */
function explainMembers(parameter: Parameter, text: Readonly<Record<string, string>>, sent: string): ParameterReading {
  const kindsOf = (key: string): readonly ValueKind[] => parameter.memberKinds.get(key) ?? ['string'];
  const unreadable = Object.entries(text).find(([key, member]) => readStrictly(kindsOf(key), member) === undefined);
  if (unreadable !== undefined) {
    const because = `is not accepted: ${unreadable[0]} must be ${describeKinds(kindsOf(unreadable[0]))}`;
    return { kind: 'problem', problem: 'malformed', sent, because, lenient: undefined };
  }
  const [violation] = parameter.validate(readMembers(parameter, text) ?? null);
  const { keyword = 'type', path = '', message = 'must be object' } = violation ?? {};
  const { problem } = classify(keyword, message);
  const because = `is not accepted: ${path === '' ? 'it' : fromPointer(path).join('.')} ${message}`;
  return { kind: 'problem', problem, sent, because, lenient: undefined };
}

function readMember(parameter: Parameter, text: string): { readonly value: Json; readonly because?: string } | undefined {
  const strictValue = readStrictly(parameter.kinds, text);
  // As a string, a text with spaces around it is valid too, so the spaces are tested here.
  const isTrimmed = text === text.trim();
  if (strictValue !== undefined && isTrimmed && (parameter.allowed.length === 0 || parameter.allowed.includes(strictValue)))
    return { value: strictValue };
  for (const kind of parameter.kinds) {
    const lenientReading = readLeniently(kind, text, parameter.allowed);
    if (lenientReading !== undefined && (parameter.allowed.length === 0 || parameter.allowed.includes(lenientReading.value)))
      return lenientReading;
  }
  return undefined;
}

/** Returns the strict value of a text; `undefined` if the text is not of the parameter's type. */
function readText(parameter: Parameter, text: ParameterText): Json | undefined {
  if (parameter.json) return typeof text === 'string' ? readJson(text) : undefined;
  if (typeof text === 'string') return readStrictly(parameter.kinds, text);
  if (!isArray(text)) return readMembers(parameter, text as Readonly<Record<string, string>>);
  const values = (text as readonly string[]).map((member) => readStrictly(parameter.kinds, member));
  return values.some((value) => value === undefined) ? undefined : (values as readonly Json[]);
}

function readMembers(parameter: Parameter, text: Readonly<Record<string, string>>): Json | undefined {
  const entries = Object.entries(text).map(
    ([key, member]) => [key, readStrictly(parameter.memberKinds.get(key) ?? ['string'], member)] as const,
  );
  return entries.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(entries) as JsonObject);
}

const rangeKeywords: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
]);

function classify(keyword: string, message: string): { readonly problem: ParameterProblem; readonly because: string } {
  const because = `is not accepted: it ${message}`;
  if (keyword === 'enum' || keyword === 'const') return { problem: 'unknown-value', because };
  return { problem: rangeKeywords.has(keyword) ? 'out-of-range' : 'malformed', because };
}

/** Returns the nearest value within the bounds of a number, if it is legal; `undefined` for other values. */
function clamp(parameter: Parameter, value: Json): Json | undefined {
  if (typeof value !== 'number' || !isObject(parameter.schema)) return undefined;
  const { minimum, maximum } = parameter.schema;
  const atLeastMinimum = typeof minimum === 'number' ? Math.max(minimum, value) : value;
  const withinBounds = typeof maximum === 'number' ? Math.min(maximum, atLeastMinimum) : atLeastMinimum;
  return Number.isFinite(withinBounds) && parameter.validate(withinBounds).length === 0 ? withinBounds : undefined;
}

function expectation(parameter: Parameter): string {
  if (parameter.json) return 'is not accepted: it must be JSON';
  if (parameter.allowed.length > 0)
    return `is not accepted: it must be ${parameter.style.shape === 'list' ? 'a list of any' : 'one'} of ${parameter.allowed.join(', ')}`;
  return `is not accepted: it must be ${parameter.style.shape === 'list' ? 'a list of items, each ' : ''}${describeKinds(parameter.kinds)}`;
}

const kindNames: Readonly<Record<ValueKind, string>> = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  string: 'a string',
  'date-time': 'a date-time, such as 2026-03-29T10:00:00Z',
};

function describeKinds(kinds: readonly ValueKind[]): string {
  return kinds.map((kind) => kindNames[kind]).join(' or ');
}

function toText(parameter: Parameter, value: Json): ParameterText {
  const mismatch = (): TypeError => new TypeError(`${printJson(value)} cannot be printed as the parameter ${parameter.name}`);
  if (isArray(value)) {
    if (parameter.style.shape !== 'list') throw mismatch();
    return value.map(String);
  }
  if (isObject(value)) {
    if (parameter.style.shape !== 'members') throw mismatch();
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, String(member)]));
  }
  if (parameter.style.shape !== 'one') throw mismatch();
  return String(value);
}

function showText(text: ParameterText): string {
  if (typeof text === 'string') return text;
  return isArray(text)
    ? text.join(',')
    : Object.entries(text)
        .map(([key, value]) => `${key}=${value}`)
        .join('&');
}
