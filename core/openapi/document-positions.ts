/** Walking an OpenAPI file: which of its objects are keywords, which are maps of names, which are plain data, and which belong to extensions. */

import type { Json } from '../json.ts';

/**
 * Kinds of members of a value: keywords of OpenAPI or JSON Schema; names that the author chose; data that only looks like either; or the content
 * of an `x-` extension.
 */
export type Position = 'keywords' | 'names' | 'data' | 'extension';

/** The position of a member, by that of the value that holds it. Elements of arrays are not named, so `key` is a number for them. */
export function positionOf(holder: Position, key: string | number, member: Json): Position {
  if (holder === 'data' || holder === 'extension') return holder;
  if (holder === 'names' || typeof key === 'number') return 'keywords';
  if (key.startsWith('x-')) return 'extension';
  if (dataKeywords.has(key) || (key === 'examples' && Array.isArray(member))) return 'data';
  return nameMaps.has(key) ? 'names' : 'keywords';
}

/** Keywords whose value is data, whatever it looks like. */
const dataKeywords: ReadonlySet<string> = new Set(['example', 'const', 'enum', 'default', 'value']);

/** Keywords whose members are named by the author, so that a property may be called `value`, `default` or `x-api`. */
const nameMaps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  ...['paths', 'webhooks', 'callbacks', 'responses', 'headers', 'content', 'examples', 'links', 'variables', 'encoding', 'mapping'],
  ...['schemas', 'parameters', 'requestBodies', 'securitySchemes', 'pathItems', 'scopes'],
]);
