/** Servers whose answers say something else than they should: records with a field less, empty lists that are failures, failures that tell too much. */

import type { HttpRequest } from '../../../core/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { type Answer, type Disturbance, partOf, withBody } from './disturb.ts';

/** Every one of them by its name. */
export const contentDisturbances: Readonly<Record<string, Disturbance>> = {
  'whose records are empty now and then': (answer, request) => (partOf(request) === 0 ? answer : withBody(answer, emptied(answer))),
  'whose records lack a field': (answer, request) => edited(answer, (value) => withoutField(value, partOf(request, 7))),
  'whose records have a field more': (answer, { target }) => edited(answer, (value) => withField(value, target)),
  ...Object.fromEntries(
    [404, 400, 500, 302].map((status): [string, Disturbance] => [
      `whose empty lists are answered with ${status}`,
      (answer) => (isEmptyList(answer) ? edited(withStatus(answer, status), () => failure('There is nothing.')) : answer),
    ]),
  ),
  'whose empty lists are not even lists': (answer) => (isEmptyList(answer) ? withBody(answer, '{}') : answer),
  'that says names in other words': (answer, request) => inOtherWords(answer, request),
  'that says some names in other words': (answer, request) => (partOf(request) === 0 ? inOtherWords(answer, request) : answer),
  'that says other names in other words': (answer, request) => (partOf(request) === 0 ? answer : inOtherWords(answer, request)),
  ...Object.fromEntries(
    [1, 2].map((count): [string, Disturbance] => [
      `whose failures tell what records have (${count})`,
      (answer, request) => (isFailure(answer) && partOf(request) === 0 ? edited(answer, (value) => telling(value, count)) : answer),
    ]),
  ),
};

function withStatus({ response, ...answer }: Answer, status: number): Answer {
  return { ...answer, response: { ...response, status } };
}

function isFailure({ response: { status } }: Answer): boolean {
  return status >= 400;
}

/** The answer with what is made of its body; what is no JSON stays as it is. */
function edited(answer: Answer, edit: (value: Json) => Json): Answer {
  const value = bodyOf(answer);
  return value === undefined ? answer : withBody(answer, JSON.stringify(edit(value)));
}

function bodyOf({ response: { body } }: Answer): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

/** Every member of a list without what was in it. */
function emptied({ response: { body } }: Answer): string {
  try {
    return JSON.stringify(JSON.parse(body), (_, value: unknown) => (Array.isArray(value) ? value.map(() => ({})) : value));
  } catch {
    // What is no JSON has no records.
    return body;
  }
}

/** So many members has whatever is a record, and nothing else. */
const few = 5;

/** Every record without one of its fields. */
function withoutField(value: Json, index: number): Json {
  return throughout(value, (record) => {
    const names = Object.keys(record);
    const lost = names[index % names.length];
    return Object.fromEntries(Object.entries(record).filter(([name]) => name !== lost));
  });
}

/** Every record with a field that nobody knows. */
function withField(value: Json, text: string): Json {
  return throughout(value, (record) => ({ ...record, surplus: text }));
}

function throughout(value: Json, edit: (record: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((each: Json) => throughout(each, edit));
  if (!isObject(value)) return value;
  const below = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, throughout(member, edit)]));
  return Object.keys(below).length < few ? below : edit(below);
}

function isEmptyList(answer: Answer): boolean {
  const value = bodyOf(answer);
  const members = isObject(value) ? Object.values(value) : [];
  const below = members.flatMap((member) => (isObject(member) ? Object.values(member) : []));
  return [...members, ...below].some((member) => Array.isArray(member) && member.length === 0);
}

/** A failure that tells of the name that was asked for without repeating it. */
function inOtherWords(answer: Answer, { target }: HttpRequest): Answer {
  const name = target.replace(/\?.*$/, '').split('/').at(-1) ?? '';
  const words = name.split(/[^a-z0-9]+/i).join(' and ');
  return isFailure(answer) ? edited(answer, () => failure(`There is no ${words}.`)) : answer;
}

function failure(message: string): Json {
  return { ok: false, error: { code: 'BROKEN', message, request_id: 'broken' } };
}

/** A failure with so many members of a record. */
function telling(value: Json, count: number): Json {
  const told = Object.entries({ title: 'a title', type: 'place' }).slice(0, count);
  return isObject(value) ? { ...value, ...Object.fromEntries(told) } : value;
}
