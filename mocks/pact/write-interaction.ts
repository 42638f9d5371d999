/**
 * The request and the response of an interaction: keys are placeholders, personal values are nobody's, generators stand for what a fact
 * gives, and only what is promised is expected.
 */

import { headerOf, splitTarget } from '../../core/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Credential, type ResponseRule, responseFor, routeTo } from '../../core/operation.ts';
import { createMask, type Mask } from '../../core/personal.ts';
import { personal } from '../../core/personal-text.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { type RequestReading, readRequest } from '../../core/request.ts';
import { isJsonType } from '../../core/response.ts';
import { decodeOrKeep, splitQuery } from '../../core/style.ts';
import { keyIn } from '../caller.ts';
import type { InferredStates } from './infer-states.ts';
import { deriveExpectedBody, type KnownBody, type RecordedRule, readGuarantees, textMatchers } from './matching-rules.ts';

import type { RecordableExchange } from './recordable-exchange.ts';

/** What of an exchange may be written down. */
export interface AnonymizedExchange {
  readonly body: () => Json | undefined;
  /** The parameters whose values are personal. */
  readonly parameters: ReadonlySet<string>;
}

/** The name under which every recorded failure is told. */
const exampleRequestId = 'request-1';

const someMessage = 'What went wrong, in words.';

/** Makes exchanges of a contract anonymous. */
export function createAnonymizer(contract: RecordableExchange['api']['contract']): (sighting: RecordableExchange) => AnonymizedExchange {
  const mask = createMask(contract);
  return (sighting) => {
    const parameters = personalParameters(mask, sighting);
    // Most exchanges are worse examples than one before, and their bodies need not be looked through.
    return { body: () => withoutIdentifiers(sighting, parameters.size > 0, maskBody(mask, sighting)), parameters };
  };
}

/** A text of the same shape: letters and digits are replaced, and everything between them stays. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/\p{L}/gu, (letter) => (letter === 'X' ? 'X' : 'x'))
    .replaceAll(/\p{N}/gu, '0');
}

function maskBody(mask: Mask, { request, response, body }: RecordableExchange): Json | undefined {
  if (body === undefined) return undefined;
  const masked = JSON.parse(mask.mask({ request, response }).response.body) as Json;
  return reshape(body, masked);
}

/** The value with the shape of each part that the mask hides. */
function reshape(value: Json, masked: Json | undefined): Json {
  if (masked === personal) return value === personal ? value : shapeOfValue(value);
  if (Array.isArray(value)) {
    const others = Array.isArray(masked) ? (masked as readonly Json[]) : [];
    return (value as readonly Json[]).map((each, index) => reshape(each, others[index]));
  }
  if (!isObject(value)) return value;
  const others: JsonObject = isObject(masked) ? masked : {};
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reshape(member, others[name])]));
}

function shapeOfValue(value: Json): Json {
  if (typeof value === 'string') return shapeOf(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 1 : 1.5;
  if (Array.isArray(value)) return (value as readonly Json[]).map(shapeOfValue);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOfValue(member)])) : value;
}

/** A failure names its request, and may quote what was asked. */
function withoutIdentifiers({ api, response }: RecordableExchange, isPersonal: boolean, body: Json | undefined): Json | undefined {
  const { error } = api.contract;
  if (error === undefined || body === undefined || response.status < 400) return body;
  const { request, message } = error;
  const named = request === undefined || valueAt(body, request) === undefined ? body : withValueAt(body, request, exampleRequestId);
  return isPersonal && valueAt(named, message) !== undefined ? withValueAt(named, message, someMessage) : named;
}

function personalParameters(mask: Mask, { request, open }: RecordableExchange): ReadonlySet<string> {
  const shown = mask.mask({ request, response: { status: 200, headers: {}, body: '' } }).request;
  if (shown.target === request.target) return new Set();
  const { path, query } = splitTarget(shown.target);
  const hidden = splitQuery(query).flatMap(([name, value]) => (value === personal ? [name] : []));
  const route = routeTo([open.operation], request.method, path);
  const segments = route.kind === 'operation' ? [...route.segments].flatMap(([name, value]) => (value === personal ? [name] : [])) : [];
  return new Set([...hidden, ...segments]);
}

/** The value of a header that an example shows: times are those of nobody's clock. */
function exampleOfHeader({ response }: RecordableExchange, name: string): string | undefined {
  const value = headerOf(response.headers, name);
  if (name !== 'retry-after' || value === undefined) return value;
  return /^\d+$/.test(value) ? '30' : 'Thu, 01 Jan 2026 00:00:00 GMT';
}

/** What stands in place of every key. */
const placeholder = 'your-key';

