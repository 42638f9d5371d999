/**
 * Making the request of an interaction ready: what a state gives is put where a generator wants it, and, in pacts without generators, where the example
 * of a key stands. Nothing is left to Pact, which would send an example in place of a value that is missing, and say nothing.
 */

import type { Contract } from '../../../core/contract.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Interaction } from '../../../core/pact.ts';
import { fillExpression, type Scalar } from '../../../core/pact-injection.ts';
import { valueAt } from '../../../core/pointer.ts';
import { nobody } from '../../call.ts';
import { encodeName } from '../../named-read.ts';
import { placesOf } from '../../place.ts';
import { type Found, type Missing, missing } from './found.ts';
import { carrierIn, isKeyHeader, operationOf, type Sender } from './request-of.ts';

/** A request that can be sent. */
export interface Prepared {
  readonly kind: 'prepared';
  /** The path with what was put into it, that percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly sender: Sender;
  readonly operation: Operation;
  readonly found: Found;
  /** Where its record may stand in the answer. */
  readonly places: readonly string[];
  /** Examples of keys for which the value of the record that was found stands now, by the record's field. */
  readonly replaced: ReadonlyMap<string, Scalar>;
}

/** Makes a request ready; or tells what its states do not give. */
export function prepare(contract: Contract, interaction: Interaction, found: Found): Prepared | Missing {
  const { request } = interaction;
  const { operation, segments } = operationOf(contract, request.method, request.path);
  const draft: Draft = {
    path: request.path,
    query: new Map(request.query),
    headers: new Map(request.headers),
    generated: new Set(),
    replaced: new Map(),
  };
  const lost = fill(draft, request.generators, found, operation);
  if (lost.length > 0) {
    const given = [...found.values.keys()];
    const gives = given.length === 0 ? 'they give nothing' : `they give ${given.slice(0, 12).join(', ')}${given.length > 12 ? ', …' : ''}`;
    return missing(`the states give no ${[...new Set(lost)].join(', ')}: ${gives}`);
  }
  if (interaction.response.status < 400) replaceExamples(draft, operation, segments, interaction, found);
  const carrier = carrierIn(operation, new Set(draft.headers.keys()), new Set(draft.query.keys()));
  // Whoever expects to be refused and shows no key means to show none.
  const isKeyless = carrier === undefined && interaction.response.status === 401;
  const as = found.as ?? (isKeyless ? nobody : 'full');
  const { path, query, headers, replaced } = draft;
  const sender = { as, carrier, headers: found.headers ?? {} };
  return { kind: 'prepared', path, query, headers, operation, places: placesOf(contract, operation), found, replaced, sender };
}

interface Draft {
  path: string;
  readonly query: Map<string, readonly string[]>;
  readonly headers: Map<string, readonly string[]>;
  /** What a generator filled: `path`, `query id`, `header if-none-match`. */
  readonly generated: Set<string>;
  readonly replaced: Map<string, Scalar>;
}

/** Fills what generators want, and tells the names that nothing is given for. */
function fill(draft: Draft, generators: JsonObject, { values }: Found, operation: Operation): readonly string[] {
  const lost: string[] = [];
  const filled = (generator: Json | undefined, encode?: (text: string) => string): string | undefined => {
    const expression = expressionOf(generator);
    if (expression === undefined) return undefined;
    const { text, missing: names } = fillExpression(expression, values, encode);
    lost.push(...names);
    return text;
  };
  const path = filled(generators['path'], encodeName);
  if (path !== undefined) {
    draft.path = path;
    draft.generated.add('path');
  }
  for (const kind of ['query', 'header'] as const) {
    for (const [key, generator] of namedGenerators(generators, kind)) {
      const { name, index } = nameIn(key, kind);
      // Keys are no values of a state: which one is sent, the state says by itself.
      const text = isKey(operation, kind, name) ? undefined : filled(generator);
      if (text !== undefined) putText(draft, kind, name, index, text);
    }
  }
  return lost;
}

function namedGenerators(generators: JsonObject, kind: string): readonly (readonly [string, Json])[] {
  const named = generators[kind];
  return isObject(named) ? Object.entries(named) : [];
}

function putText(draft: Draft, kind: 'query' | 'header', name: string, index: number | undefined, text: string): void {
  const target = kind === 'query' ? draft.query : draft.headers;
  const before = target.get(name) ?? [];
  target.set(name, index === undefined ? [text] : before.map((each, at) => (at === index ? text : each)));
  draft.generated.add(`${kind} ${name}`);
}

function isKey({ security }: Operation, kind: 'query' | 'header', name: string): boolean {
  const credentials = security.flat();
  if (kind === 'header') return isKeyHeader(credentials, name);
  return credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
}

/** The expression of a generator that a state fills; later versions of Pact write it with a type of its own for URLs of mocks, which are no values. */
export function expressionOf(generator: Json | undefined): string | undefined {
  if (!isObject(generator) || generator['type'] !== 'ProviderState') return undefined;
  return typeof generator['expression'] === 'string' ? generator['expression'] : undefined;
}

/** Generators name a parameter as `id`, `$.id`, `$['id']` or `id[0]`. */
function nameIn(key: string, kind: 'query' | 'header'): { readonly name: string; readonly index: number | undefined } {
  const plain = key.replace(/^\$\.?/, '').replace(/^\['([^']*)'\]/, '$1');
  const [, name = plain, index] = /^(.*)\[(\d+)\]$/.exec(plain) ?? [];
  return { name: kind === 'header' ? name.toLowerCase() : name, index: index === undefined ? undefined : Number(index) };
}

/** Pacts without generators hold examples: a key of a record, its tag, a cursor. What was found takes their place. */
function replaceExamples(
  draft: Draft,
  operation: Operation,
  segments: ReadonlyMap<string, string>,
  { response, states }: Interaction,
  { record, values }: Found,
): void {
  const wanted = new Set(states.flatMap(({ params }) => (isObject(params['where']) ? Object.keys(params['where']) : [])));
  if (record !== undefined && operation.resource?.name === record.name) {
    for (const [parameter, field] of operation.resource.by) {
      const value = valueAt(record.value, field);
      // A condition on the field itself means the very value.
      if (!isScalar(value) || wanted.has(field) || wanted.has(field.slice(1))) continue;
      if (putKey(draft, operation, segments, parameter, value)) draft.replaced.set(field, value);
    }
  }
  const etag = values.get('etag');
  if (etag !== undefined && response.status === 304) putPlain(draft, 'header', 'if-none-match', String(etag));
  const page = operation.collection?.page;
  const cursor = values.get('cursor');
  if (cursor !== undefined && page?.style === 'cursor') putPlain(draft, 'query', page.cursor, String(cursor));
}

function putKey(draft: Draft, operation: Operation, segments: ReadonlyMap<string, string>, parameter: string, value: Scalar): boolean {
  if (!segments.has(parameter)) return putPlain(draft, 'query', parameter, String(value));
  if (draft.generated.has('path')) return false;
  const shown = new Map([...segments, [parameter, encodeName(String(value))]]);
  draft.path = operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => shown.get(name) ?? all);
  return true;
}

function putPlain(draft: Draft, kind: 'query' | 'header', name: string, text: string): boolean {
  const target = kind === 'query' ? draft.query : draft.headers;
  if (draft.generated.has(`${kind} ${name}`) || !target.has(name)) return false;
  target.set(name, [text]);
  return true;
}

function isScalar(value: Json | undefined): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
