/**
 * Interface of the endpoints below `/__mock/`: request, response, methods and error, with helpers for parameters and messages. For each request, the files
 * `*-endpoint.ts` and `*-endpoints.ts`, `read-body-members.ts` and `origin-guard.ts` use it, and `control-handler.ts` to route. `control-http-adapter.ts` takes
 * a type when it writes a response, `control-client.ts` the path `/__mock/` for each call of a test. JSON bodies are left to `read-body-members.ts`.
 */

import { didYouMean } from '../../core/did-you-mean.ts';
import type { HttpHeaders } from '../../core/http/exchange.ts';
import type { IncomingBody } from '../server/read-request-body.ts';
import type { StreamConnection } from './event-stream.ts';

/** A request to a path below `/__mock/`. */
export interface ControlRequest {
  readonly method: string;
  /** Path and query, still percent-encoded. */
  readonly target: string;
  readonly headers: HttpHeaders;
  /** The body as text, or the reason why it was not read. */
  readonly body: IncomingBody;
}

/** Parts of a request that the handler of a method receives. */
export interface ControlCall {
  readonly query: URLSearchParams;
  readonly headers: HttpHeaders;
  /** @throws {ControlError} for a body that is too large or not UTF-8. */
  readonly body: () => string;
  /** Value of the path's placeholder; empty without one. */
  readonly segment: string;
}

/** A response as JSON, a file of the front page, or a stream of events, which `begin` starts on the connection. */
export type ControlResponse =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: object | undefined;
    }
  | { readonly kind: 'file'; readonly type: string; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly begin: (connection: StreamConnection) => void };

/**
 * Handler of one method of an endpoint.
 * @throws {ControlError} for an invalid request, with its status.
 * @throws {UsageError} for an invalid request; its status is 400.
 */
export type MethodHandler = (call: ControlCall) => ControlResponse;

/** A path with its methods. */
export interface Endpoint {
  /** Path below `/__mock/`, such as `journal` or `journal/{number}`. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', MethodHandler>>>;
}

/** Root of all endpoints. */
export const controlPath = '/__mock/';

/** Refusal of a request, with the status and headers of its response. */
export class ControlError extends Error {
  override readonly name = 'ControlError' as const;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Creates a response with status 200. */
export function toJsonResponse(body: object): ControlResponse {
  return { kind: 'json', status: 200, headers: {}, body };
}

/**
 * Requires that a query has only these parameters, each at most once. `subject` begins the message: `The journal`.
 * @throws {ControlError} for an unknown or repeated parameter.
 */
export function requireParameters(query: URLSearchParams, subject: string, names: readonly string[]): void {
  const list = names.length === 1 ? `the parameter is ${names[0]}.` : `the parameters are ${names.join(', ')}`;
  for (const name of query.keys()) {
    if (!names.includes(name))
      throw new ControlError(400, `${subject} has no parameter ${excerpt(name)}; ${didYouMean(name, names, list)}`);
    if (query.getAll(name).length > 1) throw new ControlError(400, `${name} was given more than once; give it once.`);
  }
}

/** Shortens a text for a message. */
export function excerpt(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text === '' ? '""' : text;
}
