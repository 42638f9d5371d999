/** Handles the requests of one API, in this order: clock, route, key, chaos and rate limit, cache, then its annotations or Prism. */

import { findReadOnlyMembers } from '../../core/http/check-request-body.ts';
import { type HttpRequest, type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import { isObject } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import type { RequestProblem } from '../../core/parameters/read-request.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { ChaosDecider, ChaosDecision } from '../chaos/chaos-decision.ts';
import { type MockClock, readInstantOrDuration } from '../clock.ts';
import { type Identification, identify } from './caller.ts';
import { makeDocumentedResponse } from './documented-response.ts';
import { challenge, createErrorResponse, withReason } from './error-response.ts';
import type { KeyHider } from './hide-keys.ts';
import type { MutantMiddleware } from './mutant-middleware.ts';
import { createOperationHandler, definesResponse, interruptionOf, type OperationCall, type OperationHandler } from './operation-handler.ts';
import { respondPlainly } from './plain-operation.ts';
import { noPreference, type Preference, printPreference, readPreference, toHeaderText } from './prefer-header.ts';
import {
  type DraftResponse,
  draftToHttpResponse,
  type PreparedResponse,
  prepare,
  prepareHttpResponse,
  withHeader,
} from './prepare-response.ts';
import { chooseByPreference } from './prism/engine.ts';
import { toPrismOperation } from './prism/http-operation.ts';
import type { RequestContext } from './request-context.ts';
import { printCacheKey, ResponseCache } from './response-cache.ts';
import { Router } from './router.ts';
import type { ServedApi } from './served-api.ts';

/** An API that a mock serves, with its mutants. */
export interface MountedApi {
  readonly api: ServedApi;
  /** Middleware around every response of the API. Without it, the mock has no mutants that change responses. */
  readonly around?: MutantMiddleware;
  /** False if equal requests may get different responses, as with some mutants. True by default, unless there is a middleware. */
  readonly isCacheable?: boolean;
}

/** A request with its operation, key, instant and chaos. */
interface OperationRequest {
  readonly request: HttpRequest;
  readonly operation: Operation;
  readonly segments: ReadonlyMap<string, string>;
  readonly identification: Identification;
  readonly chaos: ChaosDecision;
  readonly context: RequestContext;
}

/** A response before it is prepared, with the context of its request. */
interface DraftInContext {
  readonly draft: DraftResponse;
  readonly context: RequestContext | undefined;
  readonly chaos: ChaosDecision;
}

/** Responds to the requests of one API. */
export class ApiHandler {
  readonly api: ServedApi;
  private readonly around: MutantMiddleware | undefined;
  private readonly isCacheable: boolean;
  private readonly keyHider: KeyHider;
  private readonly chaos: ChaosDecider;
  private readonly router: Router;
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

  /** Precision of the match with the path of a request: higher with fewer path parameters; minus infinity without a match. */
  matchPrecision(request: HttpRequest): number {
    const route = this.router.route(request);
    return route.kind === 'no-path' ? Number.NEGATIVE_INFINITY : -route.parameters;
  }

  /** Methods of the path of a request, with HEAD and OPTIONS. */
  methodsAt(request: HttpRequest): readonly string[] {
    return withImplied(this.router.methodsAt(request));
  }

  /** The operation of a request; `undefined` for an unknown path or a wrong method. */
  operationOf(request: HttpRequest): Operation | undefined {
    const route = this.router.route(request);
    return route.kind === 'operation' ? route.operation : undefined;
  }

  /** Responds to a request. It rejects with an error of the mock itself, such as data that cannot be read. */
  async respond(request: HttpRequest): Promise<PreparedResponse> {
    const { around } = this;
    if (around !== undefined) return this.respondThrough(around, request);
    const received = this.receive(request);
    const cacheKey = 'operation' in received ? this.cacheKeyOf(received) : undefined;
    const cached = cacheKey === undefined ? undefined : this.cache.get(cacheKey);
    if (cached !== undefined) return fromCache(cached, received);
    const { draft, context, chaos } = 'operation' in received ? await this.process(received) : received;
    const noted = withSetAside(draft, context);
    const response = prepare(request, this.keyHider.hideInResponse(request, noted), { context, wire: chaos.wire });
    if (cacheKey !== undefined) this.cache.add(cacheKey, response);
    return response;
  }

  /** Responds through a middleware, which may call `next` several times and with other requests. The context is that of the last call. */
  private async respondThrough(around: MutantMiddleware, request: HttpRequest): Promise<PreparedResponse> {
    let last: DraftInContext | undefined;
    const response = await around(request, async (inner): Promise<HttpResponse> => {
      const received = this.receive(inner);
      const processed = 'operation' in received ? await this.process(received) : received;
      last = processed;
      return draftToHttpResponse(this.keyHider.hideInResponse(inner, withSetAside(processed.draft, processed.context)));
    });
    return prepareHttpResponse(request, response, { context: last?.context, wire: last?.chaos.wire });
  }

  /** Finds the instant, the operation, the key and the chaos of a request, or the response if one of them refuses the request. */
  private receive(sent: HttpRequest): OperationRequest | DraftInContext {
    const { api } = this;
    const contract = api.contract.name;
    const nowMs = instantOf(api.clock, sent);
    if (nowMs === undefined) return { draft: this.failure(400, invalidClock), context: undefined, chaos: {} };
    const request = this.router.withoutBasePath(sent);
    const route = this.router.route(request);
    const setAside = this.router.setAsideOf(request);
    const unrouted: RequestContext = {
      ...{ contract, operation: undefined, role: 'stranger', nowMs },
      ...{ problems: [], setAside, isCached: false, chaos: [] },
    };
    if (route.kind === 'no-path') return { draft: this.failure(404, this.explainPath(sent)), context: unrouted, chaos: {} };
    if (route.kind !== 'operation') return { draft: this.refuseMethod(request, route.allowed), context: unrouted, chaos: {} };
    const { operation, segments } = route;
    const identification = identify(operation, request, api.keys, api.dataset);
    const [role, stranger] = identification.kind === 'caller' ? [identification.holder.role] : ['stranger', identification.key];
    const chaos = this.chaos.decide({ contract, operation: operation.id, role, request });
    const notes = chaos.notes ?? [];
    const cut = chaos.wire?.cut;
    const context: RequestContext = {
      contract,
      operation: operation.id,
      role,
      stranger,
      hasTwoKeys: identification.kind === 'caller' && identification.hasTwoKeys,
      readOnlyMembers: request.body === undefined ? undefined : findReadOnlyMembers(operation, request),
      nowMs,
      problems: [],
      setAside,
      isCached: false,
      chaos: notes,
      cut,
    };
    if (chaos.refused !== undefined) return { draft: this.failure(400, chaos.refused), context, chaos };
    return { request, operation, segments, identification, chaos, context };
  }

  /** Cache key of a request; `undefined` if its response is not cached. */
  private cacheKeyOf({ request, operation, chaos, context }: OperationRequest): string | undefined {
    if (!this.isCacheable || request.body !== undefined || chaos.throttled !== undefined || chaos.unavailable !== undefined)
      return undefined;
    return printCacheKey(operation, request, context.role, context.nowMs);
  }

  /** Processes a request at an operation: by its annotations, or else through Prism. */
  private async process(received: OperationRequest): Promise<DraftInContext> {
    const { request, context, chaos } = received;
    const {
      draft,
      problems,
      contractBreaks = [],
    } = await (definesResponse(received.operation) ? this.processAnnotated(received) : this.processPlain(received));
    const hidden = problems.map(({ parameters, class: kind, message }) => {
      return { parameters, class: kind, message: this.keyHider.hideInText(request, message) };
    });
    const isPlain = hidden.length === 0 && contractBreaks.length === 0;
    return { draft, context: isPlain ? context : { ...context, problems: hidden, contractBreaks }, chaos };
  }

  private async processAnnotated({ request, operation, segments, identification, chaos, context }: OperationRequest): Promise<Processed> {
    const call = this.handlerOf(operation).call({ request, segments, nowMs: context.nowMs, identification, chaos });
    return { draft: await this.respondByPreference(operation, request, call, context.nowMs), problems: call.problems };
  }

  private async processPlain(received: OperationRequest): Promise<Processed> {
    const { request, operation, segments, identification, context } = received;
    const preference = readPreference(request);
    const interruption = interruptionOf(this.api, operation, received);
    const result = await respondPlainly({
      ...{ api: this.api, operation, request, segments, identification, nowMs: context.nowMs },
      preference: typeof preference === 'object' ? preference : noPreference,
      interruption:
        interruption === undefined ? undefined : await this.withDocumentedExample(operation, request, interruption, context.nowMs),
    });
    const draft = varyingByKey(operation, result.draft);
    return { ...result, draft: typeof preference === 'string' ? withNote(draft, `Prefer is ignored: ${preference}`) : draft };
  }

  /** Responds with the documented response that the request prefers, or by the behaviour of the operation if there is none. */
  private async respondByPreference(
    operation: Operation,
    request: HttpRequest,
    call: OperationCall,
    nowMs: number,
  ): Promise<DraftResponse> {
    const preference = readPreference(request);
    const preferred = typeof preference === 'object' ? await this.preferredResponse(operation, request, preference, nowMs) : preference;
    if (typeof preferred === 'object') return preferred;
    const draft = await this.respondByBehaviour(operation, request, call, nowMs);
    // A preference that cannot be met is ignored (RFC 7240 §2). The note is for developers who mistyped it.
    return preferred === undefined ? draft : withNote(draft, `Prefer is ignored: ${preferred}`);
  }

  /** Responds by the annotations of the operation. */
  private async respondByBehaviour(operation: Operation, request: HttpRequest, call: OperationCall, nowMs: number): Promise<DraftResponse> {
    const preparing = call.prepare();
    if (preparing !== undefined) await preparing;
    const draft = call.respond();
    const formatted = this.isUnformatted(operation, draft) ? await this.withDocumentedExample(operation, request, draft, nowMs) : draft;
    return varyingByKey(operation, formatted);
  }

  /** True for a failure with a documented body whose format `x-api` does not define. */
  private isUnformatted(operation: Operation, { status }: DraftResponse): boolean {
    return this.api.contract.error === undefined && status >= 400 && (responseFor(operation, status)?.content.size ?? 0) > 0;
  }

  /** Fills the documented body of a failure with the message of this one. */
  private async withDocumentedExample(
    operation: Operation,
    request: HttpRequest,
    draft: DraftResponse,
    nowMs: number,
  ): Promise<DraftResponse> {
    if (!this.isUnformatted(operation, draft)) return draft;
    const chosen = chooseByPreference(toPrismOperation(operation), { ...noPreference, code: draft.status });
    if (typeof chosen === 'string') return draft;
    const reason = isObject(draft.body) ? String(draft.body['detail'] ?? '') : '';
    const circumstances = { operation, request, nowMs, dynamic: false };
    const documented = await makeDocumentedResponse(circumstances, chosen, (value) => withReason(value, reason));
    const { 'content-type': _type, ...headers } = draft.headers;
    return { ...documented.draft, headers: { ...documented.draft.headers, ...headers } };
  }

  private handlerOf(operation: Operation): OperationHandler {
    return getOrCompute(this.operationHandlers, operation, () => createOperationHandler(this.api, operation));
  }

  /** The preferred documented response, or the reason why there is none; `undefined` if only an example is preferred to a generated body. */
  private async preferredResponse(
    operation: Operation,
    request: HttpRequest,
    preference: Preference,
    nowMs: number,
  ): Promise<DraftResponse | string | undefined> {
    const dynamic = preference.dynamic === true;
    if (preference.code === undefined && preference.example === undefined && !dynamic) return undefined;
    const chosen = chooseByPreference(toPrismOperation(operation), preference);
    if (typeof chosen === 'string')
      return `${chosen.replace(/\.$/, '')}; ${operation.id} documents ${[...operation.responses.keys()].join(', ')}`;
    const { draft } = await makeDocumentedResponse({ operation, request, nowMs, dynamic }, chosen);
    const headers = {
      ...draft.headers,
      ...(draft.status === 401 ? challenge(this.api, operation) : {}),
      'preference-applied': printPreference(preference),
    };
    return dynamic ? { ...draft, headers } : this.withNewRequestId({ ...draft, headers });
  }

  /** Replaces the request id of an example by a new one, as every response has its own. */
  private withNewRequestId(draft: DraftResponse): DraftResponse {
    const pointer = this.api.contract.error?.request;
    const { body } = draft;
    if (pointer === undefined || Buffer.isBuffer(body) || !isObject(body) || valueAt(body, pointer) === undefined) return draft;
    return { ...draft, body: withValueAt(body, pointer, this.api.nextRequestId()) };
  }

  private refuseMethod(request: HttpRequest, allowed: readonly string[]): DraftResponse {
    const methods = withImplied(allowed);
    const message = `This path does not support ${request.method}; use ${methods.join(', ')}.`;
    return createErrorResponse(this.api, undefined, 405, { message, headers: { allow: methods.join(', ') } });
  }

  private explainPath(request: HttpRequest): string {
    const meant = this.router.nearestPath(request);
    return `No API of this mock has this path${meant === undefined ? '.' : `; did you mean ${meant}?`}`;
  }

  private failure(status: number, message: string): DraftResponse {
    return createErrorResponse(this.api, undefined, status, { message });
  }
}

/** A response, with what is wrong with the request and with the response itself. */
interface Processed {
  readonly draft: DraftResponse;
  readonly problems: readonly RequestProblem[];
  readonly contractBreaks?: readonly string[];
}

function withNote(draft: DraftResponse, note: string): DraftResponse {
  return { ...draft, headers: { ...draft.headers, 'mock-note': toHeaderText(note) } };
}

/** Maximum length of a note, since clients limit their headers. */
const maxNote = 1000;

/** A response that says what is set aside of its operation, after any other note. */
function withSetAside(draft: DraftResponse, context: RequestContext | undefined): DraftResponse {
  const { setAside = [] } = context ?? {};
  if (setAside.length === 0) return draft;
  const note = [draft.headers['mock-note'] ?? [], setAside].flat().join('; ');
  return withNote(draft, note.length <= maxNote ? note : `${note.slice(0, maxNote)}...`);
}

/** A cached response for a request: with the cached problems of the request, and the chaos of this request. */
function fromCache(cached: PreparedResponse, { context, chaos }: OperationRequest | DraftInContext): PreparedResponse {
  const { status, headers, body, encoded, page } = cached;
  const current =
    context === undefined
      ? undefined
      : { ...context, problems: cached.context?.problems ?? [], contractBreaks: cached.context?.contractBreaks ?? [], isCached: true };
  return { status, headers, body, encoded, page, context: current, wire: chaos.wire };
}

const invalidClock =
  'Mock-Clock is not an instant; send one such as 2026-03-29T02:30:00+01:00, or a duration from the mock’s own clock such as PT2H or -P1D.';

/** The instant of a request: from its header Mock-Clock, or else from the clock. `undefined` for an invalid header. */
function instantOf(clock: MockClock, request: HttpRequest): number | undefined {
  const header = headerOf(request.headers, 'mock-clock');
  return header === undefined ? clock.now() : readInstantOrDuration(header.trim(), clock.now());
}

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
function withImplied(methods: readonly string[]): readonly string[] {
  return [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])];
}
