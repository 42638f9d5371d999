/** Arbitraries of the values of one parameter: known values, and values of its schema that the style of the parameter can express. */

import { type Arbitrary, array, boolean, constant, constantFrom, oneof, string, tuple } from 'fast-check';
import { UsageError } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import { copyOrigin } from '../../core/openapi/source-positions.ts';
import type { ParameterStyle } from '../../core/parameters/parameter-style.ts';
import {
  type Parameter,
  type ParameterReading,
  parseQueryParameter,
  parseSegmentParameter,
  printParameter,
} from '../../core/parameters/parse-parameter.ts';
import { splitQuery } from '../../core/parameters/query-string.ts';
import type { ValueKind } from '../../core/parameters/read-value.ts';
import { Unsatisfiable, undefinedOn } from '../generation-errors.ts';
import { arbitraryFor } from '../schema-arbitrary.ts';
import { boundedFilter, hasAccepted } from './bounded-filter.ts';

/**
 * The values of a parameter; `undefined` for an optional one that cannot be sent: a page cursor without known values, or an array of
 * arrays.
 * @throws {UsageError} when a known value is not valid for the parameter.
 * @throws {Unsatisfiable} when a required parameter cannot be sent.
 * @throws {Unsupported} when its schema cannot be generated from.
 */
export function valuesOf(
  operation: Operation,
  parameter: Parameter,
  known: Readonly<Record<string, readonly Json[]>> = {},
): Arbitrary<Json> | undefined {
  const knownValues = Object.hasOwn(known, parameter.key) ? (known[parameter.key] ?? []) : [];
  for (const value of knownValues) requireSendable(operation, parameter, value);
  const hasKnown = knownValues.length > 0;
  if (isCursor(operation, parameter)) return hasKnown ? constantFrom(...knownValues) : undefined;
  if (isEntityTag(parameter)) {
    const tags = entityTags(knownValues.filter((value) => typeof value === 'string'));
    if (hasAccepted(tags, (value) => isSendable(parameter, value))) return sendableValues(operation, parameter, tags);
  }
  const schemaValues = generatedValues(operation, parameter);
  if (!hasKnown) return schemaValues;
  const knownChoice = { arbitrary: constantFrom(...knownValues), weight: 3 };
  return schemaValues === undefined
    ? knownChoice.arbitrary
    : oneof({ withCrossShrink: true }, { arbitrary: schemaValues, weight: 1 }, knownChoice);
}

/** True for the cursor of a list, which callers never invent. */
export function isCursor({ collection }: Operation, parameter: Parameter): boolean {
  return collection?.page.style === 'cursor' && collection.page.cursor === parameter.key;
}

/** True when a value is the same after writing and reading. */
export function isSendable(parameter: Parameter, value: Json): boolean {
  const text = tryPrint(parameter, value);
  if (text === undefined || (parameter.in === 'header' && !/^[!-~]([ -~]*[!-~])?$/.test(text))) return false;
  const reading = readText(parameter, text);
  return reading.kind === 'value' && equal(reading.value, value);
}

/** The text of a value; `undefined` when the style cannot write it. */
export function tryPrint(parameter: Parameter, value: Json): string | undefined {
  // A style that cannot carry a value throws a TypeError.
  return undefinedOn(() => printParameter(parameter, value), TypeError);
}

function readText(parameter: Parameter, text: string): ParameterReading {
  return parameter.in === 'query' ? parseQueryParameter(parameter, splitQuery(text)) : parseSegmentParameter(parameter, text);
}

function generatedValues(operation: Operation, parameter: Parameter): Arbitrary<Json> | undefined {
  const schema = sendableSchema(parameter);
  try {
    const values = arbitraryFor(schema, { document: operation.document });
    if (hasAccepted(values, (value) => isSendable(parameter, value))) return sendableValues(operation, parameter, values);
    if (!parameter.required) return undefined;
    throw new Unsatisfiable(operation.pointer, `no value of the parameter ${parameter.name} can be written in its style`);
  } catch (error) {
    if (error instanceof Unsatisfiable && !parameter.required) return undefined;
    throw error;
  }
}

function sendableValues(operation: Operation, parameter: Parameter, values: Arbitrary<Json>): Arbitrary<Json> {
  return boundedFilter(values, (value) => isSendable(parameter, value), `a value of the parameter ${parameter.name} of ${operation.id}`);
}

