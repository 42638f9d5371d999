/**
 * Converts an exchange that belongs in a pact to an interaction. Keys become placeholders, personal data is masked, and values from a provider state get
 * generators.
 */

import { placeQuestionOf, schemaBranchAt } from '../../core/annotations/record-place.ts';
import { headerOf, splitTarget } from '../../core/http/exchange.ts';
import { keyIn } from '../../core/http/key-of-request.ts';
import { isJsonType, mediaTypeOf } from '../../core/http/media-type.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { type Credential, type ResponseRule, responseFor } from '../../core/openapi/operation.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import type { ProviderState } from '../../core/pact/pact.ts';
import { toProviderState } from '../../core/pact/state-condition.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/query-string.ts';
import { shapeOf } from '../secret-members.ts';
import type { AnonymizedExchange } from './anonymize-exchange.ts';
import { describeInteraction } from './describe-interaction.ts';
import { deriveExpectedBody, type KnownBody, type RecordedRule, textMatchers } from './expected-body.ts';
import type { InferredStates } from './infer-recorded-states.ts';
import type { RecordableExchange } from './recordable-exchange.ts';
import { readGuarantees } from './schema-guarantees.ts';

/** Writes the interaction of an exchange, in version 4 of the Pact specification. */
export function writeInteraction(
  recordable: RecordableExchange,
  states: InferredStates,
  { body, sentBody, parameters }: AnonymizedExchange,
): JsonObject {
  return withoutEmpty({
    type: 'Synchronous/HTTP',
    description: describeInteraction(recordable, states),
    pending: false,
    providerStates: [...states.conditions.map(toProviderState), ...statesOfClient(recordable)].map(({ name, params }) =>
      withoutEmpty({ name, params }),
    ),
    request: toPactRequest({ recordable, stateValues: states.stateValues, personalNames: parameters }, sentBody),
    response: writeResponse(recordable, body(), states.knownBody),
  });
}

/** A state that only the provider's own set-up can create: a record that the client created itself before. */
function statesOfClient({ context, withoutProfile: { operation } }: RecordableExchange): readonly ProviderState[] {
  return context.isOfClient === true ? [{ name: `the record of ${operation.path} was created before`, params: {} }] : [];
}

/** Returns the example of a header; times are replaced by fixed ones. */
function exampleOfHeader({ response }: RecordableExchange, name: string): string | undefined {
  const value = headerOf(response.headers, name);
  if (name !== 'retry-after' || value === undefined) return value;
  return /^\d+$/.test(value) ? '30' : 'Thu, 01 Jan 2026 00:00:00 GMT';
}

/** Replacement of every key. */
const keyPlaceholder = 'your-key';

const conditionalHeader = 'If-None-Match';

/** An exchange, the state values of its parameters, and the personal parameters. */
interface RequestSource {
  readonly recordable: RecordableExchange;
  readonly stateValues: ReadonlyMap<string, string>;
  readonly personalNames: ReadonlySet<string>;
}

/** Writes the request. The consumer may send another body with values of the same types. */
function toPactRequest(source: RequestSource, content: Json | undefined): JsonObject {
  const { recordable } = source;
  const { operation } = recordable.withoutProfile;
  const { type = '', format } = recordable.sentBody ?? {};
  const [query, headers] = [queryOf(source), headersOf(source)];
  const generators = generatorsOf(source, [...query.keys()], headers);
  return withoutEmpty({
    method: operation.method,
    path: pathOf(recordable, (name, raw) => maskParameter(source, name, raw)),
    query: Object.fromEntries(query),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
    body: content === undefined ? undefined : { content, contentType: type, encoded: false },
    generators,
    matchingRules: { ...rulesFor(generators), ...(format === 'json' ? { body: { $: typeRule } } : {}) },
  });
}

/** Removes empty members from an object. */
function withoutEmpty(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const isEmpty = (value: Json | undefined): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined || isEmpty(value) ? [] : [[name, value]])),
  );
}

function maskParameter({ personalNames }: RequestSource, name: string, text: string): string {
  return personalNames.has(name) ? shapeOf(text) : text;
}

function pathOf({ withoutProfile: { operation, segments } }: RecordableExchange, write: (name: string, raw: string) => string): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => {
    const raw = segments.get(name);
    return raw === undefined ? all : write(name, raw);
  });
}

