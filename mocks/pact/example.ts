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
import type { Circumstances } from './circumstances.ts';
import { expect, type Knowledge, type Rule, readPromise, textMatchers } from './expectation.ts';

import type { Sighting } from './sighting.ts';

/** What of an exchange may be written down. */
export interface Anonymous {
  readonly body: () => Json | undefined;
  /** The parameters whose values are personal. */
  readonly parameters: ReadonlySet<string>;
}

/** The name under which every recorded failure is told. */
const requestName = 'request-1';

const someMessage = 'What went wrong, in words.';

/** Makes exchanges of a contract anonymous. */
export function createAnonymizer(contract: Sighting['api']['contract']): (sighting: Sighting) => Anonymous {
  const mask = createMask(contract);
  return (sighting) => {
    const parameters = personalParameters(mask, sighting);
    // Most exchanges are worse examples than one before, and their bodies need not be looked through.
    return { body: () => withoutNames(sighting, parameters.size > 0, maskBody(mask, sighting)), parameters };
  };
}

/** A text of the same shape: letters and digits are replaced, and everything between them stays. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/\p{L}/gu, (letter) => (letter === 'X' ? 'X' : 'x'))
    .replaceAll(/\p{N}/gu, '0');
}

function maskBody(mask: Mask, { request, response, body }: Sighting): Json | undefined {
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
function withoutNames({ api, response }: Sighting, isPersonal: boolean, body: Json | undefined): Json | undefined {
  const { error } = api.contract;
  if (error === undefined || body === undefined || response.status < 400) return body;
  const { request, message } = error;
  const named = request === undefined || valueAt(body, request) === undefined ? body : withValueAt(body, request, requestName);
  return isPersonal && valueAt(named, message) !== undefined ? withValueAt(named, message, someMessage) : named;
}

function personalParameters(mask: Mask, { request, open }: Sighting): ReadonlySet<string> {
  const shown = mask.mask({ request, response: { status: 200, headers: {}, body: '' } }).request;
  if (shown.target === request.target) return new Set();
  const { path, query } = splitTarget(shown.target);
  const hidden = splitQuery(query).flatMap(([name, value]) => (value === personal ? [name] : []));
  const route = routeTo([open.operation], request.method, path);
  const segments = route.kind === 'operation' ? [...route.segments].flatMap(([name, value]) => (value === personal ? [name] : [])) : [];
  return new Set([...hidden, ...segments]);
}

/** The value of a header that an example shows: times are those of nobody's clock. */
function exampleOfHeader({ response }: Sighting, name: string): string | undefined {
  const value = headerOf(response.headers, name);
  if (name !== 'retry-after' || value === undefined) return value;
  return /^\d+$/.test(value) ? '30' : 'Thu, 01 Jan 2026 00:00:00 GMT';
}

/** What stands in place of every key. */
const placeholder = 'your-key';

const conditionalHeader = 'If-None-Match';

/** Writes the request of an exchange. `personal` names the parameters whose values are not written down. */
export function writeRequest(sighting: Sighting, { injected }: Circumstances, personal: ReadonlySet<string>): JsonObject {
  const writer = new RequestWriter(sighting, injected, personal);
  return writer.write();
}

/**
 * Whether a pact can say what was asked: it holds decoded texts, and means the same when they are encoded again. What is broken in a way that only
 * the wire shows cannot be said.
 */
