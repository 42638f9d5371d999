/**
 * One API of a mock: from a request to its prepared response. A request passes the route, the key, the clock, chaos and limit, the cache, and Prism's pipeline,
 * in this order.
 */

import { documentedStatuses } from '../../core/http/check-response.ts';
import { type HttpRequest, type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import { isObject } from '../../core/json.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { ChaosDecider, ChaosDecision } from '../chaos/chaos-decision.ts';
import { type MockClock, readInstantOrDuration } from '../clock.ts';
import type { Secrets } from '../hide-keys.ts';
import { type Behaviour, createBehaviour, type OperationCall } from './behaviour.ts';
import { type Identification, identify } from './caller.ts';
import { challenge, createFailure, withReason } from './failure.ts';
import type { Middleware } from './middleware.ts';
import { type Answer, type PreparedResponse, prepare, prepareText, toHttpResponse, withHeader } from './mock-response.ts';
import { negotiate, noPreference, type Preference, printPreference, readPreference, toHeaderText } from './negotiation.ts';
import { throughPrism } from './prism.ts';
import type { RequestContext } from './request-context.ts';
import { cacheKey, ResponseCache } from './response-cache.ts';
import { Router } from './router.ts';
import type { ServedApi } from './served-api.ts';

/** An API that a mock serves, and the deviations around it. */
export interface MountedApi {
  readonly api: ServedApi;
  /** Stands around every answer of the API. */
  readonly around?: Middleware;
  /** True when equal requests may get different answers, as with some mutants. */
  readonly isFickle?: boolean;
}

/** A request that an operation answers: its key, its instant, and the chaos that it meets are known. */
interface Arrival {
  readonly request: HttpRequest;
  readonly operation: Operation;
  readonly segments: ReadonlyMap<string, string>;
  readonly identification: Identification;
  readonly chaos: ChaosDecision;
  readonly context: RequestContext;
}

/** An answer with the context of its request. */
interface Answered {
  readonly answer: Answer;
  readonly context: RequestContext | undefined;
  readonly chaos: ChaosDecision;
}

/** One API of the mock, with the behaviour of each of its operations. */
export class Host {
  readonly api: ServedApi;
  private readonly around: Middleware | undefined;
  private readonly isFickle: boolean;
  private readonly secrets: Secrets;
  private readonly chaos: ChaosDecider;
  private readonly router: Router;
  private readonly cache = new ResponseCache();
  private readonly behaviours = new Map<Operation, Behaviour>();

  constructor({ api, around, isFickle = around !== undefined }: MountedApi, secrets: Secrets, chaos: ChaosDecider) {
    this.api = api;
    this.router = new Router(api.contract);
    this.isFickle = isFickle;
    this.around = around;
    this.secrets = secrets;
    this.chaos = chaos;
  }

  /** Precision of the match with a request's path: higher with fewer path parameters; minus infinity without a match. */
  exactness(request: HttpRequest): number {
    const route = this.router.route(request);
    return route.kind === 'no-path' ? Number.NEGATIVE_INFINITY : -route.parameters;
  }

  /** The methods that the path of a request answers. */
  methodsAt(request: HttpRequest): readonly string[] {
    return withImplied(this.router.methodsAt(request));
  }

  operationOf(request: HttpRequest): Operation | undefined {
    const route = this.router.route(request);
    return route.kind === 'operation' ? route.operation : undefined;
  }

  async respond(request: HttpRequest): Promise<PreparedResponse> {
    const { around } = this;
    if (around !== undefined) return this.respondThrough(around, request);
    const arrival = this.receive(request);
    const key = 'operation' in arrival ? this.keyOf(arrival) : undefined;
    const cached = key === undefined ? undefined : this.cache.get(key);
    if (cached !== undefined) return fromCache(cached, arrival);
    const { answer, context, chaos } = 'operation' in arrival ? await this.answer(arrival) : arrival;
    const response = prepare(request, this.secrets.clean(request, answer), { context, wire: chaos.wire });
    if (key !== undefined) this.cache.keep(key, response);
    return response;
  }

  /** A middleware may ask several times, and with other requests; the context is that of the last. */
  private async respondThrough(around: Middleware, request: HttpRequest): Promise<PreparedResponse> {
    let last: Answered | undefined;
    const response = await around(request, async (inner): Promise<HttpResponse> => {
      const arrival = this.receive(inner);
      const answered = 'operation' in arrival ? await this.answer(arrival) : arrival;
      last = answered;
      return toHttpResponse(this.secrets.clean(inner, answered.answer));
    });
    return prepareText(request, response, { context: last?.context, wire: last?.chaos.wire });
  }

  /** Finds the operation, the instant, the key, and the chaos that the request meets; what one of them refuses is answered at once. */
  private receive(sent: HttpRequest): Arrival | Answered {
    const { api } = this;
    const contract = api.contract.name;
    const nowMs = momentOf(api.clock, sent);
    if (nowMs === undefined) return { answer: this.fail(400, wrongMoment), context: undefined, chaos: {} };
    const request = this.router.within(sent);
    const route = this.router.route(request);
    const unknown: RequestContext = { contract, operation: undefined, role: 'stranger', nowMs, problems: [], isCached: false, chaos: [] };
    if (route.kind === 'no-path') return { answer: this.fail(404, 'There is no such path here.'), context: unknown, chaos: {} };
    if (route.kind !== 'operation') return { answer: this.refuseMethod(request, route.allowed), context: unknown, chaos: {} };
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
      nowMs,
      problems: [],
      isCached: false,
      chaos: notes,
      cut,
    };
    if (chaos.refused !== undefined) return { answer: this.fail(400, chaos.refused), context, chaos };
    return { request, operation, segments, identification, chaos, context };
  }

  /** The key of the response in the cache; `undefined` when it must be made anew. */
  private keyOf({ request, operation, chaos, context }: Arrival): string | undefined {
    if (this.isFickle || request.body !== undefined || chaos.throttled !== undefined || chaos.unavailable !== undefined) return undefined;
    return cacheKey(operation, request, context.role, context.nowMs);
  }

  private async answer({ request, operation, segments, identification, chaos, context }: Arrival): Promise<Answered> {
    const call = this.behaviourOf(operation).call({ request, segments, nowMs: context.nowMs, identification, chaos });
    const answer = await throughPrism(call, () => this.behave(operation, request, call));
    const problems = call.problems.map(({ parameters, class: kind, message }) => {
      return { parameters, class: kind, message: this.secrets.hide(request, message) };
    });
    return { answer, context: problems.length === 0 ? context : { ...context, problems }, chaos };
  }

  /** The documented answer that the request prefers, if there is one, or the behaviour of its operation. */
  private async behave(operation: Operation, request: HttpRequest, call: OperationCall): Promise<Answer> {
    const preference = readPreference(request);
    const preferred = typeof preference === 'object' ? await this.prefer(operation, request, preference) : preference;
    if (typeof preferred === 'object') return preferred;
    const answer = await this.answerUnpreferred(operation, request, call);
    // RFC 7240 §2: a preference that cannot be met is ignored. A developer who mistyped it wants to know, hence the note.
    return preferred === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, 'mock-note': toHeaderText(`Prefer is ignored: ${preferred}`) } };
  }

  private async answerUnpreferred(operation: Operation, request: HttpRequest, call: OperationCall): Promise<Answer> {
    const preparing = call.prepare();
    if (preparing !== undefined) await preparing;
    const stated = this.behaviourOf(operation).isStated ? call.behave() : call.refusal();
    if (stated !== undefined) return varyingByKey(operation, await this.dress(operation, request, stated));
    const answer = await negotiate(operation, request, noPreference);
    if (typeof answer === 'string') throw new Error(`Prism has no answer for ${operation.id}: ${answer}`);
    return answer;
  }

  /** Without `x-api` nobody says what a failure looks like but the operation's own examples. */
  private async dress(operation: Operation, request: HttpRequest, answer: Answer): Promise<Answer> {
    const isPlain = this.api.contract.error === undefined && answer.status >= 400;
    if (!isPlain || (responseFor(operation, answer.status)?.content.size ?? 0) === 0) return answer;
    const example = await negotiate(operation, request, { ...noPreference, code: answer.status });
    if (typeof example === 'string') return answer;
    return { ...example, body: withReason(example.body, answer.body), headers: { ...example.headers, ...answer.headers } };
  }

  private behaviourOf(operation: Operation): Behaviour {
    const behaviour = this.behaviours.get(operation) ?? createBehaviour(this.api, operation);
    this.behaviours.set(operation, behaviour);
    return behaviour;
  }

  /** The documented answer that is preferred, or why there is none. */
  private async prefer(operation: Operation, request: HttpRequest, preference: Preference): Promise<Answer | string> {
    const answer = await negotiate(operation, request, preference);
    if (typeof answer === 'string')
      return `${answer.replace(/\.$/, '')}; ${operation.id} documents ${documentedStatuses(operation).join(', ')}`;
    const headers = {
      ...answer.headers,
      ...(answer.status === 401 ? challenge(this.api, operation) : {}),
      'preference-applied': printPreference(preference),
    };
    return preference.dynamic ? { ...answer, headers } : this.nameRequest({ ...answer, headers });
  }

  /** An example's request identifier was someone else's; each answer gets its own. */
  private nameRequest(answer: Answer): Answer {
    const pointer = this.api.contract.error?.request;
    const { body } = answer;
    if (pointer === undefined || Buffer.isBuffer(body) || !isObject(body) || valueAt(body, pointer) === undefined) return answer;
    return { ...answer, body: withValueAt(body, pointer, this.api.nextRequestId()) };
  }

  private refuseMethod(request: HttpRequest, allowed: readonly string[]): Answer {
    const methods = withImplied(allowed);
    const message = `${request.method} is not for this path; it answers ${methods.join(', ')}.`;
    return createFailure(this.api, undefined, 405, { message, headers: { allow: methods.join(', ') } });
  }

  private fail(status: number, message: string): Answer {
    return createFailure(this.api, undefined, status, { message });
  }
}

