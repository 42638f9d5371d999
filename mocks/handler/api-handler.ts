/** Handles the requests of one API, in this order: clock, route, key, chaos and rate limit, cache, then its annotations or Prism. */

import { findReadOnlyMembers, tooLongToJudge } from '../../core/http/check-request-body.ts';
import { type HttpRequest, type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { ChaosDecider } from '../chaos/chaos-decision.ts';
import type { Call, ReceivedRequest, RequestContext } from './call.ts';
import { createErrorResponse } from './error-response.ts';
import type { KeyHider } from './hide-keys.ts';
import { identify } from './identify-caller.ts';
import { createOperationHandler, definesResponse, type OperationHandler } from './operation-handler.ts';
import { respondPlainly } from './plain-operation.ts';
import {
  type DraftResponse,
  draftToHttpResponse,
  type PreparedResponse,
  prepare,
  prepareHttpResponse,
  withHeader,
  withNote,
} from './prepare-response.ts';
import { printCacheKey, ResponseCache } from './response-cache.ts';
import { Router } from './router.ts';
import type { ServedApi } from './served-api.ts';

/** Responds to a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** Changes the request or the response of a mutant, or responds itself. It may call `next` any number of times. */
export type MutantMiddleware = (request: HttpRequest, next: Respond) => Promise<HttpResponse>;

/** An API that a mock serves, with its mutants. */
export interface MountedApi {
  readonly api: ServedApi;
  /** Middleware around every response of the API. Without it, the mock has no mutants that change responses. */
  readonly around?: MutantMiddleware;
  /** False if equal requests may get different responses, as with some mutants. True by default, unless there is a middleware. */
  readonly isCacheable?: boolean;
}

/** Responds to the requests of one API. */
export class ApiHandler {
  readonly api: ServedApi;
  readonly router: Router;
  private readonly around: MutantMiddleware | undefined;
  private readonly isCacheable: boolean;
  readonly keyHider: KeyHider;
  private readonly chaos: ChaosDecider;
  private readonly cache = new ResponseCache();
  private readonly operationHandlers = new Map<Operation, OperationHandler>();

  constructor({ api, around, isCacheable = around === undefined }: MountedApi, keyHider: KeyHider, chaos: ChaosDecider) {
    this.api = api;
    this.router = new Router(api.contract);
    this.isCacheable = isCacheable;
    this.around = around;
    this.keyHider = keyHider;
    this.chaos = chaos;
  }

  /** Number of leading segments that a path shares with the most similar path of the API. */
  similarityTo(path: string): number {
    return Math.max(0, ...this.api.contract.operations.map((operation) => countSharedSegments(operation.path, path)));
  }

  /** Responds to a request. `receive` reads the requests that a mutant sends in its place. It rejects with an error of the mock itself. */
  async respond(request: ReceivedRequest, receive: (request: HttpRequest) => ReceivedRequest): Promise<PreparedResponse> {
    const { around } = this;
    const options = this.respondToOptions(request);
    if (options !== undefined) return prepare(request, options);
    if (around !== undefined) return this.respondThrough(around, request, receive);
    const call = this.callOf(request);
    const cacheKey = call === undefined ? undefined : this.cacheKeyOf(call);
    const cached = cacheKey === undefined ? undefined : this.cache.get(cacheKey);
    if (call !== undefined && cached !== undefined) return fromCache(cached, call);
    const draft = await this.draftOf(request, call);
    const response = prepare(request, draft, { context: contextOf(request, call, draft), wire: call?.chaos.wire });
    if (cacheKey !== undefined) this.cache.add(cacheKey, response);
    return response;
  }

  /** Responds through a middleware, which may call `next` several times and with other requests. The context is that of the last call. */
  private async respondThrough(
    around: MutantMiddleware,
    request: ReceivedRequest,
    receive: (request: HttpRequest) => ReceivedRequest,
  ): Promise<PreparedResponse> {
    let details: Pick<PreparedResponse, 'context' | 'wire'> = {};
    const response = await around(request, async (inner): Promise<HttpResponse> => {
      const received = receive(inner);
      const call = this.callOf(received);
      const draft = await this.draftOf(received, call);
      details = { context: contextOf(received, call, draft), wire: call?.chaos.wire };
      return draftToHttpResponse(draft);
    });
    return prepareHttpResponse(request, response, details);
  }

  /** The operation of a request, with its caller and its chaos; `undefined` for a request that has no operation or no instant. */
  private callOf(request: ReceivedRequest): Call | undefined {
    const { route, nowMs } = request;
    if (route.kind !== 'operation' || nowMs === undefined) return undefined;
    const { operation, segments } = route;
    const identification = identify(operation, request);
    const role = identification.kind === 'caller' ? identification.holder.role : 'stranger';
    const chaos = this.chaos.decide({ contract: this.api.contract.name, operation: operation.id, role, request });
    const unjudged = operation.requestBody === undefined ? undefined : tooLongToJudge(request);
    const setAside = unjudged === undefined ? request.setAside : [...request.setAside, `the body is not checked: ${unjudged}`];
    return { ...request, setAside, operation, segments, nowMs, identification, chaos };
  }

  /** Cache key of a request; `undefined` if its response is not cached. */
  private cacheKeyOf(call: Call): string | undefined {
    const { throttled, unavailable, refused } = call.chaos;
    const isDisturbed = throttled !== undefined || unavailable !== undefined || refused !== undefined;
    // Writes of clients change what is read, and are never the same twice.
    const isRead = this.api.world === undefined || call.method === 'GET' || call.method === 'HEAD';
    return this.isCacheable && call.body === undefined && !isDisturbed && isRead ? printCacheKey(call) : undefined;
  }

  /** The response without the keys of the request, and with what is set aside of its operation. */
  private async draftOf(request: ReceivedRequest, call: Call | undefined): Promise<DraftResponse> {
    const draft = call === undefined ? this.refuse(request) : await this.process(call);
    return this.keyHider.hideInResponse(withNote(draft, (call ?? request).setAside.join('; ')), request.keys);
  }

  /** Refuses a request without an operation or an instant. */
  private refuse({ method, path, route, nowMs }: ReceivedRequest): DraftResponse {
    if (nowMs === undefined) return this.failure(400, invalidClock);
    if (route.kind === 'method-not-allowed') {
      const methods = withImplied(route.allowed);
      return this.failure(405, `This path does not support ${method}; use ${methods}.`, { allow: methods });
    }
    const meant = this.router.nearestPath(path);
    return this.failure(404, `No API of this mock has this path${meant === undefined ? '.' : `; did you mean ${meant}?`}`);
  }

  /** The response to OPTIONS at an existing path, or of the whole server; `undefined` if the document has it. */
  private respondToOptions({ method, path, route, headers }: ReceivedRequest): DraftResponse | undefined {
    // Browsers send one before requests to another origin, and only the mock can answer that.
    const isPreflight = headers['access-control-request-method'] !== undefined;
    if (method !== 'OPTIONS' || (route.kind === 'operation' && !isPreflight)) return undefined;
    const documented = path === '*' ? ['GET'] : this.router.methodsAt(path);
    if (documented.length === 0) return undefined;
    const methods = withImplied(documented);
    const requestedHeaders = headerOf(headers, 'access-control-request-headers');
    const preflight = {
      'access-control-allow-methods': methods,
      'access-control-max-age': '600',
      ...(requestedHeaders === undefined ? {} : { 'access-control-allow-headers': requestedHeaders }),
      vary: 'Access-Control-Request-Headers',
    };
    return { status: 204, headers: { allow: methods, ...preflight }, body: undefined };
  }

  /** Processes a request at an operation: by its annotations, or else through Prism. */
  private async process(call: Call): Promise<DraftResponse> {
    const { operation, chaos } = call;
    if (chaos.refused !== undefined) return this.failure(400, chaos.refused);
    const handler = getOrCompute(this.operationHandlers, operation, () =>
      definesResponse(operation) ? createOperationHandler(this.api, operation) : respondPlainly,
    );
    return varyingByKey(operation, await handler(call));
  }

  private failure(status: number, message: string, headers: Readonly<Record<string, string>> = {}): DraftResponse {
    return createErrorResponse(this.api, undefined, status, { message, headers });
  }
}

/** How the mock understood a request; `undefined` without an instant. */
function contextOf(
  request: ReceivedRequest,
  call: Call | undefined,
  { problems = [], contractBreaks, isOfClient }: Pick<DraftResponse, 'problems' | 'contractBreaks' | 'isOfClient'>,
  isCached = false,
): RequestContext | undefined {
  const { api, nowMs, setAside } = call ?? request;
  const contract = api.contract.name;
  if (nowMs === undefined) return undefined;
  if (call === undefined) return { contract, operation: undefined, role: 'stranger', nowMs, problems, setAside, isCached, chaos: [] };
  const { operation, identification, chaos } = call;
  return {
    contract,
    operation: operation.id,
    ...(identification.kind === 'caller'
      ? { role: identification.holder.role, hasTwoKeys: identification.hasTwoKeys }
      : { role: 'stranger', stranger: identification.key }),
    readOnlyMembers: call.body === undefined ? undefined : findReadOnlyMembers(operation, call),
    nowMs,
    problems,
    contractBreaks,
    isOfClient,
    setAside,
    isCached,
    chaos: chaos.notes ?? [],
    cut: chaos.wire?.cut,
  };
}

/** A cached response for a request: with the cached problems of the request, and the chaos of this request. */
function fromCache({ status, headers, body, encoded, page, context }: PreparedResponse, call: Call): PreparedResponse {
  return { status, headers, body, encoded, page, context: contextOf(call, call, context ?? {}, true), wire: call.chaos.wire };
}

const invalidClock =
  'Mock-Clock is not an instant; send one such as 2026-03-29T02:30:00+01:00, or a duration from the mock’s own clock such as PT2H or -P1D.';

/** A response with the headers that carry keys in Vary: a shared cache must not give the response for one key to another (RFC 9110 §12.5.5). */
function varyingByKey(operation: Operation, draft: DraftResponse): DraftResponse {
  const vary = getOrCompute(keyHeaderNames, operation, () => listKeyHeaderNames(operation));
  return vary === '' ? draft : { ...draft, headers: withHeader(draft.headers, 'vary', vary) };
}

/** The headers that carry keys, by operation. */
const keyHeaderNames = new WeakMap<Operation, string>();

function listKeyHeaderNames(operation: Operation): string {
  const names = operation.security
    .flat()
    .filter(({ carrier }) => carrier.in !== 'query')
    .map(({ carrier }) => (carrier.in === 'authorization' ? 'Authorization' : carrier.in === 'cookie' ? 'Cookie' : carrier.name));
  return [...new Set(names)].join(', ');
}

/** The complete list of methods (RFC 9110 §10.2.1): with HEAD beside GET, and with OPTIONS. */
function withImplied(methods: readonly string[]): string {
  return [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])].join(', ');
}

function countSharedSegments(template: string, path: string): number {
  const templateSegments = template.split('/');
  const segments = path.split('/', templateSegments.length);
  const firstDifference = templateSegments.findIndex((segment, index) => segment !== segments[index]);
  return firstDifference < 0 ? templateSegments.length : firstDifference;
}
