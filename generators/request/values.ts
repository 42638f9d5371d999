/** What parameters and bodies can hold: known values where there are some, and any that the schema allows and the style can carry. */

import {
  Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  oneof,
  option,
  type Random,
  type Stream,
  sample,
  string,
  tuple,
  type Value,
} from 'fast-check';
import { follow } from '../../core/document.ts';
import { UsageError } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { copyOrigin } from '../../core/origin.ts';
import { type Parameter, type ParameterReading, parseQueryParameter, parseSegmentParameter, printParameter } from '../../core/parameter.ts';
import type { Schema } from '../../core/schema.ts';
import type { ValueKind } from '../../core/strict.ts';
import { type Style, splitQuery } from '../../core/style.ts';
import { arbitraryFor } from '../arbitrary.ts';
import { Unsatisfiable, Unsupported, unless } from '../outcome.ts';
import { equal } from '../schema/equality.ts';
import { Exhausted } from '../source/source.ts';
import type { Body, RequestOptions } from './wire.ts';

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
  // This is how the core says that a style cannot carry a value.
  return unless(() => printParameter(parameter, value), TypeError);
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
function sendableSchema(operation: Operation, parameter: Parameter): Schema {
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

/** What the contract says of a body that can be generated. */
interface BodyRule {
  readonly schema: Schema;
  /** The media type that it is sent as. */
  readonly type: string;
  readonly required: boolean;
}

/**
 * The body that an operation documents; `undefined` when it has none that can be sent: GET, HEAD and TRACE have none (RFC 9110 §9.3), and an
 * optional body that is not JSON is left out.
 * @throws {Unsupported} when a body is required and may not be JSON.
 */
export function bodyRuleOf({ document, method, value, pointer }: Operation): BodyRule | undefined {
  const body = follow(document, value['requestBody']);
  if (!isObject(body) || ['GET', 'HEAD', 'TRACE'].includes(method)) return undefined;
  const content = isObject(body['content']) ? Object.entries(body['content']) : [];
  const required = body['required'] === true;
  const found = content.flatMap(([range, media]) => {
    const type = jsonTypeOf(range);
    return type === undefined || !isObject(media) ? [] : [{ schema: (media['schema'] ?? true) as Schema, type, required }];
  });
  if (found.length > 0 || !required) return found[0];
  const types = content.map(([range]) => range).join(' or ') || 'of no type';
  throw new Unsupported(pointer, 'requestBody', `it must be ${types}, and only JSON is written`);
}

/** The bodies that an operation allows, now and then none when it may be left out. */
export function bodiesFor(operation: Operation): Arbitrary<Body | undefined> | undefined {
  const rule = bodyRuleOf(operation);
  if (rule === undefined) return undefined;
  const bodies = arbitraryFor(rule.schema, { document: operation.document }).map((content) => toBody(rule, content));
  return rule.required ? bodies : option(bodies, { nil: undefined, freq: 3 });
}

/** A value as a body. */
export function toBody({ type }: BodyRule, content: Json): Body {
  return { text: JSON.stringify(content), type, content };
}

/** The JSON type that a media range covers (RFC 9110 §12.5.1). */
function jsonTypeOf(range: string): string | undefined {
  const [type = ''] = range.toLowerCase().split(';');
  if (['*/*', 'application/*'].includes(type.trim())) return 'application/json';
  return /^application\/(json|[^/*]+\+json)$/.test(type.trim()) ? range : undefined;
}

/** How often a value is drawn until one fits. */
const patience = 1000;

/** The values of an arbitrary that fit. `what` names them in the error that ends a search without success. */
export function sieve<T>(arbitrary: Arbitrary<T>, fits: (value: T) => boolean, what: string): Arbitrary<T> {
  return new SieveArbitrary(arbitrary, fits, what);
}

/** Whether an arbitrary has values that fit, as far as a look at some dozens of them tells. */
export function hasFitting<T>(arbitrary: Arbitrary<T>, fits: (value: T) => boolean): boolean {
  return [4, 16, 40].some((numRuns) => sample(arbitrary, { seed: numRuns, numRuns }).some(fits));
}

class SieveArbitrary<T> extends Arbitrary<T> {
  readonly #inner: Arbitrary<T>;
  readonly #fits: (value: T) => boolean;
  readonly #what: string;

  constructor(inner: Arbitrary<T>, fits: (value: T) => boolean, what: string) {
    super();
    this.#inner = inner;
    this.#fits = fits;
    this.#what = what;
  }

  override generate(random: Random, biasFactor: number | undefined): Value<T> {
    for (let attempt = 0; attempt < patience; attempt += 1) {
      const drawn = this.#inner.generate(random, biasFactor);
      if (this.#fits(drawn.value)) return drawn;
    }
    throw new Exhausted(this.#what, patience);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#inner.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): Stream<Value<T>> {
    return this.#inner.shrink(value, context).filter((smaller) => this.#fits(smaller.value));
  }
}