/** The problems of the request are those that were found the first time; the chaos is that of this time. */
function fromCache(cached: PreparedResponse, { context, chaos }: Arrival | Answered): PreparedResponse {
  const { status, headers, body, encoded, next } = cached;
  const seen = context === undefined ? undefined : { ...context, problems: cached.context?.problems ?? [], isCached: true };
  return { status, headers, body, encoded, next, context: seen, wire: chaos.wire };
}

const wrongMoment =
  'Mock-Clock names no instant; send one such as 2026-03-29T02:30:00+01:00, or a duration from the mock’s own clock such as PT2H or -P1D.';

/** The instant of a request: the clock's, unless the request names its own. */
function momentOf(clock: MockClock, request: HttpRequest): number | undefined {
  const named = headerOf(request.headers, 'mock-clock');
  return named === undefined ? clock.now() : readInstantOrDuration(named.trim(), clock.now());
}

/** A shared cache must not give the answer for one key to another (RFC 9110 §12.5.5). */
function varyingByKey(operation: Operation, answer: Answer): Answer {
  const vary = carriers.get(operation) ?? listCarriers(operation);
  carriers.set(operation, vary);
  return vary === '' ? answer : { ...answer, headers: withHeader(answer.headers, 'vary', vary) };
}

/** The headers that carry keys, by operation. */
const carriers = new WeakMap<Operation, string>();

function listCarriers(operation: Operation): string {
  const names = operation.security
    .flat()
    .filter(({ carrier }) => carrier.in !== 'query')
    .map(({ carrier }) => (carrier.in === 'authorization' ? 'Authorization' : carrier.in === 'cookie' ? 'Cookie' : carrier.name));
  return [...new Set(names)].join(', ');
}

/** RFC 9110 §10.2.1: a list of methods is complete; GET brings HEAD with it, and every path answers OPTIONS. */
function withImplied(methods: readonly string[]): readonly string[] {
  return [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])];
}
