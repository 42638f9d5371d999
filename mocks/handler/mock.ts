/** A mock without a socket: every request of every API that it serves, from the request line to the prepared response. */

import { type DebugLogger, debuglog } from 'node:util';
import { type HttpRequest, splitTarget } from '../../core/http/exchange.ts';
import { type ChaosDecider, noChaos } from '../chaos/chaos-decision.ts';
import { createSecrets } from '../hide-keys.ts';
import { Host, type MountedApi } from './api-handler.ts';
import { createFailure } from './failure.ts';
import { type Answer, type PreparedResponse, prepare } from './mock-response.ts';

/** Answers requests. */
export interface Mock {
  /** Never rejects: what goes wrong inside is told in the API's own envelope, with status 500. */
  readonly respond: (request: HttpRequest) => Promise<PreparedResponse>;
  /** An error that has no request yet, such as one that cannot be parsed, in the envelope of the first API. */
  readonly refuse: (status: number, message: string) => Answer;
  /** The methods that a path answers; `undefined` when no API has it. */
  readonly methodsAt: (request: HttpRequest) => readonly string[] | undefined;
  /** True when an operation documents a body for such a request. */
  readonly readsBody: (request: HttpRequest) => boolean;
  /** The request as it may be printed and kept: without keys. */
  readonly redact: (request: HttpRequest) => HttpRequest;
}

/**
 * A mock of several APIs whose paths do not collide. `onError` hears of what went wrong inside; `chaos` tells what each request meets.
 * @throws {TypeError} when there is no API at all.
 */
export function createMock(mounted: readonly MountedApi[], onError: (error: unknown) => void, chaos: ChaosDecider = noChaos): Mock {
  const secrets = createSecrets(mounted.map(({ api }) => api));
  const hosts = mounted.map((each) => new Host(each, secrets, chaos));
  const [first] = hosts;
  if (first === undefined) throw new TypeError('a mock serves at least one API');
  return {
    respond: async (request) => {
      const host = hostOf(hosts, request) ?? first;
      try {
        const response = await host.respond(request);
        if (log.enabled) logResponse(secrets.redact(request), response);
        return response;
      } catch (error) {
        tell(onError, error);
        return prepare(
          request,
          createFailure(host.api, host.operationOf(request), 500, { message: 'Something went wrong inside the mock.' }),
        );
      }
    },
    refuse: (status, message) => createFailure(first.api, undefined, status, { message }),
    methodsAt: (request) => knownHost(hosts, request)?.methodsAt(request),
    readsBody: (request) => knownHost(hosts, request)?.operationOf(request)?.requestBody !== undefined,
    redact: secrets.redact,
  };
}

/** The debug log of the mock: one line for each response. NODE_DEBUG=touchstone-mock prints it to standard error. */
const log: DebugLogger = debuglog('touchstone-mock');

/** Logs how the mock understood a request, and where its response comes from. The request has no keys any more. */
function logResponse({ method, target }: HttpRequest, { status, context }: PreparedResponse): void {
  const parts = [
    context?.operation ?? 'no operation',
    ...(context === undefined ? [] : [`key ${context.stranger ?? context.role}`, context.isCached ? 'from the cache' : 'computed']),
    ...(context?.problems ?? []).map((problem) => `${problem.parameters.join(' and ')} ${problem.class}`),
    ...(context?.chaos ?? []),
  ];
  log('%s %s: %d, %s', method, target, status, parts.join(', '));
}

/** A listener that fails itself must not take the answer with it. */
function tell(onError: (error: unknown) => void, error: unknown): void {
  try {
    onError(error);
  } catch (failure) {
    process.emitWarning(`the listener for errors of the mock failed: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
}

/** The API that has the path, literally rather than by a template; without one, the API whose paths are nearest. */
function hostOf(hosts: readonly Host[], request: HttpRequest): Host | undefined {
  return knownHost(hosts, request) ?? closest(hosts, splitTarget(request.target).path);
}

function knownHost(hosts: readonly Host[], request: HttpRequest): Host | undefined {
  let best: Host | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const host of hosts) {
    const exactness = host.exactness(request);
    if (exactness <= most) continue;
    best = host;
    most = exactness;
  }
  return best;
}

/** The API whose paths share the longest beginning with a path, segment by segment: its envelope is what a caller there expects. */
function closest(hosts: readonly Host[], path: string): Host | undefined {
  const shared = (host: Host): number =>
    Math.max(0, ...host.api.contract.operations.map((operation) => sharedSegments(operation.path, path)));
  return hosts.toSorted((left, right) => shared(right) - shared(left))[0];
}

function sharedSegments(template: string, path: string): number {
  const given = path.split('/');
  const parts = template.split('/');
  const differing = parts.findIndex((part, index) => part !== given[index]);
  return differing < 0 ? parts.length : differing;
}
