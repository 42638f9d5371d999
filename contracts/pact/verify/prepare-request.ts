/**
 * Prepares the request of an interaction: values of the provider states replace generators or example identifiers. `verify-in-rounds.ts` calls it after
 * the states are found, and again for each request of Pact. Pact gets no generators, because it silently sends an example without a value.
 */

import { placesOf } from '../../../core/annotations/record-place.ts';
import { type HttpRequest, headerOf, splitTarget } from '../../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Credential, type Operation, routeTo } from '../../../core/openapi/operation.ts';
import { valuesAlong } from '../../../core/pact/body-path.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import {
  fillExpression,
  isScalar,
  listBodyGenerators,
  listRequestGenerators,
  type StateValue,
} from '../../../core/pact/state-generators.ts';
import { decodeOrKeep } from '../../../core/parameters/parameter-style.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { anonymous, type Call, type Caller, type Reply } from '../../verify/engine/call-and-reply.ts';

import { encodeName } from '../../verify/engine/single-read.ts';

/** An interaction to verify. */
export interface InteractionTask {
  readonly number: number;
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
}

/** An interaction whose request is prepared. */
export interface ReadyInteraction {
  readonly task: InteractionTask;
  readonly prepared: PreparedRequest;
}

/** A request that can be sent. */
export interface PreparedRequest {
  readonly kind: 'prepared';
  /** The path with its values, percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly sender: Sender;
  readonly operation: Operation;
  readonly found: StateFound;
  /** Pointers where the response may have its record. */
  readonly places: readonly string[];
  /** Values that replaced example identifiers, by field of the record. */
  readonly replaced: ReadonlyMap<string, StateValue>;
}

/** Number of state values that a message lists. */
const listedNames = 12;

/** Prepares a request. If a state value is missing, returns the reason. */
export function prepareRequest({ contract, interaction }: InteractionTask, found: StateFound): PreparedRequest | StateMissing {
  const { request } = interaction;
  const { operation, segments } = operationFor(contract, request.method, request.path);
  const draft: RequestDraft = {
    path: request.path,
    query: new Map(request.query),
    header: new Map(request.headers),
    generated: new Set(),
    replaced: new Map(),
  };
  const missingNames = applyGenerators(draft, request.generators, found, operation);
  if (missingNames.length > 0) {
    const valueNames = [...found.values.keys()];
    const listed = `${valueNames.slice(0, listedNames).join(', ')}${valueNames.length > listedNames ? ', …' : ''}`;
    const summary = valueNames.length === 0 ? 'they give no values' : `they give ${listed}`;
    return stateMissing(`the states give no value for ${[...new Set(missingNames)].join(', ')}; ${summary}`);
  }
  if (interaction.response.status < 400) replaceExamples(draft, operation, segments, interaction, found);
  const carrier = carrierIn(operation, new Set(draft.header.keys()), new Set(draft.query.keys()));
  // A request without a key that expects 401 is sent without a key.
  const isKeyless = carrier === undefined && interaction.response.status === 401;
  const as = found.as ?? (isKeyless ? anonymous : 'full');
  const { path, query, header, replaced } = draft;
  const sender = { as, carrier, headers: found.headers ?? {} };
  return { kind: 'prepared', path, query, headers: header, operation, places: placesOf(contract, operation), found, replaced, sender };
}

/** A request while its generators and examples are replaced. */
interface RequestDraft {
  path: string;
  readonly query: Map<string, readonly string[]>;
  readonly header: Map<string, readonly string[]>;
  /** Parts that a generator filled: `path `, `query id`, `header if-none-match`. */
  readonly generated: Set<string>;
  readonly replaced: Map<string, StateValue>;
}

