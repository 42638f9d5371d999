/**
 * Judges both halves of a forwarded exchange by the contracts, and hides its keys and personal data. `start-proxy.ts` calls it after each exchange, before
 * anything is kept or printed.
 */

import { createHmac } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { checkResponse } from '../../core/http/check-response.ts';
import { type Exchange, type HttpHeaders, type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import { type Json, readJson } from '../../core/json.ts';
import { getOrCompute, memoize } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { findBodyProblem } from '../../core/parameters/check-request-body.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/parameter-style.ts';
import { type RequestProblem, readRequest } from '../../core/parameters/read-request.ts';
import { valueAt } from '../../core/pointer.ts';
import { personal } from '../../core/redaction/mask-text.ts';
import { createMask } from '../../core/redaction/personal-data.ts';
import { createRedactor, type Redactor } from '../../core/redaction/redaction.ts';
import type { ProxyFinding } from '../../core/results/proxy-report.ts';
import { keyIn } from '../handler/caller.ts';
import type { ListedPage, Served } from '../handler/mock-response.ts';
import type { RequestContext } from '../handler/request-context.ts';
import { Router } from '../handler/router.ts';
import type { ForwardedExchange } from './forwarder.ts';

/** An exchange without keys and personal data, and the mistakes in it. */
export interface ObservedTraffic {
  readonly served: Served;
  readonly mistakes: readonly Mistake[];
}

/** A mistake in one exchange. */
export type Mistake = Omit<ProxyFinding, 'count' | 'exchange'>;

/** A contract with its routes. */
interface ProxiedApi {
  readonly contract: Contract;
  readonly router: Router;
}

/** Largest decoded body that is judged, in bytes. */
const decodedMax = 8 * 1024 * 1024;

/** Shortest secret that is hidden wherever it appears; shorter ones may be ordinary words. */
const secretMin = 8;

/** Names of headers, cookies and parameters whose values are hidden. */
const secretNames = /key|token|secret|auth|cookie|passw|signature|session/i;

/** Headers with such a name that have no secret. */
const openNames: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate']);

/** Creates the observer of a proxy. Digests of keys have the salt, which nobody else knows. */
export function createObserver(contracts: readonly Contract[], salt: string): (exchange: ForwardedExchange) => ObservedTraffic {
  const apis = contracts.map((contract) => ({ contract, router: new Router(contract) }));
  const maskOf = memoize(createMask);
  const roles = new KeyRoles(salt);
  return (forwarded) => {
    const request = readableRequest(forwarded.request);
    const api = apis.find(({ router }) => router.route(request).kind !== 'no-path') ?? apis[0];
    if (api === undefined) throw new TypeError('a proxy has at least one contract');
    const secrets = secretsOf(request, api.contract, forwarded.response?.headers ?? {});
    const { clean } = createRedactor(secrets.filter(({ length }) => length >= secretMin).map((value) => ({ name: 'KEY', value })));
    const { body, unread } = readableBody(forwarded);
    const { status, headers } = forwarded.response ?? forwarded.failure ?? noAnswer;
    const sent: Exchange = { request, response: { status, headers, body } };
    const mistakes = judge(api, sent, forwarded, unread === undefined);
    const hidden = maskOf(api.contract).mask(hideSecrets(sent, secrets, clean));
    // A message may quote personal data of the request.
    const isPersonal = hidden.request.target !== clean(hideSecretParameters(request.target));
    const hide = (message: string): string => (isPersonal ? personal : clean(message));
    const shown = isPersonal && status >= 400 ? { ...hidden, response: { ...hidden.response, body: personal } } : hidden;
    const context = contextOf(
      api,
      sent,
      roles,
      mistakes.map((mistake) => ({ ...mistake, message: hide(mistake.message) })),
      forwarded,
      unread,
    );
    return {
      served: toServed(shown, forwarded, context, listedPage(api, sent)),
      mistakes: mistakes.map(({ problem: _, ...mistake }) => ({ ...mistake, message: hide(mistake.message) })),
    };
  };
}

/** The response of an exchange whose client left before any. */
const noAnswer = { status: 0, headers: {} } as const;

/** A mistake, with the problem of the request that it comes from. */
type Judged = Mistake & { readonly problem?: RequestProblem };

/** Judges the request, and the response if the target gave one whose body could be read. */
function judge(
  api: ProxiedApi,
  exchange: Exchange,
  { request: sent, response }: ForwardedExchange,
  isReadable: boolean,
): readonly Judged[] {
  const { contract, router } = api;
  const request = router.withoutBasePath(exchange.request);
  const route = router.route(exchange.request);
  const common = { contract: contract.name, operation: route.kind === 'operation' ? route.operation.id : null };
  const place = route.kind === 'operation' ? route.operation.place : contract.place;
  const problems =
    route.kind === 'operation'
      ? problemsOf(route.operation, request, route.segments, sent.body !== undefined)
      : [unknownPath(api, request)];
  const inRequest = problems.map((problem): Judged => {
    const subject = [...problem.parameters, problem.class].join(' ');
    return { ...common, half: 'request', subject, message: problem.message, source: place, problem };
  });
  if (response === undefined || !isReadable) return inRequest;
  const inResponse = checkResponse(contract, { ...exchange, request }).map((violation): Judged => {
    const subject = [violation.part, violation.path.replaceAll(/\/\d+(?=\/|$)/g, '/*'), violation.kind]
      .filter((part) => part.trim() !== '')
      .join(' ')
      .trim();
    return { ...common, half: 'response', subject, message: violation.message, source: violation.place };
  });
  return [...inRequest, ...inResponse];
}

function problemsOf(
  operation: Operation,
  request: HttpRequest,
  segments: ReadonlyMap<string, string>,
  hasBody: boolean,
): readonly RequestProblem[] {
  const { problems } = readRequest(operation, request, segments);
  const message = hasBody ? findBodyProblem(operation, request) : undefined;
  return message === undefined ? problems : [...problems, { parameters: [], in: 'query', class: 'malformed', answer: 'refused', message }];
}

function unknownPath({ router }: ProxiedApi, request: HttpRequest): RequestProblem {
  const meant = router.nearestPath(request);
  const route = router.route(request);
  const advice =
    route.kind === 'method-not-allowed'
      ? `its methods are ${route.allowed.join(', ')}`
      : meant === undefined
        ? ''
        : `did you mean ${meant}?`;
  const message = `The contract has no ${request.method} of this path${advice === '' ? '.' : `; ${advice}`}`;
  return { parameters: [], in: 'path', class: 'undeclared', answer: 'refused', message };
}

function contextOf(
  { contract, router }: ProxiedApi,
  { request, response }: Exchange,
  roles: KeyRoles,
  mistakes: readonly Judged[],
  { response: received, failure, isComplete, startedMs }: ForwardedExchange,
  unread: string | undefined,
): RequestContext {
  const route = router.route(request);
  const operation = route.kind === 'operation' ? route.operation : undefined;
  return {
    contract: contract.name,
    operation: operation?.id,
    role: response.status === 401 ? 'stranger' : roles.roleOf(request, operation),
    // Instants of an API have whole seconds, so nothing changes between two reads of one second.
    nowMs: Math.floor(startedMs / 1000) * 1000,
    problems: mistakes.flatMap(({ problem, message }) => (problem === undefined ? [] : [{ ...problem, message }])),
    isCached: false,
    chaos: unread === undefined ? [] : [unread],
    cut: isComplete ? undefined : received === undefined && failure === undefined ? 'reset' : 'truncated',
  };
}

/** Roles of keys: a number for each key, in the order of their first requests. It keeps digests of the keys only. */
class KeyRoles {
  private readonly salt: string;
  private readonly numbers = new Map<string, string>();

  constructor(salt: string) {
    this.salt = salt;
  }

  roleOf(request: HttpRequest, operation: Operation | undefined): string {
    if (operation === undefined) return 'stranger';
    const credentials = operation.security.flat();
    const key = credentials.map((credential) => keyIn(request, credential)).find((each) => each !== undefined);
    if (key === undefined) return credentials.length === 0 || operation.security.some((each) => each.length === 0) ? 'anybody' : 'stranger';
    const digest = createHmac('sha256', this.salt).update(key).digest('base64');
    if (this.numbers.size >= keysMost && !this.numbers.has(digest)) return 'others';
    return getOrCompute(this.numbers, digest, () => String(this.numbers.size + 1));
  }
}

/** Maximum number of keys with a role of their own. */
const keysMost = 1000;

function readableRequest({ method, target, headers, body }: ForwardedExchange['request']): HttpRequest {
  return body === undefined || body.length === 0 ? { method, target, headers } : { method, target, headers, body: body.toString() };
}

/** The decoded body of the response, or the reason why it was not read. */
function readableBody({ response, failure, isComplete }: ForwardedExchange): { readonly body: string; readonly unread?: string } {
  if (response === undefined) return { body: failure?.body ?? '' };
  if (!isComplete) return { body: '', unread: 'the connection ended before the end of the response, so its body was not judged' };
  if (response.body === undefined) return { body: '', unread: 'the response was too large to be judged' };
  const codings = (headerOf(response.headers, 'content-encoding') ?? '').toLowerCase().split(/\s*,\s*/);
  try {
    const decoded = codings.toReversed().reduce((bytes, coding) => decode(bytes, coding), response.body);
    return { body: decoded.toString() };
  } catch {
    return { body: '', unread: `the body could not be decoded as ${codings.join(', ')}, so it was not judged` };
  }
}

function decode(bytes: Buffer, coding: string): Buffer {
  if (bytes.length === 0 || coding === '' || coding === 'identity') return bytes;
  const decoder = decoders[coding];
  if (decoder === undefined) throw new RangeError(`${coding} is an unknown content coding`);
  return decoder(bytes, { maxOutputLength: decodedMax });
}

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The page of a list in a response, as the client rules read it. */
function listedPage({ router }: ProxiedApi, { request, response }: Exchange): ListedPage | undefined {
  const route = router.route(request);
  const collection = route.kind === 'operation' ? route.operation.collection : undefined;
  const body = collection === undefined || response.status !== 200 ? undefined : readJson(response.body);
  const items = collection === undefined ? undefined : valueAt(body, collection.items);
  if (collection === undefined || !Array.isArray(items)) return undefined;
  const { page, key, version } = collection;
  const records = items as readonly Json[];
  const next = page.style === 'cursor' ? valueAt(body, page.next) : undefined;
  return {
    next: typeof next === 'string' ? next : undefined,
    more: page.style !== 'page' && page.more !== undefined && valueAt(body, page.more) === true,
    keys: records.map((record) => valueAt(record, key) ?? null),
    versions: version === undefined ? [] : records.map((record) => Date.parse(String(valueAt(record, version)))),
  };
}

/** Values of a request and its response that may be secrets: at the places of keys, and at places with the name of a secret. */
function secretsOf(request: HttpRequest, { operations }: Contract, responseHeaders: HttpHeaders): readonly string[] {
  const credentials = operations.flatMap((operation) => operation.security.flat());
  const keys = credentials.map((credential) => keyIn(request, credential));
  const fields = [...Object.entries(request.headers), ...Object.entries(responseHeaders)].filter(([name]) => isSecretHeader(name));
  const values = fields.flatMap(([name, value]) => [value ?? []].flat().flatMap((text) => secretsIn(name, text)));
  const parameters = splitQuery(splitTarget(request.target).query).filter(([name]) => secretNames.test(decodeOrKeep(name)));
  return [...new Set([...keys, ...values, ...parameters.map(([, value]) => decodeOrKeep(value))])].filter((value) => value !== undefined);
}

/** The secrets in a header: values of cookies, credentials without their scheme and the password in them, or the whole value. */
function secretsIn(name: string, text: string): readonly string[] {
  const afterName = (pair: string): string => pair.replace(/^[^=]*=/, '').trim();
  if (name === 'cookie') return text.split(';').map(afterName);
  if (name === 'set-cookie') return [afterName(text.split(';', 1)[0] ?? '')];
  const credentials = text.trim().replace(/^(Bearer|Basic|Digest)\s+/i, '');
  if (!/^Basic\s/i.test(text)) return [credentials];
  return [credentials, ...Buffer.from(credentials, 'base64').toString().split(/:(.*)/s)];
}

function isSecretHeader(name: string): boolean {
  return secretNames.test(name) && !openNames.has(name);
}

/** Hides secrets at their places whatever they are, and everywhere else if they are long enough. */
function hideSecrets({ request, response }: Exchange, secrets: readonly string[], clean: Redactor['clean']): Exchange {
  const short = new Set(secrets);
  const hideField = (name: string, text: string): string =>
    isSecretHeader(name) || short.has(text) ? text.replace(/^((?:Bearer|Basic|Digest)\s+)?.*$/is, '$1$$KEY') : clean(text);
  const hideFields = (headers: HttpHeaders): HttpHeaders =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? hideField(name, value) : value?.map((each) => hideField(name, each)),
      ]),
    );
  return {
    request: {
      ...request,
      target: clean(hideSecretParameters(request.target)),
      headers: hideFields(request.headers),
      ...(request.body === undefined ? {} : { body: clean(request.body) }),
    },
    response: { ...response, headers: hideFields(response.headers), body: clean(response.body) },
  };
}

function hideSecretParameters(target: string): string {
  return target.replaceAll(/([?&])([^=&]+)=([^&]*)/g, (all, before: string, name: string) =>
    secretNames.test(decodeOrKeep(name)) ? `${before}${name}=$KEY` : all,
  );
}

function toServed(
  { request, response }: Exchange,
  { durationMs, connection }: ForwardedExchange,
  context: RequestContext,
  page: ListedPage | undefined,
): Served {
  const headers = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  );
  const body = Buffer.from(response.body);
  return { request, response: { status: response.status, headers, body, encoded: undefined, page, context }, durationMs, connection };
}
