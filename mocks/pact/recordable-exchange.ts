/**
 * Decides which exchanges may stand in a pact: those whose response the contract guarantees, whatever the answers to its open questions are. It works after each
 * exchange of a mock that records, else over the journal when a pact is asked for.
 */

import type { CursorPage } from '../../core/annotations/annotations.ts';
import { type Exchange, type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import { judgeHeader, profileHeader, verifierAgent } from '../../core/http/headers-of-unjudged-requests.ts';
import { keyIn } from '../../core/http/key-of-request.ts';
import { formatOf, isJsonType } from '../../core/http/media-type.ts';
import { isObject, type Json, parseJson, printJson, readJson } from '../../core/json.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/query-string.ts';
import { valueAt } from '../../core/pointer.ts';
import type { KeyProblem, RequestContext } from '../handler/call.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { ContractWithoutProfile, ReadingWithoutProfile } from './contract-without-profile.ts';

/** An exchange with the mock's own data about it. */
export interface ObservedExchange extends Exchange {
  readonly context?: RequestContext | undefined;
}

/** Selects the requests of one consumer by the role of their key, or by a header. */
export interface ConsumerFilter {
  /** Role of the key, such as `full`. */
  readonly role?: string;
  /** Name and value of a header; `*` in the value matches anything. */
  readonly header?: { readonly name: string; readonly value: string };
}

/** Returns the reason why a request is not of the consumer; `undefined` if it is. */
function reasonNotOfConsumer({ request, context }: ObservedExchange, { role, header }: ConsumerFilter): string | undefined {
  if (headerOf(request.headers, 'user-agent') === verifierAgent) return 'touchstone sent it, not the consumer';
  if (headerOf(request.headers, judgeHeader) === 'off') return 'its Mock-Judge header is off';
  if (role !== undefined && context?.role !== role) return `its key does not have the role ${role}`;
  if (header === undefined || matchesPattern(header.value, headerOf(request.headers, header.name) ?? '')) return undefined;
  return `its header ${header.name} does not match`;
}

/** State of the request's key: not needed, good, a problem, or missing scopes. */
type KeyState = 'not-needed' | 'good' | KeyProblem | { readonly lacking: readonly string[] };

/** The body of a request: a value of JSON, or the text of another format. */
interface SentBody {
  readonly format: ReturnType<typeof formatOf>;
  /** The media type without a charset. */
  readonly type: string;
  readonly value: Json;
}

/** An exchange that belongs in a pact. */
export interface RecordableExchange {
  readonly api: ServedApi;
  /** The request as the contract reads it without its profile. */
  readonly withoutProfile: ReadingWithoutProfile;
  readonly context: RequestContext;
  readonly request: HttpRequest;
  readonly response: Exchange['response'];
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: Json | undefined;
  /** The body of the request; `undefined` if it has none. */
  readonly sentBody: SentBody | undefined;
  /** The error code. */
  readonly code: string | undefined;
  readonly key: KeyState;
  /** Names of the parameters that the request has, including invalid ones. */
  readonly sentParameters: ReadonlySet<string>;
  /** True for a conditional request (`If-None-Match`) of an operation that documents 304. */
  readonly isConditional: boolean;
}

/** A recordable exchange, the reason to leave it out, or `ignored` for OPTIONS requests, which pacts never have. */
type ReadResult = { readonly recordable: RecordableExchange } | { readonly leftOut: string } | 'ignored';

/** Decides whether an exchange belongs in a pact, and reads it by the contract without its profile. */
export function readRecordableExchange(
  apis: readonly ServedApi[],
  withoutProfileOf: (api: ServedApi) => ContractWithoutProfile,
  exchange: ObservedExchange,
  filter: ConsumerFilter = {},
): ReadResult {
  const { request, response, context } = exchange;
  if (request.method === 'OPTIONS') return 'ignored';
  const otherSender = reasonNotOfConsumer(exchange, filter);
  if (otherSender !== undefined) return { leftOut: otherSender };
  const api = apis.find((each) => each.contract.name === context?.contract);
  const notRecordable = context === undefined || api === undefined ? 'no API could read it' : reasonNotRecordable(exchange, context);
  if (notRecordable !== undefined || context === undefined || api === undefined) return { leftOut: notRecordable ?? '' };
  const contract = withoutProfileOf(api);
  const withoutProfile = contract.read(request);
  if (withoutProfile === undefined) return { leftOut: noOperation };
  const body = parseBody(exchange);
  const sentBody = readSentBody(request);
  if (typeof sentBody === 'string') return { leftOut: sentBody };
  const code = response.status >= 400 && api.contract.error !== undefined ? valueAt(body, api.contract.error.code) : undefined;
  const recordable: RecordableExchange = {
    api,
    withoutProfile,
    context,
    request,
    response,
    body,
    sentBody,
    code: typeof code === 'string' ? code : undefined,
    key: keyStateOf(api, withoutProfile.operation, request, context),
    sentParameters: sentParametersIn(withoutProfile, request),
    isConditional: withoutProfile.operation.responses.has('304') && headerOf(request.headers, 'if-none-match') !== undefined,
  };
  const leftOut = reasonNotGuaranteed(recordable, contract);
  return leftOut === undefined ? { recordable } : { leftOut };
}

const noOperation = 'no operation of the contract has its path and method';

function reasonNotRecordable({ request, response }: ObservedExchange, context: RequestContext): string | undefined {
  if (request.method === 'HEAD') return 'HEAD has no body, and contracts do not describe it';
  if (context.cut !== undefined) return 'its response was cut short';
  if (context.operation === undefined) return noOperation;
  if (response.headers['preference-applied'] !== undefined) return 'it chose its response with the Prefer header';
  if (headerOf(request.headers, profileHeader) !== undefined) return 'it chose its response with the Mock-Profile header';
  if (response.body === '' && response.headers['content-type'] !== undefined) return 'the journal no longer has its response';
  if (response.status >= 500 && response.status !== 503) return 'the mock had an internal error';
  if (request.target.includes('%') && decodeOrKeep(request.target) === request.target)
    return 'its encoding is invalid, and a pact stores decoded values';
  return undefined;
}

/** Returns the reason why the contract does not guarantee the response, as a clause about the request; `undefined` if it does. */
function reasonNotGuaranteed(recordable: RecordableExchange, contract: ContractWithoutProfile): string | undefined {
  const { withoutProfile, response } = recordable;
  const { operation, verdict } = withoutProfile;
  if (responseFor(operation, response.status) === undefined) return `${operation.id} does not document the status ${response.status}`;
  if (typeof verdict === 'object') return `the contract does not specify its response (${verdict.question})`;
  const isRefused = verdict === 'refused' || hasRefusedCursor(recordable);
  return reasonCursorUnspecified(recordable, contract) ?? reasonStatusUnspecified(recordable, isRefused);
}

function reasonStatusUnspecified({ withoutProfile, response, key }: RecordableExchange, isRefused: boolean): string | undefined {
  const { operation } = withoutProfile;
  const { status } = response;
  if (status === statusOf(operation, 'invalid')) return isRefused ? undefined : 'the contract does not say that it is rejected';
  if (isRefused) return 'it has several problems, and the response reports only one';
  const reasons: Readonly<Record<number, boolean>> = {
    401: isKeyProblem(key),
    403: typeof key === 'object',
    404: operation.resource !== undefined,
    429: true,
    503: true,
  };
  return status < 400 || reasons[status] === true ? undefined : `the contract does not say when the response is ${status}`;
}

function isKeyProblem(key: KeyState): boolean {
  return key === 'missing' || key === 'unknown' || key === 'expired';
}

function hasRefusedCursor({ context, withoutProfile }: RecordableExchange): boolean {
  const page = withoutProfile.operation.collection?.page;
  const cursor = page?.style === 'cursor' ? page.cursor : undefined;
  const classes = ['damaged-cursor', 'broken-rule'];
  return context.problems.some((problem) => classes.includes(problem.class) && problem.parameters[0] === cursor);
}

/** The contract may leave open what happens with a damaged cursor, or one with other filters. */
function reasonCursorUnspecified(recordable: RecordableExchange, contract: ContractWithoutProfile): string | undefined {
  const { operation, reading } = recordable.withoutProfile;
  const page = operation.collection?.page;
  if (page?.style !== 'cursor' || !reading.sent.has(page.cursor)) return undefined;
  const isChanged = isOfOtherFilters(recordable, page);
  if (!isChanged && !hasRefusedCursor(recordable)) return undefined;
  const question = isChanged ? contract.questionAt(operation, '/x-collection/page/changed') : contract.questionAboutCursors;
  return question === undefined ? undefined : `the contract does not specify its response (${question})`;
}

function isOfOtherFilters({ api, withoutProfile }: RecordableExchange, page: CursorPage): boolean {
  const { reading, operation } = withoutProfile;
  const content = api.cursors.decode(String(reading.values.get(page.cursor)));
  if (content?.operation !== operation.id) return false;
  return page.fixed.some((name) => printJson(content.fixed[name] ?? null) !== printJson(reading.values.get(name) ?? null));
}

function keyStateOf(api: ServedApi, operation: Operation, request: HttpRequest, { role, stranger }: RequestContext): KeyState {
  if (operation.security.length === 0 || role === 'anybody') return 'not-needed';
  if (stranger !== undefined) return stranger;
  const holder = api.keys.holderOf(api.keys.byRole.get(role) ?? '');
  const metRequirement = operation.security.find((alternative) => alternative.every((each) => keyIn(request, each) !== undefined)) ?? [];
  const lacking = metRequirement.flatMap(({ scopes }) => scopes).filter((scope) => holder?.scopes.includes(scope) === false);
  return lacking.length === 0 ? 'good' : { lacking: [...new Set(lacking)].toSorted() };
}

function sentParametersIn({ operation, reading, segments }: ReadingWithoutProfile, request: HttpRequest): ReadonlySet<string> {
  const names = splitQuery(splitTarget(request.target).query).map(([name]) => name);
  const isSent = (parameter: Operation['parameters'][number]): boolean => {
    if (parameter.in === 'path') return segments.has(parameter.name);
    if (parameter.in === 'header') return headerOf(request.headers, parameter.name) !== undefined;
    return parameter.in === 'query' ? names.includes(parameter.name) || reading.sent.has(parameter.key) : reading.sent.has(parameter.key);
  };
  return new Set(operation.parameters.filter(isSent).map(({ name }) => name));
}

/** Reads the body of a request; returns the reason why a pact cannot show it, and `undefined` for none. */
function readSentBody({ method, headers, body }: HttpRequest): SentBody | string | undefined {
  const length = headerOf(headers, 'content-length') ?? (headerOf(headers, 'transfer-encoding') === undefined ? '0' : '');
  if (method === 'GET' || (body === undefined && length === '0')) return undefined;
  if (body === undefined) return 'its request body is binary, too large, or no longer in the journal';
  const type = (headerOf(headers, 'content-type') ?? '').replace(/;\s*charset=[^;]*/i, '');
  const format = formatOf(type);
  const value = format === 'json' ? readJson(body) : body;
  return value === undefined ? 'its request body is not valid JSON' : { format, type, value };
}

function parseBody({ response }: ObservedExchange): Json | undefined {
  if (response.body === '' || !isJsonType(headerOf(response.headers, 'content-type') ?? '')) return undefined;
  const value = parseJson(response.body);
  return isObject(value) || Array.isArray(value) ? value : undefined;
}
