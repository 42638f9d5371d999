/** Values of parameters: known ones where there are some, and any that the schema allows and the style can carry. */

import { type Arbitrary, array, boolean, constant, constantFrom, oneof, string, tuple } from 'fast-check';
import { UsageError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { type Parameter, type ParameterReading, parseQueryParameter, parseSegmentParameter, printParameter } from '../../core/parameter.ts';
import { splitQuery } from '../../core/style.ts';
import { arbitraryFor } from '../arbitrary.ts';
import { Unsatisfiable } from '../outcome.ts';
import { equal } from '../schema/equality.ts';
import type { RequestOptions } from './generated-request.ts';
import { sendableSchema } from './sendable-schema.ts';
import { hasFitting, sieve } from './sieve.ts';

/**
 * The values that a parameter can be sent with; `undefined` for an optional one that cannot be sent at all: a page cursor that nobody knows, or an
 * array of arrays, which no style can write.
 * @throws {UsageError} when a known value is not one of the parameter's.
 * @throws {Unsatisfiable} when a required parameter cannot be sent.
 * @throws {Unsupported} when its schema cannot be generated from.
 */
export function valuesOf(operation: Operation, parameter: Parameter, { known = {} }: RequestOptions): Arbitrary<Json> | undefined {
  const given = Object.hasOwn(known, parameter.key) ? (known[parameter.key] ?? []) : [];
  for (const value of given) requireSendable(operation, parameter, value);
  const isKnown = given.length > 0;
  if (isCursor(operation, parameter)) return isKnown ? constantFrom(...given) : undefined;
  if (isEntityTag(parameter)) {
    const tags = entityTags(given.filter((value) => typeof value === 'string'));
    if (hasFitting(tags, (value) => isSendable(parameter, value))) return fitting(operation, parameter, tags);
  }
  const invented = invent(operation, parameter);
  if (!isKnown) return invented;
  const found = { arbitrary: constantFrom(...given), weight: 3 };
  return invented === undefined ? found.arbitrary : oneof({ withCrossShrink: true }, { arbitrary: invented, weight: 1 }, found);
}

/** Whether a parameter is the cursor of a list: no caller makes one up. */
export function isCursor({ collection }: Operation, parameter: Parameter): boolean {
  return collection?.page.style === 'cursor' && collection.page.cursor === parameter.key;
}

/** Whether a value comes back as it was when it is written and read. */
export function isSendable(parameter: Parameter, value: Json): boolean {
  const text = tryPrint(parameter, value);
  if (text === undefined || (parameter.in === 'header' && !/^[!-~]([ -~]*[!-~])?$/.test(text))) return false;
  const reading = readText(parameter, text);
  return reading.kind === 'value' && equal(reading.value, value);
}

/** The text of a value; `undefined` when the style cannot write it. */
export function tryPrint(parameter: Parameter, value: Json): string | undefined {
  try {
    return printParameter(parameter, value);
  } catch (error) {
    // This is how the core says that a style cannot carry a value.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** What a strict reader makes of the text of a parameter. */
function readText(parameter: Parameter, text: string): ParameterReading {
  return parameter.in === 'query' ? parseQueryParameter(parameter, splitQuery(text)) : parseSegmentParameter(parameter, text);
}

function invent(operation: Operation, parameter: Parameter): Arbitrary<Json> | undefined {
  const schema = sendableSchema(operation, parameter);
  try {
    const values = arbitraryFor(schema, { document: operation.document });
    if (hasFitting(values, (value) => isSendable(parameter, value))) return fitting(operation, parameter, values);
    if (!parameter.required) return undefined;
    throw new Unsatisfiable(operation.pointer, `no value of the parameter ${parameter.name} can be written in its style`);
  } catch (error) {
    if (error instanceof Unsatisfiable && !parameter.required) return undefined;
    throw error;
  }
}

function fitting(operation: Operation, parameter: Parameter, values: Arbitrary<Json>): Arbitrary<Json> {
  return sieve(values, (value) => isSendable(parameter, value), `a value of the parameter ${parameter.name} of ${operation.id}`);
}

function requireSendable(operation: Operation, parameter: Parameter, value: Json): void {
  if (isSendable(parameter, value)) return;
  const text = tryPrint(parameter, value);
  const reading = text === undefined ? undefined : readText(parameter, text);
  const because = reading?.kind === 'problem' ? reading.because : 'cannot be written in its style';
  throw new UsageError(
    `the known value ${JSON.stringify(value)} of the parameter ${parameter.name} of ${operation.id} ${because}; correct it`,
  );
}

/** Conditional headers hold entity tags, whatever little their schema says (RFC 9110 §13.1.1 and §13.1.2). */
function isEntityTag(parameter: Parameter): boolean {
  return parameter.in === 'header' && /^if-(none-)?match$/i.test(parameter.name) && parameter.kinds.includes('string');
}

/** Tags alone and in lists, weak and strong, or `*` for any. */
function entityTags(known: readonly string[]): Arbitrary<Json> {
  const opaque = string({ unit: constantFrom('a', 'b', '0', '1', '-'), minLength: 1, maxLength: 8 });
  const invented = tuple(boolean(), opaque).map(([isWeak, text]) => `${isWeak ? 'W/' : ''}"${text}"`);
  const tag = known.length === 0 ? invented : oneof({ arbitrary: invented, weight: 1 }, { arbitrary: constantFrom(...known), weight: 3 });
  const list = tuple(array(tag, { minLength: 1, maxLength: 3 }), constantFrom(', ', ',')).map(([tags, comma]) => tags.join(comma));
  return oneof({ arbitrary: list, weight: 5 }, { arbitrary: constant('*'), weight: 1 });
}
