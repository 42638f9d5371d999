/** A mock of several APIs, without a server. It reads each request once, finds its API, and turns internal errors into a 500. */

import { type DebugLogger, debuglog } from 'node:util';
import { answersByChoice } from '../../core/annotations/apply-profile.ts';
import { didYouMean } from '../../core/did-you-mean.ts';
import { type HttpHeaders, type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import { profileHeader } from '../../core/http/headers-of-unjudged-requests.ts';
import { printJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { resolveContract } from '../../core/openapi/contract.ts';
import { splitQuery } from '../../core/parameters/query-string.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { type ChaosDecider, noChaos } from '../chaos/chaos-decision.ts';
import { type MockClock, readInstantOrDuration } from '../clock.ts';
import { ApiHandler, type MountedApi } from './api-handler.ts';
import type { ReceivedRequest } from './call.ts';
import { createErrorResponse } from './error-response.ts';
import { createKeyHider } from './hide-keys.ts';
import { definesResponse } from './operation-handler.ts';
import { readPreference } from './prefer-header.ts';
import { type DraftResponse, type PreparedResponse, prepare } from './prepare-response.ts';
import { preloadPrism } from './prism/load-prism.ts';
import type { Routed } from './router.ts';
import type { ServedApi } from './served-api.ts';

/** A mock of several APIs. */
export interface Mock {
  /** Reads a request, or its head while its body has not arrived. */
  readonly receive: (request: HttpRequest) => ReceivedRequest;
  /** Responds to a request. It never rejects: an internal error becomes a 500 in the error format of the API. */
  readonly respond: (request: ReceivedRequest) => Promise<PreparedResponse>;
  /** An error response without a request, such as for malformed bytes, in the error format of the first API. */
  readonly refuse: (status: number, message: string) => DraftResponse;
  /** The request without keys, for logs and the journal. */
  readonly redact: (request: ReceivedRequest) => HttpRequest;
}

/** The route of a request, with the API that it leads to. */
interface Destination extends Routed {
  readonly handler: ApiHandler;
}

/** Maximum number of cached routes, and maximum length of a cached method and path. Prism takes 50 µs to find one. */
const [routesMost, keyLengthMost] = [1000, 500] as const;

/**
 * Creates a mock of APIs with different paths. `onError` gets each internal error; `chaos` decides on the disturbances of each request.
 * @throws {TypeError} without an API.
 */
export function createMock(mounted: readonly MountedApi[], onError: (error: unknown) => void, chaos: ChaosDecider = noChaos): Mock {
  const keyHider = createKeyHider(mounted.map(({ api }) => api));
  const handlers = new Map(mounted.map((each) => [each.api, new ApiHandler(each, keyHider, chaos)]));
  const [first] = mounted;
  if (first === undefined) throw new TypeError('a mock serves at least one API');
  const destinations = new RecentCache<string, Destination>(routesMost);
  const destinationOf = (method: string, path: string): Destination => {
    const find = (): Destination => findDestination([...handlers.values()], method, path);
    const key = `${method} ${path}`;
    return key.length <= keyLengthMost ? getOrCompute(destinations, key, find) : find();
  };
  const handlersByApi = new Map(handlers);
  const variants = new Map<string, ApiHandler>();
  /** Leads to the API with other answers to its open questions, if the request has the header Mock-Profile. */
  const answerOtherwise = (destination: Destination, { method, headers }: HttpRequest, path: string): Destination => {
    const choice = headerOf(headers, profileHeader)?.trim();
    if (choice === undefined) return destination;
    const { api } = destination.handler;
    const { name, questions, profile } = api.contract;
    const answers = answersByChoice(questions, choice);
    if (Object.keys(answers).length === 0) {
      const known = new Set([...questions.values()].flatMap(({ choices }) => [...choices.keys()]));
      const advice = known.size === 0 ? 'the contract has no questions' : `the choices are ${[...known].join(', ')}`;
      const note = `Mock-Profile is ignored: no open question has this choice; ${didYouMean(choice, known, advice)}`;
      return { ...destination, setAside: [...destination.setAside, note] };
    }
    const handler = getOrCompute(variants, printJson([name, choice]), () => {
      const contract = { ...resolveContract(api.contract, { ...profile, ...answers }), name };
      const mount = mounted.find((each) => each.api === api);
      const answered = { ...api, contract, dataset: api.datasetUnder?.(contract) ?? api.dataset };
      // Keys are found by the credentials of a contract, and each contract has its own.
      return new ApiHandler({ ...mount, api: answered }, createKeyHider([answered]), chaos);
    });
    handlersByApi.set(handler.api, handler);
    return { handler, ...handler.router.find(method, path) };
  };
  const receive = (request: HttpRequest): ReceivedRequest => {
    const { method, headers } = request;
    const { path: sentPath, query } = splitTarget(request.target);
    const pairs = splitQuery(query);
    const { handler, route, path, setAside } = answerOtherwise(destinationOf(method, sentPath), request, sentPath);
    const { api } = handler;
    const [keys, preference, nowMs] = [
      handler.keyHider.find(headers, pairs),
      readPreference(headers, pairs),
      instantOf(api.clock, headers),
    ];
    return { ...request, api, path, pairs, route, setAside, keys, preference, nowMs };
  };
  const redact = (request: ReceivedRequest): HttpRequest => keyHider.hideInRequest(request, request.keys);
  const respond = async (request: ReceivedRequest): Promise<PreparedResponse> => {
    const { api, route } = request;
    try {
      const handler = handlersByApi.get(api);
      if (handler === undefined) throw new TypeError('another mock received this request');
      const response = await handler.respond(request, receive);
      if (log.enabled) logResponse(redact(request), response);
      return response;
    } catch (error) {
      report(onError, error);
      const message = 'Internal error of the mock; see its error output for the cause.';
      return prepare(request, createErrorResponse(api, route.kind === 'operation' ? route.operation : undefined, 500, { message }));
    }
  };
  return { receive, respond, redact, refuse: (status, message) => createErrorResponse(first.api, undefined, status, { message }) };
}

/** Loads what operations without annotations need, before the first request. */
export function preparePlainOperations(apis: readonly ServedApi[]): void {
  const isPlain = apis.some(({ contract }) => contract.operations.some((operation) => !definesResponse(operation)));
  if (isPlain) preloadPrism();
}

/** The debug log: one line per response, on standard error, with NODE_DEBUG=touchstone-mock. */
const log: DebugLogger = debuglog('touchstone-mock');

/** Logs a request without keys, with its operation, key and problems. */
function logResponse({ method, target }: HttpRequest, { status, context }: PreparedResponse): void {
  const parts = [
    context?.operation ?? 'no operation',
    ...(context === undefined ? [] : [`key ${context.stranger ?? context.role}`, context.isCached ? 'from the cache' : 'computed']),
    ...(context?.problems ?? []).map((problem) => `${problem.parameters.join(' and ')} ${problem.class}`),
    ...(context?.chaos ?? []),
  ];
  log('%s %s: %d, %s', method, target, status, parts.join(', '));
}

/** Reports an internal error. An error in the listener itself must not prevent the response. */
function report(onError: (error: unknown) => void, error: unknown): void {
  try {
    onError(error);
  } catch (failure) {
    process.emitWarning(`the listener for errors of the mock failed: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
}

/** The instant of a request: from its header Mock-Clock, or else from the clock. `undefined` for an invalid header. */
function instantOf(clock: MockClock, headers: HttpHeaders): number | undefined {
  const header = headerOf(headers, 'mock-clock');
  return header === undefined ? clock.now() : readInstantOrDuration(header.trim(), clock.now());
}

/** The API with a path, by the fewest path parameters; or else the API with the most similar path, whose error format the caller expects. */
function findDestination(handlers: readonly ApiHandler[], method: string, path: string): Destination {
  const all = handlers.map((handler) => ({ handler, ...handler.router.find(method, path) }));
  const rank = ({ route, handler }: Destination): number =>
    route.kind === 'no-path' ? Number.MIN_SAFE_INTEGER + handler.similarityTo(path) : -route.parameters;
  return all.reduce((best, each) => (rank(each) > rank(best) ? each : best));
}
