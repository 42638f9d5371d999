/** Writes interactions for Pact's verifier: their requests filled in, their states and generators taken out, the rest as the consumer wrote it. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Interaction, Pact } from '../../../core/pact.ts';
import { fillExpression } from '../../../core/pact-injection.ts';
import { parseBodyPath } from '../../../core/pact-path.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import { expressionOf, type Prepared } from './prepare.ts';
import { numberHeader } from './request-of.ts';

/** An interaction with its number, and its request as it is to be sent. */
export interface Written {
  readonly number: number;
  readonly interaction: Interaction;
  readonly prepared: Prepared;
}

/** What an interaction is called while Pact verifies it. */
export function titleOf(number: number): string {
  return `interaction ${number}`;
}

/** Writes a pact of these interactions. */
export function writePact({ value }: Pact, written: readonly Written[]): JsonObject {
  const version = versionOf(value);
  return {
    consumer: { name: 'consumer' },
    provider: { name: 'provider' },
    interactions: written.map((each) => writeInteraction(value, each, version)),
    metadata: isObject(value['metadata']) ? value['metadata'] : { pactSpecification: { version: `${version}.0.0` } },
  };
}

/** Which version of the Pact specification a pact follows: 2, 3 or 4. */
export function versionOf(pact: JsonObject): number {
  const stated = valueAt(pact, '/metadata/pactSpecification/version') ?? valueAt(pact, '/metadata/pact-specification/version');
  const major = typeof stated === 'string' ? Number(stated.split('.', 1)[0]) : Number.NaN;
  return Number.isInteger(major) ? major : 2;
}

function writeInteraction(pact: JsonObject, { number, interaction, prepared }: Written, version: number): JsonObject {
  const own = valueAt(pact, interaction.pointer);
  const { providerState: _one, provider_state: _old, providerStates: _several, key: _key, ...rest } = isObject(own) ? own : {};
  const headers = [...prepared.headers, [numberHeader, [String(number)]] as const];
  return {
    ...rest,
    description: titleOf(number),
    ...(version >= 4 ? { pending: false } : {}),
    request: {
      method: interaction.request.method,
      path: prepared.path,
      query: writeQuery(prepared.query, version),
      headers: Object.fromEntries(headers.map(([name, values]) => [name, version >= 4 ? [...values] : values.join(', ')])),
    },
    response: writeResponse(rest['response'], prepared, version),
  };
}

/** The second version writes the query as it is sent. */
function writeQuery(query: Prepared['query'], version: number): Json {
  if (version >= 3) return Object.fromEntries([...query].map(([name, values]) => [name, [...values]]));
  return [...query]
    .flatMap(([name, values]) => values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`))
    .join('&');
}

/** Examples follow what was put into the request: a consumer that expects the very key that it asked for means the one that is asked for now. */
function writeResponse(response: Json | undefined, prepared: Prepared, version: number): JsonObject {
  const { generators, ...rest } = isObject(response) ? response : {};
  const holder = version >= 4 ? ['body', 'content'] : ['body'];
  let written: Json = rest;
  for (const [path, generator] of Object.entries(bodyGenerators(generators))) {
    const expression = expressionOf(generator);
    const { steps } = parseBodyPath(path) ?? { steps: ['*'] };
    if (expression === undefined || steps.includes('*')) continue;
    const { text, missing } = fillExpression(expression, prepared.found.values);
    if (missing.length === 0) written = replaceAt(written, [...holder, ...steps], text);
  }
  for (const [field, value] of prepared.replaced) {
    const places = prepared.places.map((place) => [...holder, ...fromPointer(`${place}${field}`)]);
    const place = places.find((keys) => memberAt(written, keys) !== undefined);
    if (place !== undefined) written = replaceAt(written, place, String(value));
  }
  return isObject(written) ? written : {};
}

/** The generators of a body by their paths. */
export function bodyGenerators(generators: Json | undefined): JsonObject {
  const body = isObject(generators) ? generators['body'] : undefined;
  return isObject(body) ? body : {};
}

type Keys = readonly (string | number)[];

function memberAt(value: Json | undefined, keys: Keys): Json | undefined {
  return keys.reduce<Json | undefined>((holder, key) => {
    if (Array.isArray(holder)) return (holder as readonly Json[])[Number(key)];
    return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  }, value);
}

/** A copy with another value at a place that is there; a number stays a number. */
function replaceAt(value: Json, [key, ...rest]: Keys, text: string): Json {
  if (key === undefined) return typeof value === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
  const member = memberAt(value, [key]);
  if (member === undefined) return value;
  const replaced = replaceAt(member, rest, text);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each, at) => (at === Number(key) ? replaced : each));
  return isObject(value) ? { ...value, [key]: replaced } : value;
}