function requireSendable(operation: Operation, parameter: Parameter, value: Json): void {
  if (isSendable(parameter, value)) return;
  const text = tryPrint(parameter, value);
  const reading = text === undefined ? undefined : readText(parameter, text);
  const reason = reading?.kind === 'problem' ? reading.because : 'cannot be written in its style';
  throw new UsageError(`the known value ${printJson(value)} of the parameter ${parameter.name} of ${operation.id} ${reason}; correct it`);
}

/** Conditional headers contain entity tags, even if their schema does not say so (RFC 9110 §13.1.1 and §13.1.2). */
function isEntityTag(parameter: Parameter): boolean {
  return parameter.in === 'header' && /^if-(none-)?match$/i.test(parameter.name) && parameter.kinds.includes('string');
}

/** Single tags and lists, weak and strong, or `*` for any. */
function entityTags(known: readonly string[]): Arbitrary<Json> {
  const opaqueText = string({ unit: constantFrom('a', 'b', '0', '1', '-'), minLength: 1, maxLength: 8 });
  const generatedTag = tuple(boolean(), opaqueText).map(([isWeak, text]) => `${isWeak ? 'W/' : ''}"${text}"`);
  const tag =
    known.length === 0 ? generatedTag : oneof({ arbitrary: generatedTag, weight: 1 }, { arbitrary: constantFrom(...known), weight: 3 });
  const list = tuple(array(tag, { minLength: 1, maxLength: 3 }), constantFrom(', ', ',')).map(([tags, comma]) => tags.join(comma));
  return oneof({ arbitrary: list, weight: 5 }, { arbitrary: constant('*'), weight: 1 });
}

/** The declared schema, narrowed to values that survive writing and reading. */
function sendableSchema(parameter: Parameter): Schema {
  const schema = parameter.declared;
  if (parameter.json) return schema;
  const narrowedSchema: JsonObject = { allOf: [schema, carriableSchema(parameter)] };
  // Errors name the line of the contract.
  if (isObject(schema)) copyOrigin(schema, narrowedSchema);
  return narrowedSchema;
}

function carriableSchema({ style, kinds, memberKinds }: Parameter): JsonObject {
  const texts = carriableTexts(style);
  if (style.shape === 'one') return scalarSchema(kinds, texts);
  // An empty list or object is written as an absent parameter.
  if (style.shape === 'list') return { type: 'array', minItems: 1, items: scalarSchema(kinds, texts) };
  const isSpread = style.in === 'query' && style.style === 'form' && style.explode;
  return {
    type: 'object',
    minProperties: 1,
    properties: Object.fromEntries([...memberKinds].map(([name, each]) => [name, scalarSchema(each, texts)])),
    additionalProperties: isSpread ? false : scalarSchema(['string'], texts),
    propertyNames: { minLength: 1, ...texts },
  };
}

function scalarSchema(kinds: readonly ValueKind[], texts: JsonObject): JsonObject {
  const [first, ...others] = kinds.map((kind) => kindSchema(kind, texts));
  if (first === undefined) return { type: 'string', ...texts };
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

function kindSchema(kind: ValueKind, texts: JsonObject): JsonObject {
  if (kind === 'integer') return { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  return kind === 'number' || kind === 'boolean' ? { type: kind } : { type: 'string', ...texts };
}

/** The texts that a style can carry. */
function carriableTexts({ in: location, style, explode, shape }: ParameterStyle): JsonObject {
  // An empty segment changes the path, and clients remove dot segments (RFC 3986 §5.2.4).
  if (location === 'path') return { minLength: 1, not: { enum: ['.', '..'] } };
  if (location === 'header') return { pattern: headerTexts[shape] };
  if (explode || location === 'cookie') return {};
  if (style === 'spaceDelimited') return { pattern: '^[^ ]*$' };
  return style === 'pipeDelimited' ? { pattern: '^[^|]*$' } : {};
}

/** Printable ASCII with inner spaces (RFC 9110 §5.5), except separators of values. */
const headerTexts: Readonly<Record<ParameterStyle['shape'], string>> = {
  one: '^[!-~]([ -~]*[!-~])?$',
  list: '^[!-+\\--~]([ -+\\--~]*[!-+\\--~])?$',
  members: '^[!-+\\--<>-~]([ -+\\--<>-~]*[!-+\\--<>-~])?$',
};