/** Applies the generators of a request, and returns the names without a value. */
function applyGenerators(draft: RequestDraft, generators: JsonObject, { values }: StateFound, operation: Operation): readonly string[] {
  const injections = listRequestGenerators(generators);
  const ordered = (['path', 'query', 'header'] as const).flatMap((part) => injections.filter((each) => each.part === part));
  return ordered.flatMap(({ part, name, index, expression }) => {
    // A key is no state value; the state itself selects the key.
    if (part !== 'path' && isKey(operation, part, name)) return [];
    const { text, missing: names } = fillExpression(expression, values, part === 'path' ? encodeName : undefined);
    if (part === 'path') draft.path = text;
    else {
      const target = draft[part];
      const before = target.get(name) ?? [];
      target.set(name, index === undefined ? [text] : before.map((each, at) => (at === index ? text : each)));
    }
    draft.generated.add(`${part} ${name}`);
    return names;
  });
}

function isKey({ security }: Operation, kind: 'query' | 'header', name: string): boolean {
  const credentials = security.flat();
  if (kind === 'header') return isKeyHeader(credentials, name);
  return credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
}

/** Without generators, replaces the example identifiers, ETag and cursor by the values that were found. */
function replaceExamples(
  draft: RequestDraft,
  operation: Operation,
  segments: ReadonlyMap<string, string>,
  { response, states }: Interaction,
  { record, values }: StateFound,
): void {
  const conditionFields = new Set(states.flatMap(({ params }) => (isObject(params['where']) ? Object.keys(params['where']) : [])));
  if (record !== undefined && operation.resource?.name === record.name) {
    for (const [parameter, field] of operation.resource.by) {
      const value = valueAt(record.value, field);
      // A condition on the field itself means exactly this value.
      if (!isScalar(value) || conditionFields.has(field) || conditionFields.has(field.slice(1))) continue;
      if (replaceIdentifier(draft, operation, segments, parameter, value)) draft.replaced.set(field, value);
    }
  }
  const etag = values.get('etag');
  if (etag !== undefined && response.status === 304) replaceExample(draft, 'header', 'if-none-match', String(etag));
  const page = operation.collection?.page;
  const cursor = values.get('cursor');
  if (cursor !== undefined && page?.style === 'cursor') replaceExample(draft, 'query', page.cursor, String(cursor));
}

function replaceIdentifier(
  draft: RequestDraft,
  operation: Operation,
  segments: ReadonlyMap<string, string>,
  parameter: string,
  value: StateValue,
): boolean {
  if (!segments.has(parameter)) return replaceExample(draft, 'query', parameter, String(value));
  if (draft.generated.has('path ')) return false;
  const replacedSegments = new Map([...segments, [parameter, encodeName(String(value))]]);
  draft.path = operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => replacedSegments.get(name) ?? all);
  return true;
}

function replaceExample(draft: RequestDraft, kind: 'query' | 'header', name: string, text: string): boolean {
  const target = draft[kind];
  if (draft.generated.has(`${kind} ${name}`) || !target.has(name)) return false;
  target.set(name, [text]);
  return true;
}

/** A record as its list returned it. */
export interface ListedRecord {
  readonly record: DataRecord;
  /** The page with the record. */
  readonly reply: Reply;
}

/** The position where the requested page must begin. */
export interface FollowingPage {
  readonly operation: ListOperation;
  /** A larger page that contains the previous page and the records after it. */
  readonly whole: Reply;
  /** Index in the larger page of the first record that follows. */
  readonly start: number;
}

/** A state that holds, with the values that it gives. */
export interface StateFound {
  readonly kind: 'found';
  readonly values: ReadonlyMap<string, StateValue>;
  /** The key to send, if the state determines it. */
  readonly as?: Caller;
  /** Headers that make a mock set up the state. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The record, with the name of its collection or resource. */
  readonly record?: { readonly name: string; readonly value: DataRecord; readonly listed?: ListedRecord };
  /** Keys of the records on the page before the cursor. */
  readonly before?: readonly string[];
  /** The records that must follow that page. */
  readonly followingPage?: FollowingPage;
}

/** A state that does not hold. `reason` is a clause without a full stop. */
interface StateMissing {
  readonly kind: 'missing';
  readonly reason: string;
  /** The operation that refused to answer. */
  readonly refusedBy?: string;
}

/** Result of finding one state. */
export type StateResult = StateFound | StateMissing;

/** A state that holds and gives no values. */
export const foundWithoutValues: StateFound = { kind: 'found', values: new Map() };

