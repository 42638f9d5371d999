/**
 * Reads the members of the JSON bodies and queries of control requests, by a table of readers for each endpoint. Which members exclude each other is left to
 * the endpoints.
 */

import { didYouMean } from '../../core/did-you-mean.ts';
import { isArray, isObject, isTooDeep, type Json, type JsonObject, maxNesting, parseJson, printJson } from '../../core/json.ts';
import { ControlError, clipText } from './endpoint.ts';

/**
 * Reads the value of one member.
 * @throws {ControlError} for an invalid value.
 * @throws {UsageError} for an invalid value.
 */
type MemberReader = (value: Json, name: string) => unknown;

/** Readers by name of their members. */
type MemberReaders = Readonly<Record<string, MemberReader>>;

/** Values of the members that a request has. */
type Members<Readers extends MemberReaders> = { readonly [Name in keyof Readers]?: ReturnType<Readers[Name]> };

/**
 * Reads a body with at least one of the members, and no others. Messages show `example`, a valid body.
 * @throws {ControlError} for a body that is not a JSON object, is empty, or has an unknown or invalid member.
 */
export function readBodyMembers<Readers extends MemberReaders>(text: string, readers: Readers, example: string): Members<Readers> {
  const body = parse(text, example);
  if (!isObject(body)) throw new ControlError(400, `The body ${clipText(text)} is not a JSON object; send one such as ${example}.`);
  if (Object.keys(body).length === 0) throw new ControlError(400, `The body is an empty object; send one such as ${example}.`);
  return readMembers(body, readers, ['The body has the unknown', 'member']);
}

/**
 * Reads a query with some of the parameters, each at most once, and no others. `subject` begins the message: `The journal`.
 * @throws {ControlError} for an unknown, repeated or invalid parameter.
 */
export function readQueryMembers<Readers extends MemberReaders>(
  query: URLSearchParams,
  readers: Readers,
  subject: string,
): Members<Readers> {
  const members = readMembers(Object.fromEntries(query), readers, [`${subject} has no`, 'parameter']);
  const repeatedName = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (repeatedName !== undefined) throw new ControlError(400, `${repeatedName} was given more than once; give it once.`);
  return members;
}

function readMembers<Readers extends MemberReaders>(
  members: JsonObject,
  readers: Readers,
  [problem, noun]: readonly [string, string],
): Members<Readers> {
  const names = Object.keys(readers);
  const values = Object.entries(members).map(([name, value]) => {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (reader !== undefined) return [name, reader(value, name)];
    const list = names.length === 1 ? `the ${noun} is ${names.join()}.` : `the ${noun}s are ${names.join(', ')}`;
    throw new ControlError(400, `${problem} ${noun} ${clipText(name)}; ${didYouMean(name, names, list)}`);
  });
  return Object.fromEntries(values) as Members<Readers>;
}

/** Reads a text. Messages show `example`, a valid value. */
export function textLike(example: string): (value: Json, name: string) => string {
  return (value, name) => {
    if (typeof value === 'string') return value;
    throw invalidMember(name, printJson(value), `, which is not a string; send one such as ${printJson(example)}`);
  };
}

/** Reads a list of texts; a single text counts as a list of one. Messages show `example`, a valid value. */
export function textsLike(example: string): (value: Json, name: string) => readonly string[] {
  return (value, name) => {
    const elements: readonly Json[] = isArray(value) ? value : [value];
    const texts = elements.filter((each) => typeof each === 'string');
    if (texts.length === elements.length) return texts;
    throw invalidMember(name, printJson(value), `, which is not a list of strings; send one such as ${example}`);
  };
}

/** Reads the text of a whole number. */
export function wholeNumber(min: number, max: number): (value: Json, name: string) => number {
  return (value, name) => {
    if (typeof value === 'string' && /^\d{1,16}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    throw invalidMember(name, String(value), `, which is not a whole number from ${min} to ${max}`);
  };
}

/** Reads the role of a key of the mock. */
export function roleAmong(roles: readonly string[]): (value: Json, name: string) => string {
  return (value, name) => {
    const role = textLike('full')(value, name);
    if (roles.includes(role)) return role;
    throw new ControlError(
      400,
      `The mock has no key role ${clipText(role)}; ${didYouMean(role, roles, `the roles are ${roles.join(', ')}`)}`,
    );
  };
}

/** Reads a member whose only valid value is `true`. */
export function flag(value: Json, name: string): true {
  if (value === true) return true;
  throw invalidMember(name, printJson(value), '; send true, or leave it out');
}

/** Creates the refusal of a value, as the request has it. `advice` follows the value, and begins with a comma or a semicolon. */
export function invalidMember(name: string, value: string, advice: string): ControlError {
  return new ControlError(400, `${name} is ${clipText(value)}${advice}.`);
}

function parse(text: string, example: string): Json {
  // Messages print invalid values, and printing a deeper one may exhaust the stack.
  if (isTooDeep(text))
    throw new ControlError(
      400,
      `The body ${clipText(text)} is nested deeper than ${maxNesting} levels; send an object such as ${example}.`,
    );
  try {
    return parseJson(text);
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? ` (${clipText(cause.message)})` : '';
    throw new ControlError(400, `The body ${clipText(text)} is not JSON${reason}; send an object such as ${example}.`);
  }
}
