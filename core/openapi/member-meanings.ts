/** Tells the members of an object in an OpenAPI document apart: keywords, names that the author chose, plain data, and extensions. */

import { isArray, type Json, type JsonObject, objectOrEmpty } from '../json.ts';

/** Meaning of the members of a value: keywords of OpenAPI or JSON Schema, names of the author, plain data, or the content of an `x-` extension. */
export type MemberMeaning = 'keywords' | 'names' | 'data' | 'extension';

/** Returns the meaning of a member, from the meaning of its parent. `key` is a number for an element of an array. */
export function meaningOf(holder: MemberMeaning, key: string | number, member: Json): MemberMeaning {
  if (holder === 'data' || holder === 'extension') return holder;
  if (holder === 'names' || typeof key === 'number') return 'keywords';
  if (key.startsWith('x-')) return 'extension';
  if (dataKeywords.has(key) || (key === 'examples' && isArray(member))) return 'data';
  return nameMaps.has(key) ? 'names' : 'keywords';
}

/** A member of an object, or an element of an array by its index. */
export interface Member {
  readonly key: string | number;
  readonly member: Json;
  readonly meaning: MemberMeaning;
}

/** Lists the members of an object or array; none for plain values and for data. */
export function membersOf(value: Json, meaning: MemberMeaning): readonly Member[] {
  if (typeof value !== 'object' || value === null || meaning === 'data') return [];
  const toMember = (key: string | number, member: Json): Member => ({ key, member, meaning: meaningOf(meaning, key, member) });
  if (isArray(value)) return value.map((member, index) => toMember(index, member));
  return Object.keys(value).map((key) => toMember(key, (value as JsonObject)[key] as Json));
}

/** Copies an object or array with changed members, without its position. Plain values and data are returned as they are. */
export function mapMembers(value: Json, meaning: MemberMeaning, change: (member: Member) => Json): Json {
  if (typeof value !== 'object' || value === null || meaning === 'data') return value;
  const members = membersOf(value, meaning).map((each) => [each.key, change(each)] as const);
  return isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** A map of paths, statuses or expressions without its extensions. In every other map, such as that of headers, a name may begin with `x-`. */
export function withoutExtensions(value: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(objectOrEmpty(value)).filter(([name]) => !name.startsWith('x-')));
}

/** Keywords whose value is plain data. */
const dataKeywords: ReadonlySet<string> = new Set(['example', 'const', 'enum', 'default', 'value']);

/** Keywords whose members have names of the author: a property may be called `value`, `default` or `x-api`. */
const nameMaps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  ...['paths', 'webhooks', 'callbacks', 'responses', 'headers', 'content', 'examples', 'links', 'variables', 'encoding', 'mapping'],
  ...['schemas', 'parameters', 'requestBodies', 'securitySchemes', 'pathItems', 'scopes'],
]);