/** Creates the result for a state that does not hold. */
export function stateMissing(reason: string, refusedBy?: string): StateMissing {
  return { kind: 'missing', reason, ...(refusedBy === undefined ? {} : { refusedBy }) };
}

/** Combines several states into one result: the first missing state, or all values together. */
export function combineStates(results: readonly StateResult[]): StateResult {
  const missing = results.find((result) => result.kind === 'missing');
  if (missing !== undefined) return missing;
  const found = results.filter((result) => result.kind === 'found');
  return Object.assign({}, ...found, {
    values: new Map(found.flatMap(({ values }) => [...values])),
    headers: Object.assign({}, ...found.map(({ headers }) => headers ?? {})),
  }) as StateFound;
}

/** Returns the description that Pact sees. */
export function interactionTitle(number: number): string {
  return `interaction ${number}`;
}

/** Writes a pact with the prepared interactions. */
export function writePact({ value }: Pact, ready: readonly ReadyInteraction[]): JsonObject {
  const version = specVersionOf(value);
  return {
    consumer: { name: 'consumer' },
    provider: { name: 'provider' },
    interactions: ready.map((each) => writePreparedInteraction(value, each, version)),
    metadata: isObject(value['metadata']) ? value['metadata'] : { pactSpecification: { version: `${version}.0.0` } },
  };
}

/** Returns the major version of the Pact specification: 2, 3 or 4. */
function specVersionOf(pact: JsonObject): number {
  const stated = valueAt(pact, '/metadata/pactSpecification/version') ?? valueAt(pact, '/metadata/pact-specification/version');
  const major = typeof stated === 'string' ? Number(stated.split('.', 1)[0]) : Number.NaN;
  return Number.isInteger(major) ? major : 2;
}

function writePreparedInteraction(
  pact: JsonObject,
  { task: { number, interaction }, prepared }: ReadyInteraction,
  version: number,
): JsonObject {
  const written = valueAt(pact, interaction.pointer);
  const { providerState: _one, provider_state: _old, providerStates: _several, key: _key, ...rest } = isObject(written) ? written : {};
  const headers = [...prepared.headers, [interactionHeader, [String(number)]] as const];
  return {
    ...rest,
    description: interactionTitle(number),
    ...(version >= 4 ? { pending: false } : {}),
    request: {
      method: interaction.request.method,
      path: prepared.path,
      query: writeQuery(prepared.query, version),
      headers: Object.fromEntries(headers.map(([name, values]) => [name, version >= 4 ? [...values] : values.join(', ')])),
    },
    response: writeExpectedResponse(rest['response'], prepared, version),
  };
}

