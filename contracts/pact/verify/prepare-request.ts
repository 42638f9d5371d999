/**
 * Making the request of an interaction ready: what a state gives is put where a generator wants it, and, in pacts without generators, where the example
 * of a key stands. Nothing is left to Pact, which would send an example in place of a value that is missing, and say nothing: interactions are written for
 * it with their states and generators taken out.
 */

import type { Contract } from '../../../core/contract.ts';
import { type HttpRequest, headerOf, splitTarget } from '../../../core/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { type Credential, type Operation, routeTo } from '../../../core/operation.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import { fillExpression, isScalar, type StateValue } from '../../../core/pact/state-generators.ts';
import { valuesAlong } from '../../../core/pact/body-path.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { decodeOrKeep } from '../../../core/style.ts';
import { type Call, type Caller, nobody } from '../../call.ts';
import { encodeName } from '../../named-read.ts';
import { placesOf } from '../../place.ts';
import type { Reply } from '../../reply.ts';
import type { ListOperation } from '../../walk.ts';
import { listBodyGenerators, listRequestGenerators } from '../../../core/pact/injection.ts';

/** An interaction of a run. */
export interface InteractionTask {
  readonly number: number;
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
}

/** One whose request is ready. */
export interface ReadyInteraction {
  readonly item: InteractionTask;
  readonly prepared: PreparedRequest;
}

/** A request that can be sent. */
export interface PreparedRequest {
  readonly kind: 'prepared';
  /** The path with what was put into it, that percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly sender: Sender;
  readonly operation: Operation;
  readonly found: StateFound;
  /** Where its record may stand in the answer. */
  readonly places: readonly string[];
  /** Examples of keys for which the value of the record that was found stands now, by the record's field. */
  readonly replaced: ReadonlyMap<string, StateValue>;
}

/** Makes a request ready; or tells what its states do not give. */
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
  const lost = fill(draft, request.generators, found, operation);
  if (lost.length > 0) {
    const given = [...found.values.keys()];
    const gives = given.length === 0 ? 'they give nothing' : `they give ${given.slice(0, 12).join(', ')}${given.length > 12 ? ', …' : ''}`;
    return stateMissing(`the states give no ${[...new Set(lost)].join(', ')}: ${gives}`);
  }
  if (interaction.response.status < 400) replaceExamples(draft, operation, segments, interaction, found);
  const carrier = carrierIn(operation, new Set(draft.header.keys()), new Set(draft.query.keys()));
  // Whoever expects to be refused and shows no key means to show none.
  const isKeyless = carrier === undefined && interaction.response.status === 401;
  const as = found.as ?? (isKeyless ? nobody : 'full');
  const { path, query, header, replaced } = draft;
  const sender = { as, carrier, headers: found.headers ?? {} };
  return { kind: 'prepared', path, query, headers: header, operation, places: placesOf(contract, operation), found, replaced, sender };
}

interface RequestDraft {
  path: string;
  readonly query: Map<string, readonly string[]>;
  readonly header: Map<string, readonly string[]>;
  /** What a generator filled: `path `, `query id`, `header if-none-match`. */
  readonly generated: Set<string>;
  readonly replaced: Map<string, StateValue>;
}

