/**
 * Reads the members of the JSON body of a control request. `clock-endpoint.ts`, `chaos-endpoint.ts` and `client-judge-endpoints.ts` call it for each POST.
 * Query parameters are checked in `endpoint-interface.ts`.
 */

import { didYouMean } from '../../core/did-you-mean.ts';
import { isArray, isObject, isTooDeep, type Json, type JsonObject, maxNesting } from '../../core/json.ts';
import { ControlError, excerpt } from './endpoint-interface.ts';

/**
 * Parses a body with at least one of `memberNames` and no others. Messages show `example`, a valid body.
 * @throws {ControlError} for a body that is not a JSON object, is empty, or has an unknown member.
 */
export function readMembers(text: string, memberNames: readonly string[], example: string): JsonObject {
  const value = parse(text, example);
  if (!isObject(value)) throw new ControlError(400, `The body ${excerpt(text)} is not a JSON object; send one such as ${example}.`);
  const members = Object.keys(value);
  const unknownMember = members.find((member) => !memberNames.includes(member));
  if (unknownMember !== undefined) {
    const advice = didYouMean(unknownMember, memberNames, `the members are ${memberNames.join(', ')}`);
    throw new ControlError(400, `The body has the unknown member ${excerpt(unknownMember)}; ${advice}`);
  }
  if (members.length === 0) throw new ControlError(400, `The body is an empty object; send one such as ${example}.`);
  return value;
}

/**
 * Reads an optional text. Messages show `example`, a valid value.
 * @throws {ControlError} for a value of another type.
 */
export function textMember(body: JsonObject, name: string, example: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new ControlError(
    400,
    `${name} is ${excerpt(JSON.stringify(value))}, which is not a text; send one such as ${JSON.stringify(example)}.`,
  );
}

/**
 * Reads an optional list of texts; a single text counts as a list of one. Messages show `example`, a valid value.
 * @throws {ControlError} for a value of another type.
 */
export function textsMember(body: JsonObject, name: string, example: string): readonly string[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  const elements: readonly Json[] = isArray(value) ? value : [value];
  const texts = elements.flatMap((each) => (typeof each === 'string' ? [each] : []));
  if (texts.length === elements.length) return texts;
  throw new ControlError(400, `${name} is ${excerpt(JSON.stringify(value))}, which is not a list of texts; send one such as ${example}.`);
}

/**
 * Returns true if the optional member is present; `true` is its only valid value.
 * @throws {ControlError} for another value.
 */
export function flagMember(body: JsonObject, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === true) return value === true;
  throw new ControlError(400, `${name} is ${excerpt(JSON.stringify(value))}; send true, or leave it out.`);
}

function parse(text: string, example: string): Json {
  // Messages print invalid values, and printing a deeper one may exhaust the stack.
  if (isTooDeep(text))
    throw new ControlError(400, `The body ${excerpt(text)} is nested deeper than ${maxNesting} levels; send an object such as ${example}.`);
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? ` (${excerpt(cause.message)})` : '';
    throw new ControlError(400, `The body ${excerpt(text)} is not JSON${reason}; send an object such as ${example}.`);
  }
}