/** Writes the query; version 2 has a query string. */
function writeQuery(query: PreparedRequest['query'], version: number): Json {
  if (version >= 3) return Object.fromEntries([...query].map(([name, values]) => [name, [...values]]));
  return [...query]
    .flatMap(([name, values]) => values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`))
    .join('&');
}

/** Puts the values of the request into the example, since the consumer expects the identifier that it requested. */
function writeExpectedResponse(response: Json | undefined, prepared: PreparedRequest, version: number): JsonObject {
  const { generators, ...rest } = isObject(response) ? response : {};
  const holder = version >= 4 ? ['body', 'content'] : ['body'];
  let written: Json = rest;
  for (const { steps, expression } of listBodyGenerators(generators)) {
    const { text, missing: missingNames } = fillExpression(expression, prepared.found.values);
    if (missingNames.length === 0 && !steps.includes('*')) written = replaceAt(written, [...holder, ...steps], text);
  }
  for (const [field, value] of prepared.replaced) {
    const places = prepared.places.map((place) => [...holder, ...fromPointer(`${place}${field}`)]);
    const place = places.find((keys) => valuesAlong(written, keys).length > 0);
    if (place !== undefined) written = replaceAt(written, place, String(value));
  }
  return isObject(written) ? written : {};
}

type Keys = readonly (string | number)[];

/** Copies a value with another value at existing keys; a number stays a number. */
function replaceAt(value: Json, [key, ...rest]: Keys, text: string): Json {
  if (key === undefined) return typeof value === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
  const [member] = valuesAlong(value, [key]);
  if (member === undefined) return value;
  const replaced = replaceAt(member, rest, text);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each, at) => (at === Number(key) ? replaced : each));
  return isObject(value) ? { ...value, [key]: replaced } : value;
}

/** Returns the operation of a request, or a stand-in for an undocumented one. */
export function operationFor(
  contract: Contract,
  method: string,
  target: string,
): { readonly operation: Operation; readonly segments: ReadonlyMap<string, string> } {
  const route = routeTo(contract.operations, method, target);
  if (route.kind === 'operation') return route;
  return { operation: undocumentedOperation(contract, method, splitTarget(target).path), segments: new Map() };
}

/**
 * Creates a stand-in for an operation that the contract does not have.
 * @throws {TypeError} when the contract has no operation at all, which loading it refuses.
 */
export function undocumentedOperation(contract: Contract, method: string, path: string): Operation {
  const [first] = contract.operations;
  if (first === undefined) throw new TypeError(`${contract.name} has no operation`);
  const nothing = { parameters: [], rules: [], responses: new Map(), collection: undefined, resource: undefined };
  return { ...first, ...nothing, id: `${method} ${path}`, method, path };
}

/** Header that links a request of Pact to its interaction. It is never sent to the target. */
export const interactionHeader = 'x-touchstone-interaction';

/** Headers that Pact's client adds. They are not sent to the target. */
const pactHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|x-touchstone-interaction)$/;

/** The key to send, the way to send it, and additional headers. */
interface Sender {
  /** Role of the key. */
  readonly as: Caller;
  /** Index of the security requirement that says how the key is sent. */
  readonly carrier: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Converts a request of Pact to a call, without its example key. */
export function callFromPact(contract: Contract, request: HttpRequest, { as, carrier, headers }: Sender): Call {
  const { operation, segments } = operationFor(contract, request.method, request.target);
  const credentials = operation.security.flat();
  const { query } = splitTarget(request.target);
  const raw = query === '' ? [] : query.split('&').filter((pair) => !isKeyPair(credentials, pair));
  const sent = Object.keys(request.headers).flatMap((name) => {
    const value = headerOf(request.headers, name);
    const isNotSent = pactHeaders.test(name) || isKeyHeader(credentials, name) || (name === 'accept' && value === '*/*');
    return value === undefined || isNotSent ? [] : [[name, value] as const];
  });
  return {
    operation,
    segments: Object.fromEntries(segments),
    raw,
    headers: { ...Object.fromEntries(sent), ...headers },
    as,
    ...(carrier === undefined ? {} : { carrier }),
  };
}

/** Copies a call with other values of some query parameters. */
export function withQuery(call: Call, changes: Readonly<Record<string, string>>): Call {
  const rest = (call.raw ?? []).filter((piece) => !Object.hasOwn(changes, decodeOrKeep(piece.split('=', 1)[0] ?? '')));
  const changed = Object.entries(changes).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  return { ...call, raw: [...rest, ...changed] };
}

/** Returns the index of the security requirement that a request uses; `undefined` for none. */
function carrierIn(operation: Operation, headers: ReadonlySet<string>, query: ReadonlySet<string>): number | undefined {
  const requirements = operation.security.filter((alternative) => alternative.length > 0);
  const found = requirements.findIndex((alternative) =>
    alternative.every((credential) =>
      credential.carrier.in === 'query' ? query.has(credential.carrier.name) : headers.has(headerOfCredential(credential) ?? ''),
    ),
  );
  return found < 0 ? undefined : found;
}

/** True if a header carries a key. */
function isKeyHeader(credentials: readonly Credential[], name: string): boolean {
  return credentials.some((credential) => headerOfCredential(credential) === name);
}

/** Returns the header of a credential in lower case; `undefined` for a query parameter. */
function headerOfCredential({ carrier }: Credential): string | undefined {
  if (carrier.in === 'query') return undefined;
  return carrier.in === 'header' ? carrier.name.toLowerCase() : carrier.in;
}

function isKeyPair(credentials: readonly Credential[], pair: string): boolean {
  const name = decodeOrKeep(pair.split('=', 1)[0] ?? '');
  return credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
}
