/** Prism, behind one door: it routes, validates and calls our behaviour, and negotiates documented examples by itself. */

import type { IPrismDiagnostic } from '@stoplight/prism-core';
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest, type IHttpResponse } from '@stoplight/prism-http';
import type { HttpMethod, IHttpOperation } from '@stoplight/types';
import * as E from 'fp-ts/lib/Either.js';
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js';
import type { HttpRequest } from '../core/exchange.ts';
import { headerOf, splitTarget } from '../core/exchange.ts';
import type { Operation } from '../core/operation.ts';
import type { Answer } from './answer.ts';
import type { Call } from './behaviour.ts';
import type { Body } from './json-text.ts';

/** What a client prefers by the header `Prefer` (RFC 7240), in Prism's words. */
export interface Preference {
  readonly code: number | undefined;
  readonly example: string | undefined;
  readonly dynamic: boolean;
}

/** Prism with the operations of one contract. */
export interface Engine {
  /** Takes a call through Prism: its route, its validation of key and parameters, and our behaviour. */
  readonly respond: (call: Call, request: HttpRequest) => Promise<Answer>;
  /** A documented answer, negotiated by Prism; a text says why there is none. */
  readonly negotiate: (operation: Operation, request: HttpRequest, preference: Preference) => Promise<Answer | string>;
}

/** Prism writes to a logger for each request; the mock has lines of its own. */
const silent = {
  child: (): unknown => silent,
  ...Object.fromEntries(['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map((level) => [level, (): void => undefined])),
};
const logger = silent as unknown as Parameters<typeof createInstance>[1]['logger'];

const config: IHttpConfig = {
  isProxy: false,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

/**
 * Loads the operations of a contract file into Prism.
 * @throws when Prism cannot read the file, which `loadContract` has read before.
 */
export async function createEngine(file: string): Promise<Engine> {
  const resources = new Map(
    (await getHttpOperationsFromSpec(file)).map((resource) => [`${resource.method.toUpperCase()} ${resource.path}`, resource]),
  );
  const calls = new WeakMap<IHttpRequest, Call>();
  const callOf = (input: IHttpRequest): Call =>
    calls.get(input) ?? missing(`Prism asks for a request that it was not given: ${input.url.path}`);
  const resourceOf = (operation: Operation): IHttpOperation =>
    resources.get(`${operation.method} ${operation.path}`) ??
    missing(`Prism does not know ${operation.method} ${operation.path} of ${file}`);
  const stateful = createInstance(config, {
    logger,
    route: ({ input }) => E.right(resourceOf(callOf(input).operation)),
    validateSecurity: ({ element }) => toEither(element, securityProblems(callOf(element))),
    validateInput: ({ element }) =>
      toEither(
        element,
        callOf(element)
          .reading()
          .problems.map((problem) => problem.message),
      ),
    // What the validators found is known to the call too, with its class and the contract's answer to it; the behaviour decides by that.
    mock:
      ({ input }) =>
      () =>
        E.right(toPrismResponse(callOf(input.data).behave())),
  });
  const examples = createInstance({ ...config, checkSecurity: false, validateRequest: false }, { logger });
  return {
    respond: async (call, request) => {
      const input = toPrismCall(request);
      calls.set(input, call);
      const result = await stateful.request(input, [])();
      if (E.isLeft(result)) throw result.left;
      return toAnswer(result.right.output);
    },
    negotiate: async (operation, request, preference) => {
      const { code, example, dynamic } = preference;
      // A generated body follows from the request, so that it is the same in every process, as all else is.
      const mock = {
        dynamic,
        seed: `${request.method} ${request.target}`,
        ...(code === undefined ? {} : { code }),
        ...(example === undefined ? {} : { exampleKey: example }),
      };
      const result = await examples.request(toPrismRequest(request), [resourceOf(operation)], {
        ...config,
        checkSecurity: false,
        validateRequest: false,
        mock,
      })();
      return E.isLeft(result) ? explain(result.left) : toAnswer(result.right.output);
    },
  };
}

function securityProblems(call: Call): readonly string[] {
  const identification = call.identification();
  return identification.kind === 'stranger' ? [identification.because] : [];
}

function toEither(element: IHttpRequest, messages: readonly string[]): E.Either<NonEmptyArray<IPrismDiagnostic>, IHttpRequest> {
  const [first, ...rest] = messages.map((message) => ({ message, severity: 0 }));
  return first === undefined ? E.right(element) : E.left([first, ...rest]);
}

/** A call knows its parameters by itself, so Prism is given what it needs to pass it on, and no copy of the rest. */
function toPrismCall(request: HttpRequest): IHttpRequest {
  const method = (request.method === 'HEAD' ? 'get' : request.method.toLowerCase()) as HttpMethod;
  return { method, url: { path: splitTarget(request.target).path } };
}

function toPrismRequest(request: HttpRequest): IHttpRequest {
  const { path, query } = splitTarget(request.target);
  // What is accepted is disregarded, as RFC 9110 §12.5.1 allows: there is one representation, and Prism would refuse to give it.
  const names = Object.keys(request.headers).filter((name) => name !== 'accept');
  const headers = Object.fromEntries(names.map((name) => [name, headerOf(request.headers, name) ?? '']));
  const method = (request.method === 'HEAD' ? 'get' : request.method.toLowerCase()) as HttpMethod;
  return { method, url: { path, query: Object.fromEntries(new URLSearchParams(query)) }, headers };
}

function toPrismResponse(answer: Answer): IHttpResponse {
  return { statusCode: answer.status, headers: { ...answer.headers }, body: answer.body };
}

function toAnswer(output: IHttpResponse): Answer {
  const headers = Object.entries(output.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { status: output.statusCode, headers: Object.fromEntries(headers), body: output.body as Body | undefined };
}

function explain(error: Error): string {
  return 'detail' in error && typeof error.detail === 'string' && error.detail !== '' ? error.detail : error.message;
}

function missing(message: string): never {
  throw new Error(message);
}