const conditionalHeader = 'If-None-Match';

/** An exchange whose request is written down: with what a fact puts into it, and the parameters whose values are nobody else's business. */
interface RequestSource {
  readonly sighting: RecordableExchange;
  readonly injected: ReadonlyMap<string, string>;
  readonly personal: ReadonlySet<string>;
}

/** Writes the request of an exchange. `personal` names the parameters whose values are not written down. */
export function writeRequest(sighting: RecordableExchange, { injected }: InferredStates, personal: ReadonlySet<string>): JsonObject {
  const writing = { sighting, injected, personal };
  const { operation } = sighting.open;
  const [query, headers] = [queryOf(writing), headersOf(writing)];
  const generators = generatorsOf(writing, [...query.keys()], headers);
  return withoutEmpty({
    method: operation.method,
    path: pathOf(sighting, (name, raw) => maskParameter(writing, name, raw)),
    query: Object.fromEntries(query),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
    generators,
    matchingRules: rulesFor(generators),
  });
}

/** An object without the members that are empty. */
export function withoutEmpty(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const isEmpty = (value: Json | undefined): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined || isEmpty(value) ? [] : [[name, value]])),
  );
}

/**
 * Whether a pact can say what was asked: it holds decoded texts, and means the same when they are encoded again. What is broken in a way that only
 * the wire shows cannot be said.
 */
