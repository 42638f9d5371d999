/** A mock of several APIs, without a server. It finds the API of a request, and turns internal errors into a 500. */

import { type DebugLogger, debuglog } from 'node:util';
import { type HttpRequest, splitTarget } from '../../core/http/exchange.ts';
import { type ChaosDecider, noChaos } from '../chaos/chaos-decision.ts';
import { ApiHandler, type MountedApi } from './api-handler.ts';
import { createErrorResponse } from './error-response.ts';
import { createKeyHider } from './hide-keys.ts';
import { definesResponse } from './operation-handler.ts';
import { type DraftResponse, type PreparedResponse, prepare } from './prepare-response.ts';
import { preloadPrism } from './prism/load-prism.ts';
import type { ServedApi } from './served-api.ts';

/** A mock of several APIs. */
export interface Mock {
  /** Responds to a request. It never rejects: an internal error becomes a 500 in the error format of the API. */
  readonly respond: (request: HttpRequest) => Promise<PreparedResponse>;
  /** An error response without a request, such as for malformed bytes, in the error format of the first API. */
  readonly refuse: (status: number, message: string) => DraftResponse;
  /** Methods of the path of a request; `undefined` if no API has the path. */
  readonly methodsAt: (request: HttpRequest) => readonly string[] | undefined;
  /** True if an operation has the method and the path of a request. */
  readonly documents: (request: HttpRequest) => boolean;
  /** The request without keys, for logs and the journal. */
  readonly redact: (request: HttpRequest) => HttpRequest;
}

/**
 * Creates a mock of APIs with different paths. `onError` gets each internal error; `chaos` decides on the disturbances of each request.
 * @throws {TypeError} without an API.
 */
export function createMock(mounted: readonly MountedApi[], onError: (error: unknown) => void, chaos: ChaosDecider = noChaos): Mock {
  const keyHider = createKeyHider(mounted.map(({ api }) => api));
  const handlers = mounted.map((each) => new ApiHandler(each, keyHider, chaos));
  const [first] = handlers;
  if (first === undefined) throw new TypeError('a mock serves at least one API');
  return {
    respond: async (request) => {
      const handler = handlerFor(handlers, request) ?? first;
      try {
        const response = await handler.respond(request);
        if (log.enabled) logResponse(keyHider.hideInRequest(request), response);
        return response;
      } catch (error) {
        report(onError, error);
        return prepare(
          request,
          createErrorResponse(handler.api, handler.operationOf(request), 500, {
            message: 'The mock failed; its error output has the cause.',
          }),
        );
      }
    },
    refuse: (status, message) => createErrorResponse(first.api, undefined, status, { message }),
    methodsAt: (request) => exactHandler(handlers, request)?.methodsAt(request),
    documents: (request) => exactHandler(handlers, request)?.operationOf(request) !== undefined,
    redact: keyHider.hideInRequest,
  };
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

/** The API with the path of a request, or else the API with the most similar path. */
function handlerFor(handlers: readonly ApiHandler[], request: HttpRequest): ApiHandler | undefined {
  return exactHandler(handlers, request) ?? closestHandler(handlers, splitTarget(request.target).path);
}

/** The API with the path of a request; a literal path wins over a template. */
function exactHandler(handlers: readonly ApiHandler[], request: HttpRequest): ApiHandler | undefined {
  let best: ApiHandler | undefined;
  let bestPrecision = Number.NEGATIVE_INFINITY;
  for (const handler of handlers) {
    const precision = handler.matchPrecision(request);
    if (precision <= bestPrecision) continue;
    best = handler;
    bestPrecision = precision;
  }
  return best;
}

/** The API with the path that shares the most leading segments with a path: the caller expects its error format. */
function closestHandler(handlers: readonly ApiHandler[], path: string): ApiHandler | undefined {
  const similarity = (handler: ApiHandler): number =>
    Math.max(0, ...handler.api.contract.operations.map((operation) => countSharedSegments(operation.path, path)));
  return handlers.toSorted((left, right) => similarity(right) - similarity(left))[0];
}

function countSharedSegments(template: string, path: string): number {
  const templateSegments = template.split('/');
  const segments = path.split('/', templateSegments.length);
  const firstDifference = templateSegments.findIndex((segment, index) => segment !== segments[index]);
  return firstDifference < 0 ? templateSegments.length : firstDifference;
}
