/**
 * Builds the pact that Pact's verifier compares: the path of each request is the number of its interaction. Generators are left out, because the examples
 * already have the values of the provider states.
 */

import { isNumber, isObject, type Json, type JsonObject, readNumber } from '../../../core/json.ts';
import { valuesAlong } from '../../../core/pact/body-path.ts';
import type { Pact } from '../../../core/pact/pact.ts';
import { fillExpression, listBodyGenerators } from '../../../core/pact/state-generators.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import type { InteractionTask, PreparedRequest } from './prepare-request.ts';

/** Returns the description that Pact sees. */
export function interactionTitle(number: number): string {
  return `interaction ${number}`;
}

/** An interaction with its prepared request. */
interface PreparedInteraction {
  readonly task: InteractionTask;
  readonly prepared: PreparedRequest;
}

/** Writes a pact with the prepared interactions. */
export function writePreparedPact({ value, version: stated }: Pact, all: readonly PreparedInteraction[]): JsonObject {
  const version = stated ?? 2;
  return {
    consumer: { name: 'consumer' },
    provider: { name: 'provider' },
    interactions: all.map((each) => writePreparedInteraction(value, each, version)),
    metadata: isObject(value['metadata']) ? value['metadata'] : { pactSpecification: { version: `${version}.0.0` } },
  };
}

function writePreparedInteraction(
  pact: JsonObject,
  { task: { number, interaction }, prepared }: PreparedInteraction,
  version: number,
): JsonObject {
  const written = valueAt(pact, interaction.pointer);
  const { providerState: _one, provider_state: _ruby, providerStates: _several, key: _key, ...rest } = isObject(written) ? written : {};
  return {
    ...rest,
    description: interactionTitle(number),
    ...(version >= 4 ? { pending: false } : {}),
    request: { method: interaction.request.method, path: `/${number}` },
    response: writeExpectedResponse(rest['response'], prepared, version),
  };
}

/** Puts the values of the request into the example, since the consumer expects the identifier that it requested. */
function writeExpectedResponse(response: Json | undefined, prepared: PreparedRequest, version: number): JsonObject {
  const { generators, ...rest } = isObject(response) ? response : {};
  const holder = version >= 4 ? ['body', 'content'] : ['body'];
  let written: Json = rest;
  for (const { steps, expression } of listBodyGenerators(generators)) {
    const { text, missing: missingNames } = fillExpression(expression, prepared.states.values);
    const keys = steps.filter((step) => step !== null);
    if (missingNames.length === 0 && keys.length === steps.length) written = replaceAt(written, [...holder, ...keys], text);
  }
  for (const [field, value] of prepared.replaced) {
    const places = prepared.places.map((pointer) => [...holder, ...fromPointer(`${pointer}${field}`)]);
    const place = places.find((keys) => valuesAlong(written, keys).length > 0);
    if (place !== undefined) written = replaceAt(written, place, String(value));
  }
  return isObject(written) ? written : {};
}

type Keys = readonly (string | number)[];

/** Copies a value with another value at existing keys; a number stays a number. */
function replaceAt(value: Json, [key, ...rest]: Keys, text: string): Json {
  if (key === undefined) return isNumber(value) && Number.isFinite(Number(text)) ? readNumber(text) : text;
  const [member] = valuesAlong(value, [key]);
  if (member === undefined) return value;
  const replaced = replaceAt(member, rest, text);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each, at) => (at === Number(key) ? replaced : each));
  return isObject(value) ? { ...value, [key]: replaced } : value;
}