/** Returns the documented query parameters, sorted by name; undocumented ones are left out. */
function queryOf(source: RequestSource): ReadonlyMap<string, readonly string[]> {
  const { withoutProfile, request } = source.recordable;
  const isKeyOf = (credentials: readonly Credential[], name: string): boolean =>
    credentials.some(({ carrier }) => carrier.in === 'query' && carrier.name === name);
  const usedCredentials = credentialsOf(source.recordable);
  const undeclared = new Set(
    withoutProfile.reading.problems.flatMap((problem) => (problem.class === 'undeclared' ? problem.parameters : [])),
  );
  const valuesByName = new Map<string, string[]>();
  for (const [name, raw] of splitQuery(splitTarget(request.target).query)) {
    const isKey = isKeyOf(withoutProfile.operation.security.flat(), name);
    if (undeclared.has(name) || (isKey && !isKeyOf(usedCredentials, name))) continue;
    valuesByName.set(name, [...(valuesByName.get(name) ?? []), isKey ? keyPlaceholder : maskParameter(source, name, decodeOrKeep(raw))]);
  }
  return new Map([...valuesByName].toSorted(byName));
}

/** A header, spelled as in the contract. */
type Header = readonly [string, string];

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function headersOf(source: RequestSource): readonly Header[] {
  const { withoutProfile, request, response, isConditional, sentBody } = source.recordable;
  const sent = withoutProfile.operation.parameters.flatMap(({ in: place, name }): readonly Header[] => {
    const value = place === 'header' && name.toLowerCase() !== 'if-none-match' ? headerOf(request.headers, name) : undefined;
    return value === undefined ? [] : [[name, maskParameter(source, name, value)]];
  });
  const tag = response.status === 304 ? headerOf(response.headers, 'etag') : undefined;
  const condition: Header = [conditionalHeader, tag ?? headerOf(request.headers, conditionalHeader) ?? ''];
  const keys = credentialsOf(source.recordable);
  const written = [...keys.flatMap(keyHeader), ...cookiesOf(source.recordable, keys), ...sent];
  const body: readonly Header[] = sentBody === undefined ? [] : [['Content-Type', sentBody.type]];
  return [...written, ...acceptHeader(source.recordable), ...body, ...(isConditional ? [condition] : [])].toSorted(byName);
}

/** The media type of the response, if the contract documents several. */
function acceptHeader({ withoutProfile, response }: RecordableExchange): readonly Header[] {
  const isChoice = (responseFor(withoutProfile.operation, response.status)?.content.size ?? 0) > 1;
  return isChoice ? [['Accept', contentTypeOf(response)]] : [];
}

/** Combines the cookies of keys and of parameters in one header. */
function cookiesOf({ withoutProfile, request }: RecordableExchange, credentials: readonly Credential[]): readonly Header[] {
  const keys = credentials.flatMap(({ carrier }) => (carrier.in === 'cookie' ? [`${carrier.name}=${keyPlaceholder}`] : []));
  const sent = (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/);
  const others = withoutProfile.operation.parameters.flatMap(({ in: place, name }) =>
    place === 'cookie' ? sent.filter((pair) => pair.startsWith(`${name}=`)) : [],
  );
  const all = [...keys, ...others];
  return all.length === 0 ? [] : [['Cookie', all.join('; ')]];
}

/** Returns the credentials of the first security requirement that the request meets; none without a key. */
function credentialsOf({ withoutProfile, request, key }: RecordableExchange): readonly Credential[] {
  if (key === 'not-needed' || key === 'missing') return [];
  return withoutProfile.operation.security.find((alternative) => alternative.every((each) => keyIn(request, each) !== undefined)) ?? [];
}

function generatorsOf({ recordable, stateValues }: RequestSource, query: readonly string[], headers: readonly Header[]): JsonObject {
  const { operation, segments } = recordable.withoutProfile;
  const generate = (expression: string): JsonObject => ({ type: 'ProviderState', expression });
  const within = (names: readonly string[]): JsonObject =>
    Object.fromEntries(names.filter((name) => stateValues.has(name)).map((name) => [name, generate(`\${${stateValues.get(name) ?? ''}}`)]));
  const isInPath = operation.parameters.some(({ in: place, name }) => place === 'path' && segments.has(name) && stateValues.has(name));
  return withoutEmpty({
    header: within(headers.map(([name]) => name)),
    path: isInPath
      ? generate(pathOf(recordable, (name, raw) => (stateValues.has(name) ? `\${${stateValues.get(name) ?? ''}}` : raw)))
      : undefined,
    query: within(query),
  });
}

