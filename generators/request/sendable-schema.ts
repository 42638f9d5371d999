/** The schema of what a parameter can carry: what the contract says of its values, and what its style is able to write. */

import { follow } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { copyOrigin } from '../../core/origin.ts';
import type { Parameter } from '../../core/parameter.ts';
import type { Schema } from '../../core/schema.ts';
import type { ValueKind } from '../../core/strict.ts';
import type { Style } from '../../core/style.ts';

/**
 * The schema of a parameter as the contract has it. What `Parameter` holds is gathered from it for readers of text, and says less or more where
 * there are alternatives.
 */
export function declaredSchema({ document, path, value }: Operation, parameter: Parameter): Schema {
  const paths = document.root['paths'];
  const item = follow(document, isObject(paths) ? paths[path] : undefined);
  const entries = [isObject(item) ? item['parameters'] : undefined, value['parameters']]
    .flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))
    .map((entry) => follow(document, entry))
    .filter(isObject);
  const declared = entries.findLast((entry) => entry['name'] === parameter.name && entry['in'] === parameter.in);
  const media = isObject(declared?.['content']) ? Object.values(declared['content'])[0] : undefined;
  const schema = isObject(media) ? media['schema'] : declared?.['schema'];
  return isObject(schema) || typeof schema === 'boolean' ? schema : parameter.schema;
}

/** The same, narrowed to the values that come back as they were when they are written and read. */
export function sendableSchema(operation: Operation, parameter: Parameter): Schema {
  const declared = declaredSchema(operation, parameter);
  if (parameter.json) return declared;
  const narrowed: JsonObject = { allOf: [declared, shapeOf(parameter)] };
  // Errors about it name the line of the contract.
  if (isObject(declared)) copyOrigin(declared, narrowed);
  return narrowed;
}

function shapeOf({ style, kinds, memberKinds }: Parameter): JsonObject {
  const texts = textsOf(style);
  if (style.shape === 'one') return scalarOf(kinds, texts);
  // An empty list or object is written as nothing, and nothing is read as an absent parameter.
  if (style.shape === 'list') return { type: 'array', minItems: 1, items: scalarOf(kinds, texts) };
  const isSpread = style.in === 'query' && style.style === 'form' && style.explode;
  return {
    type: 'object',
    minProperties: 1,
    properties: Object.fromEntries([...memberKinds].map(([name, each]) => [name, scalarOf(each, texts)])),
    additionalProperties: isSpread ? false : scalarOf(['string'], texts),
    propertyNames: { minLength: 1, ...texts },
  };
}

/** A value of one of the kinds that its text is read as. */
function scalarOf(kinds: readonly ValueKind[], texts: JsonObject): JsonObject {
  const [first, ...others] = kinds.map((kind) => kindSchema(kind, texts));
  if (first === undefined) return { type: 'string', ...texts };
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

function kindSchema(kind: ValueKind, texts: JsonObject): JsonObject {
  if (kind === 'integer') return { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  return kind === 'number' || kind === 'boolean' ? { type: kind } : { type: 'string', ...texts };
}

/** Which texts a style can carry. */
function textsOf({ in: location, style, explode, shape }: Style): JsonObject {
  // A path without one of its segments is another path, and clients take segments of dots away (RFC 3986 §5.2.4).
  if (location === 'path') return { minLength: 1, not: { enum: ['.', '..'] } };
  if (location === 'header') return { pattern: headerTexts[shape] };
  if (explode || location === 'cookie') return {};
  if (style === 'spaceDelimited') return { pattern: '^[^ ]*$' };
  return style === 'pipeDelimited' ? { pattern: '^[^|]*$' } : {};
}

/** Plain characters, and spaces inside (RFC 9110 §5.5), but for those that separate values. */
const headerTexts: Readonly<Record<Style['shape'], string>> = {
  one: '^[!-~]([ -~]*[!-~])?$',
  list: '^[!-+\\--~]([ -+\\--~]*[!-+\\--~])?$',
  members: '^[!-+\\--<>-~]([ -+\\--<>-~]*[!-+\\--<>-~])?$',
};