/** Fills what generators want, and tells the names that nothing is given for. */
function fill(draft: RequestDraft, generators: JsonObject, { values }: StateFound, operation: Operation): readonly string[] {
  const injections = listRequestGenerators(generators);
  const ordered = (['path', 'query', 'header'] as const).flatMap((part) => injections.filter((each) => each.part === part));
  return ordered.flatMap(({ part, name, index, expression }) => {
    // Keys are no values of a state: which one is sent, the state says by itself.
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

/** Pacts without generators hold examples: a key of a record, its tag, a cursor. What was found takes their place. */
function replaceExamples(
  draft: RequestDraft,
  operation: Operation,
  segments: ReadonlyMap<string, string>,
  { response, states }: Interaction,
  { record, values }: StateFound,
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

function putKey(draft: RequestDraft, operation: Operation, segments: ReadonlyMap<string, string>, parameter: string, value: StateValue): boolean {
  if (!segments.has(parameter)) return putPlain(draft, 'query', parameter, String(value));
  if (draft.generated.has('path ')) return false;
  const shown = new Map([...segments, [parameter, encodeName(String(value))]]);
  draft.path = operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => shown.get(name) ?? all);
  return true;
}

function putPlain(draft: RequestDraft, kind: 'query' | 'header', name: string, text: string): boolean {
  const target = draft[kind];
  if (draft.generated.has(`${kind} ${name}`) || !target.has(name)) return false;
  target.set(name, [text]);
  return true;
}

/** A record as its list showed it. */
export interface ListedRecord {
  readonly record: Entry;
  /** The page that it stood on. */
  readonly reply: Reply;
}

/** Where the page that an interaction asks for has to begin. */
export interface FollowingPage {
  readonly operation: ListOperation;
  /** A larger page, which holds the page before and what follows it. */
  readonly whole: Reply;
  /** The index in it of the first record that follows. */
  readonly start: number;
}

/** A fact that holds. */
export interface StateFound {
  readonly kind: 'found';
  readonly values: ReadonlyMap<string, StateValue>;
  /** Who has to ask, when that belongs to the fact. */
  readonly as?: Caller;
  /** Headers that bring the fact about. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The record that was found, of which collection or resource it is, and how a list showed it. */
  readonly record?: { readonly name: string; readonly value: Entry; readonly listed?: ListedRecord };
  /** The keys of the records of the page before the one that the cursor leads to. */
  readonly before?: readonly string[];
  /** What follows that page. */
  readonly following?: FollowingPage;
}

/** A fact that was not found; the reason is a clause without a full stop. */
interface StateMissing {
  readonly kind: 'missing';
  readonly reason: string;
  /** The operation that was asked for it and refused to answer. */
  readonly refusedBy?: string;
}

/** What looking came to. */
export type StateResult = StateFound | StateMissing;

/** A fact that gives nothing but that it holds. */
export const foundWithoutValues: StateFound = { kind: 'found', values: new Map() };

/** A fact that cannot be found, and why. */
export function stateMissing(reason: string, refusedBy?: string): StateMissing {
  return { kind: 'missing', reason, ...(refusedBy === undefined ? {} : { refusedBy }) };
}

/** Several facts together: what each gives; the first that is missing when one is. */
export function combineStates(findings: readonly StateResult[]): StateResult {
  const lost = findings.find((finding) => finding.kind === 'missing');
  if (lost !== undefined) return lost;
  const found = findings.filter((finding) => finding.kind === 'found');
  return Object.assign({}, ...found, {
    values: new Map(found.flatMap(({ values }) => [...values])),
    headers: Object.assign({}, ...found.map(({ headers }) => headers ?? {})),
  }) as StateFound;
}

/** What an interaction is called while Pact verifies it. */
export function interactionTitle(number: number): string {
  return `interaction ${number}`;
}

/** Writes a pact of these interactions. */
export function writePact({ value }: Pact, ready: readonly ReadyInteraction[]): JsonObject {
  const version = versionOf(value);
  return {
    consumer: { name: 'consumer' },
    provider: { name: 'provider' },
    interactions: ready.map((each) => writeInteraction(value, each, version)),
    metadata: isObject(value['metadata']) ? value['metadata'] : { pactSpecification: { version: `${version}.0.0` } },
  };
}

/** Which version of the Pact specification a pact follows: 2, 3 or 4. */
function versionOf(pact: JsonObject): number {
  const stated = valueAt(pact, '/metadata/pactSpecification/version') ?? valueAt(pact, '/metadata/pact-specification/version');
  const major = typeof stated === 'string' ? Number(stated.split('.', 1)[0]) : Number.NaN;
  return Number.isInteger(major) ? major : 2;
}

function writeInteraction(pact: JsonObject, { item: { number, interaction }, prepared }: ReadyInteraction, version: number): JsonObject {
  const own = valueAt(pact, interaction.pointer);
  const { providerState: _one, provider_state: _old, providerStates: _several, key: _key, ...rest } = isObject(own) ? own : {};
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
    response: writeResponse(rest['response'], prepared, version),
  };
}

/** The second version writes the query as it is sent. */
function writeQuery(query: PreparedRequest['query'], version: number): Json {
  if (version >= 3) return Object.fromEntries([...query].map(([name, values]) => [name, [...values]]));
  return [...query]
    .flatMap(([name, values]) => values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`))
    .join('&');
}

/** Examples follow what was put into the request: a consumer that expects the very key that it asked for means the one that is asked for now. */
function writeResponse(response: Json | undefined, prepared: PreparedRequest, version: number): JsonObject {
  const { generators, ...rest } = isObject(response) ? response : {};
  const holder = version >= 4 ? ['body', 'content'] : ['body'];
  let written: Json = rest;
  for (const { steps, expression } of listBodyGenerators(generators)) {
    const { text, missing: lost } = fillExpression(expression, prepared.found.values);
    if (lost.length === 0 && !steps.includes('*')) written = replaceAt(written, [...holder, ...steps], text);
  }
  for (const [field, value] of prepared.replaced) {
    const places = prepared.places.map((place) => [...holder, ...fromPointer(`${place}${field}`)]);
    const place = places.find((keys) => valuesAlong(written, keys).length > 0);
    if (place !== undefined) written = replaceAt(written, place, String(value));
  }
  return isObject(written) ? written : {};
}

type Keys = readonly (string | number)[];

/** A copy with another value at a place that is there; a number stays a number. */
function replaceAt(value: Json, [key, ...rest]: Keys, text: string): Json {
  if (key === undefined) return typeof value === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
  const [member] = valuesAlong(value, [key]);
  if (member === undefined) return value;
  const replaced = replaceAt(member, rest, text);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each, at) => (at === Number(key) ? replaced : each));
  return isObject(value) ? { ...value, [key]: replaced } : value;
}

/** The operation of a request; one of its own for a request that the contract does not know, which shows keys as the others do. */
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
 * An operation that the contract does not have.
 * @throws {TypeError} when the contract has none at all, which loading it refuses.
 */
export function undocumentedOperation(contract: Contract, method: string, path: string): Operation {
  const [first] = contract.operations;
  if (first === undefined) throw new TypeError(`${contract.name} has no operation`);
  const nothing = { parameters: [], rules: [], responses: new Map(), collection: undefined, resource: undefined };
  return { ...first, ...nothing, id: `${method} ${path}`, method, path };
}

/** The header by which a request of Pact is known to belong to an interaction; it stays here. */
export const interactionHeader = 'x-touchstone-interaction';

/** Fields of Pact's client that say nothing of the consumer. */
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|x-touchstone-interaction)$/;

/** Who asks, how the key is shown, and what is added to a request. */
interface Sender {
  readonly as: Caller;
  readonly carrier: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request of Pact as a call, its example of a key taken out. */
export function callFromPact(contract: Contract, request: HttpRequest, { as, carrier, headers }: Sender): Call {
  const { operation, segments } = operationFor(contract, request.method, request.target);
  const credentials = operation.security.flat();
  const { query } = splitTarget(request.target);
  const raw = query === '' ? [] : query.split('&').filter((pair) => !isKeyPair(credentials, pair));
  const own = Object.keys(request.headers).flatMap((name) => {
    const value = headerOf(request.headers, name);
    const isOurs = ownHeaders.test(name) || isKeyHeader(credentials, name) || (name === 'accept' && value === '*/*');
    return value === undefined || isOurs ? [] : [[name, value] as const];
  });
  return {
    operation,
    segments: Object.fromEntries(segments),
    raw,
    headers: { ...Object.fromEntries(own), ...headers },
    as,
    ...(carrier === undefined ? {} : { carrier }),
  };
}

/** The same call with other values of some parameters of its query. */
export function withQuery(call: Call, changes: Readonly<Record<string, string>>): Call {
  const rest = (call.raw ?? []).filter((piece) => !Object.hasOwn(changes, decodeOrKeep(piece.split('=', 1)[0] ?? '')));
  const changed = Object.entries(changes).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  return { ...call, raw: [...rest, ...changed] };
}

/** Which of the documented ways of showing a key a request uses; `undefined` for none of them. */
function carrierIn(operation: Operation, headers: ReadonlySet<string>, query: ReadonlySet<string>): number | undefined {
  const ways = operation.security.filter((alternative) => alternative.length > 0);
  const found = ways.findIndex((alternative) =>
    alternative.every(({ carrier }) => {
      if (carrier.in === 'query') return query.has(carrier.name);
      return headers.has(
        carrier.in === 'authorization' ? 'authorization' : carrier.in === 'cookie' ? 'cookie' : carrier.name.toLowerCase(),
      );
    }),
  );
  return found < 0 ? undefined : found;
}

/** Whether a header carries a key. */
function isKeyHeader(credentials: readonly Credential[], name: string): boolean {
  return credentials.some(({ carrier }) => {
    if (carrier.in === 'query') return false;
    return name === (carrier.in === 'authorization' ? 'authorization' : carrier.in === 'cookie' ? 'cookie' : carrier.name.toLowerCase());
  });
}

function isKeyPair(credentials: readonly Credential[], pair: string): boolean {
  const name = decodeOrKeep(pair.split('=', 1)[0] ?? '');
  return credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
}