export function isRepresentable(sighting: RecordableExchange): boolean {
  const { operation, reading, segments } = sighting.open;
  const query = queryOf({ sighting, injected: new Map(), personal: new Set() });
  const pairs = [...query].flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`));
  const target = `${splitTarget(sighting.request.target).path}?${pairs.join('&')}`;
  return meaningOf(readRequest(operation, { ...sighting.request, target }, segments)) === meaningOf(reading);
}

function maskParameter({ personal }: RequestSource, name: string, text: string): string {
  return personal.has(name) ? shapeOf(text) : text;
}

function pathOf({ open: { operation, segments } }: RecordableExchange, write: (name: string, raw: string) => string): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => {
    const raw = segments.get(name);
    return raw === undefined ? all : write(name, raw);
  });
}

/** What the operation knows of the query, in the order of names; what it does not know is ignored and left out. */
function queryOf(writing: RequestSource): ReadonlyMap<string, readonly string[]> {
  const { open, request } = writing.sighting;
  const isKeyOf = (credentials: readonly Credential[], name: string): boolean =>
    credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
  const shown = credentialsOf(writing.sighting);
  const undeclared = new Set(open.reading.problems.flatMap((problem) => (problem.class === 'undeclared' ? problem.parameters : [])));
  const found = new Map<string, string[]>();
  for (const [name, raw] of splitQuery(splitTarget(request.target).query)) {
    const isKey = isKeyOf(open.operation.security.flat(), name);
    if (undeclared.has(name) || (isKey && !isKeyOf(shown, name))) continue;
    found.set(name, [...(found.get(name) ?? []), isKey ? placeholder : maskParameter(writing, name, decodeOrKeep(raw))]);
  }
  return new Map([...found].toSorted(byName));
}

/** A header with its name as the contract spells it. */
type Header = readonly [string, string];

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function headersOf(writing: RequestSource): readonly Header[] {
  const { open, request, response, isConditional } = writing.sighting;
  const sent = open.operation.parameters.flatMap(({ in: place, name }): readonly Header[] => {
    const value = place === 'header' && name.toLowerCase() !== 'if-none-match' ? headerOf(request.headers, name) : undefined;
    return value === undefined ? [] : [[name, maskParameter(writing, name, value)]];
  });
  const tag = response.status === 304 ? headerOf(response.headers, 'etag') : undefined;
  const condition: Header = [conditionalHeader, tag ?? headerOf(request.headers, conditionalHeader) ?? ''];
  const keys = credentialsOf(writing.sighting);
  return [...keys.flatMap(keyHeader), ...cookiesOf(writing.sighting, keys), ...sent, ...(isConditional ? [condition] : [])].toSorted(
    byName,
  );
}

/** Cookies travel in one header: those of keys, and those of parameters. */
function cookiesOf({ open, request }: RecordableExchange, credentials: readonly Credential[]): readonly Header[] {
  const keys = credentials.flatMap(({ carrier }) => (carrier.in === 'cookie' ? [`${carrier.name}=${placeholder}`] : []));
  const sent = (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/);
  const others = open.operation.parameters.flatMap(({ in: place, name }) =>
    place === 'cookie' ? sent.filter((pair) => pair.startsWith(`${name}=`)) : [],
  );
  const all = [...keys, ...others];
  return all.length === 0 ? [] : [['Cookie', all.join('; ')]];
}

/** The first way of showing a key that the request took; none when the key is missing or not needed. */
function credentialsOf({ open, request, key }: RecordableExchange): readonly Credential[] {
  if (key === 'not-needed' || key === 'missing') return [];
  return open.operation.security.find((alternative) => alternative.every((each) => keyIn(request, each) !== undefined)) ?? [];
}

function generatorsOf({ sighting, injected }: RequestSource, query: readonly string[], headers: readonly Header[]): JsonObject {
  const { operation, segments } = sighting.open;
  const generate = (expression: string): JsonObject => ({ type: 'ProviderState', expression });
  const within = (names: readonly string[]): JsonObject =>
    Object.fromEntries(names.filter((name) => injected.has(name)).map((name) => [name, generate(`\${${injected.get(name) ?? ''}}`)]));
  const isInPath = operation.parameters.some(({ in: place, name }) => place === 'path' && segments.has(name) && injected.has(name));
  return withoutEmpty({
    header: within(headers.map(([name]) => name)),
    path: isInPath ? generate(pathOf(sighting, (name, raw) => (injected.has(name) ? `\${${injected.get(name) ?? ''}}` : raw))) : undefined,
    query: within(query),
  });
}

function keyHeader({ carrier }: Credential): readonly Header[] {
  if (carrier.in === 'header') return [[carrier.name, placeholder]];
  if (carrier.in !== 'authorization') return [];
  const value = carrier.word === 'Basic' ? Buffer.from(`:${placeholder}`).toString('base64') : placeholder;
  return [['Authorization', `${carrier.word} ${value}`]];
}

/** Commas part the members of lists. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}

function meaningOf({ values, problems }: RequestReading): string {
  const wrong = problems.filter((problem) => problem.class !== 'undeclared').map((problem) => [problem.class, problem.parameters]);
  return JSON.stringify([[...values], wrong]);
}

/** What is filled in may have any value, as Pact writes it down itself. */
function rulesFor(generators: JsonObject): JsonObject {
  const rule = { combine: 'AND', matchers: [{ match: 'type' }] };
  const rulesOf = (part: Json): Json => Object.fromEntries(Object.keys(part as JsonObject).map((name) => [name, rule]));
  return Object.fromEntries(Object.entries(generators).map(([part, value]) => [part, part === 'path' ? rule : rulesOf(value)]));
}

/** Writes the response of an exchange, with a body that may be shown. */
export function writeResponse(sighting: RecordableExchange, body: Json | undefined, knowledge: KnownBody): JsonObject {
  const { open, response } = sighting;
  const rule = responseFor(open.operation, response.status);
  const headers = (rule?.headers ?? []).flatMap((header) => writeHeader(sighting, header));
  const [, media] = [...(rule?.content ?? [])].find(([type]) => isJsonType(type)) ?? [];
  const content = media && body !== undefined ? deriveExpectedBody(open.operation.document, media.schema, body, knowledge) : undefined;
  const contentType = (headerOf(response.headers, 'content-type') ?? '').split(';', 1)[0]?.trim() ?? '';
  const shown: Readonly<Record<string, Json>> = Object.fromEntries(headers.map(({ name, example }) => [name, [example]]));
  return withoutEmpty({
    status: response.status,
    headers: content === undefined ? shown : { ...shown, 'Content-Type': [contentType] },
    body: content && { content: content.example, contentType, encoded: false },
    matchingRules: withoutEmpty({
      body: Object.fromEntries((content?.rules ?? []).map(([path, own]) => [path, { ...own }])),
      header: Object.fromEntries(headers.map(({ name, rule: own }) => [name, { ...own }])),
    }),
  });
}

/** A header that need not be there cannot be expected. */
function writeHeader(
  sighting: RecordableExchange,
  { name, required, parameter }: ResponseRule['headers'][number],
): readonly { readonly name: string; readonly example: string; readonly rule: RecordedRule }[] {
  const example = exampleOfHeader(sighting, name);
  if (!required || example === undefined) return [];
  const matchers = textMatchers(readGuarantees(sighting.open.operation.document, parameter.schema));
  return [{ name: spell(name), example, rule: { combine: 'AND', matchers: matchers.length > 0 ? matchers : [{ match: 'type' }] } }];
}

/** Header names are told in the customary spelling; it means nothing (RFC 9110 §5.1). */
function spell(name: string): string {
  return name === 'etag'
    ? 'ETag'
    : name.replaceAll(/(^|-)([a-z])/g, (_all, before: string, letter: string) => before + letter.toUpperCase());
}
