/** The JSON bodies that the control endpoint takes: objects of a few known members. */

import { nearest } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { Refusal } from './control-endpoint.ts';

/**
 * Reads a body with some of these members, and at least one of them.
 * @throws {Refusal} when it is no JSON object, or has another member.
 */
export function readMembers(text: string, known: readonly string[], example: string): JsonObject {
  const value = parse(text, example);
  if (!isObject(value)) throw new Refusal(400, `The body ${excerpt(text)} is not a JSON object; send one such as ${example}.`);
  const members = Object.keys(value);
  const stranger = members.find((member) => !known.includes(member));
  if (stranger !== undefined) {
    const meant = nearest(stranger, known);
    const advice = meant === undefined ? `the members are ${known.join(', ')}` : `is ${meant} meant?`;
    throw new Refusal(400, `The body has the member ${excerpt(stranger)}, which says nothing here; ${advice}`);
  }
  if (members.length === 0) throw new Refusal(400, `The body says nothing to do; send one such as ${example}.`);
  return value;
}

/**
 * A member that is a text, if it is there.
 * @throws {Refusal} when it is something else.
 */
export function textMember(body: JsonObject, name: string, example: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal(400, `${name} is ${excerpt(JSON.stringify(value))}, which is not a text; send one such as ${JSON.stringify(example)}.`);
}

/**
 * A member that is a list of texts, or one text alone.
 * @throws {Refusal} when it is something else.
 */
export function textsMember(body: JsonObject, name: string, example: string): readonly string[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  const all: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const texts = all.flatMap((each) => (typeof each === 'string' ? [each] : []));
  if (texts.length === all.length) return texts;
  throw new Refusal(400, `${name} is ${excerpt(JSON.stringify(value))}, which is not a list of texts; send one such as ${example}.`);
}

/**
 * True when a member that can only be `true` is present.
 * @throws {Refusal} when it is something else.
 */
export function flagMember(body: JsonObject, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === true) return value === true;
  throw new Refusal(400, `${name} is ${excerpt(JSON.stringify(value))}; it can only be true, or be left out.`);
}

/** A value as a message quotes it. */
export function excerpt(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text === '' ? '""' : text;
}

/** The deepest body that is read. Messages quote what is wrong, and printing a value of any depth may exhaust the stack. */
const depthMax = 100;

function parse(text: string, example: string): Json {
  if (depthOf(text) > depthMax)
    throw new Refusal(400, `The body ${excerpt(text)} is nested deeper than ${depthMax} levels; send an object such as ${example}.`);
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? ` (${excerpt(cause.message)})` : '';
    throw new Refusal(400, `The body ${excerpt(text)} is not JSON${reason}; send an object such as ${example}.`);
  }
}

/** At least the depth of a JSON text; brackets inside of strings count, too. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const bracket of text.match(/[[\]{}]/g) ?? []) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