export function isSayable(sighting: Sighting): boolean {
  const { operation, reading, segments } = sighting.open;
  const query = new RequestWriter(sighting, new Map(), new Set()).query();
  const pairs = [...query].flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`));
  const target = `${splitTarget(sighting.request.target).path}?${pairs.join('&')}`;
  return meaningOf(readRequest(operation, { ...sighting.request, target }, segments)) === meaningOf(reading);
}

/** A header with its name as the contract spells it. */
type Header = readonly [string, string];

class RequestWriter {
  private readonly sighting: Sighting;
  private readonly injected: ReadonlyMap<string, string>;
  private readonly personal: ReadonlySet<string>;

  constructor(sighting: Sighting, injected: ReadonlyMap<string, string>, personal: ReadonlySet<string>) {
    this.sighting = sighting;
    this.injected = injected;
    this.personal = personal;
  }

  write(): JsonObject {
    const { operation } = this.sighting.open;
    const query = this.query();
    const headers = this.headers();
    const path = this.path((name, raw) => (this.personal.has(name) ? shapeOf(raw) : raw));
    const generators = this.generators([...query.keys()], headers);
    return {
      method: operation.method,
      path,
      ...(query.size === 0 ? {} : { query: Object.fromEntries(query) }),
      ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers.map(([name, value]) => [name, [value]])) }),
      ...(Object.keys(generators).length === 0 ? {} : { generators, matchingRules: rulesFor(generators) }),
    };
  }

  private path(write: (name: string, raw: string) => string): string {
    const { operation, segments } = this.sighting.open;
    return operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => {
      const raw = segments.get(name);
      return raw === undefined ? all : write(name, raw);
    });
  }

  /** What the operation knows of the query, in the order of names; what it does not know is ignored and left out. */
  query(): ReadonlyMap<string, readonly string[]> {
    const { open, request } = this.sighting;
    const carriers = this.credentials().flatMap(({ carrier }) => (carrier.in === 'query' ? [carrier.name] : []));
    const undeclared = new Set(open.reading.problems.flatMap((problem) => (problem.class === 'undeclared' ? problem.parameters : [])));
    const found = new Map<string, string[]>();
    for (const [name, raw] of splitQuery(splitTarget(request.target).query)) {
      const isKey = open.operation.security.flat().some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
      if (undeclared.has(name) || (isKey && !carriers.includes(name))) continue;
      const value = isKey ? placeholder : this.personal.has(name) ? shapeOf(decodeOrKeep(raw)) : decodeOrKeep(raw);
      found.set(name, [...(found.get(name) ?? []), value]);
    }
    return new Map([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  private headers(): readonly Header[] {
    const { open, request, response, isConditional } = this.sighting;
    const declared = open.operation.parameters.filter(
      (parameter) => parameter.in === 'header' && parameter.name.toLowerCase() !== 'if-none-match',
    );
    const sent = declared.flatMap(({ name }): readonly Header[] => {
      const value = headerOf(request.headers, name);
      return value === undefined ? [] : [[name, this.personal.has(name) ? shapeOf(value) : value]];
    });
    const tag = response.status === 304 ? headerOf(response.headers, 'etag') : undefined;
    const condition: readonly Header[] = isConditional
      ? [[conditionalHeader, tag ?? headerOf(request.headers, conditionalHeader) ?? '']]
      : [];
    return [...this.credentials().flatMap(keyHeader), ...this.cookies(), ...sent, ...condition].toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    );
  }

  /** Cookies travel in one header: those of keys, and those of parameters. */
  private cookies(): readonly Header[] {
    const { open, request } = this.sighting;
    const keys = this.credentials().flatMap(({ carrier }) => (carrier.in === 'cookie' ? [`${carrier.name}=${placeholder}`] : []));
    const sent = (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/);
    const declared = open.operation.parameters.filter((parameter) => parameter.in === 'cookie').map(({ name }) => name);
    const others = declared.flatMap((name) => sent.filter((pair) => pair.startsWith(`${name}=`)));
    const all = [...keys, ...others];
    return all.length === 0 ? [] : [['Cookie', all.join('; ')]];
  }

  /** The first way of showing a key that the request took; none when the key is missing or not needed. */
  private credentials(): readonly Credential[] {
    const { open, request, key } = this.sighting;
    if (key === 'not-needed' || key === 'missing') return [];
    return open.operation.security.find((alternative) => alternative.every((each) => keyIn(request, each) !== undefined)) ?? [];
  }

  private generators(query: readonly string[], headers: readonly Header[]): JsonObject {
    const { operation, segments } = this.sighting.open;
    const inQuery = query.flatMap((name) => this.generator(name));
    const inHeaders = headers.flatMap(([name]) => this.generator(name));
    const isInPath = operation.parameters.some(({ in: place, name }) => place === 'path' && segments.has(name) && this.injected.has(name));
    const expression = this.path((name, raw) => (this.injected.has(name) ? `\${${this.injected.get(name) ?? ''}}` : raw));
    return {
      ...(inHeaders.length === 0 ? {} : { header: Object.fromEntries(inHeaders) }),
      ...(isInPath ? { path: { type: 'ProviderState', expression } } : {}),
      ...(inQuery.length === 0 ? {} : { query: Object.fromEntries(inQuery) }),
    };
  }

  private generator(name: string): readonly (readonly [string, JsonObject])[] {
    const field = this.injected.get(name);
    return field === undefined ? [] : [[name, { type: 'ProviderState', expression: `\${${field}}` }]];
  }
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
export function writeResponse(sighting: Sighting, body: Json | undefined, knowledge: Knowledge): JsonObject {
  const rule = responseFor(sighting.open.operation, sighting.response.status);
  const headers = rule === undefined ? [] : rule.headers.flatMap((header) => writeHeader(sighting, header));
  const content = rule === undefined ? undefined : writeContent(sighting, rule, body, knowledge);
  const shown = [
    ...headers.map(({ name, example }) => [name, [example]] as const),
    ...(content === undefined ? [] : [contentType(sighting)]),
  ];
  const matching = {
    ...(content === undefined || content.rules.length === 0 ? {} : { body: toRules(content.rules) }),
    ...(headers.length === 0 ? {} : { header: Object.fromEntries(headers.map(({ name, rule: own }) => [name, own as unknown as Json])) }),
  };
  return {
    status: sighting.response.status,
    ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) }),
    ...(content === undefined ? {} : { body: { content: content.example, contentType: mediaType(sighting), encoded: false } }),
    ...(Object.keys(matching).length === 0 ? {} : { matchingRules: matching }),
  };
}

function toRules(rules: readonly (readonly [string, Rule])[]): JsonObject {
  return Object.fromEntries(rules.map(([path, rule]) => [path, rule as unknown as Json]));
}

/** A header that need not be there cannot be expected. */
function writeHeader(
  sighting: Sighting,
  { name, required, parameter }: ResponseRule['headers'][number],
): readonly { readonly name: string; readonly example: string; readonly rule: Rule }[] {
  const example = exampleOfHeader(sighting, name);
  if (!required || example === undefined) return [];
  const matchers = textMatchers(readPromise(sighting.open.operation.document, parameter.schema));
  return [{ name: spell(name), example, rule: { combine: 'AND', matchers: matchers.length > 0 ? matchers : [{ match: 'type' }] } }];
}

/** Header names are told in the customary spelling; it means nothing (RFC 9110 §5.1). */
function spell(name: string): string {
  return name === 'etag'
    ? 'ETag'
    : name.replaceAll(/(^|-)([a-z])/g, (_all, before: string, letter: string) => before + letter.toUpperCase());
}

function writeContent(
  { open }: Sighting,
  { content }: ResponseRule,
  body: Json | undefined,
  knowledge: Knowledge,
): ReturnType<typeof expect> {
  const [, media] = [...content].find(([type]) => isJsonType(type)) ?? [];
  if (media === undefined || body === undefined) return undefined;
  return expect(open.operation.document, media.schema, body, knowledge);
}

function contentType(sighting: Sighting): readonly [string, readonly string[]] {
  return ['Content-Type', [mediaType(sighting)]];
}

function mediaType({ response }: Sighting): string {
  return (headerOf(response.headers, 'content-type') ?? '').split(';', 1)[0]?.trim() ?? '';
}
