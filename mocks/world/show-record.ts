/** Writes records into the bodies of documented responses, with their tags. */

import { isIdentifierName } from '../../core/inference/names.ts';
import { type Shape, shapeOfSuccess } from '../../core/inference/shape.ts';
import { isArray, isNumber, isObject, type Json, type JsonObject, jsonTypeOf, printJson, readNumber } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { DataRecord } from '../../core/query/query.ts';
import { strongTag } from '../handler/entity-tag.ts';
import { success, type WorldAnswer } from './find-records.ts';

/** The answer of a read: the record takes the place of the documented one. */
export function showRecord(operation: Operation, record: DataRecord, at: string): WorldAnswer {
  const shape = shapeOfSuccess(operation).at(at);
  return success((body) => replaceAt(body, at, projected(record, shape)), tagHeader(operation, record));
}

/**
 * The answer of a write, whose body may have a record at `at`. Members that only this response has stay as documented, but for its only identifier, which
 * names the record of `key`; `known` has the members of the record.
 */
export function showWritten(
  operation: Operation,
  record: DataRecord,
  at: string | undefined,
  known: Shape,
  { key, headers = {} }: { readonly key?: Json; readonly headers?: Readonly<Record<string, string>> } = {},
): WorldAnswer {
  if (at === undefined) return success((documented) => documented, headers);
  const shape = shapeOfSuccess(operation).at(at);
  return success(
    (documented) => {
      const before = valueAt(documented, at);
      if (!isObject(before)) return documented;
      const unknown = Object.entries(before).filter(([name]) => !known.members.has(name));
      const own = withKey(Object.fromEntries(unknown), key);
      return replaceAt(documented, at, { ...own, ...projected(record, shape) });
    },
    { ...headers, ...tagHeader(operation, record) },
  );
}

function withKey(members: JsonObject, key: Json = null): JsonObject {
  const names = Object.keys(members).filter(isIdentifierName);
  const [name = ''] = names;
  return names.length === 1 && typeof members[name] === typeof key ? { ...members, [name]: key } : members;
}

function tagHeader({ responses }: Operation, record: DataRecord): Readonly<Record<string, string>> {
  const successes = [...responses.values()].filter(({ status }) => status.startsWith('2'));
  const isDocumented = successes.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === 'etag'));
  return isDocumented ? { etag: tagOf(record) } : {};
}

/** The tag of a version of a record. */
export function tagOf(record: DataRecord): string {
  return strongTag(printJson(record));
}

/** Puts a value at a pointer, in place of what is there. A first element gets a list, also where a wrong example has none. */
export function replaceAt(body: Json, pointer: string, value: Json): Json {
  if (pointer.endsWith('/0')) {
    const list = pointer.slice(0, -2);
    const before = valueAt(body, list);
    return replaceAt(body, list, isArray(before) ? before.toSpliced(0, 1, value) : [value]);
  }
  return withValueAt(withValueAt(body, pointer, null), pointer, value);
}

/** A record with only the members that a response shows, with keys of its types; all, if it does not say which. */
export function projected(record: JsonObject, shape: Shape | undefined): JsonObject {
  if (shape === undefined || shape.members.size === 0) return record;
  const shown = Object.entries(record).flatMap(([name, value]) => {
    const member = shape.members.get(name);
    return member === undefined ? [] : [[name, mayHold(member, value) ? value : inOtherType(value, member)] as const];
  });
  return Object.fromEntries(shown);
}

/** True if a shape has the type of a value. */
export function mayHold({ types }: Shape, value: Json): boolean {
  const type = jsonTypeOf(value);
  return types.size === 0 || types.has(type) || (type === 'integer' && types.has('number'));
}

/** A number as a text, or the other way round, where one response documents the one and another the other. */
function inOtherType(value: Json, shape: Shape): Json {
  if (isNumber(value) && mayHold(shape, '')) return String(value);
  const number = typeof value === 'string' && mayHold(shape, 0) ? readNumber(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
}