function keyHeader({ carrier }: Credential): readonly Header[] {
  if (carrier.in === 'header') return [[carrier.name, keyPlaceholder]];
  if (carrier.in !== 'authorization') return [];
  const value = carrier.word === 'Basic' ? Buffer.from(`:${keyPlaceholder}`).toString('base64') : keyPlaceholder;
  return [['Authorization', `${carrier.word} ${value}`]];
}

const typeRule = { combine: 'AND', matchers: [{ match: 'type' }] };

/** Adds the type rule that Pact writes for every generator. */
function rulesFor(generators: JsonObject): JsonObject {
  const rulesOf = (part: Json): Json => Object.fromEntries(Object.keys(part as JsonObject).map((name) => [name, typeRule]));
  return Object.fromEntries(Object.entries(generators).map(([part, value]) => [part, part === 'path' ? typeRule : rulesOf(value)]));
}

/** Writes the response with its anonymized body. */
function writeResponse(recordable: RecordableExchange, body: Json | undefined, knownBody: KnownBody): JsonObject {
  const { withoutProfile, response } = recordable;
  const rule = responseFor(withoutProfile.operation, response.status);
  const headers = (rule?.headers ?? []).flatMap((header) => writeHeader(recordable, header));
  const [, media] = [...(rule?.content ?? [])].find(([type]) => isJsonType(type)) ?? [];
  const content =
    media && body !== undefined
      ? deriveExpectedBody(withoutProfile.operation.document, schemaAtPlace(recordable, media.schema), body, knownBody)
      : undefined;
  const contentType = contentTypeOf(response);
  const headerExamples: Readonly<Record<string, Json>> = Object.fromEntries(headers.map(({ name, example }) => [name, [example]]));
  return withoutEmpty({
    status: response.status,
    headers: content === undefined ? headerExamples : { ...headerExamples, 'Content-Type': [contentType] },
    body: content && { content: content.example, contentType, encoded: false },
    matchingRules: withoutEmpty({
      body: Object.fromEntries((content?.rules ?? []).map(([path, own]) => [path, { ...own }])),
      header: Object.fromEntries(headers.map(({ name, rule: own }) => [name, { ...own }])),
    }),
  });
}

function contentTypeOf({ headers }: RecordableExchange['response']): string {
  return mediaTypeOf(headerOf(headers, 'content-type') ?? '');
}

/** Narrows the schema of a body to the branch with the record where the mock puts it, if the contract leaves the place open. */
function schemaAtPlace({ api, withoutProfile: { operation }, response }: RecordableExchange, schema: Schema): Schema {
  const place = response.status < 300 && placeQuestionOf(api.contract, operation) !== undefined ? operation.resource?.at : undefined;
  const branch = place === undefined ? undefined : schemaBranchAt(operation.document, schema, operation, place)?.schema;
  return branch === undefined || typeof branch === 'boolean' || typeof schema === 'boolean' ? schema : { allOf: [schema, branch] };
}

/** Writes a header that the contract requires; an optional one cannot be expected. */
function writeHeader(
  recordable: RecordableExchange,
  { name, required, parameter }: ResponseRule['headers'][number],
): readonly { readonly name: string; readonly example: string; readonly rule: RecordedRule }[] {
  const example = exampleOfHeader(recordable, name);
  if (!required || example === undefined) return [];
  const matchers = textMatchers(readGuarantees(recordable.withoutProfile.operation.document, parameter.schema));
  return [{ name: spell(name), example, rule: { combine: 'AND', matchers: matchers.length > 0 ? matchers : [{ match: 'type' }] } }];
}

/** Spells a header name in the usual way; the case has no meaning (RFC 9110 §5.1). */
function spell(name: string): string {
  return name === 'etag'
    ? 'ETag'
    : name.replaceAll(/(^|-)([a-z])/g, (_all, before: string, letter: string) => before + letter.toUpperCase());
}
