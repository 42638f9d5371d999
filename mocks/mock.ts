/** A mock without a socket: every request of every API that it serves, from the request line to the answer. */

import { type HttpRequest, type HttpResponse, splitTarget } from '../core/exchange.ts';
import { toResponse } from './answer.ts';
import { createFailure } from './failure.ts';
import { Host, type MountedApi } from './host.ts';
import { createSecrets } from './secret.ts';

/** Answers requests. */
export interface Mock {
  /** Never rejects: what goes wrong inside is told in the API's own envelope, with status 500. */
  readonly respond: (request: HttpRequest) => Promise<HttpResponse>;
  /** An error that has no request yet, such as one that cannot be parsed, in the envelope of the first API. */
  readonly refuse: (status: number, message: string) => HttpResponse;
  /** The methods that a path answers; `undefined` when no API has it. */
  readonly methodsAt: (request: HttpRequest) => readonly string[] | undefined;
  /** The request as it may be printed and kept: without keys. */
  readonly redact: (request: HttpRequest) => HttpRequest;
}

/**
 * A mock of several APIs whose paths do not collide. `onError` hears of what went wrong inside.
 * @throws {TypeError} when there is no API at all.
 */
export function createMock(mounted: readonly MountedApi[], onError: (error: unknown) => void): Mock {
  const hosts = mounted.map((each) => new Host(each));
  const [first] = hosts;
  if (first === undefined) throw new TypeError('a mock serves at least one API');
  const secrets = createSecrets(hosts.map((host) => host.api));
  const answer = async (host: Host, request: HttpRequest): Promise<HttpResponse> =>
    toResponse(secrets.clean(request, await host.respond(request)));
  return {
    respond: async (request) => {
      const host = hostOf(hosts, request) ?? first;
      try {
        return await (host.around === undefined ? answer(host, request) : host.around(request, (inner) => answer(host, inner)));
      } catch (error) {
        tell(onError, error);
        return toResponse(createFailure(host.api, host.operationOf(request), 500, { message: 'Something went wrong inside the mock.' }));
      }
    },
    refuse: (status, message) => toResponse(createFailure(first.api, undefined, status, { message })),
    methodsAt: (request) => {
      const host = knownHost(hosts, request);
      return host?.methodsAt(request);
    },
    redact: secrets.redact,
  };
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
  const exactness = (host: Host): number => host.exactness(request);
  const known = hosts
    .filter((host) => exactness(host) > Number.NEGATIVE_INFINITY)
    .toSorted((left, right) => exactness(right) - exactness(left));
  return known[0];
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
