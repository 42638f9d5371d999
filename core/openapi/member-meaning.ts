/**
 * Tells what the members of an OpenAPI object are: keywords, names that the author chose, plain data, or content of an extension. Every function that
 * walks a whole document uses it. Line numbers are in source-positions.ts.
 */

import type { Json } from '../json.ts';

/** Meaning of the members of a value: keywords of OpenAPI or JSON Schema, names of the author, plain data, or the content of an `x-` extension. */
export type MemberMeaning = 'keywords' | 'names' | 'data' | 'extension';

/** Returns the meaning of a member, from the meaning of its parent. `key` is a number for an element of an array. */
export function meaningOf(holder: MemberMeaning, key: string | number, member: Json): MemberMeaning {
  if (holder === 'data' || holder === 'extension') return holder;
  if (holder === 'names' || typeof key === 'number') return 'keywords';
  if (key.startsWith('x-')) return 'extension';
  if (dataKeywords.has(key) || (key === 'examples' && Array.isArray(member))) return 'data';
  return nameMaps.has(key) ? 'names' : 'keywords';
}

/** Keywords whose value is plain data. */
const dataKeywords: ReadonlySet<string> = new Set(['example', 'const', 'enum', 'default', 'value']);

/** Keywords whose members have names of the author: a property may be called `value`, `default` or `x-api`. */
const nameMaps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  ...['paths', 'webhooks', 'callbacks', 'responses', 'headers', 'content', 'examples', 'links', 'variables', 'encoding', 'mapping'],
  ...['schemas', 'parameters', 'requestBodies', 'securitySchemes', 'pathItems', 'scopes'],
]);
